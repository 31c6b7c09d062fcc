import type { JsonNode } from '../text/json';
import type { Draft } from './dialect';

/** The kinds of JSON values that schemas tell apart. */
export const TYPES = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

type TypeName = (typeof TYPES)[number];

/** A bit per type, so that sets of types can be intersected. */
export const TYPE_BITS: Readonly<Record<TypeName, number>> = {
  null: 1,
  boolean: 2,
  number: 4,
  string: 8,
  array: 16,
  object: 32,
};
const ALL_BITS = 63;
const WORDS: ReadonlyMap<string, number> = new Map([...Object.entries(TYPE_BITS), ['integer', TYPE_BITS.number]]);

/** Which types are left, and whether numbers must be whole. */
export interface TypesLeft {
  readonly bits: number;
  readonly integer: boolean;
}

/** The types that all of the schemas allow; `undefined` when there is none. Types they do not know allow everything. */
export function typesLeft(nodes: readonly JsonNode[]): TypesLeft | undefined {
  let bits = ALL_BITS;
  let integer = false;
  for (const node of nodes) {
    const types = typesOf(node.value('type'));
    if (types === undefined) continue;
    // OpenAPI 3.0 adds null to a type with `nullable`; whoever reads it so must not be contradicted.
    bits &= node.value('nullable')?.boolean === true ? types.bits | TYPE_BITS.null : types.bits;
    integer ||= types.integer;
  }
  for (const node of nodes) {
    const not = node.value('not');
    const excluded = not !== undefined && onlyMeans(not, 'type') ? typesOf(not.value('type')) : undefined;
    if (excluded === undefined) continue;
    // Without the integers there are numbers left, unless only integers were there.
    bits &= ~(excluded.integer && !integer ? excluded.bits & ~TYPE_BITS.number : excluded.bits);
  }
  return bits === 0 ? undefined : { bits, integer };
}

/** The types that a `type` names. `integer`: no number but whole ones. `undefined` if it has an unknown word. */
function typesOf(type: JsonNode | undefined): TypesLeft | undefined {
  if (type === undefined) return undefined;
  const words = type.kind === 'array' ? type.items : [type];
  if (words.length === 0) return undefined;
  let bits = 0;
  let integer = false;
  let number = false;
  for (const word of words) {
    const bit = word.kind === 'string' ? WORDS.get(word.text) : undefined;
    if (bit === undefined) return undefined;
    bits |= bit;
    if (word.text === 'integer') integer = true;
    if (word.text === 'number') number = true;
  }
  return { bits, integer: integer && !number };
}

/** Keywords that judge no value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$schema',
]);

/** Whether a schema says nothing but this keyword, annotations apart. */
function onlyMeans(node: JsonNode, keyword: string): boolean {
  return node.has(keyword) && node.properties.every(({ key }) => key === keyword || ANNOTATIONS.has(key));
}

/** Whether every value matches, for certain: `true`, or an object with annotations only. */
export function isAnything(node: JsonNode | undefined): boolean {
  if (node?.kind === 'boolean') return node.text === 'true';
  return node?.kind === 'object' && node.properties.every(({ key }) => ANNOTATIONS.has(key));
}

/** Keywords that alone, or with a type, leave a value: patterns and formats count as if every text passed. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...ANNOTATIONS,
  'type',
  'format',
  'pattern',
  'nullable',
  '$id',
  '$anchor',
]);

/** A quick look that spares most schemas the proof: nothing in them could exclude every value. */
export function hasPlainValue(node: JsonNode): boolean {
  if (node.kind !== 'object') return node.boolean !== false;
  return node.properties.every(({ key, value }) => {
    if (HARMLESS.has(key)) return true;
    return key === 'enum' && node.value('type')?.string === 'string' && value?.items[0]?.kind === 'string';
  });
}

/** The values that a schema lists: of `enum`, or the one of `const` (draft 6 and later). */
interface Listed {
  /** The `enum` or `const`. */
  readonly node: JsonNode;
  readonly values: readonly JsonNode[];
}

