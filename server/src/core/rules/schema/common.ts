import { type References, referencesOf } from '../../schema/references';
import type { SchemaSite } from '../../schema/sites';
import type { JsonNode } from '../../text/json';
import { type Message, t } from '../../text/message';
import type { ToolContext } from '../rule';

/** One of the schemas of a tool: that of its input, or that of its output. */
export interface SchemaPart {
  readonly root: JsonNode;
  readonly sites: readonly SchemaSite[];
  readonly references: References;
  readonly output: boolean;
}

/** The schemas of a tool. */
export function schemaParts({ tool, sites, outputSites }: ToolContext): readonly SchemaPart[] {
  const parts: SchemaPart[] = [];
  const add = (root: JsonNode | undefined, list: readonly SchemaSite[], output: boolean): void => {
    if (root !== undefined) parts.push({ root, sites: list, references: referencesOf(root, list), output });
  };
  add(tool.schemaNode, sites, false);
  add(tool.outputSchemaNode, outputSites, true);
  return parts;
}

/** The schema of a tool's input. */
export function inputPart(context: ToolContext): SchemaPart | undefined {
  return context.memo(schemaParts).find(({ output }) => !output);
}

/** The schemas of the input that judge a value or a part of it: those of definitions only where a reference reaches them. */
export function reachableSchemas(context: ToolContext): ReadonlySet<JsonNode> {
  const reachable = new Set<JsonNode>();
  const part = inputPart(context);
  if (part === undefined) return reachable;
  const children = new Map<JsonNode, JsonNode[]>();
  for (const { node, parent, keyword } of part.references.sites) {
    if (parent === undefined || keyword === '$defs' || keyword === 'definitions') continue;
    const list = children.get(parent.node);
    if (list === undefined) children.set(parent.node, [node]);
    else list.push(node);
  }
  const stack = [part.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (reachable.has(node)) continue;
    reachable.add(node);
    const target = part.references.at(node)?.target;
    if (target !== undefined) stack.push(target);
    for (const child of children.get(node) ?? []) stack.push(child);
  }
  return reachable;
}

/** Keywords whose schemas do not say what a value is: they exclude, ask, or judge something beside it. */
const NOT_DECLARING: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'dependentSchemas',
  'dependencies',
  'contentSchema',
]);

/** The schemas that say what a value is, and none that lies below `not`, `if` and the like. */
export function declaringSites(sites: readonly SchemaSite[]): SchemaSite[] {
  const declaring = new Set<SchemaSite>();
  for (const site of sites) {
    if (site.parent !== undefined && (!declaring.has(site.parent) || NOT_DECLARING.has(site.keyword!))) continue;
    declaring.add(site);
  }
  return [...declaring];
}

/** The kind of a value in words: `a string`. */
export function kindOf(node: JsonNode): Message {
  switch (node.kind) {
    case 'object':
      return t('an object');
    case 'array':
      return t('a list');
    case 'string':
      return t('a string');
    case 'number':
      return t('a number');
    case 'boolean':
      return node.text === 'true' ? t('true') : t('false');
    default:
      return t('null');
  }
}

/** Whether a schema stands where one of its parent's `properties` is declared, and the parent requires it. */
export function isRequiredProperty(site: SchemaSite): boolean {
  if (site.keyword !== 'properties' || site.parent === undefined) return false;
  const required = site.parent.node.value('required');
  return required?.kind === 'array' && required.items.some((name) => name.string === site.key);
}

/**
 * Members without which the API refuses an array or an object. They allow everything, as their absence does; only for a
 * strict tool the object is closed.
 */
export function neededMembers(
  type: string,
  schema: JsonNode | undefined,
  { tool }: ToolContext,
): [key: string, jsonText: string][] {
  const members: [string, string][] =
    type === 'array' ? [['items', '{}']] : type === 'object' ? [['properties', '{}']] : [];
  if (type === 'object' && tool.strict === true) members.push(['additionalProperties', 'false']);
  return members.filter(([key]) => schema?.has(key) !== true);
}
