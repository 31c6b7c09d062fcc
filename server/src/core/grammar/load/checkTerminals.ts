import { t } from '../../text/message';
import type { Lowered } from './compile';
import { type Loading, report } from './entries';
import { hasUnicodeCategory, patternRegexp } from './patterns';

/** Lark's lexers. */
export type LexerKind = 'basic' | 'contextual' | 'dynamic' | 'dynamic_complete';

/** What decides which terminals a lexer looks at. */
export interface LexerUse {
  readonly lexer: LexerKind;
  readonly start: readonly string[];
  readonly ignored: readonly string[];
}

/** Reports terminals that a lexer refuses: those that can match nothing, and those that Python cannot compile. */
export function checkTerminals(loading: Loading, lowered: Lowered, { lexer, start, ignored }: LexerUse): void {
  const { terminals, patterns } = lowered;
  const dynamic = lexer === 'dynamic' || lexer === 'dynamic_complete';
  const looksAt = lexer === 'contextual' ? new Set([...reached(lowered, start), ...ignored]) : undefined;
  for (const { name, pattern, place } of terminals) {
    if (pattern === undefined) continue;
    const where = pattern.place ?? place!;
    const regexp = patternRegexp(pattern);
    if (pattern.kind === 'regexp' || pattern.flags.length > 0) {
      if (hasUnicodeCategory(regexp)) {
        const code = dynamic ? 'regex.unicode-category' : 'regex.invalid';
        patterns.refuse(pattern, where, code, t("Python's re has no \\p{…}."));
        continue;
      }
      const parsed = patterns.regex.width(regexp);
      const error = 'error' in parsed ? parsed.error : parsed.compileError;
      if (error !== undefined) {
        const part = 'error' in parsed ? parsed.span : undefined;
        patterns.refuse(pattern, where, 'regex.invalid', t("Python's re cannot read this: {0}", error), part);
        continue;
      }
    }
    if (patterns.width(pattern, place)?.min !== 0 || looksAt?.has(name) === false) continue;
    const message = name.startsWith('__')
      ? t('This can match nothing, which Lark refuses for a terminal.')
      : t('{0} can match nothing, which Lark refuses for a terminal that is used in a rule.', name);
    report(loading, 'terminal.zero-width', where, message);
  }
}

/** Names of what the start rules lead to: no state of a parser takes the others, so the contextual lexer has no use for them. */
function reached({ rules }: Lowered, start: readonly string[]): ReadonlySet<string> {
  const symbols = new Map<string, Set<string>>();
  for (const { origin, items } of rules) {
    const known = symbols.get(origin) ?? new Set();
    for (const { name } of items) known.add(name);
    symbols.set(origin, known);
  }
  const names = new Set(start);
  for (const name of names) for (const symbol of symbols.get(name) ?? []) names.add(symbol);
  return names;
}