function listsOf(node: JsonNode, draft: Draft | undefined): Listed[] {
  const lists: Listed[] = [];
  const constant = draft !== undefined && draft < 6 ? undefined : node.value('const');
  if (constant !== undefined) lists.push({ node: constant, values: [constant] });
  const values = node.value('enum');
  if (values?.kind === 'array') lists.push({ node: values, values: values.items });
  return lists;
}

/** The shortest list of values among the schemas. */
export function smallestEnum(nodes: readonly JsonNode[], draft: Draft | undefined): Listed | undefined {
  let best: Listed | undefined;
  for (const node of nodes) {
    for (const list of listsOf(node, draft)) {
      if (best === undefined || list.values.length < best.values.length) best = list;
    }
  }
  return best;
}

/** A test whether one of the schemas certainly refuses a value. Containers are judged by their own size and keys only. */
export function valueRefuter(nodes: readonly JsonNode[], draft: Draft | undefined): (value: JsonNode) => boolean {
  const types = typesLeft(nodes);
  const lists = nodes.flatMap((node) => listsOf(node, draft)).map(({ values }) => valueSet(values));
  const excluded = nodes.flatMap((node) => {
    const not = node.value('not');
    if (not === undefined || !(onlyMeans(not, 'enum') || onlyMeans(not, 'const'))) return [];
    return listsOf(not, draft).map(({ values }) => valueSet(values));
  });
  return (value) => {
    if (types === undefined || (types.bits & TYPE_BITS[value.kind]) === 0) return true;
    if (value.kind === 'number' && types.integer && isFraction(Number(value.text))) return true;
    if (lists.some((has) => has(value) === false)) return true;
    if (excluded.some((has) => has(value) === true)) return true;
    return nodes.some((node) => refutes(node, value));
  };
}

/** Whether a list holds a value: `undefined` where that is not looked into. */
function valueSet(values: readonly JsonNode[]): (value: JsonNode) => boolean | undefined {
  const scalars = new Set<string>();
  const containers = new Set<string>();
  for (const value of values) {
    if (value.kind === 'array' || value.kind === 'object') containers.add(value.kind);
    else scalars.add(scalarKey(value));
  }
  return (value) => {
    if (value.kind === 'array' || value.kind === 'object') return containers.has(value.kind) ? undefined : false;
    // Long numbers may be equal after rounding only.
    const found = scalars.has(scalarKey(value));
    return found && value.kind === 'number' && !isExact(value) ? undefined : found;
  };
}

function scalarKey(node: JsonNode): string {
  return `${node.kind} ${node.kind === 'number' ? Number(node.text) : node.text}`;
}

/** Whether the value breaks a limit of the schema. */
function refutes(node: JsonNode, value: JsonNode): boolean {
  switch (value.kind) {
    case 'number':
      return numberConflict([node], false, value) !== undefined;
    case 'string': {
      const range = limitsOf([node], 'minLength', 'maxLength');
      if (range.low === undefined && range.high === undefined) return false;
      let length = 0;
      for (const _ of value.text) length++;
      return outside(range, length);
    }
    case 'array':
      return outside(limitsOf([node], 'minItems', 'maxItems'), value.items.length);
    case 'object': {
      const keys = new Set(value.properties.map(({ key }) => key));
      if (outside(limitsOf([node], 'minProperties', 'maxProperties'), keys.size)) return true;
      for (const name of requiredNames([node])) if (!keys.has(name)) return true;
      if (!isClosed(node)) return false;
      const properties = node.value('properties');
      if (properties !== undefined && properties.kind !== 'object') return false;
      return [...keys].some((key) => properties?.has(key) !== true);
    }
    default:
      return false;
  }
}

/** Whether the object takes no property but those it lists. */
function isClosed(node: JsonNode): boolean {
  return node.value('additionalProperties')?.boolean === false && !node.has('patternProperties');
}

interface Limits {
  readonly low: JsonNode | undefined;
  readonly high: JsonNode | undefined;
}

