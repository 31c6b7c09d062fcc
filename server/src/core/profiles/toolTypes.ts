/**
 * Values of `type` with which OpenAI Responses declares web search: the plain one, its dated spelling and the
 * two preview spellings. Source: OpenAI OpenAPI document, Responses tools, 2026.
 */
export const WEB_SEARCH_TYPES: ReadonlySet<string> = new Set([
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
]);

/**
 * Values of `type` of the other tools that OpenAI runs or knows itself, so they have neither schema nor grammar.
 * Source: OpenAI OpenAPI document, Responses tools, 2026.
 */
export const HOSTED_TYPES: ReadonlySet<string> = new Set([
  'file_search',
  'computer',
  'computer_use_preview',
  'mcp',
  'code_interpreter',
  'programmatic_tool_calling',
  'image_generation',
  'local_shell',
  'shell',
  'apply_patch',
]);

/**
 * Values of `type` of Anthropic's own tools: a word with the day of its version (`bash_20250124`,
 * `web_search_20250305`), the undated tool search spellings, and a whole MCP server.
 * Source: Anthropic Messages reference, tools, 2026.
 */
export function isAnthropicServerType(type: string): boolean {
  return (
    /^[a-z][a-z_]*_20\d{6}$/.test(type) || /^tool_search_tool_(?:regex|bm25)$/.test(type) || type === 'mcp_toolset'
  );
}

/**
 * Keys beside `functionDeclarations` in an entry of Gemini's `tools`, each a tool that Google runs; also spelled
 * in snake case. Source: Gemini API reference, `Tool`, 2026.
 */
export const GEMINI_HOSTED_KEYS: ReadonlySet<string> = new Set([
  'googleSearch',
  'google_search',
  'googleSearchRetrieval',
  'google_search_retrieval',
  'codeExecution',
  'code_execution',
  'urlContext',
  'url_context',
  'googleMaps',
  'google_maps',
  'fileSearch',
  'file_search',
  'computerUse',
  'computer_use',
]);
