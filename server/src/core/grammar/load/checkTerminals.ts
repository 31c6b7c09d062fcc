import { t } from '../../text/message';
import type { Lowered } from './compile';
import { type Loading, report } from './entries';
import { hasUnicodeCategory, patternRegexp } from './patterns';

/** Lark's lexers. */
export type LexerKind = 'basic' | 'contextual' | 'dynamic' | 'dynamic_complete';

/** Reports terminals that a lexer refuses: those that can match nothing, and those that Python cannot compile. */
export function checkTerminals(loading: Loading, { terminals, patterns }: Lowered, lexer: LexerKind): void {
  const dynamic = lexer === 'dynamic' || lexer === 'dynamic_complete';
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
    if (patterns.width(pattern, place)?.min !== 0) continue;
    const message = name.startsWith('__')
      ? t('This can match nothing, which Lark refuses for a terminal.')
      : t('{0} can match nothing, which Lark refuses for a terminal that is used in a rule.', name);
    report(loading, 'terminal.zero-width', where, message);
  }
}