function outside({ low, high }: Limits, count: number): boolean {
  return (low !== undefined && count < Number(low.text)) || (high !== undefined && count > Number(high.text));
}

/** The narrowest of a pair of count limits. Values that are no counts do not count. */
function limitsOf(nodes: readonly JsonNode[], lower: string, upper: string): Limits {
  let low: JsonNode | undefined;
  let high: JsonNode | undefined;
  for (const node of nodes) {
    const least = node.value(lower);
    if (isCount(least) && (low === undefined || Number(least.text) > Number(low.text))) low = least;
    const most = node.value(upper);
    if (isCount(most) && (high === undefined || Number(most.text) < Number(high.text))) high = most;
  }
  return { low, high };
}

function isCount(node: JsonNode | undefined): node is JsonNode {
  if (node?.kind !== 'number') return false;
  const value = Number(node.text);
  return Number.isInteger(value) && value >= 0;
}

/** The two limits of a count that exclude each other. */
export function limitConflict(nodes: readonly JsonNode[], lower: string, upper: string): JsonNode[] | undefined {
  const { low, high } = limitsOf(nodes, lower, upper);
  if (low === undefined || high === undefined) return undefined;
  return Number(low.text) > Number(high.text) ? [low, high] : undefined;
}

interface Bound {
  readonly node: JsonNode;
  readonly value: number;
  readonly exclusive: boolean;
}

/**
 * The limits of a number that exclude each other. With `integer`, also those with no whole number between them; with
 * `value`, those that this number breaks. Multiples count where they are whole.
 */
export function numberConflict(nodes: readonly JsonNode[], integer: boolean, value?: JsonNode): JsonNode[] | undefined {
  let low: Bound | undefined = value && { node: value, value: Number(value.text), exclusive: false };
  let high: Bound | undefined = low;
  for (const node of nodes) {
    for (const [key, exclusive] of [
      ['minimum', false],
      ['exclusiveMinimum', true],
    ] as const) {
      const bound = boundOf(node, key, exclusive);
      if (bound !== undefined && (low === undefined || !weaker(bound.value, low.value, exclusive))) low = bound;
    }
    for (const [key, exclusive] of [
      ['maximum', false],
      ['exclusiveMaximum', true],
    ] as const) {
      const bound = boundOf(node, key, exclusive);
      if (bound !== undefined && (high === undefined || !weaker(-bound.value, -high.value, exclusive))) high = bound;
    }
  }
  if (low === undefined || high === undefined) return undefined;
  const nodesOfConflict = [low.node, high.node];
  if (low.value > high.value) return nodesOfConflict;
  const exact = isExact(low.node) && isExact(high.node);
  if (!exact) return undefined;
  if (low.value === high.value) return low.exclusive || high.exclusive ? nodesOfConflict : undefined;
  const first = low.exclusive ? Math.floor(low.value) + 1 : Math.ceil(low.value);
  const last = high.exclusive ? Math.ceil(high.value) - 1 : Math.floor(high.value);
  if (integer && first > last) return nodesOfConflict;
  for (const node of nodes) {
    const step = node.value('multipleOf');
    const size = step?.kind === 'number' && isExact(step) ? Number(step.text) : 0;
    if (!Number.isInteger(size) || size < 1) continue;
    if (Math.ceil(first / size) * size > last) return [...nodesOfConflict, step!];
  }
  return undefined;
}

/** Whether a lower limit says less than the one that is known. */
function weaker(value: number, known: number, exclusive: boolean): boolean {
  return value < known || (value === known && !exclusive);
}

function boundOf(node: JsonNode, key: string, exclusive: boolean): Bound | undefined {
  const limit = node.value(key);
  if (limit?.kind !== 'number') return undefined;
  const value = Number(limit.text);
  return Number.isFinite(value) ? { node: limit, value, exclusive } : undefined;
}

/** Whether a number has so few digits that no rounding can hide a difference to another such number. */
function isExact(node: JsonNode): boolean {
  return node.text.replace(/[eE].*$/, '').replace(/[-.]/g, '').length <= 15 && Math.abs(Number(node.text)) <= 1e15;
}

