/**
 * Tokens of Lark grammars, for both dialects at once: reference Lark 1.3.1 (whose lexer tries its terminals in a fixed
 * order, which the branches below follow) and llguidance 1.9.1. No character is lost: tokens and trivia put together
 * are the text. What only one dialect reads is a token of its own; what none reads is a `bad` token.
 */
export type TokenKind =
  // Trivia.
  | 'space'
  | 'comment'
  | 'continuation'
  | 'lineBreak'
  // Both dialects.
  | 'newline'
  | 'or'
  | 'rule'
  | 'terminal'
  | 'modifiers'
  | 'string'
  | 'regexp'
  | 'number'
  | 'operator'
  | 'tilde'
  | 'colon'
  | 'comma'
  | 'dot'
  | 'dotDot'
  | 'arrow'
  | 'leftParen'
  | 'rightParen'
  | 'leftBracket'
  | 'rightBracket'
  | 'leftBrace'
  | 'rightBrace'
  | 'directive'
  // llguidance alone.
  | 'and'
  | 'equals'
  | 'parameter'
  | 'condition'
  | 'json'
  | 'structuredRegex'
  | 'header'
  | 'nested'
  | 'special'
  | 'grammarName'
  // No dialect.
  | 'bad'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** Where reference Lark's token starts: for an `or` on a new line that is the line break in front of it. */
  readonly at: number;
  /** A `-` inside a name, which only llguidance reads there: its offset. */
  readonly dash?: number;
  /** A literal without its closing quote or slash, or with one that is escaped. */
  readonly open?: boolean;
}

/** Kinds that a parser does not see. */
export const TRIVIA: ReadonlySet<TokenKind> = new Set<TokenKind>(['space', 'comment', 'continuation', 'lineBreak']);

const DIRECTIVES = ['ignore', 'import', 'declare', 'override', 'extend'] as const;

const SIMPLE: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ['(', 'leftParen'],
  [')', 'rightParen'],
  ['[', 'leftBracket'],
  [']', 'rightBracket'],
  ['{', 'leftBrace'],
  ['}', 'rightBrace'],
  [':', 'colon'],
  [',', 'comma'],
  ['|', 'or'],
  ['~', 'tilde'],
  ['+', 'operator'],
  ['*', 'operator'],
  ['?', 'operator'],
  ['&', 'and'],
  ['=', 'equals'],
]);

