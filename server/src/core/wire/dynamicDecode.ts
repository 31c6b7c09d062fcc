import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { integerWidth } from '../text/number';
import { rustDebug } from '../text/rustDebug';

/** A value that Codex cannot read into its own types, in the decoder's words. */
export interface DecodeError {
  readonly message: string;
  /** The value at fault; for a missing field the object that lacks it. */
  readonly node: JsonNode;
}

/** A function of `dynamicTools`. */
export interface DynamicFunction {
  readonly kind: 'function';
  readonly node: JsonNode;
  readonly name: string;
  readonly nameNode: JsonNode;
  readonly description: string;
  readonly schema: JsonNode;
  readonly deferred: boolean;
  readonly deferNode: JsonNode | undefined;
}

/** A namespace of `dynamicTools`, or the functions that the flat form puts into one. */
export interface DynamicNamespace {
  readonly kind: 'namespace';
  readonly node: JsonNode;
  readonly name: string;
  readonly nameNode: JsonNode;
  readonly description: string;
  readonly descriptionNode: JsonNode | undefined;
  readonly tools: DynamicFunction[];
}

export type DynamicEntry = DynamicFunction | DynamicNamespace;

/** `dynamicTools` as far as Codex can read it. With an error it reads nothing; `entries` then has the readable ones. */
export interface DecodedDynamicTools {
  readonly entries: readonly DynamicEntry[];
  /** In the order in which Codex meets them; it reports the first. */
  readonly errors: readonly DecodeError[];
}

/**
 * Reads entries of `dynamicTools` as Codex does (0.171.0; the order of steps from its public source): the flat form
 * is assumed as soon as one entry has no `type`, or has `namespace` or `exposeToContext`, also within a namespace;
 * flat and canonical entries do not mix. Fields are read in the order of the text, missing ones reported last.
 */
export function decodeDynamicTools(items: readonly JsonNode[]): DecodedDynamicTools {
  const legacyItem = items.find((item) => isLegacy(item) || legacyChild(item) !== undefined);
  const canonicalItem = items.find((item) => hasKey(item, 'type'));
  if (legacyItem !== undefined && canonicalItem !== undefined) {
    const message = 'dynamic tools must use either canonical or legacy format consistently';
    return { entries: [], errors: [{ message, node: oddOne(items, legacyItem) }] };
  }
  const errors: DecodeError[] = [];
  if (legacyItem === undefined) {
    const entries: DynamicEntry[] = [];
    for (const item of items) {
      const entry = attempt(errors, () => canonicalEntry(item));
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, errors };
  }
  const read: { namespace: JsonNode | undefined; tool: DynamicFunction }[] = [];
  for (const item of items) {
    const tool = attempt(errors, () => legacyEntry(item));
    if (tool !== undefined) read.push(tool);
  }
  return { entries: grouped(read), errors };
}

/** The item that differs from most: where people look for the mix. */
function oddOne(items: readonly JsonNode[], legacy: JsonNode): JsonNode {
  const child = legacyChild(legacy);
  if (child !== undefined) return child;
  const mixed = items.find((item) => isLegacy(item) && hasKey(item, 'type'));
  if (mixed !== undefined) return mixed;
  const legacies = items.filter(isLegacy);
  return legacies.length * 2 <= items.length ? legacies[0]! : items.find((item) => !isLegacy(item))!;
}

function hasKey(item: JsonNode, key: string): boolean {
  return item.value(key) !== undefined;
}

function isLegacy(item: JsonNode): boolean {
  return hasKey(item, 'namespace') || hasKey(item, 'exposeToContext') || !hasKey(item, 'type');
}

function legacyChild(item: JsonNode): JsonNode | undefined {
  const tools = item.value('tools');
  return tools?.kind === 'array' ? tools.items.find(isLegacy) : undefined;
}

/** Raised inside this file only, and caught by `attempt`. */
class Unreadable extends Error {
  constructor(
    message: string,
    readonly node: JsonNode,
  ) {
    super(message);
  }
}

function attempt<T>(errors: DecodeError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    errors.push({ message: error.message, node: error.node });
    return undefined;
  }
}

/**
 * How a value is held when a field is read: `buffered` behind a `type` tag, where numbers show their value in
 * messages; `plain` otherwise, where they are only called numbers.
 */