function isFraction(value: number): boolean {
  return Number.isFinite(value) && !Number.isInteger(value);
}

/** Every name that one of the schemas requires. */
export function requiredNames(nodes: readonly JsonNode[]): Set<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    const required = node.value('required');
    if (required?.kind !== 'array') continue;
    for (const name of required.items) if (name.kind === 'string') names.add(name.text);
  }
  return names;
}

/** Whether more properties are asked for than one of the schemas lets in. */
export function tooManyRequired(nodes: readonly JsonNode[], required: number): boolean {
  const { low, high } = limitsOf(nodes, 'minProperties', 'maxProperties');
  if (high !== undefined && required > Number(high.text)) return true;
  const least = Math.max(required, low === undefined ? 0 : Number(low.text));
  return nodes.some((node) => {
    if (!isClosed(node)) return false;
    const properties = node.value('properties');
    if (properties !== undefined && properties.kind !== 'object') return false;
    return new Set(properties?.properties.map(({ key }) => key)).size < least;
  });
}

/** The schemas that judge a property of this name. */
export function propertyJudges(nodes: readonly JsonNode[], name: string): JsonNode[] {
  const judges: JsonNode[] = [];
  for (const node of nodes) {
    const properties = node.value('properties');
    if (properties !== undefined && properties.kind !== 'object') continue;
    const schema = properties?.value(name);
    if (schema !== undefined) judges.push(schema);
    else if (properties?.has(name) !== true && !node.has('patternProperties')) {
      const rest = node.value('additionalProperties');
      if (rest !== undefined) judges.push(rest);
    }
  }
  return judges;
}

/** Positions of an array that are looked at one by one at most. */
const MAX_POSITIONS = 64;

/** For each position that must be filled, the schemas that judge it. Positions that are judged alike come once. */
export function neededItems(nodes: readonly JsonNode[], draft: Draft | undefined): JsonNode[][] {
  const { low } = limitsOf(nodes, 'minItems', 'maxItems');
  const least = low === undefined ? 0 : Number(low.text);
  if (least === 0) return [];
  const shapes = nodes.map((node) => itemsOf(node, draft));
  const longest = Math.max(0, ...shapes.map(({ first }) => first.length));
  const positions = Math.min(least, longest + 1, MAX_POSITIONS);
  const needed: JsonNode[][] = [];
  for (let position = 0; position < positions; position++) {
    const judges = shapes.map(({ first, rest }) => first[position] ?? rest).filter((schema) => schema !== undefined);
    if (judges.length > 0) needed.push(judges);
  }
  return needed;
}

/** The schemas of the first elements and of all others, by the draft's own keywords. */
function itemsOf(node: JsonNode, draft: Draft | undefined): { first: readonly JsonNode[]; rest: JsonNode | undefined } {
  const items = node.value('items');
  if (draft !== undefined && draft < 2020) {
    if (items?.kind === 'array') return { first: items.items, rest: node.value('additionalItems') };
    return { first: [], rest: items };
  }
  const prefix = node.value('prefixItems');
  // A list is no schema in 2020-12, and what it means to others is not sure.
  const rest = items?.kind === 'array' ? undefined : items;
  return { first: prefix?.kind === 'array' ? prefix.items : [], rest };
}

/** Schemas of which at least one element must be (draft 6 and later). */
export function neededContains(nodes: readonly JsonNode[], draft: Draft | undefined): JsonNode[] {
  if (draft !== undefined && draft < 6) return [];
  return nodes.flatMap((node) => {
    const schema = node.value('contains');
    const least = node.value('minContains');
    const needed = least === undefined || (isCount(least) && Number(least.text) > 0);
    return schema !== undefined && needed ? [schema] : [];
  });
}

/** Schemas that judge the names of properties (draft 6 and later). */
export function nameJudges(nodes: readonly JsonNode[], draft: Draft | undefined): JsonNode[] {
  if (draft !== undefined && draft < 6) return [];
  return nodes.map((node) => node.value('propertyNames')).filter((schema) => schema !== undefined);
}
