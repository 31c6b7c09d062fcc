import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { type ReadContext, readByPlan } from './common';
import { readFormat } from './format';

/**
 * Reads a tool of Chat Completions: name and schema stand one level deeper, under `function` or `custom`.
 * Source: OpenAI OpenAPI document, Chat Completions, 2026.
 */
export function readChat(node: JsonNode, context: ReadContext): ToolDefinition {
  const custom = objectAt(node, 'custom');
  const fn = objectAt(node, 'function');
  if (fn === undefined && (custom !== undefined || node.value('type')?.string === 'custom')) {
    const body = custom ?? node;
    return readByPlan(node, context, { shape: 'chat', kind: 'custom', body, format: readFormat(body, true) });
  }
  return readByPlan(node, context, {
    shape: 'chat',
    kind: 'function',
    body: fn ?? node,
    outputSchemaKeys: ['output_schema', 'outputSchema'],
    strict: true,
  });
}

/** Reads an entry of the older `functions` list of Chat Completions. */
export function readChatLegacy(node: JsonNode, context: ReadContext): ToolDefinition {
  return readByPlan(node, context, { shape: 'chat-legacy', kind: 'function' });
}

function objectAt(node: JsonNode, key: string): JsonNode | undefined {
  const value = node.value(key);
  return value?.kind === 'object' ? value : undefined;
}
