import { emitString } from '../../text/emit';
import { t } from '../../text/message';
import type { ToolDefinition } from '../../tools/model';
import { emitObject, member } from '../members';
import {
  descriptionMember,
  flatName,
  leftOut,
  nameless,
  objectSchema,
  type PortableContext,
  type PortableText,
} from './portable';

/** A tool in the form of Anthropic's Messages. Source: Messages API as typed in its TypeScript library 0.120.0, 2026. */
export function anthropicTool(tool: ToolDefinition, context: PortableContext): PortableText {
  if (tool.shape === 'anthropic') return { text: emitObject(tool.node) };
  if (tool.kind === 'custom') return leftOut(t('Anthropic has no tools with a grammar or free text.'), tool);
  if (tool.kind !== 'function') return leftOut(t('Anthropic has no tool of this kind.'), tool);
  if (tool.name === undefined) return nameless(tool);
  const members = [
    `"name":${emitString(flatName(tool, tool.name, context))}`,
    ...descriptionMember(tool),
    `"input_schema":${objectSchema(tool, context)}`,
    ...member('strict', tool.strict === undefined ? undefined : String(tool.strict)),
    ...member('defer_loading', tool.deferred ? 'true' : undefined),
  ];
  return { text: `{${members.join(',')}}` };
}
