import { nodeSpan } from '../../text/jsonTree';
import type { Message } from '../../text/message';
import { t } from '../../text/message';
import { codexRoute } from '../../tools/model';
import type { BaseContext, Rule } from '../rule';

const isMcp = (name: string): boolean => name === 'mcp' || name.startsWith('mcp__');

/** Names that Codex keeps for itself (0.171.0, observed). One dynamic tool with such a name stops the thread. */
export const reservedName: Rule = {
  id: 'codex/reserved-name',
  section: 'codex',
  summary: 'Codex or its provider keeps this name of a dynamic tool or namespace for itself',
  levels: { codex: 'error' },
  set(context) {
    for (const { shape, name, nameNode, namespace } of context.set.tools) {
      if (codexRoute(shape) !== 'dynamic' || name === undefined || nameNode === undefined) continue;
      const message = toolMessage(context, name, namespace !== undefined);
      if (message !== undefined) context.report({ node: nameNode, span: nodeSpan(nameNode), message });
    }
    for (const { shape, name, nameNode } of context.set.namespaces) {
      if (codexRoute(shape) !== 'dynamic' || name === undefined || nameNode === undefined) continue;
      const message = namespaceMessage(context, name);
      if (message !== undefined) context.report({ node: nameNode, span: nodeSpan(nameNode), message });
    }
  },
};

function toolMessage({ profile }: BaseContext, name: string, inNamespace: boolean): Message | undefined {
  if (isMcp(name)) {
    return t(
      'Codex keeps "mcp" and names that start with "mcp__" for MCP servers, and one refused dynamic tool stops the whole thread from starting.',
    );
  }
  if (inNamespace || !profile.builtinNames.has(name)) return undefined;
  return t(
    'Codex has a tool "{0}" of its own in an ordinary session, and then leaves this one out without an error.',
    name,
  );
}

function namespaceMessage({ profile }: BaseContext, name: string): Message | undefined {
  if (isMcp(name)) {
    return t(
      'Codex keeps the namespaces "mcp" and "mcp__…" for MCP servers, and refuses the whole list of dynamic tools.',
    );
  }
  if (!profile.reservedNamespaces.includes(name)) return undefined;
  return t(
    'The namespace "{0}" belongs to the Responses API, and Codex refuses the whole list of dynamic tools.',
    name,
  );
}
