import type { Span } from '../../text/span';
import { type JsonValue, readJsonPrefix } from './engineJson';

/** What `%regex` takes, in the order of the engine. */
export const REGEX_KEYS: readonly string[] = ['substring_chunks', 'substring_words', 'substring_chars'];

/** Kinds of tokens of llguidance 1.9.1. */
export type EngineTokenKind =
  | '->'
  | ':'
  | ','
  | '.'
  | '..'
  | '%declare'
  | '%llguidance'
  | '%ignore'
  | '%import'
  | '%override'
  | '%json'
  | '%regex'
  | '%lark'
  | '%if'
  | '('
  | ')'
  | '{'
  | '}'
  | '['
  | ']'
  | '~'
  | '|'
  | '&'
  | '='
  | '_'
  | '::'
  | 'operator'
  | 'rule'
  | 'token'
  | 'string'
  | 'regexp'
  | 'number'
  | 'hex'
  | 'newline'
  | 'special'
  | 'grammarName';

export interface EngineToken {
  kind: EngineTokenKind;
  start: number;
  /** Behind the token, the JSON of `%json` and its kin included. */
  end: number;
  text: string;
  readonly json?: JsonValue;
  /** The engine takes its column for one too small, see `splitRanges`. */
  readonly early?: boolean;
}

/** Where the engine's lexer gives up. */
export interface LexFailure {
  /** Of `regex`: behind the JSON. */
  readonly at: number;
  /** Start of the token that it was reading. */
  readonly start: number;
  /** `json` where the JSON behind a keyword is no JSON, `regex` where that of `%regex` is not what it takes. */
  readonly reason: 'character' | 'json' | 'regex';
}

const WORDS = [
  '%declare',
  '%llguidance',
  '%ignore',
  '%import',
  '%override',
  '%json',
  '%regex',
  '%lark',
  '%if',
] as const;
const SINGLE = new Set([',', '=', '(', ')', '{', '}', '[', ']', '|', '&', '~', '*']);
const WHITE = /\p{White_Space}/u;
/** Kinds of tokens that end with their last character, because none can be longer. */
const FINAL = new Set<EngineTokenKind>([...WORDS, '->', '..', '::', 'special', ',', '=', '(', ')', '{', '}', '[', ']']);
for (const kind of ['|', '&', '~'] as const) FINAL.add(kind);

/**
 * Splits a grammar as llguidance 1.9.1 does: the longest token counts, and once no token can go on there is no way
 * back to a shorter one. Comments and blanks are left out.
 */
export function engineLex(text: string): {
  tokens: EngineToken[];
  failure: LexFailure | undefined;
  /** Ranges of counts that it misreads, from the `~` to the last number. */
  misread: readonly Span[];
} {
  const lexer = new EngineLexer(`${text}\n`);
  const failure = lexer.run();
  const misread = splitRanges(lexer.tokens);
  return { tokens: lexer.tokens, failure, misread };
}

class EngineLexer {
  readonly tokens: EngineToken[] = [];
  #at = 0;
  /** Nothing of the next token is read yet; else its first character has ended the one before. */
  #fresh = true;
  /** The token before ended with its last character, so the engine counts the column of the next one too small. */
  #early = false;

  constructor(readonly source: string) {}

