import { STRICT_LIMITS } from '../../profiles/openai';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { isStrict } from './common';
import { totals } from './totals';

/** More properties in a schema than strict mode takes. */
export const propertyCount: Rule = {
  id: 'schema/property-count',
  section: 'openai',
  summary: 'The schema has more properties than strict mode takes',
  levels: { openai: 'error' },
  tool(context) {
    const root = context.tool.schemaNode;
    if (root === undefined || !isStrict(context)) return;
    const { properties } = context.memo(totals);
    const limit = STRICT_LIMITS.properties;
    if (properties <= limit) return;
    context.report({
      node: root,
      message: t(
        'All objects of this schema together have {0} properties, and strict mode takes {1}.',
        properties,
        limit,
      ),
    });
  },
};
