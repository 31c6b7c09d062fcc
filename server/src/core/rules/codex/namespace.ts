import type { JsonNode } from '../../text/json';
import { nodeSpan } from '../../text/jsonTree';
import { t } from '../../text/message';
import { codexRoute, type ToolNamespace } from '../../tools/model';
import type { BaseContext, Rule } from '../rule';

/** What Codex demands of namespaces of dynamic tools (0.171.0, observed). */
export const namespace: Rule = {
  id: 'codex/namespace',
  section: 'codex',
  summary: 'A namespace of dynamic tools is empty, repeated or too long, or a deferred tool has none',
  levels: { codex: 'error' },
  set(context) {
    const first = new Map<string, JsonNode>();
    for (const space of context.set.namespaces) {
      if (codexRoute(space.shape) !== 'dynamic') continue;
      checkNamespace(context, space);
      if (space.name === undefined || space.shape !== 'codex-dynamic') continue;
      const known = first.get(space.name);
      if (known === undefined) first.set(space.name, space.nameNode!);
      else {
        context.report({
          node: space.nameNode!,
          span: nodeSpan(space.nameNode!),
          message: t(
            'The namespace "{0}" stands twice, and Codex refuses the whole list. Put all its tools into one.',
            space.name,
          ),
          related: [{ span: nodeSpan(known), message: t('It stands here first.') }],
        });
      }
    }
    for (const tool of context.set.tools) {
      if (codexRoute(tool.shape) !== 'dynamic' || !tool.deferred || tool.namespace !== undefined) continue;
      context.report({
        node: tool.deferNode ?? tool.node,
        message: t('A deferred dynamic tool must stand in a namespace, else Codex refuses the whole list.'),
      });
    }
  },
};

function checkNamespace(
  context: BaseContext,
  { node, name, nameNode, description, descriptionNode, tools }: ToolNamespace,
): void {
  const { dynamicNamespaceLength, dynamicNamespaceDescriptionLength } = context.profile;
  if (name !== undefined && [...name].length > dynamicNamespaceLength) {
    context.report({
      node: nameNode!,
      span: nodeSpan(nameNode!),
      message: t(
        '{0} characters; Codex takes at most {1} in the name of a namespace.',
        [...name].length,
        dynamicNamespaceLength,
      ),
    });
  }
  if (name !== undefined && !/^[a-zA-Z0-9_-]*$/.test(name)) {
    context.report({
      node: nameNode!,
      span: nodeSpan(nameNode!),
      message: t(
        'The name of a namespace takes ASCII letters, digits, "_" and "-" only, else Codex refuses the whole list.',
      ),
    });
  }
  if (description !== undefined && [...description].length > dynamicNamespaceDescriptionLength) {
    context.report({
      node: descriptionNode!,
      message: t(
        '{0} characters; Codex takes at most {1} in the description of a namespace.',
        [...description].length,
        dynamicNamespaceDescriptionLength,
      ),
    });
  }
  if (tools.length === 0) {
    context.report({ node, message: t('A namespace must hold at least one tool, else Codex refuses the whole list.') });
  }
}
