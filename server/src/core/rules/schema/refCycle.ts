import { referenceCycles } from '../../schema/references';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule } from '../rule';
import { schemaParts } from './common';

/** JSON Schema 2020-12, Core 9.4.1: a schema must not send a validator round in circles about one value. */
export const refCycle: Rule = {
  id: 'schema/ref-cycle',
  section: 'schema',
  summary: 'References only lead to each other',
  levels: { all: 'error' },
  tool(context) {
    for (const { references } of context.memo(schemaParts)) {
      for (const circle of referenceCycles(references)) {
        const [first, ...rest] = circle;
        context.report({
          node: first!.node,
          span: nodeSpan(first!.node),
          message:
            rest.length === 0
              ? t(
                  'This reference only leads back to itself, so it says nothing about the value, and validators never end.',
                )
              : t(
                  'This reference leads through {0} more back to itself, so they say nothing about the value, and validators never end.',
                  rest.length,
                ),
          related: rest
            .slice(0, 10)
            .map(({ node, text }) => ({ span: nodeSpan(node), message: t('goes on to "{0}"', text) })),
        });
      }
    }
  },
};
