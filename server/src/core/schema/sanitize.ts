import type { JsonNode, JsonProperty } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { typeWord } from './decode';
import { emptySchema, LoweredList, LoweredObject, type LoweredValue, madeString, typedSchema } from './lowered';
import type { TraceEvent } from './trace';

const KNOWN_TYPES = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array', 'null']);

/** Keys whose presence stands for a type, in the order in which Codex looks for them. */
const TYPE_HINTS: readonly (readonly [type: string, keys: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems']],
  ['string', ['enum', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

const UNTYPED = ['$ref', 'anyOf', 'oneOf', 'allOf'] as const;

/**
 * Lowers a schema as Codex 0.171.0 does (observed): children first, boolean schemas become strings, `const` becomes
 * `enum`, unknown type words go, a missing type is inferred from other keys or the schema is emptied, and objects and
 * arrays get default `properties` and `items`.
 *
 * Recurses once per level: the caller bounds the nesting.
 */
export function sanitize(node: JsonNode, options: SanitizeOptions): LoweredValue {
  return new Sanitizer(options, node).value(node);
}

/** Options of `sanitize`. */
export interface SanitizeOptions {
  /** Receives what happens. */
  readonly events: TraceEvent[];
  /** Keywords that are read later. Others are reported as dropped already here, though they stay till then. */
  readonly keptKeywords: ReadonlySet<string>;
  /** The root gets `properties: {}` first where the key is missing or null, as Codex does for MCP tools. */
  readonly emptyProperties: boolean;
}

class Sanitizer {
  readonly #string = madeString('string');

  readonly events: TraceEvent[];

  constructor(
    readonly options: SanitizeOptions,
    readonly root: JsonNode,
  ) {
    this.events = options.events;
  }

  value(node: JsonNode): LoweredValue {
    if (node.kind === 'object') return this.#schema(node);
    if (node.kind === 'array') return this.#list(node);
    if (node.kind !== 'boolean') return node;
    this.events.push({ stage: 'lower', action: 'boolean-to-string', node });
    return typedSchema(node, this.#string);
  }

  #list(node: JsonNode): LoweredList {
    return new LoweredList(
      node,
      node.items.map((item) => this.value(item)),
    );
  }

  #map(node: JsonNode): LoweredObject {
    const members = effectiveProperties(node);
    const keys = new Array<string>(members.length);
    const values = new Array<LoweredValue>(members.length);
    for (let i = 0; i < members.length; i++) {
      keys[i] = members[i]!.key;
      values[i] = this.value(members[i]!.value!);
    }
    return new LoweredObject(node, keys, values);
  }

  #schema(node: JsonNode): LoweredObject {
    const members = effectiveProperties(node);
    const keys: string[] = [];
    const values: LoweredValue[] = [];
    let removed: string[] | undefined;
    const emptyProperties = this.options.emptyProperties && node === this.root && isMissing(node.value('properties'));
    let constant: JsonProperty | undefined;
    for (const member of members) {
      const { key } = member;
      const value = member.value!;
      switch (key) {
        case 'properties':
          if (emptyProperties) values.push(new LoweredObject(node, [], []));
          else values.push(value.kind === 'object' ? this.#map(value) : value);
          break;
        case 'prefixItems': {
          // References in it count inside a definition, so it is lowered; but it is never sent, so nothing is told.
          const told = this.events.length;
          values.push(this.value(value));
          this.events.length = told;
          break;
        }
        case 'items':
        case 'anyOf':
        case 'oneOf':
        case 'allOf':
          values.push(this.value(value));
          break;
        case 'additionalProperties':
          values.push(value.kind === 'boolean' ? value : this.value(value));
          break;
        case '$defs':
        case 'definitions':
          if (value.kind !== 'object') {
            this.events.push({ stage: 'lower', action: 'table-removed', node, property: member });
            removed = [...(removed ?? []), key];
          }
          values.push(value.kind === 'object' ? this.#map(value) : value);
          break;
        case 'const':
          constant = member;
          removed = [...(removed ?? []), key];
          values.push(value);
          break;
        default:
          values.push(value);
      }
      keys.push(key);
    }
    if (emptyProperties) {
      this.events.push({ stage: 'lower', action: 'properties-added', node });
      if (!keys.includes('properties')) {
        keys.push('properties');
        values.push(new LoweredObject(node, [], []));
      }
    }
    // Tables go before `const` does; the order shows in which of several faults is reported.
    if (removed !== undefined) {
      for (const key of ['$defs', 'definitions', 'const']) if (removed.includes(key)) swapRemove(key, keys, values);
    }
    if (constant !== undefined) this.#constToEnum(node, constant, keys, values);
    return this.#type(node, members, keys, values);
  }

  #constToEnum(node: JsonNode, constant: JsonProperty, keys: string[], values: LoweredValue[]): void {
    const list = new LoweredList(constant.value!, [constant.value!]);
    const index = keys.indexOf('enum');
    if (index < 0) {
      keys.push('enum');
      values.push(list);
    } else values[index] = list;
    const event = { stage: 'lower', action: 'const-to-enum', node, property: constant } as const;
    this.events.push(index < 0 ? event : { ...event, replaced: true });
  }

  #type(node: JsonNode, members: JsonProperty[], keys: string[], values: LoweredValue[]): LoweredObject {
    const index = keys.indexOf('type');
    const written = index < 0 ? undefined : (values[index] as JsonNode);
    let types = written === undefined ? [] : knownTypes(written);
    let inferred: TraceEvent | undefined;
    if (types.length === 0) {
      if (UNTYPED.some((key) => keys.includes(key))) {
        if (written !== undefined) this.#otherForm(node, written);
        this.#dropped(node, members, undefined);
        return new LoweredObject(node, keys, values);
      }
      const hint = TYPE_HINTS.find(([, hints]) => hints.some((key) => keys.includes(key)));
      if (hint === undefined) {
        if (members.length > 0) this.events.push({ stage: 'lower', action: 'emptied', node });
        return emptySchema(node);
      }
      types = [this.#made(hint[0])];
      inferred = { stage: 'lower', action: 'type-inferred', node, detail: hint[0] };
    }
    const type = types.length === 1 ? types[0]! : new LoweredList(written!, types);
    if (index < 0) {
      keys.push('type');
      values.push(type);
    } else values[index] = type;
    if (inferred !== undefined) {
      const property = members.find((member) => member.key === 'type');
      this.events.push(property === undefined ? inferred : { ...inferred, property });
    } else if (written!.kind === 'array' && (types.length !== written!.items.length || types.length === 1)) {
      const detail = types.length === 1 ? types[0]!.text : types.map((word) => word.text).join(', ');
      this.events.push({ stage: 'lower', action: 'type-filtered', node, property: node.get('type')!, detail });
    }
    this.#defaults(node, types, keys, values);
    this.#dropped(node, members, inferred);
    return new LoweredObject(node, keys, values);
  }

  /** A type in the reader's other form goes out as a word; any other type that is left as it is stops the reader. */
  #otherForm(node: JsonNode, written: JsonNode): void {
    const words = written.kind === 'array' ? written.items.map(typeWord) : [typeWord(written)];
    if (words.length === 0 || words.some((word) => word === undefined)) return;
    const property = node.get('type')!;
    this.events.push({ stage: 'read', action: 'type-filtered', node, property, detail: words.join(', ') });
  }

  #defaults(node: JsonNode, types: JsonNode[], keys: string[], values: LoweredValue[]): void {
    if (!keys.includes('properties') && types.some((type) => type.text === 'object')) {
      keys.push('properties');
      values.push(new LoweredObject(node, [], []));
      this.events.push({ stage: 'lower', action: 'properties-added', node });
    }
    if (!keys.includes('items') && types.some((type) => type.text === 'array')) {
      keys.push('items');
      values.push(typedSchema(node, this.#string));
      this.events.push({ stage: 'lower', action: 'items-added', node });
    }
  }

  /** Keywords that the reader will not know. They stay until then, because pruning still sees references in them. */
  #dropped(node: JsonNode, members: JsonProperty[], inferred: TraceEvent | undefined): void {
    for (const property of members) {
      const { key } = property;
      if (this.options.keptKeywords.has(key)) {
        if (property.value!.kind !== 'null' || key === '$defs' || key === 'definitions') continue;
        if (key === 'properties' && this.options.emptyProperties && node === this.root) continue;
        const replaced = (key === 'type' && inferred !== undefined) || (key === 'enum' && node.has('const'));
        if (!replaced) this.events.push({ stage: 'read', action: 'null-dropped', node, property });
      } else if (key !== 'const') this.events.push({ stage: 'read', action: 'keyword-dropped', node, property });
    }
  }

  #made(type: string): JsonNode {
    return type === 'string' ? this.#string : madeString(type);
  }
}

function isMissing(value: JsonNode | undefined): boolean {
  return value === undefined || value.kind === 'null';
}

/** Removes a key as the client's ordered maps do: the last entry takes its place. */
function swapRemove(key: string, keys: string[], values: LoweredValue[]): void {
  const index = keys.indexOf(key);
  const lastKey = keys.pop()!;
  const lastValue = values.pop()!;
  if (index === keys.length) return;
  keys[index] = lastKey;
  values[index] = lastValue;
}

/** The type words that JSON Schema knows, in order, repeats included. */
export function knownTypes(type: JsonNode): JsonNode[] {
  const words = type.kind === 'array' ? type.items : [type];
  return words.filter((word) => word.kind === 'string' && KNOWN_TYPES.has(word.text));
}
