import { t } from '../../text/message';
import { codexRoute, type ToolDefinition } from '../../tools/model';
import type { BaseContext, Rule } from '../rule';

/** Refusals of dynamic tools that no other rule says (Codex 0.171.0, observed; decoding as in its source of 0.148.0). */
export const dynamicTool: Rule = {
  id: 'codex/dynamic-tool',
  section: 'codex',
  summary: 'Codex refuses a dynamic tool, and with it the whole list',
  levels: { codex: 'error' },
  set(context) {
    const tools = context.set.tools.filter((tool) => codexRoute(tool.shape) === 'dynamic');
    for (const tool of tools) checkTool(context, tool);
    const canonical = tools.find((tool) => tool.shape === 'codex-dynamic');
    const legacy = tools.find((tool) => tool.shape === 'codex-dynamic-legacy');
    if (canonical === undefined || legacy === undefined) return;
    const later = canonical.node.offset > legacy.node.offset ? canonical : legacy;
    context.report({
      node: later.node,
      message: t(
        'Dynamic tools with and without "type" stand in one list, and Codex refuses it: "dynamic tools must use either canonical or legacy format consistently".',
      ),
    });
  },
};

function checkTool(context: BaseContext, { node, description, descriptionNode }: ToolDefinition): void {
  if (descriptionNode === undefined) {
    context.report({
      node,
      message: t(
        'A dynamic tool needs a description, else Codex refuses the whole list: "missing field `description`".',
      ),
    });
  } else if (description === undefined) {
    context.report({
      node: descriptionNode,
      message: t('The description of a dynamic tool must be a string, else Codex refuses the whole list.'),
    });
  }
}
