import { removeItem } from '../../text/edits';
import type { Fix } from '../../text/finding';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';
import { type NeverFault, neverFaults } from './never';

/** A branch, or an optional part, of which JSON Schema itself proves that no value matches. */
export const neverBranch: Rule = {
  id: 'schema/never-branch',
  section: 'schema',
  summary: 'Nothing matches a branch or an optional part of the schema',
  levels: { all: 'warning' },
  tool(context) {
    for (const fault of context.memo(neverFaults)) {
      if (fault.kind !== 'branch') continue;
      context.report({
        node: fault.site.node,
        message: t('No value matches this part of the schema. {0}', fault.why),
        related: fault.related,
        fixes: fixesOf(context, fault),
      });
    }
  },
};

/** A union is the same without a branch that nothing matches, as long as another one is left. */
function fixesOf({ document }: ToolContext, { site }: NeverFault): Fix[] {
  const union = site.node.parent;
  if ((site.keyword !== 'anyOf' && site.keyword !== 'oneOf') || union === undefined || union.items.length < 2)
    return [];
  return [
    {
      title: t('Remove the branch'),
      safe: true,
      preferred: true,
      kind: 'quickfix',
      edits: () => removeItem(document.text, site.node),
    },
  ];
}
