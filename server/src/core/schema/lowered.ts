import { JsonNode } from '../text/json';

/**
 * A JSON object that the compilation may change: a schema, or a map of schemas (`properties`, a definition table).
 * Keys are an ordered list, because JavaScript objects reorder integer-like keys and treat `__proto__` in a way
 * of their own. Never changed after it has been made: each pass makes new ones along the path of a change.
 */
export class LoweredObject {
  readonly kind = 'object';
  #index: Map<string, number> | undefined;

  constructor(
    /** The object in the source, or the source schema for which this one was made. */
    readonly source: JsonNode,
    readonly keys: readonly string[],
    readonly values: readonly LoweredValue[],
  ) {}

  get(key: string): LoweredValue | undefined {
    const index = this.#indexOf(key);
    return index < 0 ? undefined : this.values[index];
  }

  has(key: string): boolean {
    return this.#indexOf(key) >= 0;
  }

  /** Schemas have few keys, but maps may have very many. */
  #indexOf(key: string): number {
    if (this.keys.length <= 16) return this.keys.indexOf(key);
    this.#index ??= new Map(this.keys.map((name, index) => [name, index]));
    return this.#index.get(key) ?? -1;
  }
}

/** A list that may hold changed values. */
export class LoweredList {
  readonly kind = 'array';

  constructor(
    readonly source: JsonNode,
    readonly items: readonly LoweredValue[],
  ) {}
}

/** Values that no step changes stay nodes of the source. */
export type LoweredValue = LoweredObject | LoweredList | JsonNode;

/** A string that stands nowhere in the source. */
export function madeString(text: string): JsonNode {
  return new JsonNode('string', -1, -1, undefined, -1, text);
}

const NONE: readonly never[] = [];

/** `{}`, in place of a schema. */
export function emptySchema(source: JsonNode): LoweredObject {
  return new LoweredObject(source, NONE, NONE);
}

/** `{"type": …}`, in place of a schema. */
export function typedSchema(source: JsonNode, type: JsonNode): LoweredObject {
  return new LoweredObject(source, ['type'], [type]);
}

/** The object without a key. Others move up: order among what is left stays. */
export function withoutKey(object: LoweredObject, key: string): LoweredObject {
  const index = object.keys.indexOf(key);
  if (index < 0) return object;
  const keep = (_: unknown, i: number): boolean => i !== index;
  return new LoweredObject(object.source, object.keys.filter(keep), object.values.filter(keep));
}

/** The object with another value for a key that it has. */
export function withValue(object: LoweredObject, index: number, value: LoweredValue): LoweredObject {
  const values = object.values.slice();
  values[index] = value;
  return new LoweredObject(object.source, object.keys, values);
}

/** Keywords that hold subschemas which every walk of the compilation enters, in the order of the walks. */
const WALKED: readonly string[] = ['properties', 'items', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'];
const TABLES: readonly string[] = ['$defs', 'definitions'];

/**
 * Applies `change` to each direct subschema: values of `properties`, `items`, branches of the combiners,
 * `additionalProperties`, and with `tables` the values of definition tables too. Lists are entered; they are no schemas.
 * Gives the same object when nothing changed.
 */
export function mapSubschemas(
  schema: LoweredObject,
  tables: boolean,
  change: (schema: LoweredObject) => LoweredObject,
): LoweredObject {
  let result = schema;
  const apply = (key: string): void => {
    const index = result.keys.indexOf(key);
    if (index < 0) return;
    const value = result.values[index]!;
    const isMap = key === 'properties' || key === '$defs' || key === 'definitions';
    const changed = isMap ? mapMap(value, change) : mapValue(value, change);
    if (changed !== value) result = withValue(result, index, changed);
  };
  for (const key of WALKED) apply(key);
  if (tables) for (const key of TABLES) apply(key);
  return result;
}

/** Applies `change` to a value in a schema's place: to the schema, or to each element of a list. */
export function mapValue(value: LoweredValue, change: (schema: LoweredObject) => LoweredObject): LoweredValue {
  if (value instanceof LoweredObject) return change(value);
  if (!(value instanceof LoweredList)) return value;
  let items: LoweredValue[] | undefined;
  for (let i = 0; i < value.items.length; i++) {
    const item = value.items[i]!;
    const changed = mapValue(item, change);
    if (changed !== item) {
      items ??= value.items.slice();
      items[i] = changed;
    }
  }
  return items === undefined ? value : new LoweredList(value.source, items);
}

function mapMap(value: LoweredValue, change: (schema: LoweredObject) => LoweredObject): LoweredValue {
  if (!(value instanceof LoweredObject)) return value;
  let values: LoweredValue[] | undefined;
  for (let i = 0; i < value.values.length; i++) {
    const member = value.values[i]!;
    const changed = mapValue(member, change);
    if (changed !== member) {
      values ??= value.values.slice();
      values[i] = changed;
    }
  }
  return values === undefined ? value : new LoweredObject(value.source, value.keys, values);
}