type Holding = 'buffered' | 'plain';

function described(node: JsonNode, holding: Holding): string {
  switch (node.kind) {
    case 'object':
      return 'map';
    case 'array':
      return 'sequence';
    case 'string':
      return `string ${rustDebug(node.text)}`;
    case 'boolean':
      return `boolean \`${node.text}\``;
    case 'null':
      return 'null';
    case 'number':
      return holding === 'plain' ? 'number' : describedNumber(node.text);
  }
}

/** A buffered number: a machine integer, a float whose shortest form is how it was written, or else kept as text in a map. */
function describedNumber(spelling: string): string {
  if (integerWidth(spelling) === '64') return `integer \`${spelling === '-0' ? '0' : spelling}\``;
  if (integerWidth(spelling) !== undefined) return 'map';
  const value = Number(spelling);
  const shortest = Math.abs(value) < 1e-5 && value !== 0 ? value.toExponential() : String(value);
  const written = Number.isInteger(value) && !shortest.includes('e') ? `${shortest}.0` : shortest;
  return spelling === written || spelling === String(value) ? `floating point \`${written}\`` : 'map';
}

function wrong(node: JsonNode, expected: string, holding: Holding): Unreadable {
  return new Unreadable(`invalid type: ${described(node, holding)}, expected ${expected}`, node);
}

function readString(node: JsonNode, holding: Holding): JsonNode {
  if (node.kind !== 'string') throw wrong(node, 'a string', holding);
  return node;
}

function readBoolean(node: JsonNode, holding: Holding): JsonNode {
  if (node.kind !== 'boolean') throw wrong(node, 'a boolean', holding);
  return node;
}

/** A field of one of Codex's structs. */
interface Field {
  readonly key: string;
  readonly read: (node: JsonNode, holding: Holding) => unknown;
  readonly required: boolean;
  /** Null counts as absent. */
  readonly nullable?: boolean;
}

const FUNCTION_FIELDS: readonly Field[] = [
  { key: 'name', read: readString, required: true },
  { key: 'description', read: readString, required: true },
  { key: 'inputSchema', read: (node) => node, required: true },
  { key: 'deferLoading', read: readBoolean, required: false },
];

const LEGACY_FIELDS: readonly Field[] = [
  { key: 'namespace', read: readString, required: false, nullable: true },
  { key: 'name', read: readString, required: true },
  { key: 'description', read: readString, required: true },
  { key: 'inputSchema', read: (node) => node, required: true },
  { key: 'deferLoading', read: readBoolean, required: false, nullable: true },
  { key: 'exposeToContext', read: readBoolean, required: false, nullable: true },
];

const NAMESPACE_FIELDS: readonly Field[] = [
  { key: 'name', read: readString, required: true },
  { key: 'description', read: readString, required: true },
  { key: 'tools', read: (node, holding) => readTools(node, holding), required: true },
];

/** The fields of a struct by key; absent ones are missing. `name` is the struct's own, for messages. */
function readFields(node: JsonNode, fields: readonly Field[], holding: Holding, name: string): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const put = (field: Field, value: JsonNode): void => {
    if (field.nullable === true && value.kind === 'null') return;
    values.set(field.key, field.read(value, holding));
  };
  if (node.kind === 'array') {
    for (const [index, field] of fields.entries()) {
      const item = node.items[index];
      if (item === undefined) {
        const size = `struct ${name} with ${fields.length} elements`;
        throw new Unreadable(`invalid length ${node.items.length}, expected ${size}`, node);
      }
      put(field, item);
    }
    if (node.items.length > fields.length) {
      throw new Unreadable(`invalid length ${node.items.length}, expected fewer elements in array`, node);
    }
    return values;
  }
  if (node.kind !== 'object') throw wrong(node, `struct ${name}`, holding);
  for (const property of effectiveProperties(node)) {
    const field = fields.find((candidate) => candidate.key === property.key);
    if (field !== undefined) put(field, property.value!);
  }
  for (const field of fields) {
    if (field.required && !values.has(field.key)) throw new Unreadable(`missing field \`${field.key}\``, node);
  }
  return values;
}

