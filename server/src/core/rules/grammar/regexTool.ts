import type { Finding, TextEdit } from '../../text/finding';
import type { Span } from '../../text/span';
import type { GrammarInput } from './context';
import { runGrammarRules } from './context';
import type { GrammarRule } from './grammarRule';

/** Rules that make sense for an expression alone. */
const RULES = new Set(
  [
    'lookaround',
    'lazy-quantifier',
    'regex-backref',
    'regex-boundary',
    'regex-inner-anchor',
    'regex-atomic',
    'regex-z-anchor',
    'regex-octal',
    'regex-invalid',
    'newline-in-regex',
    'stacked-quantifier',
    'suspicious-class',
    'unbounded-repetition',
    'admits-empty',
    'large-repeat',
    'provider-refuses',
    'provider-warns',
  ].map((name) => `grammar/${name}`),
);

const HEAD = 'start: /';

/**
 * What the grammar rules say of a custom tool with `syntax: "regex"`: of the grammar whose only rule is that expression.
 * The engine reads both alike (llguidance 1.9.1). Spans are offsets in the expression.
 */
export function regexFindings(
  settings: Pick<GrammarInput, 'targets' | 'levels' | 'provider' | 'memory'> & {
    readonly rules: readonly GrammarRule[];
  },
  source: string,
): Finding[] {
  if (source === '') return [];
  /** Offsets in the source of the slashes that a literal must escape. */
  const slashes: number[] = [];
  let literal = '';
  for (let at = 0; at < source.length; at++) {
    const c = source[at]!;
    if (c === '\\') {
      literal += c + (source[++at] ?? '');
      continue;
    }
    if (c === '/') {
      slashes.push(at);
      literal += '\\';
    }
    literal += c;
  }
  const place = (offset: number): number => {
    let at = Math.max(0, offset - HEAD.length);
    for (let i = slashes.length - 1; i >= 0; i--) if (slashes[i]! + i < at) return Math.min(at - i - 1, source.length);
    at = Math.min(at, source.length);
    return at;
  };
  const back = ({ start, end }: Span): Span => ({ start: place(start), end: place(end) });
  const rules = settings.rules.filter(({ id }) => RULES.has(id));
  const { targets, levels, provider, memory } = settings;
  return runGrammarRules(rules, { text: `${HEAD}${literal}/\n`, targets, levels, provider, memory }).map((finding) => ({
    ...finding,
    span: back(finding.span),
    related: [],
    fixes: finding.fixes.map((fix) => ({
      ...fix,
      edits: (): TextEdit[] =>
        fix.edits().map(({ span, newText }) => ({ span: back(span), newText: newText.replaceAll('\\/', '/') })),
    })),
  }));
}
