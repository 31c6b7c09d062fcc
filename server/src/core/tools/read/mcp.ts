import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { type ReadContext, readByPlan } from './common';

/** Reads a tool of a Model Context Protocol `tools/list` result, of any revision up to 2026-07-28. */
export function readMcp(node: JsonNode, context: ReadContext): ToolDefinition {
  return readByPlan(node, context, {
    shape: 'mcp',
    kind: 'function',
    outputSchemaKeys: ['outputSchema', 'output_schema'],
  });
}
