import { t } from '../../text/message';
import type { Rule } from '../rule';
import { liveEvents } from './common';

/** An array without `items` gets string items (Codex 0.171.0, observed). */
export const itemsDefaulted: Rule = {
  id: 'codex/items-defaulted',
  section: 'codex',
  summary: 'Codex puts items of type string into an array without items',
  levels: { codex: 'hint' },
  tool(context) {
    for (const event of liveEvents(context, 'items-added')) {
      context.report({
        node: event.node,
        message: t(
          'An array without "items": Codex sends items of type "string", so elements of another type are described wrongly.',
        ),
      });
    }
  },
};
