import { STRICT_LIMITS } from '../../profiles/openai';
import type { SchemaSite } from '../../schema/sites';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { isObjectSchema } from './common';
import { strictSites } from './strictSites';

/** Objects nested deeper than strict mode takes. */
export const nestingDepth: Rule = {
  id: 'schema/nesting-depth',
  section: 'openai',
  summary: 'Objects nest deeper than strict mode takes',
  levels: { openai: 'error' },
  site({ site, memo, report }) {
    const limit = STRICT_LIMITS.nestingLevels;
    const level = memo(objectLevels).get(site);
    // The first object below the limit speaks for what lies in it.
    if (level !== limit + 1 || !isObjectSchema(site.node)) return;
    report({
      node: site.node,
      message: t(
        'This object lies at level {0}, and strict mode takes {1} levels; the root is the first. The whole request is refused for one schema that is too deep. Flatten the objects around it, or move it into a string.',
        level,
        limit,
      ),
    });
  },
};

/**
 * The number of objects from the root down to each schema. The guide says "levels of nesting" without counting rules, so
 * what is surely a level counts: objects. Definitions start anew, because it is open how references count.
 */
function objectLevels(context: ToolContext): ReadonlyMap<SchemaSite, number> {
  const levels = new Map<SchemaSite, number>();
  for (const site of context.memo(strictSites)) {
    const isDefinition = site.keyword === '$defs' || site.keyword === 'definitions';
    const outer = site.parent === undefined || isDefinition ? 0 : (levels.get(site.parent) ?? 0);
    levels.set(site, outer + (isObjectSchema(site.node) ? 1 : 0));
  }
  return levels;
}
