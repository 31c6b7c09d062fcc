import { emitJson, emitString } from '../../text/emit';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import { formatParts } from '../grammarText';
import { emitMembers, member } from '../members';
import {
  descriptionMember,
  flatName,
  leftOut,
  loseDeferral,
  nameless,
  type PortableContext,
  type PortableText,
} from './portable';

/**
 * A tool in the form of OpenAI Chat Completions: name and schema under `function`, a grammar one level deeper than in
 * Responses. Source: OpenAI OpenAPI document, Chat Completions, 2026.
 */
export function chatTool(tool: ToolDefinition, context: PortableContext): PortableText {
  if (tool.kind !== 'function' && tool.kind !== 'custom') {
    return leftOut(t('Chat Completions has no tool of this kind.'), tool);
  }
  if (tool.name === undefined) return nameless(tool);
  if (tool.kind === 'custom') return customTool(tool, tool.name, context);
  if (tool.shape === 'chat') {
    return { text: `{"type":"function","function":{${emitMembers(tool.body).join(',')}}}` };
  }
  loseDeferral(tool, context);
  const { schemaNode } = tool;
  const members = [
    `"name":${emitString(flatName(tool, tool.name, context))}`,
    ...descriptionMember(tool),
    ...member('parameters', schemaNode === undefined ? undefined : emitJson(schemaNode)),
    ...member('strict', tool.strict === undefined ? undefined : String(tool.strict)),
  ];
  return { text: `{"type":"function","function":{${members.join(',')}}}` };
}

function customTool(tool: ToolDefinition, name: string, context: PortableContext): PortableText {
  loseDeferral(tool, context);
  const members = [`"name":${emitString(flatName(tool, name, context))}`, ...descriptionMember(tool)];
  if (tool.format !== undefined) {
    const made = formatParts(tool.format, tool, context.options);
    if ('note' in made) return made;
    const { type, syntax, definition } = made.parts;
    const grammar = [...member('syntax', syntax), ...member('definition', definition)].join(',');
    members.push(`"format":${type === 'text' ? '{"type":"text"}' : `{"type":"grammar","grammar":{${grammar}}}`}`);
  }
  return { text: `{"type":"custom","custom":{${members.join(',')}}}` };
}
