import { emitJson, emitString } from '../../text/emit';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import { emitObject, member } from '../members';
import {
  descriptionMember,
  flatName,
  leftOut,
  loseDeferral,
  nameless,
  objectSchema,
  type PortableContext,
  type PortableText,
} from './portable';

/** A tool as an MCP server lists it (Model Context Protocol 2025-11-25). */
export function mcpTool(tool: ToolDefinition, context: PortableContext): PortableText {
  if (tool.kind !== 'function') return leftOut(t('MCP has functions only.'), tool);
  if (tool.shape === 'mcp') return { text: emitObject(tool.node) };
  if (tool.name === undefined) return nameless(tool);
  loseDeferral(tool, context);
  if (tool.strict === true) context.lose(t('MCP has no strict mode.'), tool.strictNode, tool);
  const { outputSchemaNode } = tool;
  const members = [
    `"name":${emitString(flatName(tool, tool.name, context))}`,
    ...descriptionMember(tool),
    `"inputSchema":${objectSchema(tool, context)}`,
    ...member('outputSchema', outputSchemaNode === undefined ? undefined : emitJson(outputSchemaNode)),
  ];
  return { text: `{${members.join(',')}}` };
}
