import type { JsonNode } from '../../server/src/core/text/json';
import { isObj, Num, type Obj, type Val } from './codexModel';

/**
 * Compares a source schema with a schema on the wire place by place, without any knowledge of how one became the other.
 * The wire keeps the pointers of the source; only `const` moves, to the one element of `enum`.
 */
export interface Difference {
  /** What must have become of each node of the source, and whether an event has to say why. */
  readonly fates: Map<
    JsonNode,
    { readonly status: 'kept' | 'changed' | 'dropped' | 'any'; readonly explained: boolean }
  >;
  /** The schemas of the source that stand on the wire, with their value there. */
  readonly schemas: Map<JsonNode, Val>;
  /** Lists in a schema's place, which are read field by field: no pointer below them means anything on the wire. */
  readonly lists: Set<JsonNode>;
  /** What the wire holds beyond the source: the source schema, and the key inside it. */
  readonly added: { readonly node: JsonNode; readonly key: string; readonly value: Val }[];
}

const SCHEMA_KEYS = ['items', 'additionalProperties'];
const LIST_KEYS = ['anyOf', 'oneOf', 'allOf'];
const MAP_KEYS = ['properties', '$defs', 'definitions'];
const SENT =
  '$ref type description encrypted enum items minItems properties required additionalProperties anyOf oneOf allOf $defs definitions'.split(
    ' ',
  );
const WORDS = 'string number boolean integer object array null'.split(' ');

export function difference(source: JsonNode, wire: Val): Difference {
  const result: Difference = { fates: new Map(), schemas: new Map(), lists: new Set(), added: [] };
  new Differ(result).schema(source, wire);
  return result;
}

class Differ {
  constructor(readonly result: Difference) {}

  #set(node: JsonNode, status: 'kept' | 'changed' | 'dropped' | 'any', explained = status !== 'kept'): void {
    this.result.fates.set(node, { status, explained });
  }

  /** The node and all below it. */
  #all(node: JsonNode, status: 'changed' | 'dropped' | 'any', explained = true): void {
    this.#set(node, status, explained);
    for (const item of node.items) this.#all(item, status, explained);
    // What a repeated key overwrites has a fate of its own unless all of it is gone.
    const members = status === 'changed' ? this.#effective(node) : node.properties;
    for (const { value } of members) if (value !== undefined) this.#all(value, status, explained);
  }

  schema(node: JsonNode, wire: Val | undefined): void {
    if (wire === undefined) {
      this.#all(node, 'dropped');
      return;
    }
    this.result.schemas.set(node, wire);
    if (node.kind === 'array') {
      this.result.lists.add(node);
      this.#all(node, 'any', false);
    } else if (node.kind !== 'object' || !isObj(wire)) this.#all(node, 'changed');
    else this.#object(node, wire);
  }

  #object(node: JsonNode, wire: Obj): void {
    const members = this.#effective(node);
    const bare = members.every(
      ({ key, value }) =>
        !SENT.includes(key) || value.kind === 'null' || ['description', '$defs', 'definitions'].includes(key),
    );
    if (wire.size > 0 || members.length === 0) this.#set(node, 'kept');
    // With nothing in it that has to be sent, a schema may end as `{}` bit by bit as well as at once.
    else if (bare && members.some(({ key }) => ['$ref', ...LIST_KEYS].includes(key))) this.#set(node, 'any', false);
    else this.#set(node, 'changed');
    const hasConst = members.some(({ key }) => key === 'const');
    for (const { key, value } of members) {
      const there = wire.get(key);
      if (key === 'const') this.#all(value, wire.has('enum') ? 'changed' : 'dropped');
      else if (there === undefined) this.#all(value, 'dropped');
      else if (key === 'type') this.#type(value, there);
      else if (key === 'enum' && hasConst) this.#replaced(value);
      else if (SCHEMA_KEYS.includes(key) && typeof there !== 'boolean') this.schema(value, there);
      else if (LIST_KEYS.includes(key)) this.#branches(value, there as Val[]);
      else if (MAP_KEYS.includes(key)) this.#map(value, there as Obj);
      else this.#data(value, there);
    }
    for (const [key, value] of wire) if (!node.has(key)) this.result.added.push({ node, key, value });
  }

  #effective(node: JsonNode): { key: string; value: JsonNode }[] {
    const result: { key: string; value: JsonNode }[] = [];
    for (const property of node.properties) {
      const { key, value } = property;
      if (value === undefined) continue;
      if (node.properties.findLast((other) => other.key === key) === property) result.push({ key, value });
      else this.#all(value, 'dropped', false);
    }
    return result;
  }

  #branches(node: JsonNode, wire: Val[]): void {
    this.#set(node, 'kept');
    for (const [i, item] of node.items.entries()) this.schema(item, wire[i]);
  }

  #map(node: JsonNode, wire: Obj): void {
    this.#set(node, node.kind === 'object' ? 'kept' : 'changed');
    for (const { key, value } of this.#effective(node)) this.schema(value, wire.get(key));
  }

  /** Another value stands in the node's place; nothing of what it held is left. */
  #replaced(node: JsonNode): void {
    this.#all(node, 'dropped');
    this.#set(node, 'changed');
  }

  /** A type as written, or a list without its unknown words, or a list of which one word is left, or another type. */
  #type(node: JsonNode, wire: Val): void {
    const same = Array.isArray(wire)
      ? node.kind === 'array' && node.items.length === wire.length
      : node.kind === 'string' && node.text === wire;
    if (same) {
      this.#set(node, 'kept');
      for (const item of node.items) this.#set(item, 'kept');
      return;
    }
    this.#replaced(node);
    if (!node.items.some((item) => item.kind === 'string' && WORDS.includes(item.text))) return;
    for (const item of node.items) if (item.kind === 'string' && WORDS.includes(item.text)) this.#set(item, 'changed');
  }

  #data(node: JsonNode, wire: Val | undefined): void {
    if (wire === undefined) {
      this.#all(node, 'dropped');
      return;
    }
    this.#set(node, sameOwnValue(node, wire) ? 'kept' : 'changed');
    for (const [i, item] of node.items.entries()) this.#data(item, Array.isArray(wire) ? wire[i] : undefined);
    if (node.kind !== 'object') return;
    for (const { key, value } of this.#effective(node)) this.#data(value, isObj(wire) ? wire.get(key) : undefined);
  }
}

function sameOwnValue(node: JsonNode, wire: Val): boolean {
  if (node.kind === 'object') return isObj(wire);
  if (node.kind === 'array') return Array.isArray(wire);
  if (node.kind === 'number') return wire instanceof Num && Number(wire.spelling) === Number(node.text);
  if (node.kind === 'boolean') return String(wire) === node.text && typeof wire === 'boolean';
  return node.kind === 'null' ? wire === null : wire === node.text;
}
