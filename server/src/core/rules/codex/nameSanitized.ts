import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { sanitizeMcpName } from '../../wire/mcpNames';
import type { Rule } from '../rule';

/** MCP names are rewritten for the model (Codex 0.171.0, observed). */
export const nameSanitized: Rule = {
  id: 'codex/name-sanitized',
  section: 'codex',
  summary: 'Codex shows the model another name: characters outside A-Z, a-z, 0-9 and _ become _',
  levels: { codex: 'info' },
  tool(context) {
    const { name, nameNode, shape } = context.tool;
    if (shape !== 'mcp' || name === undefined || nameNode === undefined) return;
    const sanitized = sanitizeMcpName(name);
    if (sanitized !== name) {
      context.report({
        node: nameNode,
        span: nodeSpan(nameNode),
        message: t(
          'Codex shows the model the name "{0}": each character outside A-Z, a-z, 0-9 and _ becomes _.',
          sanitized,
        ),
      });
    }
  },
};
