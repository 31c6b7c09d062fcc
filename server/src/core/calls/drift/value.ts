import { emitString } from '../../text/emit';
import { type JsonNode, parseJson } from '../../text/json';

/** A JSON value that is being made or changed. Members keep their order and may repeat; scalars keep their spelling. */
export type Value =
  | { readonly kind: 'scalar'; readonly text: string }
  | { readonly kind: 'array'; readonly items: readonly Value[] }
  | { readonly kind: 'object'; readonly members: readonly Member[] };

export type Member = readonly [key: string, value: Value];

/** Values deeper than this are worked on as text. */
const MOST_DEPTH = 100;

export const scalar = (text: string): Value => ({ kind: 'scalar', text });
export const stringValue = (text: string): Value => scalar(emitString(text));
export const NULL = scalar('null');

/** The compact JSON text. */
export function valueText(value: Value): string {
  if (value.kind === 'scalar') return value.text;
  if (value.kind === 'array') return `[${value.items.map(valueText).join(',')}]`;
  return `{${value.members.map(([key, inner]) => `${emitString(key)}:${valueText(inner)}`).join(',')}}`;
}

/** A text as a value; `undefined` when it is no JSON to the letter, or is nested very deeply. */
export function readValue(text: string): Value | undefined {
  const { root, problems } = parseJson(text);
  if (root === undefined || problems.length > 0 || root.height > MOST_DEPTH) return undefined;
  return asValue(root);
}

/** A node as a value; members without a value are left out. */
export function asValue(node: JsonNode): Value {
  if (node.kind === 'string') return stringValue(node.text);
  if (node.kind === 'array') return { kind: 'array', items: node.items.map(asValue) };
  if (node.kind !== 'object') return scalar(node.text);
  const members = node.properties.flatMap(({ key, value }): Member[] =>
    value === undefined ? [] : [[key, asValue(value)]],
  );
  return { kind: 'object', members };
}

/** The text of a string value; `undefined` for other values. */
export function textOf(value: Value): string | undefined {
  if (value.kind !== 'scalar' || !value.text.startsWith('"')) return undefined;
  return parseJson(value.text).root?.string;
}

export function isNumber(value: Value): boolean {
  return value.kind === 'scalar' && /^[-\d]/.test(value.text);
}

/** Steps from the root to a value: places in lists of items or members. */
export type Path = readonly number[];

/** Every value with its path, the root first. */
export function places(root: Value): { readonly path: Path; readonly value: Value }[] {
  const found: { path: Path; value: Value }[] = [{ path: [], value: root }];
  for (let i = 0; i < found.length; i++) {
    const { path, value } = found[i]!;
    children(value).forEach((child, index) => {
      found.push({ path: [...path, index], value: child });
    });
  }
  return found;
}

export function children(value: Value): readonly Value[] {
  if (value.kind === 'array') return value.items;
  return value.kind === 'object' ? value.members.map(([, inner]) => inner) : [];
}

/** The root with another value at a path. */
export function replaced(root: Value, path: Path, value: Value): Value {
  const [index, ...rest] = path;
  if (index === undefined) return value;
  if (root.kind === 'array') {
    return { kind: 'array', items: root.items.map((item, i) => (i === index ? replaced(item, rest, value) : item)) };
  }
  if (root.kind !== 'object') return root;
  const members = root.members.map(
    (member, i): Member => (i === index ? [member[0], replaced(member[1], rest, value)] : member),
  );
  return { kind: 'object', members };
}
