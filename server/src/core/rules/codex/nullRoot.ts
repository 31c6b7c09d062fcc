import { t } from '../../text/message';
import type { Rule } from '../rule';

/** The one check of the root's type that Codex makes after compilation. */
export const nullRoot: Rule = {
  id: 'codex/null-root',
  section: 'codex',
  summary: 'Codex refuses a schema whose root has exactly the type null',
  levels: { codex: 'error' },
  tool(context) {
    const refusal = context.compile()?.refusal;
    if (refusal?.kind !== 'null-root') return;
    context.report({
      node: refusal.node,
      message: t(
        'Codex refuses this tool: {0}. Arguments are an object, so the root needs the type "object".',
        refusal.message,
      ),
    });
  },
};
