import type { JsonNode } from '../../../text/json';
import type { ToolDefinition } from '../../../tools/model';

/** Whether the schema is JSON Schema for Gemini itself (`parametersJsonSchema`), and not what a client must convert. */
export function isJsonSchemaForGemini(tool: ToolDefinition): boolean {
  return tool.shape === 'gemini' && tool.schemaKey !== 'parameters';
}

/** Whether a schema is that of null alone. */
export function isNullSchema(node: JsonNode): boolean {
  const type = node.value('type');
  const words = type?.kind === 'array' ? type.items : type === undefined ? [] : [type];
  if (words.length > 0) return words.every((word) => word.string?.toLowerCase() === 'null');
  return node.value('const')?.kind === 'null';
}

/** The values of a schema's `enum`; `const` is told as a keyword that is not there. */
export function enumValues(schema: JsonNode): readonly JsonNode[] {
  const list = schema.value('enum');
  return list?.kind === 'array' ? list.items : [];
}
