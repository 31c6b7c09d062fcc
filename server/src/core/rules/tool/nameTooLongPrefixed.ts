import { MCP_HOST_NAME } from '../../profiles/names';
import type { JsonNode } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import { sentences, t } from '../../text/message';
import { LOCAL_KEY } from '../../tools/local';
import type { ToolDefinition } from '../../tools/model';
import type { Rule } from '../rule';
import { characters } from './names';

/** An MCP tool whose name gets too long once the host has put its prefix before it. */
export const nameTooLongPrefixed: Rule = {
  id: 'tool/name-too-long-prefixed',
  section: 'file',
  summary: 'With the prefix of an MCP host the name is longer than many hosts take',
  levels: { mcp: 'warning' },
  // A check of the whole set, because whether the server is named may be said at the file's root.
  set({ set, document, report }) {
    for (const tool of set.tools) {
      const { name, nameNode } = tool;
      if (tool.shape !== 'mcp' || name === undefined || nameNode === undefined) continue;
      const isNamed = namesServer(tool, document.root);
      const server = isNamed ? characters(tool.local.server) : MCP_HOST_NAME.assumedServerLength;
      const prefix = MCP_HOST_NAME.prefix.length + server + MCP_HOST_NAME.separator.length;
      const length = characters(name);
      if (prefix + length <= MCP_HOST_NAME.length) continue;
      const left = Math.max(0, MCP_HOST_NAME.length - prefix);
      report({
        node: nameNode,
        span: nodeSpan(nameNode),
        message: sentences(
          t(
            'The name has {0} characters. Many MCP hosts call it "{1}<server>{2}<name>" and take {3} in all, so {4} remain for the name.',
            length,
            MCP_HOST_NAME.prefix,
            MCP_HOST_NAME.separator,
            MCP_HOST_NAME.length,
            left,
          ),
          isNamed
            ? t('The server is called "{0}".', tool.local.server)
            : t("The server's name is not known here; {0} characters are assumed.", server),
        ),
      });
    }
  },
};

function namesServer(tool: ToolDefinition, root: JsonNode | undefined): boolean {
  const owners = [tool.local.node, root?.value(LOCAL_KEY)];
  return owners.some((owner) => (owner?.value('server')?.string ?? '') !== '');
}