const RULE = /_?[a-z][_a-z0-9]*/y;
const TERMINAL = /_?[A-Z][_A-Z0-9]*/y;
const NUMBER = /[+-]?\p{Nd}+/uy;
const MODIFIERS = /(?:!\??|\?!?)(?=[_a-z])/y;
const SPECIAL = /<[^<>\s]+>/y;
const GRAMMAR_NAME = /@[A-Za-z0-9_-]+/y;
const PARAMETER = /::(?=[_0-9a-z])(?:_(?![A-Za-z0-9_])|0x[0-9a-fA-F]+|[0-9]+|[_a-z][_a-z0-9-]*)/y;
const CONDITION = /%if(?![A-Za-z0-9_])[ \t]*(?:[_a-z][_a-z0-9-]*)?/y;
const WORD = /[\p{L}\p{N}_]+/uy;
const DEFINITION_LINE = /[ \t]*(?:%|[!?]*_?[A-Za-z][\w-]*[ \t]*(?:[:{[.]))/y;

/** White space as Python's `\s` has it. */
function isSpace(code: number): boolean {
  return (
    (code >= 9 && code <= 13) ||
    (code >= 28 && code <= 32) ||
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** Splits a grammar into tokens and trivia in text order, with an `end` token behind. */
export function lexGrammar(text: string): Token[] {
  return new Lexer(text).run();
}

class Lexer {
  /** Lark reads the text with one newline behind it. */
  readonly #source: string;
  readonly #length: number;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** White space up to here is known to have no comment behind it. */
  #noCommentBefore = 0;
  /** From here on there is no slash that ends a regular expression. */
  #noSlashAfter = Number.POSITIVE_INFINITY;

  constructor(text: string) {
    this.#source = `${text}\n`;
    this.#length = text.length;
  }

  run(): Token[] {
    while (this.#at < this.#source.length) {
      if (this.#comment() || this.#space() || this.#newline()) continue;
      this.#token();
    }
    this.#tokens.push({ kind: 'end', start: this.#length, end: this.#length, at: this.#length });
    return this.#tokens;
  }

  #push(kind: TokenKind, end: number, more: { at?: number; dash?: number; open?: boolean } = {}): true {
    const start = this.#at;
    const { dash, open } = more;
    this.#tokens.push({
      kind,
      start,
      end: Math.min(end, this.#length),
      at: more.at ?? start,
      ...(dash !== undefined && { dash }),
      ...(open && { open }),
    });
    this.#at = end;
    return true;
  }

  #match(pattern: RegExp): number {
    pattern.lastIndex = this.#at;
    return pattern.test(this.#source) ? pattern.lastIndex : -1;
  }

  #spaceEnd(from: number): number {
    let at = from;
    while (at < this.#source.length && isSpace(this.#source.charCodeAt(at))) at++;
    return at;
  }

  #lineEnd(from: number): number {
    const end = this.#source.indexOf('\n', from);
    return end < 0 ? this.#source.length : end;
  }

  /** A comment takes the white space in front of it along, line breaks included. */
  #comment(): boolean {
    if (this.#at < this.#noCommentBefore) return false;
    const start = this.#spaceEnd(this.#at);
    if (this.#source[start] !== '#' && !this.#source.startsWith('//', start)) {
      this.#noCommentBefore = start;
      return false;
    }
    if (start > this.#at) this.#push('space', start);
    this.#push('comment', this.#lineEnd(start));
    return true;
  }

  #space(): boolean {
    const source = this.#source;
    const at = this.#at;
    let end = at;
    while (source[end] === ' ' || source[end] === '\t') end++;
    if (end > at) {
      this.#push('space', end);
      return true;
    }
    if (source[at] !== '\\') return false;
    end = at + 1;
    while (source[end] === ' ') end++;
    if (source[end] !== '\n') return false;
    this.#push('continuation', end + 1);
    return true;
  }

  #newline(): boolean {
    const source = this.#source;
    const at = this.#at;
    if (source[at] !== '\n' && !(source[at] === '\r' && source[at + 1] === '\n')) return false;
    const end = this.#spaceEnd(at);
    if (source[end] === '|') {
      this.#push('lineBreak', end);
      this.#push('or', end + 1, { at });
    } else this.#push('newline', end);
    return true;
  }

  #token(): true {
    const source = this.#source;
    const c = source[this.#at]!;
    if (c === '"') return this.#string();
    if (c === '/') return this.#regexp();
    if (c === '%') return this.#percent();
    if (source.startsWith('->', this.#at)) return this.#push('arrow', this.#at + 2);
    if (c === '.') {
      const two = source[this.#at + 1] === '.';
      return this.#push(two ? 'dotDot' : 'dot', this.#at + (two ? 2 : 1));
    }
    let end = this.#match(NUMBER);
    if (end >= 0) return this.#push('number', end);
    end = this.#match(MODIFIERS);
    if (end >= 0) return this.#push('modifiers', end);
    end = this.#match(RULE);
    if (end >= 0) return this.#name('rule', end, /[_a-z0-9]/);
    end = this.#match(TERMINAL);
    if (end >= 0) return this.#name('terminal', end, /[_A-Z0-9]/);
    if (c === ':') {
      end = this.#match(PARAMETER);
      if (end >= 0) return this.#push('parameter', this.#balanced(end));
    }
    if (c === '<') {
      end = this.#match(SPECIAL);
      if (end >= 0) return this.#push('special', end);
    }
    if (c === '@') {
      end = this.#match(GRAMMAR_NAME);
      if (end >= 0) return this.#push('grammarName', end);
    }
    const simple = SIMPLE.get(c);
    if (simple !== undefined) return this.#push(simple, this.#at + 1);
    return this.#bad();
  }

  /** llguidance reads a dash inside a name; `->` ends the name in both dialects. */
  #name(kind: 'rule' | 'terminal', end: number, part: RegExp): true {
    const source = this.#source;
    if (source[end] !== '-' || source[end + 1] === '>') return this.#push(kind, end);
    const dash = end;
    let at = end;
    while (part.test(source[at]!) || (source[at] === '-' && source[at + 1] !== '>')) at++;
    return this.#push(kind, at, { dash });
  }

  /**
   * Lark's expression for strings goes back to an escaped quote when the line has no other; such a literal is `open`,
   * as is one that has no end at all and runs to the end of its line.
   */
  #string(): true {
    const source = this.#source;
    let last = -1;
    let at = this.#at + 1;
    for (;;) {
      const c = source[at];
      if (c === undefined || c === '\n') break;
      if (c === '"') return this.#push('string', at + (source[at + 1] === 'i' ? 2 : 1));
      if (c === '\\' && (source[at + 1] === '"' || source[at + 1] === '\\')) {
        if (source[at + 1] === '"') last = at + 1;
        at += 2;
      } else at++;
    }
    if (last >= 0) return this.#push('string', last + (source[last + 1] === 'i' ? 2 : 1), { open: true });
    // A line that ends with a carriage return keeps its line end whole.
    return this.#push('bad', source[at - 1] === '\r' ? at - 1 : Math.min(at, this.#length), { open: true });
  }

  #regexp(): true {
    const source = this.#source;
    let last = -1;
    let at = this.#at + 1;
    if (at < this.#noSlashAfter) {
      for (; at < source.length; ) {
        const c = source[at];
        if (c === '/') return this.#push('regexp', this.#flagsEnd(at + 1));
        if (c === '\\' && (source[at + 1] === '/' || source[at + 1] === '\\')) {
          if (source[at + 1] === '/') last = at + 1;
          at += 2;
        } else at++;
      }
      if (last >= 0) return this.#push('regexp', this.#flagsEnd(last + 1), { open: true });
      this.#noSlashAfter = this.#at;
    }
    const end = this.#lineEnd(this.#at);
    return this.#push('bad', source[end - 1] === '\r' ? end - 1 : Math.min(end, this.#length), { open: true });
  }

  #flagsEnd(from: number): number {
    let at = from;
    while ('imslux'.includes(this.#source[at]!)) at++;
    return at;
  }

  #percent(): true {
    const source = this.#source;
    const word = /%[a-z_]*/y;
    word.lastIndex = this.#at;
    const name = word.exec(source)![0].slice(1);
    if (name === 'json') return this.#push('json', this.#value(this.#at + 5));
    if (name === 'regex') return this.#push('structuredRegex', this.#value(this.#at + 6));
    if (name === 'llguidance') return this.#push('header', this.#value(this.#at + 11));
    if (name === 'lark') return this.#push('nested', this.#at + 5);
    if (name === 'if') {
      const end = this.#match(CONDITION);
      return end < 0 ? this.#push('bad', word.lastIndex) : this.#push('condition', this.#balanced(end));
    }
    for (const directive of DIRECTIVES) {
      if (name.startsWith(directive)) return this.#push('directive', this.#at + 1 + directive.length);
    }
    return this.#push('bad', Math.max(word.lastIndex, this.#at + 1));
  }

  /** End of brackets that may follow, on the same line. */
  #balanced(from: number): number {
    const source = this.#source;
    if (source[from] !== '(') return from;
    let depth = 0;
    for (let at = from; at < source.length && source[at] !== '\n'; at++) {
      if (source[at] === '(') depth++;
      else if (source[at] === ')' && --depth === 0) return at + 1;
    }
    return from;
  }

  /** End of the JSON value behind a keyword. One without an end stops where the next definition begins. */
  #value(from: number): number {
    const source = this.#source;
    let at = from;
    while (at < source.length && ' \t\r\n'.includes(source[at]!)) at++;
    if (source[at] !== '{' && source[at] !== '[') {
      const word = /[ \t]*(?:-?[0-9][0-9.eE+-]*|[a-z]+(?![\w:])|"(?:\\.|[^"\\\n])*")?/y;
      word.lastIndex = from;
      return word.test(source) ? word.lastIndex : from;
    }
    let depth = 0;
    for (; at < source.length; at++) {
      const c = source[at]!;
      if (c === '"') {
        for (at++; at < source.length && source[at] !== '"' && source[at] !== '\n'; at++) if (source[at] === '\\') at++;
        if (source[at] === '\n') at--;
      } else if (c === '{' || c === '[') depth++;
      else if (c === '}' || c === ']') {
        if (--depth === 0) return at + 1;
      } else if (c === '\n') {
        DEFINITION_LINE.lastIndex = at + 1;
        if (at >= this.#length || DEFINITION_LINE.test(source)) return at;
      }
    }
    return Math.min(at, source.length);
  }

  /** A run of characters that no dialect reads; words and single-quoted texts stay in one piece. */
  #bad(): true {
    const source = this.#source;
    const c = source[this.#at]!;
    if (c === "'") {
      const quoted = /'(?:\\.|[^'\\\n])*'/y;
      const end = this.#match(quoted);
      if (end >= 0) return this.#push('bad', end);
    }
    const end = this.#match(WORD);
    if (end >= 0) return this.#push('bad', end);
    const code = source.codePointAt(this.#at)!;
    return this.#push('bad', this.#at + (code > 0xffff ? 2 : 1));
  }
}
