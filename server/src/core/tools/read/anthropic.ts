import { isAnthropicServerType } from '../../profiles/toolTypes';
import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { deferBy, type ReadContext, readByPlan } from './common';

/** Reads a tool of Anthropic Messages, or one of Anthropic's own dated tools. Source: Messages reference, 2026. */
export function readAnthropic(node: JsonNode, context: ReadContext): ToolDefinition {
  const type = node.value('type')?.string;
  const kind = type !== undefined && isAnthropicServerType(type) ? 'hosted' : 'function';
  return readByPlan(node, context, {
    shape: 'anthropic',
    kind,
    outputSchemaKeys: ['output_schema', 'outputSchema'],
    strict: kind === 'function',
    defer: deferBy(node, 'defer_loading'),
  });
}
