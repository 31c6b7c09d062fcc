import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import type { Rule } from '../rule';

/** Two tools of one name in one namespace. */
export const DUPLICATE_NAME: Rule = {
  id: 'tool/duplicate-name',
  section: 'file',
  summary: 'Two tools of a namespace have the same name',
  levels: { all: 'error' },
  set({ set, report }) {
    const first = new Map<string, ToolDefinition>();
    for (const tool of set.tools) {
      const { name, nameNode } = tool;
      if (name === undefined || nameNode === undefined || name === '' || tool.shape === 'bfcl') continue;
      if (tool.kind !== 'function' && tool.kind !== 'custom') continue;
      const key = JSON.stringify([scopeOf(tool), name]);
      const earlier = first.get(key);
      if (earlier === undefined) {
        first.set(key, tool);
        continue;
      }
      report({
        node: nameNode,
        span: nodeSpan(nameNode),
        message: t(
          'The name "{0}" stands twice in one namespace. Providers and Codex dynamic tools refuse the whole request, and Codex keeps only the first of an MCP server.',
          name,
        ),
        related: [{ span: nodeSpan(earlier.nameNode!), message: t('The first tool of this name is here.') }],
      });
    }
  },
};

/** What names must be unique in. Codex takes a namespace called `functions` or nothing as the default one. */
function scopeOf(tool: ToolDefinition): string[] {
  if (tool.shape === 'mcp') return ['mcp', tool.local.server];
  const legacy = tool.shape === 'codex-dynamic-legacy' ? tool.node.value('namespace')?.string : undefined;
  const name = tool.namespace?.name ?? legacy ?? '';
  return [name === 'functions' ? '' : name];
}
