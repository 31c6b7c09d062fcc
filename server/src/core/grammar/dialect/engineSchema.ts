import { ENGINE_SCHEMA_FORMATS, ENGINE_SCHEMA_KEYWORDS, ENGINE_SCHEMA_REFUSED } from '../../profiles/llguidance';
import { parseRustRegex } from '../regex/parseRust';
import type { JsonValue } from './engineJson';

/** What is known of a schema: as much as decides whether something can match it, and whether two exclude each other. */
type Shape =
  | { readonly kind: 'any' | 'null' | 'number' | 'array' | 'reference' }
  | { readonly kind: 'never'; readonly why: string }
  | { readonly kind: 'boolean'; readonly value: boolean | undefined }
  | { readonly kind: 'string'; readonly value: string | undefined }
  | {
      readonly kind: 'object';
      readonly properties: ReadonlyMap<string, Shape>;
      readonly required: ReadonlySet<string>;
      readonly rest: Shape;
    }
  | { readonly kind: 'anyOf' | 'oneOf'; readonly items: readonly Shape[] };

const ANY: Shape = { kind: 'any' };
const FALSE: Shape = { kind: 'never', why: 'schema is false' };
const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];
const APPLICATORS = new Set(['const', 'enum', 'allOf', 'anyOf', 'oneOf', '$ref']);

/** Schemas that one `%json` may have. */
const MOST_SCHEMAS = 50_000;

class Refused extends Error {}

/**
 * Why llguidance 1.9.1 refuses a schema behind `%json`, in its words; `undefined` if it takes it. Contradictions are
 * found as far as types and constants show them; ranges of numbers and lengths are not compared.
 */
