import {
  ENGINE_LARGEST_NATURAL,
  ENGINE_SCHEMA_FORMATS,
  ENGINE_SCHEMA_IGNORED,
  ENGINE_SCHEMA_KEYWORDS,
  ENGINE_SCHEMA_REFUSED,
} from '../../profiles/llguidance';
import type { Span } from '../../text/span';
import type { JsonValue } from './engineJson';
import { SchemaPatterns } from './enginePatterns';
import { Refused, refusedAt, type TextRule } from './engineRefused';
import { type SchemaOptions, schemaOptions } from './engineSchemaOptions';
import { SchemaTexts, Unsatisfiable } from './engineSchemaTexts';
import { ANY, both, FALSE, normal, objectShape, type Shape, type ShapeContext, simplest } from './engineShape';

type Members = ReadonlyMap<string, JsonValue>;

const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'];
const APPLICATORS = new Set(['const', 'enum', 'allOf', 'anyOf', 'oneOf', '$ref']);

/** Schemas that one `%json` may have. */
const MOST_SCHEMAS = 50_000;

/** References that lead to one another; more are not followed here. */
const MOST_REFERENCES = 300;

/** Versions of JSON Schema by their address, oldest first. */
const DRAFTS: ReadonlyMap<string, number> = new Map([
  ['http://json-schema.org/draft-04/schema', 4],
  ['http://json-schema.org/draft-06/schema', 6],
  ['http://json-schema.org/draft-07/schema', 7],
  ['https://json-schema.org/draft/2019-09/schema', 8],
  ['https://json-schema.org/draft/2020-12/schema', 9],
]);
const NEWEST = 9;

class TooDeep extends Error {}

/**
 * Why llguidance 1.9.1 refuses a schema behind `%json`, in its words; `undefined` if it takes it, and where that cannot
 * be told in bounded work. It is the engine as WebAssembly: references are `#` and `#/…`, without escapes.
 */
