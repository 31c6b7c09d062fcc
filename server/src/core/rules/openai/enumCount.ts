import { STRICT_LIMITS } from '../../profiles/openai';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { isStrict } from './common';
import { totals } from './totals';

/** More enum values in a schema than strict mode takes. */
export const enumCount: Rule = {
  id: 'schema/enum-count',
  section: 'openai',
  summary: 'The schema has more enum values than strict mode takes',
  levels: { openai: 'error' },
  tool(context) {
    const root = context.tool.schemaNode;
    if (root === undefined || !isStrict(context)) return;
    const { enumValues } = context.memo(totals);
    const limit = STRICT_LIMITS.enumValues;
    if (enumValues <= limit) return;
    context.report({
      node: root,
      message: t(
        'All enums of this schema together have {0} values, and strict mode takes {1}. Take a plain string for the longest list, and check it in the handler.',
        enumValues,
        limit,
      ),
    });
  },
};
