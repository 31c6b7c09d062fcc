import { nodeSpan } from '../../text/jsonTree';
import { type Message, sentences, t } from '../../text/message';
import { codexRoute, type ToolDefinition } from '../../tools/model';
import type { Rule } from '../rule';

/** Two tools of one name in one namespace. */
export const duplicateName: Rule = {
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
        message: sentences(t('The name "{0}" stands twice in one namespace.', name), consequence(tool)),
        related: [{ span: nodeSpan(earlier.nameNode!), message: t('The first tool of this name is here.') }],
      });
    }
  },
};

function consequence({ shape }: ToolDefinition): Message {
  const route = codexRoute(shape);
  if (route === 'mcp') return t('MCP wants each name once in a server; Codex keeps the first tool and drops this one.');
  if (route === 'dynamic') return t('Codex refuses the whole list for it.');
  return t('Providers refuse the whole request for it.');
}

/** What names must be unique in. Codex takes a namespace called `functions` or nothing as the default one. */
function scopeOf(tool: ToolDefinition): string[] {
  if (tool.shape === 'mcp') return ['mcp', tool.local.server];
  const legacy = tool.shape === 'codex-dynamic-legacy' ? tool.node.value('namespace')?.string : undefined;
  const name = tool.namespace?.name ?? legacy ?? '';
  return [name === 'functions' ? '' : name];
}