export function schemaRefusal(
  schema: JsonValue,
): { readonly message: string; readonly place: Span | undefined } | undefined {
  try {
    const { options, rest } = schemaOptions(schema);
    const check = new SchemaCheck(rest, options);
    const shape = check.root();
    new SchemaTexts(options, check.patterns, check.definitions).check(shape);
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return { message: error.message, place: error.place };
    if (error instanceof Unsatisfiable)
      return { message: `Unsatisfiable schema: ${error.message}`, place: error.place };
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

class SchemaCheck implements ShapeContext {
  readonly patterns = new SchemaPatterns();
  readonly definitions = new Map<string, Shape>();
  readonly #seen = new Set<string>();
  readonly #draft: number;
  #count = 0;
  #depth = 0;

  constructor(
    readonly schema: JsonValue,
    readonly options: SchemaOptions,
  ) {
    const version = schema.kind === 'object' ? schema.members.get('$schema') : undefined;
    this.#draft = (version?.kind === 'string' && DRAFTS.get(version.value.replace(/#+$/, ''))) || NEWEST;
  }

  root(): Shape {
    return this.#of(this.schema);
  }

  count(): void {
    if (++this.#count > MOST_SCHEMAS) throw new Refused('schema too large');
  }

  resolve(to: string): Shape {
    this.#define(to);
    const shape = this.definitions.get(to);
    if (shape === undefined) throw new Refused(`circular references with sibling keys are not supported: ${to}`);
    return shape;
  }

  #define(to: string): void {
    if (this.#seen.has(to)) return;
    this.#seen.add(to);
    if (++this.#depth > MOST_REFERENCES) throw new TooDeep();
    this.definitions.set(to, this.#of(this.#target(to)));
    this.#depth--;
  }

  #target(to: string): JsonValue {
    if (to === '#' || to === '#/') return this.schema;
    if (!to.startsWith('#/')) throw new Refused(`only references of the form #/… are supported; it is '${to}'`);
    let target: JsonValue | undefined = this.schema;
    for (const part of to.slice(2).split('/')) {
      if (target?.kind === 'array') target = /^\+?[0-9]+$/.test(part) ? target.items[Number(part)] : undefined;
      else target = target?.kind === 'object' ? target.members.get(part) : undefined;
      if (target === undefined) throw new Refused(`'${part}' of the reference '${to}' is not there`);
    }
    return target;
  }

  #of(schema: JsonValue): Shape {
    const at = schema.span;
    try {
      if (schema.kind === 'boolean') return schema.value ? ANY : { ...FALSE, at };
      if (schema.kind !== 'object') throw new Refused('schema must be an object or boolean');
      const shape = normal(this.#object(schema.members), this);
      return shape.at === undefined ? { ...shape, at } : shape;
    } catch (error) {
      if (error instanceof Refused) error.place ??= at;
      throw error;
    }
  }

  #object(members: Members): Shape {
    this.count();
    const keys = [...members.keys()];
    if (keys.every((key) => ENGINE_SCHEMA_IGNORED.has(key) || !this.#isKnown(key))) return ANY;
    const refused = keys.filter(
      (key) => this.#isKnown(key) && !ENGINE_SCHEMA_KEYWORDS.has(key) && !ENGINE_SCHEMA_IGNORED.has(key),
    );
    if (refused.length > 0 && !this.options.lenient) {
      const list = refused.sort().map((key) => JSON.stringify(key));
      throw refusedAt(members.get(refused[0]!)!, `Unimplemented keys: [${list.join(', ')}]`);
    }
    const { properties, prefixItems } = Object.fromEntries(
      ['properties', 'prefixItems'].map((key) => [key, members.get(key)]),
    );
    if (properties !== undefined && properties.kind !== 'object') throw new Refused('properties must be an object');
    if (prefixItems !== undefined && prefixItems.kind !== 'array') throw new Refused('prefixItems must be an array');
    let result = ANY;
    // Members are read in their order, and those between two applicators go together.
    let current = new Map<string, JsonValue>();
    const settle = (): void => {
      if (current.size === 0) return;
      const type = members.get('type');
      if (type !== undefined) current.set('type', type);
      result = both(result, this.#simple(current), this);
      current = new Map();
    };
    for (const [key, value] of members) {
      if (APPLICATORS.has(key)) {
        settle();
        result = this.#applied(result, key, value);
      } else if (!ENGINE_SCHEMA_IGNORED.has(key)) {
        current.set(key, value);
        // These two depend on the names and the count of others, which may stand elsewhere.
        if (key === 'additionalProperties' && !current.has('properties') && properties?.kind === 'object') {
          const names = [...properties.members.keys()].map((name) => [name, TRUE] as const);
          current.set('properties', { kind: 'object', members: new Map(names), repeated: false });
        }
        if (key === 'items' && !current.has('prefixItems') && prefixItems?.kind === 'array')
          current.set('prefixItems', { kind: 'array', items: prefixItems.items.map(() => TRUE) });
      }
    }
    settle();
    return result;
  }

  #isKnown(key: string): boolean {
    const since = ENGINE_SCHEMA_REFUSED.get(key);
    if (since !== undefined) return since <= this.#draft;
    if (key === 'const') return this.#draft >= 6;
    if (key === 'prefixItems') return this.#draft >= 8;
    return ENGINE_SCHEMA_KEYWORDS.has(key);
  }

  #applied(shape: Shape, key: string, value: JsonValue): Shape {
    if (key === 'const') return both(shape, constant(value), this);
    if (key === '$ref') {
      if (value.kind !== 'string') throw refusedAt(value, '$ref must be a string');
      if (shape.kind !== 'any') return both(shape, this.resolve(value.value), this, 1);
      this.#define(value.value);
      return { kind: 'reference', to: value.value };
    }
    if (value.kind !== 'array') throw refusedAt(value, `${key} must be an array`);
    if (key === 'enum') return both(shape, { kind: 'anyOf', items: value.items.map(constant) }, this);
    if (key === 'allOf') return value.items.reduce((before, item) => both(before, this.#of(item), this), shape);
    const items = value.items.map((item) => this.#of(item));
    return both(shape, { kind: key === 'anyOf' ? 'anyOf' : 'oneOf', items }, this);
  }

  #simple(members: Members): Shape {
    const type = members.get('type');
    if (type?.kind === 'string') return this.#type(type.value, members);
    if (type !== undefined && type.kind !== 'array') throw new Refused('type must be a string or array of strings');
    const types = type?.items.map((item) => {
      if (item.kind !== 'string') throw new Refused('type must be a string');
      return item.value;
    });
    const items = (types ?? TYPES).map((each) => this.#type(each, members));
    return items.length === 1 ? items[0]! : { kind: 'anyOf', items };
  }

  #type(type: string, members: Members): Shape {
    this.count();
    switch (type) {
      case 'null':
        return { kind: 'null' };
      case 'boolean':
        return { kind: 'boolean', value: undefined };
      case 'number':
      case 'integer':
        return this.#number(members, type === 'integer');
      case 'string':
        return this.#string(members);
      case 'array':
        return this.#array(members);
      case 'object':
        return this.#properties(members);
      default:
        throw new Refused(`Invalid type: ${type}`);
    }
  }

  #number(members: Members, integer: boolean): Shape {
    const bound = (key: string): number | undefined => {
      const value = members.get(key);
      if (value === undefined) return undefined;
      if (value.kind !== 'number') throw refusedAt(value, `Expected f64 for '${key}'`);
      return value.value;
    };
    const least = bound('minimum');
    const most = bound('maximum');
    const exclusive = (key: string, other: number | undefined): number | undefined => {
      const value = members.get(key);
      if (value?.kind === 'boolean') return value.value ? other : undefined;
      return bound(key);
    };
    const above = exclusive('exclusiveMinimum', least);
    const below = exclusive('exclusiveMaximum', most);
    const factor = bound('multipleOf');
    const multiple = factor === undefined ? undefined : decimal(Math.abs(factor));
    return { kind: 'number', least, most, above, below, integer, multiple };
  }

  #natural(members: Members, key: string): number | undefined {
    const value = members.get(key);
    if (value === undefined) return undefined;
    if (value.kind !== 'number' || !/^[0-9]+$/.test(value.text) || BigInt(value.text) >= 1n << 64n)
      throw refusedAt(value, `Expected positive integer for '${key}'`);
    if (value.value > ENGINE_LARGEST_NATURAL) throw refusedAt(value, `Value ${value.text} for '${key}' is too large`);
    return value.value;
  }

  #string(members: Members): Shape {
    const least = this.#natural(members, 'minLength') ?? 0;
    const most = this.#natural(members, 'maxLength');
    const rules: TextRule[] = [];
    const pattern = members.get('pattern');
    if (pattern !== undefined) {
      if (pattern.kind !== 'string') throw refusedAt(pattern, "Expected string for 'pattern'");
      rules.push({ kind: 'pattern', source: pattern.value });
    }
    const format = members.get('format');
    if (format !== undefined) {
      if (format.kind !== 'string') throw refusedAt(format, "Expected string for 'format'");
      if (ENGINE_SCHEMA_FORMATS.has(format.value)) rules.push({ kind: 'format', source: format.value });
      else if (!this.options.lenient) throw refusedAt(format, `Unknown format: ${format.value}`);
    }
    return { kind: 'string', least, most, rules };
  }

  #array(members: Members): Shape {
    const least = this.#natural(members, 'minItems') ?? 0;
    const most = this.#natural(members, 'maxItems');
    const items = members.get('items');
    const others = members.get('additionalItems');
    let [first, rest] = [members.get('prefixItems'), items];
    // Older drafts write the items of the front as a list of `items`.
    if (this.#draft < NEWEST || others !== undefined || items?.kind === 'array')
      [first, rest] = items?.kind === 'array' ? [items, others] : [undefined, items];
    if (first !== undefined && first.kind !== 'array') throw new Refused("Expected array for 'prefixItems'");
    const prefix = first?.items.map((item) => this.#of(item)) ?? [];
    return { kind: 'array', least, most, prefix, rest: rest === undefined ? undefined : this.#of(rest) };
  }

  #properties(members: Members): Shape {
    const least = this.#natural(members, 'minProperties') ?? 0;
    const most = this.#natural(members, 'maxProperties');
    const properties = this.#map(members, 'properties');
    const patterns = this.#map(members, 'patternProperties');
    this.patterns.apart([...patterns.keys()]);
    for (const [name, shape] of properties) {
      const of = [...patterns].find(([pattern]) => this.patterns.matches(pattern, name))?.[1];
      if (of !== undefined) properties.set(name, both(shape, of, this));
    }
    const others = members.get('additionalProperties');
    const rest = others === undefined ? undefined : this.#of(others);
    const required = new Set<string>();
    const list = members.get('required');
    if (list !== undefined) {
      if (list.kind !== 'array') throw refusedAt(list, "Expected array for 'required'");
      for (const item of list.items) {
        if (item.kind !== 'string') throw refusedAt(item, "Expected string for 'required' item");
        required.add(item.value);
      }
    }
    return objectShape({ kind: 'object', properties, patterns, rest, required, least, most });
  }

  #map(members: Members, key: string): Map<string, Shape> {
    const value = members.get(key);
    const shapes = new Map<string, Shape>();
    if (value === undefined) return shapes;
    if (value.kind !== 'object') throw refusedAt(value, `Expected object for '${key}'`);
    for (const [name, schema] of value.members) shapes.set(name, this.#of(schema));
    return shapes;
  }
}

const TRUE: JsonValue = { kind: 'boolean', value: true };

/** A factor as a whole number and its decimal places, by the engine's own arithmetic. */
function decimal(factor: number): { coefficient: number; places: number } {
  let [value, places] = [factor, 0];
  while (value % 1 !== 0) {
    value *= 10;
    places++;
  }
  if (value > ENGINE_LARGEST_NATURAL) throw new Refused(`Value for 'multipleOf' has too many digits: ${value}`);
  return simplest(value, places);
}

function constant(value: JsonValue): Shape {
  switch (value.kind) {
    case 'boolean':
      return { kind: 'boolean', value: value.value };
    case 'string':
      return { kind: 'string', least: 0, most: undefined, rules: [{ kind: 'literal', text: value.value }] };
    case 'number': {
      const integer = /^-?[0-9]+$/.test(value.text) && Math.abs(value.value) < 2 ** 63;
      const bounds = { least: value.value, most: value.value, above: undefined, below: undefined };
      return { kind: 'number', ...bounds, integer, multiple: undefined };
    }
    case 'array': {
      const prefix = value.items.map(constant);
      return { kind: 'array', least: prefix.length, most: prefix.length, prefix, rest: FALSE };
    }
    case 'object': {
      const properties = new Map([...value.members].map(([key, member]) => [key, constant(member)] as const));
      const required = new Set(properties.keys());
      return { kind: 'object', properties, patterns: new Map(), rest: FALSE, required, least: 0, most: undefined };
    }
    default:
      return { kind: 'null' };
  }
}