export function schemaRefusal(schema: JsonValue): string | undefined {
  try {
    const shape = new SchemaCheck(schema).root();
    return shape.kind === 'never' ? `Unsatisfiable schema: ${shape.why}` : undefined;
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

class SchemaCheck {
  #lenient = false;
  #coerce = false;
  #count = 0;
  readonly #seen = new Map<string, Shape>();

  constructor(readonly schema: JsonValue) {
    const options = schema.kind === 'object' ? schema.members.get('x-guidance') : undefined;
    if (options?.kind !== 'object') return;
    const on = (key: string): boolean => {
      const value = options.members.get(key);
      return value?.kind === 'boolean' && value.value;
    };
    this.#lenient = on('lenient');
    this.#coerce = on('coerce_one_of') || this.#lenient;
  }

  root(): Shape {
    const shape = this.#of(this.schema);
    this.#oneOf(shape);
    return this.#settle(shape);
  }

  #count1(): void {
    if (++this.#count > MOST_SCHEMAS) throw new Refused('schema too large');
  }

  /** The engine refuses alternatives that exclude each other only together, if they are left at the end. */
  #oneOf(shape: Shape): void {
    if (shape.kind === 'any') return;
    const open: Shape[] = [shape];
    const done = new Set<Shape>();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (done.has(next)) continue;
      done.add(next);
      if (next.kind === 'oneOf' && !this.#coerce)
        throw new Refused(
          "oneOf constraints are not supported. Enable 'coerce_one_of' option to approximate oneOf with anyOf",
        );
      if (next.kind === 'anyOf' || next.kind === 'oneOf') open.push(...next.items);
      if (next.kind === 'object') open.push(...next.properties.values());
    }
  }

  /** `never` for an object whose required property nothing can match. */
  #settle(shape: Shape): Shape {
    if (shape.kind === 'object') {
      for (const name of shape.required) {
        const settled = this.#settle(shape.properties.get(name) ?? shape.rest);
        if (settled.kind === 'never') return settled;
      }
    } else if (shape.kind === 'anyOf' && shape.items.length > 0) {
      const settled = shape.items.map((item) => this.#settle(item));
      if (settled.every((item) => item.kind === 'never')) return settled[0]!;
    }
    return shape;
  }

  #of(schema: JsonValue): Shape {
    this.#count1();
    if (schema.kind === 'boolean') return schema.value ? ANY : FALSE;
    if (schema.kind !== 'object') throw new Refused('schema must be an object or boolean');
    const { members } = schema;
    const refused = [...members.keys()].filter((key) => ENGINE_SCHEMA_REFUSED.has(key));
    const judged = [...members.keys()].filter((key) => ENGINE_SCHEMA_KEYWORDS.has(key));
    if (refused.length > 0 && !this.#lenient)
      throw new Refused(
        `Unimplemented keys: [${refused
          .sort()
          .map((key) => `"${key}"`)
          .join(', ')}]`,
      );
    if (judged.length === 0) return ANY;
    let shape = ANY;
    if (judged.some((key) => !APPLICATORS.has(key))) shape = this.#types(members);
    for (const key of judged) {
      if (APPLICATORS.has(key)) shape = normal(both(shape, this.#applied(key, members.get(key)!)));
    }
    return normal(shape);
  }

  #applied(key: string, value: JsonValue): Shape {
    if (key === 'const') return constant(value);
    if (key === '$ref') {
      if (value.kind !== 'string') throw new Refused('$ref must be a string');
      return this.#reference(value.value);
    }
    if (value.kind !== 'array') throw new Refused(`${key} must be an array`);
    if (key === 'enum') return normal({ kind: 'anyOf', items: value.items.map(constant) });
    const items = value.items.map((item) => this.#of(item));
    if (key === 'allOf') return items.reduce((a, b) => normal(both(a, b)), ANY);
    return normal({ kind: key === 'anyOf' ? 'anyOf' : 'oneOf', items });
  }

  #reference(reference: string): Shape {
    const known = this.#seen.get(reference);
    if (known !== undefined) return known;
    if (!reference.startsWith('#')) {
      throw new Refused(`Resource '${reference}' is not present in a registry`);
    }
    this.#seen.set(reference, { kind: 'reference' });
    let target: JsonValue | undefined = this.schema;
    for (const part of decodeURIComponentSafe(reference.slice(1)).split('/').slice(1)) {
      const key: string = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (target?.kind === 'object') target = target.members.get(key);
      else target = target?.kind === 'array' ? target.items[Number(key)] : undefined;
    }
    if (target === undefined) throw new Refused(`Pointer '${reference.slice(1)}' does not exist`);
    const shape = this.#of(target);
    this.#seen.set(reference, shape);
    return shape;
  }

  #types(members: ReadonlyMap<string, JsonValue>): Shape {
    const type = members.get('type');
    if (type === undefined) return normal({ kind: 'anyOf', items: TYPES.map((each) => this.#type(each, members)) });
    if (type.kind === 'string') return this.#type(type.value, members);
    if (type.kind !== 'array') throw new Refused('type must be a string or array of strings');
    const items = type.items.map((item) => {
      if (item.kind !== 'string') throw new Refused('type must be a string');
      return this.#type(item.value, members);
    });
    return normal({ kind: 'anyOf', items });
  }

  #type(type: string, members: ReadonlyMap<string, JsonValue>): Shape {
    switch (type) {
      case 'null':
        return { kind: 'null' };
      case 'boolean':
        return { kind: 'boolean', value: undefined };
      case 'number':
      case 'integer':
        for (const key of ['minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum']) {
          const { kind = 'number' } = members.get(key) ?? {};
          if (kind !== 'number' && !(key.startsWith('ex') && kind === 'boolean'))
            throw new Refused(`Expected f64 for '${key}'`);
        }
        return { kind: 'number' };
      case 'string':
        this.#string(members);
        return { kind: 'string', value: undefined };
      case 'array':
        this.#counts(members, 'minItems', 'maxItems');
        this.#items(members);
        return { kind: 'array' };
      case 'object':
        return this.#object(members);
      default:
        throw new Refused(`Invalid type: ${type}`);
    }
  }

  #counts(members: ReadonlyMap<string, JsonValue>, ...keys: string[]): void {
    for (const key of keys) {
      const value = members.get(key);
      if (value === undefined) continue;
      if (value.kind !== 'number' || !/^[0-9]+$/.test(value.text))
        throw new Refused(`Expected positive integer for '${key}'`);
    }
  }

  #string(members: ReadonlyMap<string, JsonValue>): void {
    this.#counts(members, 'minLength', 'maxLength');
    const pattern = members.get('pattern');
    if (pattern !== undefined) {
      if (pattern.kind !== 'string') throw new Refused("Expected string for 'pattern'");
      const { problem } = parseRustRegex(pattern.value);
      if (problem !== undefined) throw new Refused(`The pattern is refused (${problem.code})`);
    }
    const format = members.get('format');
    if (format === undefined) return;
    if (format.kind !== 'string') throw new Refused("Expected string for 'format'");
    if (!ENGINE_SCHEMA_FORMATS.has(format.value) && !this.#lenient)
      throw new Refused(`Unknown format: ${format.value}`);
  }

  #items(members: ReadonlyMap<string, JsonValue>): void {
    for (const key of ['prefixItems', 'items', 'additionalItems']) {
      const value = members.get(key);
      if (value === undefined) continue;
      if (value.kind === 'array' && key !== 'additionalItems')
        for (const item of value.items) this.#oneOf(this.#of(item));
      else if (key === 'prefixItems') throw new Refused("Expected array for 'prefixItems'");
      else this.#oneOf(this.#of(value));
    }
  }

  #object(members: ReadonlyMap<string, JsonValue>): Shape {
    this.#counts(members, 'minProperties', 'maxProperties');
    const properties = this.#map(members, 'properties');
    const patterns = this.#map(members, 'patternProperties');
    for (const pattern of patterns.keys()) {
      if (parseRustRegex(pattern).problem !== undefined) throw new Refused(`The pattern ${pattern} is refused`);
    }
    const others = members.get('additionalProperties');
    const rest = others === undefined ? ANY : this.#of(others);
    this.#oneOf(rest);
    const required = new Set<string>();
    const list = members.get('required');
    if (list !== undefined) {
      if (list.kind !== 'array') throw new Refused("Expected array for 'required'");
      for (const item of list.items) {
        if (item.kind !== 'string') throw new Refused("Expected string for 'required' item");
        required.add(item.value);
      }
    }
    // Which names a pattern matches is not looked at.
    return { kind: 'object', properties, required, rest: patterns.size > 0 ? ANY : rest };
  }

  #map(members: ReadonlyMap<string, JsonValue>, key: string): Map<string, Shape> {
    const value = members.get(key);
    const shapes = new Map<string, Shape>();
    if (value === undefined) return shapes;
    if (value.kind !== 'object') throw new Refused(`Expected object for '${key}'`);
    for (const [name, schema] of value.members) shapes.set(name, this.#of(schema));
    return shapes;
  }
}

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function constant(value: JsonValue): Shape {
  switch (value.kind) {
    case 'boolean':
      return { kind: 'boolean', value: value.value };
    case 'string':
      return { kind: 'string', value: value.value };
    case 'object': {
      const properties = new Map([...value.members].map(([key, member]) => [key, constant(member)] as const));
      return { kind: 'object', properties, required: new Set(properties.keys()), rest: FALSE };
    }
    default:
      return { kind: value.kind };
  }
}