  run(): LexFailure | undefined {
    while (this.#at < this.source.length) {
      const failed = this.#token();
      if (failed !== undefined) return { at: failed, start: this.#at, reason: 'character' };
      const last = this.tokens.at(-1);
      if (last === undefined || last.end !== this.#at) continue;
      if (last.kind !== '%json' && last.kind !== '%regex' && last.kind !== '%llguidance') continue;
      const read = readJsonPrefix(this.source, last.end);
      if (read.failure !== undefined) return { at: read.failure, start: last.start, reason: 'json' };
      if (last.kind === '%regex' && !isRegexObject(read.value))
        return { at: read.end, start: last.start, reason: 'regex' };
      this.tokens[this.tokens.length - 1] = { ...last, end: read.end, json: read.value };
      this.#at = read.end;
    }
    return undefined;
  }

  #push(kind: EngineTokenKind, end: number): undefined {
    const start = this.#at;
    const text = this.source.slice(start, end);
    this.tokens.push({ kind, start, end, text, ...(this.#early && { early: true }) });
    const final = FINAL.has(kind) || (kind === 'string' && text.endsWith('i')) || (kind === 'operator' && text === '*');
    this.#early = final && (this.#fresh || text.length > 1);
    this.#fresh = this.#early;
    this.#at = end;
    return undefined;
  }

  #skipTo(end: number): undefined {
    this.#early = false;
    this.#fresh = false;
    this.#at = end;
    return undefined;
  }

  #run(from: number, part: RegExp): number {
    let at = from;
    while (at < this.source.length && part.test(this.source[at]!)) at++;
    return at;
  }

  /** Reads a token. Gives the offset where none can go on, if it fails. */
  #token(): number | undefined {
    const { source } = this;
    const at = this.#at;
    const c = source[at]!;
    const next = source[at + 1];
    if (c === ' ' || c === '\t') return this.#skipTo(this.#run(at, /[ \t]/));
    if (c === '#' || (c === '/' && next === '/')) return this.#skipTo(this.#run(at, /[^\n]/));
    if (c === '\n' || c === '\r') return this.#newline();
    if (c === '"') return this.#string();
    if (c === '/') return this.#regexp();
    if (c === '%') return this.#word();
    if (SINGLE.has(c)) return this.#push(c === '*' ? 'operator' : (c as EngineTokenKind), at + 1);
    if (c === ':') return next === ':' ? this.#push('::', at + 2) : this.#push(':', at + 1);
    if (c === '.') return next === '.' ? this.#push('..', at + 2) : this.#push('.', at + 1);
    if (c === '-' && next === '>') return this.#push('->', at + 2);
    if (isDigit(c) || ((c === '+' || c === '-') && isDigit(next))) return this.#number();
    if (c === '-') return at + 1;
    if (c === '+') return this.#push('operator', at + 1);
    if (c === '<') return this.#special();
    if (c === '@') {
      const end = this.#run(at + 1, /[a-zA-Z0-9_-]/);
      return end === at + 1 ? end : this.#push('grammarName', end);
    }
    return this.#name(c);
  }

  #name(c: string): number | undefined {
    const { source } = this;
    const at = this.#at;
    if (c === '!' || c === '?') {
      let start = at + 1;
      if (c === '!' && (source[start] === '_' || source[start] === '?')) start++;
      if (isLower(source[start])) return this.#push('rule', this.#run(start, /[_a-z0-9-]/));
      return c === '?' ? this.#push('operator', at + 1) : start;
    }
    const first = c === '_' ? at + 1 : at;
    if (isLower(source[first])) return this.#push('rule', this.#run(first, /[_a-z0-9-]/));
    if (isUpper(source[first])) return this.#push('token', this.#run(first, /[_A-Z0-9-]/));
    return c === '_' ? this.#push('_', at + 1) : at;
  }

