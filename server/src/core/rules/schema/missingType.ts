import { TYPE_WORDS } from '../../schema/keywords';
import { renameKey } from '../../text/edits';
import { t } from '../../text/message';
import type { Rule, SiteContext } from '../rule';
import { isOpaqueParameter } from './opaqueParameter';

/** What stands in for a type: a reference, listed values, or a combination of schemas. */
const INSTEAD: readonly string[] = [
  'type',
  '$ref',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  '$dynamicRef',
  'not',
  'if',
];

/** Keys that stand where `type` is meant, as their value shows. */
const SLIPS: ReadonlySet<string> = new Set([
  'types',
  'typ',
  'tpye',
  'Type',
  'TYPE',
  'datatype',
  'dataType',
  'data_type',
]);

/** Keywords whose schemas refine a value of which the holder says the type, or say it themselves. */
const REFINING: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'allOf', 'dependentSchemas', 'dependencies']);
const NOT_DECLARING: ReadonlySet<string> = new Set([
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'contentSchema',
]);

/**
 * A schema without a type is valid and allows everything. Models then send "7" where 7 is meant, and some clients leave
 * the tool out. Gemini's `Schema` needs a type (Gemini API reference, 2026).
 */
export const missingType: Rule = {
  id: 'schema/missing-type',
  section: 'schema',
  summary: 'A schema has no type, "$ref", enum or combination',
  levels: { mcp: 'warning', gemini: 'warning' },
  site(context) {
    const { site } = context;
    const { node, keyword } = site;
    if (node.kind !== 'object' || INSTEAD.some((key) => node.has(key)) || !declaresValue(context)) return;
    // An open map and variable arguments have rules of their own.
    if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties' || isOpaqueParameter(site)) return;
    const slip = node.properties.find(({ key, value }) => SLIPS.has(key) && TYPE_WORDS.has(value?.string ?? ''));
    context.report({
      node,
      message:
        slip === undefined
          ? t(
              'This schema has no type, so every value is allowed. Models guess then, and some clients leave the tool out. Say which type is meant.',
            )
          : t('This schema has no type, so every value is allowed: the keyword is "type", not "{0}".', slip.key),
      fixes:
        slip === undefined
          ? []
          : [
              {
                title: t('Rename "{0}" to "type"', slip.key),
                safe: false,
                preferred: true,
                kind: 'quickfix',
                edits: () => renameKey(slip, 'type'),
              },
            ],
    });
  },
};

function declaresValue({ site }: SiteContext): boolean {
  for (let each: typeof site | undefined = site; each !== undefined; each = each.parent) {
    if (NOT_DECLARING.has(each.keyword ?? '')) return false;
  }
  return !REFINING.has(site.keyword ?? '') || site.parent?.node.has('type') !== true;
}
