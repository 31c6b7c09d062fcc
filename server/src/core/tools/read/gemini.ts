import type { JsonNode } from '../../text/json';
import { isGeminiHosted } from '../detect';
import type { ToolDefinition } from '../model';
import { type ReadContext, readByPlan } from './common';

/**
 * Reads an entry of Gemini's `functionDeclarations`, whose schema stands under `parameters` (Gemini's own dialect)
 * or `parametersJsonSchema`, or a tool that Google runs. Source: Gemini API reference, `FunctionDeclaration`, 2026.
 */
export function readGemini(node: JsonNode, context: ReadContext): ToolDefinition {
  const hosted = !node.has('name') && isGeminiHosted(node);
  const schemaKey = ['parametersJsonSchema', 'parameters_json_schema'].find((key) => node.has(key));
  return readByPlan(node, context, {
    shape: 'gemini',
    kind: hosted ? 'hosted' : 'function',
    schemaKey: schemaKey ?? 'parameters',
  });
}
