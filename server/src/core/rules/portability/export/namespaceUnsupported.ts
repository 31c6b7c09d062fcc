import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/**
 * Namespaces are a part of OpenAI's Responses API and of Codex. Endpoints that do not know them skip the whole group, some
 * without a word.
 */
export const namespaceUnsupported: Rule = {
  id: 'export/namespace-unsupported',
  section: 'portability',
  summary: 'A namespace cannot go to this target as it is',
  levels: { chat: 'info', anthropic: 'info', gemini: 'info' },
  set({ set, report }) {
    for (const { node, nameNode } of set.namespaces) {
      report({
        node: node.value('type') ?? nameNode ?? node,
        message: t(
          'Only Responses and Codex know namespaces. Other endpoints skip the group with all its tools, some in silence. There the tools go one by one, with names that hold the namespace.',
        ),
      });
    }
  },
};
