import { pointerTokens } from '../../schema/references';
import type { JsonNode } from '../../text/json';
import { pointerOf, resolveTokens } from '../../text/jsonTree';

/** A schema with what it is put together of: references followed, `allOf` taken in, arms as far as they are chosen. */
export interface SchemaView {
  readonly parts: readonly SchemaPart[];
  /** Names the schema: the pointer of the first part. */
  readonly pointer: string;
}

export interface SchemaPart {
  readonly node: JsonNode;
  /** Its arms are chosen already. */
  readonly chosen: boolean;
}

/** References in a row, and parts of one schema, that are followed. */
const MOST_PARTS = 50;

const ARMS = ['anyOf', 'oneOf'] as const;

/** A choice of arms that is open. */
export interface OpenArms {
  readonly part: SchemaPart;
  readonly keyword: 'anyOf' | 'oneOf';
  readonly arms: readonly JsonNode[];
}

export function viewOf(node: JsonNode, root: JsonNode): SchemaView {
  const parts: SchemaPart[] = [];
  const queue = [node];
  for (let next = queue.shift(); next !== undefined && parts.length < MOST_PARTS; next = queue.shift()) {
    if (parts.some((part) => part.node === next)) continue;
    parts.push({ node: next, chosen: false });
    const reference = next.value('$ref')?.string;
    const tokens = reference?.startsWith('#') ? pointerTokens(reference.slice(1)) : undefined;
    const target = tokens === undefined ? undefined : resolveTokens(root, tokens);
    if (target !== undefined) queue.push(target);
    queue.push(...(next.value('allOf')?.items ?? []));
  }
  // A reference alone is named by what it leads to, so that each definition is one.
  const named = parts.length > 1 && node.has('$ref') && node.properties.length === 1 ? parts[1]! : parts[0]!;
  return { parts, pointer: pointerOf(named.node, root) };
}

/** The first choice of arms that is not made yet. */
export function openArms({ parts }: SchemaView): OpenArms | undefined {
  for (const part of parts) {
    if (part.chosen) continue;
    for (const keyword of ARMS) {
      const arms = part.node.value(keyword)?.items ?? [];
      if (arms.length > 0) return { part, keyword, arms };
    }
  }
  return undefined;
}

/** The view with one arm taken in; `undefined` for an arm that leads back to a choice of the view, and so says nothing. */
export function withArm(view: SchemaView, { part }: OpenArms, arm: JsonNode, root: JsonNode): SchemaView | undefined {
  const parts = view.parts.map((each) => (each === part ? { ...each, chosen: true } : each));
  const known = new Set(parts.map(({ node }) => node));
  const added = viewOf(arm, root).parts;
  if (added.some(({ node }) => known.has(node) && hasArms(node))) return undefined;
  return { parts: [...parts, ...added.filter(({ node }) => !known.has(node))], pointer: view.pointer };
}

function hasArms(node: JsonNode): boolean {
  return ARMS.some((keyword) => (node.value(keyword)?.items ?? []).length > 0);
}

/** Keywords that say nothing of a value themselves once they are followed. */
const FOLLOWED: ReadonlySet<string> = new Set(['$ref', '$defs', 'definitions', 'allOf']);

/** The parts that say something of a value, arms that are chosen left out: views with the same have the same values. */
export function tellingParts({ parts }: SchemaView): readonly SchemaPart[] {
  return parts.filter(
    ({ node, chosen }) =>
      node.kind !== 'object' ||
      node.properties.some(({ key }) => !FOLLOWED.has(key) && !(chosen && ARMS.some((keyword) => keyword === key))),
  );
}

/** The values of a keyword, part by part. */
export function keyword({ parts }: SchemaView, key: string): readonly JsonNode[] {
  return parts.flatMap(({ node }) => (node.kind === 'object' ? (node.value(key) ?? []) : []));
}

/** The bound of a keyword: the tightest of all parts. */
export function bound(view: SchemaView, key: string, tightest: 'least' | 'most'): number | undefined {
  const numbers = keyword(view, key).flatMap((node) => (node.kind === 'number' ? Number(node.text) : []));
  if (numbers.length === 0) return undefined;
  return tightest === 'least' ? Math.min(...numbers) : Math.max(...numbers);
}

/** As `bound`, for a keyword that counts: what is no whole number of zero or more counts for nothing. */
export function countBound(view: SchemaView, key: string, tightest: 'least' | 'most'): number | undefined {
  const counts = keyword(view, key).flatMap((node) => {
    const count = node.kind === 'number' ? Number(node.text) : -1;
    return Number.isInteger(count) && count >= 0 ? count : [];
  });
  if (counts.length === 0) return undefined;
  return tightest === 'least' ? Math.min(...counts) : Math.max(...counts);
}

/** A declared property: its schemas in all parts. */
export interface DeclaredProperty {
  readonly name: string;
  readonly node: JsonNode;
  readonly required: boolean;
}

export function declaredProperties(view: SchemaView): readonly DeclaredProperty[] {
  const required = new Set(
    keyword(view, 'required').flatMap(({ items }) => items.flatMap(({ string }) => string ?? [])),
  );
  const found = new Map<string, DeclaredProperty>();
  for (const list of keyword(view, 'properties')) {
    for (const { key, value } of list.properties) {
      if (value !== undefined && !found.has(key))
        found.set(key, { name: key, node: value, required: required.has(key) });
    }
  }
  return [...found.values()];
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type SchemaType = (typeof TYPES)[number];

const HINTS: readonly (readonly [SchemaType, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that a value may have: those that are named, else those that the keywords speak of, else all. */
export function typesOf(view: SchemaView): readonly SchemaType[] {
  let types: readonly SchemaType[] | undefined;
  for (const node of keyword(view, 'type')) {
    const named = node.kind === 'array' ? node.items.map(({ string }) => string) : [node.string];
    const known = TYPES.filter((type) => named.includes(type));
    types = types === undefined ? known : types.filter((type) => known.includes(type));
  }
  if (types !== undefined) return types;
  const hinted = HINTS.filter(([, keys]) => keys.some((key) => keyword(view, key).length > 0)).map(([type]) => type);
  return hinted.length > 0 ? hinted : ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array'];
}
