import type { JsonDocument, JsonNode, JsonProperty } from '../text/json';
import { keySpan, nodeSpan, placeAt } from '../text/jsonTree';
import type { Span } from '../text/span';
import { isSpace } from '../text/style';

/** What can be written at a place of a JSON text: a key of an object, or a value. */
export interface JsonCursor {
  readonly kind: 'key' | 'value';
  /** The object or list in which it stands. */
  readonly container: JsonNode;
  /** Keys and indexes that lead to the place; for a key, to its object. */
  readonly path: readonly (string | number)[];
  /** What is there already, to be replaced. */
  readonly replace: Span;
  /** The member that is being written. */
  readonly property: JsonProperty | undefined;
  /** A colon follows the key. */
  readonly hasColon: boolean;
  /** What follows is the next member or item, and no comma stands between. */
  readonly needsComma: boolean;
}

const WORD = /[\w$.-]/;

/** The place that an offset is at, in half-typed text too; `undefined` where nothing can be written. */
export function jsonCursor({ text, root }: JsonDocument, offset: number): JsonCursor | undefined {
  const place = root === undefined ? undefined : placeAt(root, offset);
  if (place === undefined) return undefined;
  const { node, key } = place;
  if (key !== undefined) {
    return offset > key.keyStart && offset < key.keyEnd ? atKey(text, node, key, keySpan(key)) : undefined;
  }
  if (node.kind !== 'object' && node.kind !== 'array') return atScalar(text, node, offset);
  let start = offset;
  while (start > 0 && WORD.test(text[start - 1]!)) start--;
  let before = start;
  while (before > 0 && isSpace(text, before - 1)) before--;
  const sign = text[before - 1];
  const replace = { start, end: offset };
  if (node.kind === 'array') {
    if (sign !== '[' && sign !== ',') return undefined;
    const index = node.items.filter((item) => item.end <= start).length;
    return { ...inside(text, node, replace), kind: 'value', path: [...pathOf(node), index], property: undefined };
  }
  if (sign === ':') {
    const property = node.properties.findLast(({ keyEnd }) => keyEnd <= before);
    if (property === undefined) return undefined;
    return { ...inside(text, node, replace), kind: 'value', path: [...pathOf(node), property.key], property };
  }
  if (sign !== '{' && sign !== ',') return undefined;
  return atKey(text, node, undefined, replace);
}

function atKey(text: string, node: JsonNode, property: JsonProperty | undefined, replace: Span): JsonCursor {
  return { ...inside(text, node, replace), kind: 'key', path: pathOf(node), property };
}

function atScalar(text: string, node: JsonNode, offset: number): JsonCursor | undefined {
  const { parent, property } = node;
  if (parent === undefined) return undefined;
  const quoted = text[node.offset] === '"';
  const closed = quoted && node.end - node.offset > 1 && text[node.end - 1] === '"';
  if (quoted && (offset === node.offset || (closed && offset === node.end))) return undefined;
  const span = nodeSpan(node);
  // A string without its end reaches to the end of the line.
  const replace = closed || !quoted ? span : { start: span.start, end: offset };
  return { ...inside(text, parent, replace), kind: 'value', path: pathOf(node), property };
}

function inside(
  text: string,
  container: JsonNode,
  replace: Span,
): Pick<JsonCursor, 'container' | 'replace' | 'hasColon' | 'needsComma'> {
  let next = replace.end;
  while (next < text.length && isSpace(text, next)) next++;
  const sign = text[next] ?? '';
  return { container, replace, hasColon: sign === ':', needsComma: /["[{\d\-tfn]/.test(sign) };
}

/** Keys and indexes from the root to a node. */
export function pathOf(node: JsonNode): (string | number)[] {
  const path: (string | number)[] = [];
  for (let current = node; current.parent !== undefined; current = current.parent) {
    path.push(current.property === undefined ? current.index : current.property.key);
  }
  return path.reverse();
}
