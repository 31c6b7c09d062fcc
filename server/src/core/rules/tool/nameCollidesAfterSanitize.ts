import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import type { Rule } from '../rule';

/** Two MCP tools whose names become one when Codex rewrites them. */
export const nameCollidesAfterSanitize: Rule = {
  id: 'tool/name-collides-after-sanitize',
  section: 'file',
  summary: 'Codex rewrites the names of two MCP tools to the same one',
  levels: { codex: 'warning' },
  set({ set, report }) {
    const first = new Map<string, ToolDefinition>();
    for (const tool of set.tools) {
      const { name, nameNode } = tool;
      if (tool.shape !== 'mcp' || name === undefined || nameNode === undefined) continue;
      const final = name.replace(/[^A-Za-z0-9_]/gu, '_') || '_';
      const key = JSON.stringify([tool.local.server, final]);
      const earlier = first.get(key);
      if (earlier === undefined) first.set(key, tool);
      else if (earlier.name !== name) {
        report({
          node: nameNode,
          span: nodeSpan(nameNode),
          message: t(
            'Codex turns "{0}" and "{1}" both into "{2}", and then adds a hash of 12 digits to each. Names that differ in letters, digits and "_" stay as they are.',
            earlier.name!,
            name,
            final,
          ),
          related: [{ span: nodeSpan(earlier.nameNode!), message: t('"{0}" becomes the same name.', earlier.name!) }],
        });
      }
    }
  },
};
