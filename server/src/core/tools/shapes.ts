import type { ToolShape } from './model';

/** How people read a shape's name in messages. Product names, so never translated. */
export const SHAPE_NAMES: Readonly<Record<ToolShape, string>> = {
  responses: 'OpenAI Responses',
  chat: 'Chat Completions',
  'chat-legacy': 'Chat Completions functions',
  mcp: 'MCP',
  'codex-dynamic': 'Codex dynamic tools',
  'codex-dynamic-legacy': 'Codex dynamic tools (flat)',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  vscode: 'VS Code',
  bfcl: 'BFCL',
};

/** Every shape, in the order in which people see them. */
export const TOOL_SHAPES = Object.keys(SHAPE_NAMES) as readonly ToolShape[];

/** The key under which a function tool of the shape has its input schema. */
export const SCHEMA_KEYS: Readonly<Record<ToolShape, string>> = {
  responses: 'parameters',
  chat: 'parameters',
  'chat-legacy': 'parameters',
  mcp: 'inputSchema',
  'codex-dynamic': 'inputSchema',
  'codex-dynamic-legacy': 'inputSchema',
  anthropic: 'input_schema',
  gemini: 'parameters',
  vscode: 'inputSchema',
  bfcl: 'parameters',
};

/**
 * Shapes that demand an input schema of every function tool. OpenAI's shapes and Gemini take a function without one
 * as a function without arguments, and so does VS Code.
 */
export const SCHEMA_REQUIRED: ReadonlySet<ToolShape> = new Set<ToolShape>([
  'mcp',
  'codex-dynamic',
  'codex-dynamic-legacy',
  'anthropic',
]);

/** The keys under which one or another shape has its input schema. */
export const ALL_SCHEMA_KEYS: readonly string[] = ['parameters', 'inputSchema', 'input_schema'];

/** Keys that tools of Responses have and neither MCP nor Codex dynamic tools know. */
export const RESPONSES_KEYS: readonly string[] = ['strict', 'defer_loading', 'output_schema', 'allowed_callers'];

/** Keys that only MCP tools have. `title` and `_meta` are not among them: authors put those anywhere. */
export const MCP_KEYS: readonly string[] = ['annotations', 'outputSchema', 'execution', 'icons'];

/** Keys that only Anthropic tools have. */
export const ANTHROPIC_KEYS: readonly string[] = ['cache_control', 'input_examples', 'eager_input_streaming'];

/** Keys that only VS Code's tools have. */
export const VSCODE_KEYS: readonly string[] = ['modelDescription', 'toolReferenceName', 'canBeReferencedInPrompt'];