  #newline(): number | undefined {
    const { source } = this;
    let at = this.#at;
    while (source[at] === '\n' || source[at] === '\r') {
      if (source[at] === '\r') {
        if (source[at + 1] !== '\n') return at + 1;
        at++;
      }
      at++;
    }
    return this.#push('newline', this.#run(at, /[ \t]/));
  }

  #string(): number | undefined {
    const { source } = this;
    for (let at = this.#at + 1; ; at++) {
      const c = source[at];
      if (c === undefined || c <= '\x1f' || c === '\x7f') return at;
      if (c === '"') return this.#push('string', at + (source[at + 1] === 'i' ? 2 : 1));
      if (c !== '\\') continue;
      const kind = source[++at];
      if (kind === 'u' || kind === 'x') {
        for (let digits = kind === 'u' ? 4 : 2; digits > 0; digits--) if (!isHex(source[++at])) return at;
      } else if (kind === undefined || !'"\\/bfnrt'.includes(kind)) return at;
    }
  }

  #regexp(): number | undefined {
    const { source } = this;
    for (let at = this.#at + 1; ; at++) {
      const c = source[at];
      if (c === undefined) return at;
      if (c === '/') return this.#push('regexp', this.#run(at + 1, /[imslux]/));
      if (c === '\\' && (source[++at] === '\n' || source[at] === undefined)) return at;
    }
  }

  #word(): number | undefined {
    const { source } = this;
    let length = 1;
    for (;;) {
      const read = source.slice(this.#at, this.#at + length + 1);
      if (read.length <= length || !WORDS.some((word) => word.startsWith(read))) break;
      length++;
    }
    const word = WORDS.find((each) => each.length === length && source.startsWith(each, this.#at));
    return word === undefined ? this.#at + length : this.#push(word, this.#at + length);
  }

  #number(): number | undefined {
    const { source } = this;
    let at = this.#at;
    if (source[at] === '0' && (source[at + 1] === 'x' || source[at + 1] === 'X')) {
      const end = this.#run(at + 2, /[0-9a-fA-F]/);
      return end === at + 2 ? end : this.#push('hex', end);
    }
    if (source[at] === '+' || source[at] === '-') at++;
    at = this.#run(at, /[0-9]/);
    if (source[at] === '.') at = this.#run(at + 1, /[0-9]/);
    if (source[at] === 'e' || source[at] === 'E') {
      at++;
      if (source[at] === '+' || source[at] === '-') at++;
      if (!isDigit(source[at])) return at;
      at = this.#run(at, /[0-9]/);
    }
    return this.#push('number', at);
  }

  #special(): number | undefined {
    const { source } = this;
    for (let at = this.#at + 1; ; at++) {
      const c = source[at];
      if (c === undefined || c === '<' || WHITE.test(c)) return at;
      if (c === '>') return at === this.#at + 1 ? at : this.#push('special', at + 1);
    }
  }
}

/**
 * `~2..5`: the number takes the first dot along, which is mended here as the engine does since 1.9. It tells by their
 * columns whether the dots stand together, and takes the column of the number for one too small if the `~` ended with
 * its own character; then it does not mend. That is so right behind a string with the flag `i`, and behind brackets
 * and the like that follow one another and such a string without a blank. Gives the places that are not mended.
 */
function splitRanges(tokens: EngineToken[]): Span[] {
  const misread: Span[] = [];
  for (let i = 1; i < tokens.length - 1; i++) {
    const number = tokens[i]!;
    const dot = tokens[i + 1]!;
    const sign = tokens[i - 1]!;
    if (sign.kind !== '~' || number.kind !== 'number' || dot.kind !== '.' || dot.start !== number.end) continue;
    if (!number.text.endsWith('.') || wholeNumber(number.text.slice(0, -1)) === undefined) continue;
    if (number.early === true) {
      const last = tokens[i + 2]?.kind === 'number' ? tokens[i + 2]! : dot;
      misread.push({ start: sign.start, end: last.end });
      continue;
    }
    number.text = number.text.slice(0, -1);
    number.end--;
    dot.kind = '..';
    dot.start--;
    dot.text = '..';
  }
  return misread;
}

/** Whether JSON is what the engine reads behind `%regex`: known keys, each once, lists and strings where they belong. */
function isRegexObject(json: JsonValue): boolean {
  const fits = (index: number, value: JsonValue): boolean => {
    if (value.kind === 'null') return true;
    if (index > 0) return value.kind === 'string';
    return value.kind === 'array' && value.items.every((item) => item.kind === 'string');
  };
  if (json.kind === 'array')
    return json.items.length === REGEX_KEYS.length && json.items.every((item, i) => fits(i, item));
  if (json.kind !== 'object' || json.repeated) return false;
  return [...json.members].every(([key, value]) => REGEX_KEYS.includes(key) && fits(REGEX_KEYS.indexOf(key), value));
}

/** A number of 32 bits with a sign; `undefined` for what is none. */
export function wholeNumber(text: string): number | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = Number(text);
  return value > 2147483647 || value < -2147483648 ? undefined : value;
}

function isDigit(c: string | undefined): boolean {
  return c !== undefined && c >= '0' && c <= '9';
}

function isHex(c: string | undefined): boolean {
  return c !== undefined && /[0-9a-fA-F]/.test(c);
}

function isLower(c: string | undefined): boolean {
  return c !== undefined && c >= 'a' && c <= 'z';
}

function isUpper(c: string | undefined): boolean {
  return c !== undefined && c >= 'A' && c <= 'Z';
}
