import { OPENAI_SHAPES } from '../../profiles/openai';
import { type Reference, type References, referencesOf } from '../../schema/references';
import type { SchemaSite } from '../../schema/sites';
import type { JsonNode, JsonProperty } from '../../text/json';
import type { ToolDefinition } from '../../tools/model';
import type { ToolContext } from '../rule';
import { meantType } from '../schema/unknownType';

/** Whether a tool is written for one of OpenAI's own APIs. */
export function hasOpenaiShape(tool: ToolDefinition): boolean {
  return OPENAI_SHAPES.has(tool.shape);
}

/** Whether strict mode holds for a tool's schema. */
export function isStrict({ tool }: ToolContext): boolean {
  return tool.strict === true && tool.kind === 'function';
}

/** Keywords whose schemas say what a value is not, or depend on something: they declare no value. */
const NOT_DECLARING: ReadonlySet<string> = new Set([
  'not',
  'if',
  'contains',
  'propertyNames',
  'dependentSchemas',
  'dependencies',
  'contentSchema',
]);

/** The schemas that declare a value: none below `not`, `if` and the like, about which nothing is known of the API. */
export function declaredSites({ sites }: ToolContext): ReadonlySet<SchemaSite> {
  const declared = new Set<SchemaSite>();
  for (const site of sites) {
    const { parent, keyword } = site;
    if (parent !== undefined && (!declared.has(parent) || NOT_DECLARING.has(keyword!))) continue;
    declared.add(site);
  }
  return declared;
}

/** The words of `type`: one, or those of a list. */
export function typeWords(node: JsonNode): readonly JsonNode[] {
  const type = node.value('type');
  if (type === undefined) return [];
  return type.kind === 'array' ? type.items : [type];
}

/**
 * Whether strict mode takes a schema as that of an object: by its type, `dict` and the like included, or by its properties
 * where it has none.
 */
export function isObjectSchema(node: JsonNode): boolean {
  if (node.kind !== 'object') return false;
  if (!node.has('type')) return node.value('properties')?.kind === 'object';
  return typeWords(node).some(({ string }) => string !== undefined && meantType(string) === 'object');
}

/** The references of a tool's input schema. */
export function inputReferences({ tool, sites }: ToolContext): References | undefined {
  return tool.schemaNode === undefined ? undefined : referencesOf(tool.schemaNode, sites);
}

/** What stands for a schema: the definition that it names, through any number of references, or itself. */
export function followed(node: JsonNode, references: References | undefined): JsonNode {
  let current = node;
  for (let steps = 0; steps < 32; steps++) {
    const target = references?.at(current)?.target;
    if (target === undefined) return current;
    current = target;
  }
  return current;
}

/** The definition that a reference names, if nothing else of the schema stands between the two. */
export function definitionOf(reference: Reference): JsonProperty | undefined {
  const property = reference.target?.property;
  const table = property?.owner.property?.key;
  return table === '$defs' || table === 'definitions' ? property : undefined;
}

/** Keywords beside which other schemas name properties of the same object. */
const APPLICATORS: readonly string[] = ['allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', '$ref'];

/** Keywords whose schemas judge the very value that their holder judges. */
const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

/**
 * Whether properties that an object schema does not name itself may have to be there, because it requires them or because
 * other schemas judge the same value. Closed, such an object could take no value at all.
 */
export function needsUnnamed(site: SchemaSite, references: References | undefined): boolean {
  const { node } = site;
  if (APPLICATORS.some((keyword) => node.has(keyword))) return true;
  const properties = node.value('properties');
  const required = node.value('required')?.items ?? [];
  if (required.some(({ string }) => string !== undefined && !properties?.has(string))) return true;
  return isJudgedBeside(site, references);
}

/** Whether another schema than this one judges the same value: a neighbor of it, or of a reference to it. */
export function isJudgedBeside(site: SchemaSite, references: References | undefined): boolean {
  const seen = new Set<SchemaSite>([site]);
  // The set grows while it is walked.
  for (const { node, parent, keyword } of seen) {
    for (const { site: holder } of references?.to(node) ?? []) {
      if (holder.node.properties.some(({ key }) => key !== '$ref' && !DESCRIBING.has(key))) return true;
      seen.add(holder);
    }
    if (parent === undefined || !IN_PLACE.has(keyword!)) continue;
    if (keyword === 'allOf' && parent.node.value('allOf')!.items.length > 1) return true;
    if (parent.node.properties.some(({ key }) => key !== keyword && !DESCRIBING.has(key))) return true;
    seen.add(parent);
  }
  return false;
}

/** Keywords that name, describe or hold definitions, and do not judge. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'description',
  'title',
  'default',
  'examples',
  '$comment',
  'deprecated',
  'type',
  'discriminator',
  '$defs',
  'definitions',
]);
