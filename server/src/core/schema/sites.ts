import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';

/** A place where a schema stands. */
export interface SchemaSite {
  /** The schema: an object, a boolean, or something that should not stand here. */
  readonly node: JsonNode;
  /** The schema that holds this one; `undefined` for the root. */
  readonly parent: SchemaSite | undefined;
  /** The keyword of the parent through which it is held; `undefined` for the root. */
  readonly keyword: string | undefined;
  /** The key within a map keyword (`properties`, `$defs`, …), else `undefined`. */
  readonly key: string | undefined;
  /** Steps from the root through schemas: 0 for the root. */
  readonly depth: number;
  /** Whether it lies in a `$defs` or `definitions` table, at any distance. */
  readonly inDefinitions: boolean;
}

/** Keywords whose value is one schema. `items` may also be a list in older dialects. */
const SINGLE = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentSchema',
]);
/** Keywords whose value is a list of schemas. */
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
/** Keywords whose value is a map of schemas. */
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'dependencies']);

/** Whether a keyword holds a schema, a list of schemas or a map of schemas (JSON Schema draft 4 to 2020-12). */
export function schemaKeywordKind(keyword: string): 'schema' | 'list' | 'map' | undefined {
  if (SINGLE.has(keyword)) return 'schema';
  if (LISTS.has(keyword)) return 'list';
  return MAPS.has(keyword) ? 'map' : undefined;
}

/**
 * Every schema below and including `root`, parents before children, in text order.
 * Values of data keywords (`enum`, `const`, `default`, `examples`) are no schemas and are not visited.
 */
export function schemaSites(root: JsonNode): SchemaSite[] {
  const sites: SchemaSite[] = [];
  const stack: SchemaSite[] = [
    { node: root, parent: undefined, keyword: undefined, key: undefined, depth: 0, inDefinitions: false },
  ];
  for (let site = stack.pop(); site !== undefined; site = stack.pop()) {
    sites.push(site);
    const children: SchemaSite[] = [];
    const add = (node: JsonNode, keyword: string, key: string | undefined): void => {
      const inDefinitions = site!.inDefinitions || keyword === '$defs' || keyword === 'definitions';
      children.push({ node, parent: site, keyword, key, depth: site!.depth + 1, inDefinitions });
    };
    for (const property of effectiveProperties(site.node)) {
      const value = property.value!;
      const kind = schemaKeywordKind(property.key);
      if (kind === 'schema') {
        if (value.kind === 'array' && property.key === 'items')
          for (const item of value.items) add(item, 'items', undefined);
        else add(value, property.key, undefined);
      } else if (kind === 'list') {
        for (const item of value.items) add(item, property.key, undefined);
      } else if (kind === 'map') {
        for (const member of effectiveProperties(value)) {
          // Entries of draft 4's `dependencies` may be lists of names, which are no schemas.
          if (property.key === 'dependencies' && member.value!.kind === 'array') continue;
          add(member.value!, property.key, member.key);
        }
      }
    }
    for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return sites;
}
