import type { JsonNode, JsonProperty } from './json';
import type { Span } from './span';

/** The place of a node's value. */
export function nodeSpan(node: JsonNode): Span {
  return { start: node.offset, end: node.end };
}

/** The place of a key, quotes included. */
export function keySpan(property: JsonProperty): Span {
  return { start: property.keyStart, end: property.keyEnd };
}

/** The place of a whole member: from its key to the end of its value. */
export function propertySpan(property: JsonProperty): Span {
  return { start: property.keyStart, end: property.value?.end ?? property.keyEnd };
}

/**
 * Where a finding about a node is shown: the key that holds it if it has one, else a scalar itself,
 * else the opening bracket. Marking a whole object would underline half a file.
 */
export function headSpan(node: JsonNode): Span {
  if (node.property !== undefined) return keySpan(node.property);
  if (node.kind === 'object' || node.kind === 'array') return { start: node.offset, end: node.offset + 1 };
  return nodeSpan(node);
}

/** One token of a JSON Pointer (RFC 6901), escaped. */
export function escapePointerToken(token: string): string {
  return token.includes('~') || token.includes('/') ? token.replaceAll('~', '~0').replaceAll('/', '~1') : token;
}

/** One escaped token of a JSON Pointer, read. */
export function unescapePointerToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

/** The JSON Pointer of a node, from `root` (default: the document's root). `""` for the root itself. */
export function pointerOf(node: JsonNode, root?: JsonNode): string {
  const tokens: string[] = [];
  let current = node;
  while (current !== root && current.parent !== undefined) {
    tokens.push(current.property !== undefined ? escapePointerToken(current.property.key) : String(current.index));
    current = current.parent;
  }
  return tokens.length === 0 ? '' : `/${tokens.reverse().join('/')}`;
}

/** The node that the JSON Pointer names below `root`, or `undefined`. `""` is `root` itself. */
export function resolvePointer(root: JsonNode, pointer: string): JsonNode | undefined {
  if (pointer === '') return root;
  if (!pointer.startsWith('/')) return undefined;
  return resolveTokens(root, pointer.slice(1).split('/').map(unescapePointerToken));
}

/** As `resolvePointer`, from decoded tokens. */
export function resolveTokens(root: JsonNode, tokens: readonly string[]): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const token of tokens) {
    if (node === undefined) return undefined;
    if (node.kind === 'object') node = node.value(token);
    else if (node.kind === 'array') node = /^(0|[1-9]\d{0,9})$/.test(token) ? node.items[Number(token)] : undefined;
    else return undefined;
  }
  return node;
}

/** What stands at an offset: the innermost node, and the member whose key the offset is in, if it is in one. */
export interface JsonPlace {
  readonly node: JsonNode;
  readonly key: JsonProperty | undefined;
}

/** The innermost place at the offset, edges included; `undefined` outside of `root`. */
export function placeAt(root: JsonNode, offset: number): JsonPlace | undefined {
  if (offset < root.offset || offset > root.end) return undefined;
  let node = root;
  for (;;) {
    if (node.kind === 'array') {
      const item = lastStartingBefore(node.items, offset, (i) => i.offset);
      if (item === undefined || offset > item.end) return { node, key: undefined };
      node = item;
    } else if (node.kind === 'object') {
      const property = lastStartingBefore(node.properties, offset, (p) => p.keyStart);
      if (property === undefined) return { node, key: undefined };
      if (offset <= property.keyEnd) return { node, key: property };
      const value = property.value;
      if (value === undefined || offset < value.offset || offset > value.end) return { node, key: undefined };
      node = value;
    } else return { node, key: undefined };
  }
}

function lastStartingBefore<T>(list: readonly T[], offset: number, start: (item: T) => number): T | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (start(list[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? undefined : list[low - 1];
}

/** Every node below and including `root`, in text order. Return `false` from `visit` to pass over a node's children. */
export function walkJson(root: JsonNode, visit: (node: JsonNode) => unknown): void {
  const stack: JsonNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (visit(node) === false) continue;
    for (let i = node.items.length - 1; i >= 0; i--) stack.push(node.items[i]!);
    for (let i = node.properties.length - 1; i >= 0; i--) {
      const value = node.properties[i]!.value;
      if (value !== undefined) stack.push(value);
    }
  }
}

/** Members that count: of repeated keys the last value, at the place of the first. Members without a value are left out. */
export function effectiveProperties(node: JsonNode): JsonProperty[] {
  const list = node.properties;
  if (node.plain) return list;
  let repeated = false;
  if (list.length > 1) {
    const seen = new Set<string>();
    for (const property of list) {
      if (seen.has(property.key)) repeated = true;
      seen.add(property.key);
    }
  }
  if (!repeated) return list.every((p) => p.value !== undefined) ? list : list.filter((p) => p.value !== undefined);
  const byKey = new Map<string, JsonProperty>();
  for (const property of list) byKey.set(property.key, property);
  return [...byKey.values()].filter((p) => p.value !== undefined);
}

/** A plain JavaScript value. Objects get all keys as own properties, `__proto__` included. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * The node as a plain value, as `JSON.parse` would read its text (numbers lose their spelling).
 * Members without a value are left out.
 */
export function toValue(node: JsonNode): JsonValue {
  let result: JsonValue = null;
  const stack: { node: JsonNode; put: (value: JsonValue) => void }[] = [{ node, put: (value) => (result = value) }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const current = step.node;
    if (current.kind === 'array') {
      const list: JsonValue[] = [];
      step.put(list);
      for (let i = current.items.length - 1; i >= 0; i--) {
        const index = i;
        list[index] = null;
        stack.push({ node: current.items[i]!, put: (value) => (list[index] = value) });
      }
    } else if (current.kind === 'object') {
      const object: { [key: string]: JsonValue } = {};
      step.put(object);
      const properties = effectiveProperties(current);
      for (const property of properties) define(object, property.key, null);
      for (let i = properties.length - 1; i >= 0; i--) {
        const { key, value } = properties[i]!;
        stack.push({ node: value!, put: (v) => define(object, key, v) });
      }
    } else step.put(scalarValue(current));
  }
  return result;
}

function define(object: { [key: string]: JsonValue }, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else object[key] = value;
}

/** The value of a scalar node; `null` for containers. */
export function scalarValue(node: JsonNode): null | boolean | number | string {
  if (node.kind === 'string') return node.text;
  if (node.kind === 'number') return Number(node.text);
  if (node.kind === 'boolean') return node.text === 'true';
  return null;
}

/** Whether two spellings of numbers are the same double. */
const sameDouble = (a: string, b: string): boolean => Number(a) === Number(b);

/**
 * Whether two nodes are the same JSON value: numbers by value, objects without regard to key order.
 *
 * @param sameNumber how numbers are compared; as doubles without it
 */
export function sameValue(a: JsonNode, b: JsonNode, sameNumber = sameDouble): boolean {
  const pairs: [JsonNode, JsonNode][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair;
    if (x.kind !== y.kind) return false;
    if (x.kind === 'array') {
      if (x.items.length !== y.items.length) return false;
      for (let i = 0; i < x.items.length; i++) pairs.push([x.items[i]!, y.items[i]!]);
    } else if (x.kind === 'object') {
      const left = effectiveProperties(x);
      if (left.length !== effectiveProperties(y).length) return false;
      for (const property of left) {
        const other = y.value(property.key);
        if (other === undefined) return false;
        pairs.push([property.value!, other]);
      }
    } else if (x.text !== y.text && (x.kind !== 'number' || !sameNumber(x.text, y.text))) return false;
  }
  return true;
}
