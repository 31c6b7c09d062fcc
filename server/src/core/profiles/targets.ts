/** Whom a rule speaks for. `lark` and `llguidance` are grammar engines; the others receive tool definitions. */
export const TARGETS = ['codex', 'openai', 'chat', 'mcp', 'anthropic', 'gemini', 'lark', 'llguidance'] as const;

/** One receiver of tool definitions or grammars. */
export type Target = (typeof TARGETS)[number];

/** Targets when neither settings nor a config file name any. */
export const DEFAULT_TARGETS: readonly Target[] = ['codex', 'openai'];

/** How people read a target's name in messages. */
export const TARGET_NAMES: Readonly<Record<Target, string>> = {
  codex: 'Codex',
  openai: 'OpenAI Responses',
  chat: 'Chat Completions',
  mcp: 'MCP',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  lark: 'Lark',
  llguidance: 'llguidance',
};

/** Whether a word names a target. */
export function isTarget(word: string): word is Target {
  return (TARGETS as readonly string[]).includes(word);
}
