import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { mcpNames } from '../../wire/mcpNames';
import type { Rule } from '../rule';

/**
 * A name too long beside its namespace is cut and gets a hash (Codex 0.171.0, observed: 128 bytes; 0.148.0: 64).
 * Names that become equal get one too; of those `tool/name-collides-after-sanitize` speaks.
 */
export const nameHashed: Rule = {
  id: 'codex/name-hashed',
  section: 'codex',
  summary: 'The name is too long beside its namespace, so Codex cuts it and adds a hash',
  levels: { codex: 'info' },
  set(context) {
    const tools = context.set.tools.filter((tool) => tool.shape === 'mcp' && tool.name !== undefined);
    const identities = tools.map((tool) => ({ server: tool.local.server, tool: tool.name! }));
    for (const made of mcpNames(identities, context.profile).names) {
      if (made.hashed !== 'length') continue;
      context.report({
        node: tools[made.index]!.nameNode!,
        span: nodeSpan(tools[made.index]!.nameNode!),
        message: t(
          'Codex shows the model the name "{0}" in the namespace "{1}": both and two more bytes must fit into {2}.',
          made.name,
          made.namespace,
          context.profile.mcpNameBytes,
        ),
      });
    }
  },
};
