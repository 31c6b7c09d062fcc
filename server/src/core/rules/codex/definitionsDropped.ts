import { keySpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { accepted } from './common';

/** The second pass removes the root's definition tables. */
export const definitionsDropped: Rule = {
  id: 'codex/definitions-dropped',
  section: 'codex',
  summary: 'The second pass runs, so every reference to these definitions becomes {}',
  levels: { codex: 'warning' },
  tool(context) {
    const result = accepted(context);
    if (result === undefined) return;
    const before = result.stages[result.stages.findIndex((stage) => stage.name === 'definitions') - 1];
    for (const event of result.events) {
      if (event.stage !== 'definitions' || event.action !== 'table-removed') continue;
      const table = event.property!;
      context.report({
        node: table.value!,
        span: keySpan(table),
        message: t(
          'Pass 2 takes these definitions, and every reference to them becomes {}: after pass 1 the parameters have {0} bytes, {1} over the budget.',
          before!.bytes,
          before!.bytes - result.profile.budgetBytes,
        ),
      });
    }
  },
};
