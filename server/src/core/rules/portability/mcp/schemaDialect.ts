import { MCP_DEFAULT_DRAFT } from '../../../profiles/mcp';
import { type Draft, draftOf } from '../../../schema/dialect';
import type { SchemaSite } from '../../../schema/sites';
import { removeProperty } from '../../../text/edits';
import type { Fix } from '../../../text/finding';
import type { JsonNode } from '../../../text/json';
import { nodeSpan } from '../../../text/jsonTree';
import { t } from '../../../text/message';
import type { Rule, ToolContext } from '../../rule';

/**
 * The Model Context Protocol (2025-11-25 and later) reads a schema without `$schema` as 2020-12 and asks clients for no
 * other dialect. Validators for 2020-12 refuse a tool that declares another one; older ones know no 2020-12.
 */
export const schemaDialect: Rule = {
  id: 'mcp/schema-dialect',
  section: 'portability',
  summary: 'A schema declares a dialect: another one than 2020-12, or the default itself',
  levels: { mcp: 'warning' },
  tool(context) {
    judge(context, context.tool.schemaNode, context.sites);
    judge(context, context.tool.outputSchemaNode, context.outputSites);
  },
};

function judge(context: ToolContext, root: JsonNode | undefined, sites: readonly SchemaSite[]): void {
  const property = root?.get('$schema');
  const node = property?.value;
  if (property === undefined || node?.kind !== 'string') return;
  const draft = draftOf(node.text);
  const isDefault = draft === MCP_DEFAULT_DRAFT;
  const fix: Fix = {
    title: t('Remove "$schema"'),
    safe: isDefault || (draft !== undefined && means2020(draft, sites)),
    preferred: true,
    kind: 'quickfix',
    edits: () => removeProperty(context.document.text, property),
  };
  context.report({
    node,
    span: nodeSpan(node),
    level: isDefault ? 'hint' : 'warning',
    message: isDefault
      ? t(
          '2020-12 is the dialect of MCP anyway, and some clients only load draft 7 and refuse this line. It can be left out.',
        )
      : t(
          'This declares another dialect than 2020-12, the one of MCP. Clients that only have that one refuse the tool. Remove the line, or declare 2020-12.',
        ),
    fixes: [fix],
  });
}

/** Keywords that one of the drafts does not know, or reads in another way than 2020-12. */
const DIFFERENT: readonly (readonly [keyword: string, before: Draft])[] = [
  ['additionalItems', 2020],
  ['prefixItems', 2020],
  ['$recursiveRef', 2020],
  ['$recursiveAnchor', 2020],
  ['$dynamicRef', 2020],
  ['$dynamicAnchor', 2020],
  ['dependencies', 2019],
  ['dependentSchemas', 2019],
  ['dependentRequired', 2019],
  ['unevaluatedItems', 2019],
  ['unevaluatedProperties', 2019],
  ['minContains', 2019],
  ['maxContains', 2019],
  ['$anchor', 2019],
  ['if', 7],
  ['const', 6],
  ['contains', 6],
  ['propertyNames', 6],
  ['id', 6],
  ['$id', 6],
];

/** Whether the schemas mean the same in 2020-12 as in the draft. */
function means2020(draft: Draft, sites: readonly SchemaSite[]): boolean {
  return sites.every(({ node }) => {
    if (node.kind !== 'object') return true;
    if (DIFFERENT.some(([keyword, before]) => draft < before && node.has(keyword))) return false;
    if (node.value('items')?.kind === 'array') return false;
    if (['exclusiveMinimum', 'exclusiveMaximum', 'required'].some((key) => node.value(key)?.kind === 'boolean'))
      return false;
    // Up to draft 7 nothing beside a reference counts, and an `$id` may be an anchor.
    if (draft < 2019 && (node.value('$id')?.string?.startsWith('#') ?? false)) return false;
    return !(draft < 2019 && node.has('$ref') && node.properties.some(({ key }) => !BESIDE_REFERENCE.has(key)));
  });
}

const BESIDE_REFERENCE: ReadonlySet<string> = new Set([
  '$ref',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  '$schema',
  '$comment',
]);
