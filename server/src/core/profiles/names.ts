import type { Target } from './targets';

/** What a target takes as the name of a tool. */
export interface NameLimit {
  /** Characters. */
  readonly length: number;
  /** Whether only ASCII letters, digits, `_` and `-` may stand in it. */
  readonly plain: boolean;
}

/**
 * Names of tools that go out as they are written.
 *
 * - `openai`: 1 to 128 of letters, digits, `_` and `-` (OpenAI OpenAPI description 2.3.0, 2026)
 * - `chat`: 64 of the same (the same description)
 * - `codex`: 128 of the same for dynamic tools (Codex 0.171.0, observed); the provider demands it of all others
 * - `anthropic`: `^[a-zA-Z0-9_-]{1,64}$` (Anthropic Messages API, 2026)
 * - `gemini`: 64 characters (Gemini API reference of function declarations, 2026); its characters have a rule of their own
 */
export const NAME_LIMITS: ReadonlyMap<Target, NameLimit> = new Map<Target, NameLimit>([
  ['codex', { length: 128, plain: true }],
  ['openai', { length: 128, plain: true }],
  ['chat', { length: 64, plain: true }],
  ['anthropic', { length: 64, plain: true }],
  ['gemini', { length: 64, plain: false }],
]);

/** Whether all characters of a name are ASCII letters, digits, `_` and `-`. */
export const PLAIN_NAME = /^[a-zA-Z0-9_-]+$/;

/** How MCP hosts make the name that their model sees, and how long it may be in many of them. */
export const MCP_HOST_NAME = {
  /** Put before the server's name, as in `mcp__shop__find`. */
  prefix: 'mcp__',
  separator: '__',
  /** Characters that most model APIs took until 2025, and many hosts still enforce. */
  length: 64,
  /** Characters of a server's name where it is not known. */
  assumedServerLength: 8,
} as const;
