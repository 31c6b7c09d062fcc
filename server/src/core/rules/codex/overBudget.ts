import { passesThatTook } from '../../budget/sizes';
import { sentences, t } from '../../text/message';
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
    const { bytes, profile, source } = result;
    const over = bytes - profile.budgetBytes;
    const message =
      passesThatTook(result).length === 0
        ? sentences(
            t(
              '{0} bytes, {1} over the budget of {2}, and no pass finds anything to take.',
              bytes,
              over,
              profile.budgetBytes,
            ),
            t('They go out as they are. Fewer or shorter properties would fit.'),
          )
        : t(
            '{0} bytes are left after the last pass, {1} over the budget, and go out as they are. Fewer or shorter properties would spare the descriptions too.',
            bytes,
            over,
          );
    context.report({ node: source, message });
  },
};