/** Which variant the `type` tag of an object names. */
function variantOf<T extends string>(node: JsonNode, variants: readonly T[], holding: Holding): T {
  const tag = node.value('type')!;
  if (tag.kind === 'string') {
    const variant = variants.find((candidate) => candidate === tag.text);
    if (variant !== undefined) return variant;
    const known = variants.map((candidate) => `\`${candidate}\``).join(' or ');
    throw new Unreadable(`unknown variant \`${tag.text}\`, expected ${known}`, tag);
  }
  if (holding === 'buffered' && integerWidth(tag.text) === '64' && tag.kind === 'number') {
    const variant = variants[Number(tag.text)];
    if (variant !== undefined && !tag.text.startsWith('-')) return variant;
    if (!tag.text.startsWith('-')) {
      const range = `variant index 0 <= i < ${variants.length}`;
      throw new Unreadable(`invalid value: integer \`${tag.text}\`, expected ${range}`, tag);
    }
  }
  throw wrong(tag, 'variant identifier', holding);
}

function canonicalEntry(node: JsonNode): DynamicEntry {
  if (variantOf(node, ['function', 'namespace'], 'plain') === 'function') return readFunction(node);
  const values = readFields(node, NAMESPACE_FIELDS, 'buffered', 'DynamicToolNamespaceSpec');
  const nameNode = values.get('name') as JsonNode;
  const descriptionNode = values.get('description') as JsonNode;
  return {
    kind: 'namespace',
    node,
    name: nameNode.text,
    nameNode,
    description: descriptionNode.text,
    descriptionNode,
    tools: values.get('tools') as DynamicFunction[],
  };
}

function readTools(node: JsonNode, holding: Holding): DynamicFunction[] {
  if (node.kind !== 'array') throw wrong(node, 'a sequence', holding);
  // A child without `type` makes the list a mix, so each one has it here.
  return node.items.map((item) => {
    variantOf(item, ['function'], holding);
    return readFunction(item);
  });
}

function readFunction(node: JsonNode): DynamicFunction {
  const values = readFields(node, FUNCTION_FIELDS, 'buffered', 'DynamicToolFunctionSpec');
  const deferNode = values.get('deferLoading') as JsonNode | undefined;
  return functionOf(node, values, deferNode?.boolean === true, deferNode);
}

function functionOf(
  node: JsonNode,
  values: ReadonlyMap<string, unknown>,
  deferred: boolean,
  deferNode: JsonNode | undefined,
): DynamicFunction {
  const nameNode = values.get('name') as JsonNode;
  return {
    kind: 'function',
    node,
    name: nameNode.text,
    nameNode,
    description: (values.get('description') as JsonNode).text,
    schema: values.get('inputSchema') as JsonNode,
    deferred,
    deferNode,
  };
}

function legacyEntry(node: JsonNode): { namespace: JsonNode | undefined; tool: DynamicFunction } {
  const values = readFields(node, LEGACY_FIELDS, 'plain', 'LegacyDynamicToolSpec');
  const defer = values.get('deferLoading') as JsonNode | undefined;
  const expose = values.get('exposeToContext') as JsonNode | undefined;
  const deferred = defer !== undefined ? defer.boolean === true : expose?.boolean === false;
  return {
    namespace: values.get('namespace') as JsonNode | undefined,
    tool: functionOf(node, values, deferred, defer ?? expose),
  };
}

/** Flat tools by their namespaces, each at the place of its first tool and without a text of its own. */
function grouped(read: readonly { namespace: JsonNode | undefined; tool: DynamicFunction }[]): DynamicEntry[] {
  const entries: DynamicEntry[] = [];
  const namespaces = new Map<string, DynamicNamespace>();
  for (const { namespace, tool } of read) {
    if (namespace === undefined) {
      entries.push(tool);
      continue;
    }
    const known = namespaces.get(namespace.text);
    if (known !== undefined) {
      known.tools.push(tool);
      continue;
    }
    const made: DynamicNamespace = {
      kind: 'namespace',
      node: tool.node,
      name: namespace.text,
      nameNode: namespace,
      description: '',
      descriptionNode: undefined,
      tools: [tool],
    };
    namespaces.set(namespace.text, made);
    entries.push(made);
  }
  return entries;
}
