import { HOSTED_TYPES, WEB_SEARCH_TYPES } from '../../profiles/toolTypes';
import type { JsonNode } from '../../text/json';
import type { ToolDefinition, ToolKind } from '../model';
import { deferBy, type ReadContext, readByPlan } from './common';
import { readFormat } from './format';

/** Reads a tool of OpenAI Responses, hosted ones included. Source: OpenAI OpenAPI document, Responses tools, 2026. */
export function readResponses(node: JsonNode, context: ReadContext): ToolDefinition {
  const kind = kindOf(node.value('type')?.string);
  return readByPlan(node, context, {
    shape: 'responses',
    kind,
    nullSchema: true,
    outputSchemaKeys: ['output_schema', 'outputSchema'],
    strict: kind === 'function',
    defer: deferBy(node, 'defer_loading'),
    format: kind === 'custom' ? readFormat(node, false) : undefined,
  });
}

function kindOf(type: string | undefined): ToolKind {
  if (type === 'custom') return 'custom';
  if (type === 'tool_search') return 'tool-search';
  if (type === undefined || type === 'function') return 'function';
  if (WEB_SEARCH_TYPES.has(type)) return 'web-search';
  return HOSTED_TYPES.has(type) ? 'hosted' : 'function';
}
