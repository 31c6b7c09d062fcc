import { STRICT_KEYWORDS } from '../../profiles/openai';
import type { SchemaSite } from '../../schema/sites';
import type { ToolContext } from '../rule';
import { declaredSites, isStrict } from './common';

/** Keywords that are refused with all that they hold, so that nothing below them is worth a word. */
const REFUSED_WHOLE: ReadonlySet<string> = new Set(
  [...STRICT_KEYWORDS.keys()].filter(
    (keyword) => keyword !== 'allOf' && keyword !== 'oneOf' && keyword !== 'prefixItems',
  ),
);

/** The schemas that strict mode judges; none where the tool is not strict. */
export function strictSites(context: ToolContext): ReadonlySet<SchemaSite> {
  const judged = new Set<SchemaSite>();
  if (!isStrict(context)) return judged;
  const declared = context.memo(declaredSites);
  for (const site of context.sites) {
    if (site.parent !== undefined && (!judged.has(site.parent) || REFUSED_WHOLE.has(site.keyword!))) continue;
    if (declared.has(site)) judged.add(site);
  }
  return judged;
}