/** What matches both. */
function both(a: Shape, b: Shape): Shape {
  if (a.kind === 'any') return b;
  if (b.kind === 'any') return a;
  if (a.kind === 'never') return a;
  if (b.kind === 'never') return b;
  if (a.kind === 'reference') return b;
  if (b.kind === 'reference') return a;
  if (a.kind === 'oneOf' || a.kind === 'anyOf')
    return normal({ kind: a.kind, items: a.items.map((item) => both(item, b)) });
  if (b.kind === 'oneOf' || b.kind === 'anyOf')
    return normal({ kind: b.kind, items: b.items.map((item) => both(a, item)) });
  if (a.kind === 'boolean' && b.kind === 'boolean') {
    if (a.value !== undefined && b.value !== undefined && a.value !== b.value)
      return { kind: 'never', why: 'incompatible boolean values' };
    return a.value === undefined ? b : a;
  }
  if (a.kind === 'string' && b.kind === 'string') return a.value === undefined ? b : a;
  if (a.kind === 'object' && b.kind === 'object') {
    const properties = new Map(a.properties);
    for (const [name, shape] of a.properties) properties.set(name, both(shape, b.properties.get(name) ?? b.rest));
    for (const [name, shape] of b.properties) if (!a.properties.has(name)) properties.set(name, both(a.rest, shape));
    const required = new Set([...a.required, ...b.required]);
    return { kind: 'object', properties, required, rest: both(a.rest, b.rest) };
  }
  return a.kind === b.kind ? a : { kind: 'never', why: 'incompatible types' };
}

/** Without alternatives that nothing matches; alternatives that exclude each other are alternatives like others. */
function normal(shape: Shape): Shape {
  if (shape.kind !== 'anyOf' && shape.kind !== 'oneOf') return shape;
  const { kind } = shape;
  if (kind === 'anyOf' && shape.items.some((item) => item.kind === 'any')) return ANY;
  const items = shape.items
    .filter((item) => item.kind !== 'never')
    .flatMap((item) => (item.kind === kind ? item.items : [item]));
  if (items.length === 0) return shape.items[0] ?? { kind: 'never', why: `${kind} is empty` };
  if (items.length === 1) return items[0]!;
  if (kind === 'anyOf') return { kind, items };
  const apart = items.every((a, i) => items.slice(i + 1).every((b) => exclude(a, b)));
  return { kind: apart ? 'anyOf' : 'oneOf', items };
}

function exclude(a: Shape, b: Shape): boolean {
  if (a.kind === 'never' || b.kind === 'never') return true;
  if (a.kind === 'any' || b.kind === 'any' || a.kind === 'reference' || b.kind === 'reference') return false;
  if (a.kind === 'boolean' && b.kind === 'boolean')
    return a.value !== undefined && b.value !== undefined && a.value !== b.value;
  if (a.kind === 'anyOf' || a.kind === 'oneOf') return a.items.every((item) => exclude(item, b));
  if (b.kind === 'anyOf' || b.kind === 'oneOf') return b.items.every((item) => exclude(a, item));
  if (a.kind === 'string' && b.kind === 'string')
    return a.value !== undefined && b.value !== undefined && a.value !== b.value;
  if (a.kind === 'object' && b.kind === 'object') {
    return [...new Set([...a.required, ...b.required])].some((name) =>
      exclude(a.properties.get(name) ?? a.rest, b.properties.get(name) ?? b.rest),
    );
  }
  return a.kind !== b.kind;
}
