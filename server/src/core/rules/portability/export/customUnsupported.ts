import { t } from '../../../text/message';
import type { Rule } from '../../rule';

/**
 * Custom tools are OpenAI's (guide Function calling, 2026). Anthropic and Gemini have none; the Chat API takes them, but
 * many endpoints that are compatible with it do not ("custom tools are not supported on this endpoint").
 */
export const customUnsupported: Rule = {
  id: 'export/custom-unsupported',
  section: 'portability',
  summary: 'A custom tool cannot go to this target as it is',
  levels: { chat: 'info', anthropic: 'info', gemini: 'info' },
  tool({ tool, report }) {
    if (tool.kind !== 'custom') return;
    report({
      node: tool.node.value('type') ?? tool.node,
      message:
        tool.format?.type === 'grammar'
          ? t(
              'Anthropic, Gemini and many endpoints compatible with Chat Completions know no custom tools. As a function with one string parameter it goes there, but then nothing enforces the grammar.',
            )
          : t(
              'Anthropic, Gemini and many endpoints compatible with Chat Completions know no custom tools. As a function with one string parameter it goes there.',
            ),
    });
  },
};
