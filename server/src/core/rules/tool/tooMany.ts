import { REQUEST_LIMITS } from '../../profiles/openai';
import { t } from '../../text/message';
import type { ToolEntry } from '../../tools/model';
import type { Rule } from '../rule';

/** More tools than a request takes, or than the provider advises. */
export const tooMany: Rule = {
  id: 'tool/too-many',
  section: 'file',
  summary: 'More tools than a request takes, or than the provider advises',
  levels: { openai: 'warning' },
  set({ set, report }) {
    const { tools, advisedTools, advisedNamespaceTools } = REQUEST_LIMITS;
    const node = set.listNode;
    const judged = set.entries.filter((entry) => !('tool' in entry) || entry.tool.shape !== 'bfcl');
    if (node !== undefined && judged.length > tools) {
      report({
        node,
        message: t(
          'The list has {0} tools. OpenAI takes {1} in a request and refuses a longer list.',
          judged.length,
          tools,
        ),
      });
    } else if (node !== undefined && judged.filter(isDirect).length >= advisedTools) {
      report({
        node,
        level: 'hint',
        message: t(
          'The list has {0} tools that are there from the start. OpenAI advises fewer than {1}: more cost tokens and make wrong choices likelier. Defer the rest, or leave some out.',
          judged.filter(isDirect).length,
          advisedTools,
        ),
      });
    }
    for (const { node: owner, nameNode, name, tools: children } of set.namespaces) {
      if (children.length < advisedNamespaceTools) continue;
      report({
        node: owner.value('tools') ?? nameNode ?? owner,
        level: 'hint',
        message: t(
          'The namespace {0} has {1} tools. OpenAI advises fewer than {2} in a namespace.',
          name === undefined ? '' : `"${name}"`,
          children.length,
          advisedNamespaceTools,
        ),
      });
    }
  },
};

function isDirect(entry: ToolEntry): boolean {
  if (!('tool' in entry)) return false;
  const { tool } = entry;
  return !tool.deferred && (tool.local.exposure ?? 'direct') === 'direct';
}
