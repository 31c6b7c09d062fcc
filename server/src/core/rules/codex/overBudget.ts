import { t } from '../../text/message';
import type { Rule } from '../rule';
import { accepted } from './common';

/** The budget triggers the passes; it is no cap (Codex 0.171.0, observed). */
export const overBudget: Rule = {
  id: 'codex/over-budget',
  section: 'codex',
  summary: 'The parameters are still over the budget after the last pass and go out as they are',
  levels: { codex: 'warning' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined || !result.overBudget || context.tool.local.trusted) return;
    context.report({
      node: result.source,
      message: t(
        '{0} bytes are left after the last pass, {1} over the budget, and go out as they are. Fewer or shorter properties would spare the descriptions too.',
        result.bytes,
        result.bytes - result.profile.budgetBytes,
      ),
    });
  },
};
