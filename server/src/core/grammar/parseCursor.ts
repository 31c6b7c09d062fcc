import type { Message } from '../text/message';
import type { Span } from '../text/span';
import type { DialectMark, MarkKind, Name } from './ast';
import { lexGrammar, type Token, type TokenKind, TRIVIA } from './lex';
import { type GrammarProblem, type GrammarProblemCode, problem } from './problems';

/** More problems than this say nothing new about a text. */
const MOST_PROBLEMS = 1000;

/** Kinds of tokens that a name, a directive or a header starts an item with. */
const ITEM_STARTS: ReadonlySet<TokenKind> = new Set<TokenKind>([
  'rule',
  'terminal',
  'modifiers',
  'directive',
  'header',
]);

/** The significant tokens of a grammar with a place among them, and what is found out while reading. */
export class Cursor {
  readonly tokens: readonly Token[];
  readonly problems: GrammarProblem[] = [];
  readonly marks: DialectMark[] = [];
  readonly #significant: Token[];
  #index = 0;

  constructor(readonly text: string) {
    this.tokens = lexGrammar(text);
    this.#significant = this.tokens.filter((token) => !TRIVIA.has(token.kind));
    for (const token of this.tokens) {
      if (token.kind === 'continuation') this.mark('continuation', 'lark', token, token.start);
    }
  }

  get token(): Token {
    return this.#significant[this.#index]!;
  }

  /** The token before the present one, if there is one. */
  get previous(): Token | undefined {
    return this.#significant[this.#index - 1];
  }

  peek(ahead = 1): Token {
    return this.#significant[Math.min(this.#index + ahead, this.#significant.length - 1)]!;
  }

  next(): Token {
    const token = this.token;
    if (this.#index < this.#significant.length - 1) this.#index++;
    return token;
  }

  /** Whether the present token is of one of the kinds. */
  at(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.token.kind);
  }

  accept(kind: TokenKind): Token | undefined {
    return this.token.kind === kind ? this.next() : undefined;
  }

  slice(span: Span): string {
    return this.text.slice(span.start, span.end);
  }

  name(token: Token): Name {
    if (token.dash !== undefined) this.mark('dash-name', 'llguidance', token, token.dash);
    return { text: this.slice(token), terminal: token.kind === 'terminal', span: spanOf(token) };
  }

  report(code: GrammarProblemCode, span: Span, message: Message, at: number): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem(code, spanOf(span), message, { at }));
  }

  mark(kind: MarkKind, only: 'lark' | 'llguidance', span: Span, at: number): void {
    this.marks.push({ kind, only, span: spanOf(span), at });
  }

  /** Goes behind the end of the line; the line ends that a comment swallows do not count, as in Lark. */
  skipLine(): void {
    while (this.token.kind !== 'newline' && this.token.kind !== 'end') this.next();
    this.accept('newline');
  }

  /** Whether a token is the first on its line with white space in front of it. */
  indented(token: Token): boolean {
    const before = this.text[token.start - 1];
    return before === ' ' || before === '\t';
  }

  /** Whether an item can start with a token of this kind. */
  startsItem(token: Token): boolean {
    return ITEM_STARTS.has(token.kind);
  }

  /** Whether the tokens from here on have the shape of a definition up to its colon. */
  looksLikeDefinition(ahead = 0): boolean {
    let i = ahead;
    if (this.peek(i).kind === 'modifiers') i++;
    const name = this.peek(i).kind;
    if (name !== 'rule' && name !== 'terminal') return false;
    for (i++; ; i++) {
      const { kind } = this.peek(i);
      if (kind === 'colon' || kind === 'equals') return true;
      if (kind === 'leftBrace' || kind === 'leftBracket') {
        const close = kind === 'leftBrace' ? 'rightBrace' : 'rightBracket';
        const limit = i + 64;
        while (i < limit && !['newline', 'end', close].includes(this.peek(i).kind)) i++;
        if (this.peek(i).kind !== close) return false;
      } else if (kind === 'rule' || kind === 'terminal') {
        // A mixed-case name reads as several.
        if (this.peek(i).start !== this.peek(i - 1).end) return false;
      } else if (kind !== 'parameter' && kind !== 'dot' && kind !== 'number') return false;
    }
  }

  /** The first token from here on that cannot follow where reference Lark expects an item. */
  larkStop(): Token {
    let i = 0;
    const at = (kind: TokenKind): boolean => this.peek(i).kind === kind && this.peek(i).dash === undefined;
    const take = (kind: TokenKind): boolean => at(kind) && i++ >= 0;
    const modifiers = take('modifiers');
    if (take('rule')) {
      if (take('leftBrace')) {
        do if (!take('rule')) return this.peek(i);
        while (take('comma'));
        if (!take('rightBrace')) return this.peek(i);
      }
    } else if (modifiers || !take('terminal')) return this.peek(i);
    if (take('dot') && !take('number')) return this.peek(i);
    take('colon');
    return this.peek(i);
  }
}

export function spanOf(place: Span): Span {
  return { start: place.start, end: place.end };
}

/** The value of a whole number as Python's `int` reads it: any decimal digits of Unicode, with a sign. */
export function wholeNumber(text: string): number {
  let value = 0;
  for (const c of text) {
    if (c === '+' || c === '-') continue;
    value = value * 10 + digit(c.codePointAt(0)!);
  }
  return text.startsWith('-') && value !== 0 ? -value : value;
}

function digit(code: number): number {
  if (code < 128) return code - 48;
  // Five sets of mathematical digits stand in a row; other sets of ten stand alone.
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}
