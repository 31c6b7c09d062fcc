import { NAME_LIMITS, type NameLimit } from '../../profiles/names';
import type { Target } from '../../profiles/targets';
import type { ToolDefinition, ToolShape } from '../../tools/model';

const SENT_AS_IS: ReadonlySet<ToolShape> = new Set<ToolShape>([
  'responses',
  'chat',
  'chat-legacy',
  'anthropic',
  'codex-dynamic',
  'codex-dynamic-legacy',
]);

/** A target that gets a tool's name as it is written, and what it takes. */
export interface NameRule extends NameLimit {
  readonly target: Target;
}

/**
 * The targets that get this tool's name unchanged. Clients rewrite names of MCP tools and put prefixes before them;
 * a function declaration of Gemini goes to Gemini only.
 */
export function nameRules(tool: ToolDefinition, on: (target: Target) => boolean): NameRule[] {
  if (tool.kind !== 'function' && tool.kind !== 'custom') return [];
  const rules: NameRule[] = [];
  for (const [target, limit] of NAME_LIMITS) {
    const reaches = SENT_AS_IS.has(tool.shape) || (tool.shape === 'gemini' && target === 'gemini');
    if (reaches && on(target)) rules.push({ target, ...limit });
  }
  return rules;
}

/** Length of a text in characters, as the providers count: code points, not UTF-16 units. */
export function characters(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    const high = text.charCodeAt(i);
    const low = text.charCodeAt(i + 1);
    if (high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000) count--;
  }
  return count;
}
