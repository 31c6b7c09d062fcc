import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { type CharSet, complement, EMPTY_SET, fromRanges, intersect, subtract, union, unionAll } from './charSet';
import { hostUnion, unicodeProperty } from './properties';
import { foldedSet } from './rustCase';
import { Refusal } from './text';
import type { ClassItem, RegexMark, RegexProblemCode, SetNode } from './tree';
import { ASCII_DIGIT, ASCII_SPACE, ASCII_WORD } from './unicodeTables';

/** Flags that hold at a place of a Rust expression. */
export interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  swapGreed: boolean;
  unicode: boolean;
  crlf: boolean;
  verbose: boolean;
}

const SURROGATES: CharSet = [0xd800, 0xdfff];
/** Rust's strings are Unicode text: no class of characters has surrogates. */
export const ALL = complement(SURROGATES);
const ASCII_ALL: CharSet = [0, 0x7f];
/** What there is without the flag `u`. */
const BYTES: CharSet = [0, 0xff];
const BEYOND_ASCII: CharSet = [0x80, 0x10ffff];
/** Brackets open at a time before the reader gives up; `regex-syntax` allows 250 levels of all kinds. */
export const MAX_OPEN = 260;

const POSIX = new Map<string, CharSet>([
  ['alnum', [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a]],
  ['alpha', [0x41, 0x5a, 0x61, 0x7a]],
  ['ascii', ASCII_ALL],
  ['blank', [0x09, 0x09, 0x20, 0x20]],
  ['cntrl', [0x00, 0x1f, 0x7f, 0x7f]],
  ['digit', ASCII_DIGIT],
  ['graph', [0x21, 0x7e]],
  ['lower', [0x61, 0x7a]],
  ['print', [0x20, 0x7e]],
  ['punct', [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e]],
  ['space', ASCII_SPACE],
  ['upper', [0x41, 0x5a]],
  ['word', ASCII_WORD],
  ['xdigit', [0x30, 0x39, 0x41, 0x46, 0x61, 0x66]],
]);

/** Reads what stands for single characters in a Rust expression: escapes and classes. */
export class RustReader {
  protected at = 0;
  protected depth = 0;
  protected readonly marks: RegexMark[] = [];
  protected flags: Flags = {
    ignoreCase: false,
    multiline: false,
    dotAll: false,
    swapGreed: false,
    unicode: true,
    crlf: false,
    verbose: false,
  };

  constructor(
    protected readonly source: string,
    /** Single bytes may match, and the flag `u` is off to begin with. */
    protected readonly bytes: boolean,
  ) {
    this.flags.unicode = !bytes;
  }

  protected refuse(code: RegexProblemCode, span: Span, message: Message): never {
    throw new Refusal({ code, span, message });
  }

  protected span(start: number, length = 0): Span {
    const end = length === 0 ? this.at : Math.min(this.source.length, start + length);
    return { start, end };
  }

  /** The current character; empty at the end. */
  protected peek(): string {
    const code = this.source.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  protected take(): string {
    const char = this.peek();
    this.at += char.length;
    return char;
  }

  protected match(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** With flag `x`: blanks and comments, also inside classes. */
  protected skipBlanks(): void {
    if (!this.flags.verbose) return;
    for (;;) {
      const char = this.peek();
      if (char !== '' && /^\p{White_Space}$/u.test(char)) this.take();
      else if (char === '#') {
        while (this.at < this.source.length && this.take() !== '\n');
      } else return;
    }
  }

  /** The text behind the current character, with flag `x` without blanks and one `#` among them (regex-syntax 0.8.5). */
  private behind(): string {
    const rest = this.source.slice(this.at + 1);
    return this.flags.verbose ? rest.replace(/^\p{White_Space}*(?:#\p{White_Space}*)?/u, '') : rest;
  }

  /** Something may match a byte that is no character. */
  protected matchBytes(span: Span): void {
    if (this.bytes) return;
    this.refuse('surrogate', span, t('Without the flag `u` this matches single bytes, which is no text.'));
  }

  /** Without the flag `u`, classes have only bytes: ASCII characters and `\\xHH`. */
  private refuseCharacter(span: Span): never {
    this.refuse('surrogate', span, t('Without the flag `u` a class has no characters beyond ASCII.'));
  }

  /** `\d`, `\p{…}` and the like, the backslash taken; `undefined` for other escapes. */
  protected namedSet(start: number): CharSet | undefined {
    const letter = this.peek();
    if (letter === '' || !'dDsSwWpP'.includes(letter)) return undefined;
    this.take();
    if (letter === 'p' || letter === 'P') return this.property(letter === 'P', start);
    const { unicode } = this.flags;
    const lower = letter.toLowerCase();
    let set: CharSet;
    if (lower === 'd') set = unicode ? hostUnion('Nd') : ASCII_DIGIT;
    else if (lower === 's') set = unicode ? hostUnion('White_Space') : ASCII_SPACE;
    else set = unicode ? hostUnion('Alphabetic', 'M', 'Nd', 'Pc', 'Join_Control') : ASCII_WORD;
    if (lower === letter) return set;
    if (!unicode) this.matchBytes(this.span(start));
    return subtract(unicode ? ALL : BYTES, set);
  }

  protected property(negative: boolean, start: number): CharSet {
    let name = this.take();
    if (name === '{') {
      const end = this.source.indexOf('}', this.at);
      if (end < 0) {
        this.refuse('bad-escape', { start, end: this.source.length }, t('The property is not closed with `}`.'));
      }
      name = this.source.slice(this.at, end);
      this.at = end + 1;
    }
    const span = this.span(start);
    if (name === '' || !this.flags.unicode) this.refuse('bad-property', span, t('This is no Unicode property.'));
    const found = unicodeProperty(name);
    if (found === undefined) {
      this.refuse('bad-property', span, t('There is no Unicode property `{0}`.', name));
    }
    if (found === 'unknown') {
      this.marks.push({ code: 'unknown-set', span });
      return EMPTY_SET;
    }
    const set = this.flags.ignoreCase ? foldedSet(found, false) : found;
    return negative ? subtract(ALL, set) : subtract(set, SURROGATES);
  }

  /** The character of an escape, the backslash taken. */
  protected escapedCharacter(start: number): { code: number; byte: boolean } {
    const letter = this.take();
    const span = this.span(start);
    switch (letter) {
      case '':
        return this.refuse('bad-escape', span, t('The expression ends with a backslash that escapes nothing.'));
      case 'a':
        return { code: 0x07, byte: false };
      case 'f':
        return { code: 0x0c, byte: false };
      case 't':
        return { code: 0x09, byte: false };
      case 'n':
        return { code: 0x0a, byte: false };
      case 'r':
        return { code: 0x0d, byte: false };
      case 'v':
        return { code: 0x0b, byte: false };
      case 'x':
      case 'u':
      case 'U':
        return this.hexEscape(letter, start);
      case 'Z':
        return this.refuse('z-anchor', span, t('The engine knows no `\\Z`; write `\\z`, or nothing at the end.'));
      case 'k':
        return this.refuse('backreference', span, t('Back-references are not supported by the engine.'));
      default:
    }
    if (letter >= '0' && letter <= '9') {
      const octal = letter === '0';
      const message = octal
        ? t('Octal escapes are not supported by the engine; write `\\x{…}`.')
        : t('Back-references are not supported by the engine.');
      this.refuse(octal ? 'octal' : 'backreference', span, message);
    }
    const code = letter.codePointAt(0)!;
    if (code >= 0x80 || /[A-Za-z<>]/.test(letter)) {
      this.refuse('bad-escape', span, t('The engine does not know the escape `\\{0}`.', letter));
    }
    return { code, byte: false };
  }

  protected hexEscape(letter: string, start: number): { code: number; byte: boolean } {
    const length = letter === 'x' ? 2 : letter === 'u' ? 4 : 8;
    let digits = '';
    let valid = true;
    const braces = this.match('{');
    if (braces) {
      const end = this.source.indexOf('}', this.at);
      digits = this.source.slice(this.at, end < 0 ? this.source.length : end);
      this.at = end < 0 ? this.source.length : end + 1;
      valid = end >= 0 && /^[0-9a-fA-F]+$/.test(digits);
    } else {
      while (digits.length < length && /^[0-9a-fA-F]$/.test(this.peek())) digits += this.take();
      valid = digits.length === length;
    }
    const span = this.span(start);
    if (!valid) this.refuse('bad-escape', span, t('Hexadecimal digits are missing here.'));
    const code = Number.parseInt(digits, 16);
    if (code >= 0xd800 && code <= 0xdfff) {
      this.refuse('surrogate', span, t('Half a surrogate pair is no character for the engine.'));
    }
    if (code > 0x10ffff) this.refuse('bad-escape', span, t('There is no character beyond `\\x{10FFFF}`.'));
    return { code, byte: !this.flags.unicode && letter === 'x' && !braces && code > 0x7f };
  }

  // ---- Classes.

  protected characterClass(): SetNode {
    const start = this.at;
    const { set, items, negated } = this.classBody();
    return { ...setNode(set, 'class', this.span(start)), negated, items };
  }

  protected classBody(): { set: CharSet; items: ClassItem[]; negated: boolean } {
    const start = this.at;
    this.take();
    this.depth++;
    if (this.depth > MAX_OPEN) this.refuse('too-deep', this.span(start), t('The expression is nested too deeply.'));
    this.skipBlanks();
    const negated = this.match('^');
    this.skipBlanks();
    const items: ClassItem[] = [];
    let nested: CharSet[] = [];
    let operandFrom = 0;
    let left: { set: CharSet; operator: string } | undefined;
    const plain = (at: number, code: number) =>
      items.push({ kind: 'range', first: code, last: code, span: this.span(at) });
    const operand = (): CharSet => {
      const own = items.slice(operandFrom);
      const ranges = own.flatMap((item) => (item.kind === 'range' ? [[item.first, item.last] as const] : []));
      const sets = own.flatMap((item) => (item.kind === 'named' ? [item.set] : []));
      const all = unionAll([subtract(fromRanges(ranges), SURROGATES), ...sets, ...nested]);
      return left === undefined ? all : combine(this.fold(left.set), left.operator, this.fold(all));
    };
    for (let at = this.at; this.match('-'); at = this.at) {
      plain(at, 0x2d);
      this.skipBlanks();
    }
    if (items.length === 0) {
      const at = this.at;
      if (this.match(']')) plain(at, 0x5d);
    }
    for (;;) {
      this.skipBlanks();
      const at = this.at;
      const char = this.peek();
      if (char === '') {
        const span = { start, end: this.source.length };
        this.refuse('unterminated-class', span, t('This character class is not closed with `]`.'));
      }
      if (char === ']') {
        this.take();
        break;
      }
      if (char === '[') {
        const posix = this.posixClass();
        if (posix !== undefined) {
          items.push({ kind: 'named', set: posix, span: this.span(at) });
        } else {
          nested.push(this.classBody().set);
          this.marks.push({ code: 'nested-set', span: this.span(at) });
        }
        continue;
      }
      const operator = this.source.slice(at, at + 2);
      if (operator === '&&' || operator === '--' || operator === '~~') {
        const set = operand();
        this.at += 2;
        this.marks.push({ code: 'class-operator', span: this.span(at) });
        left = { set, operator };
        operandFrom = items.length;
        nested = [];
        continue;
      }
      this.range(items, start);
    }
    this.depth--;
    const folded = this.fold(operand());
    const { unicode } = this.flags;
    const set = negated ? subtract(unicode ? ALL : BYTES, folded) : folded;
    if (!unicode && intersect(set, BEYOND_ASCII).length > 0) this.matchBytes(this.span(start));
    return { set, items, negated };
  }

  protected fold(set: CharSet): CharSet {
    return this.flags.ignoreCase ? foldedSet(set, !this.flags.unicode) : set;
  }

  protected posixClass(): CharSet | undefined {
    const match = /^\[:(\^?)([^:\]]*):\]/.exec(this.source.slice(this.at, this.at + 20));
    const set = match === null ? undefined : POSIX.get(match[2]!);
    if (match === null || set === undefined) return undefined;
    const start = this.at;
    this.at += match[0].length;
    this.marks.push({ code: 'posix-class', span: this.span(start) });
    if (match[1] === '') return set;
    if (!this.flags.unicode) this.matchBytes(this.span(start));
    return subtract(this.flags.unicode ? ALL : BYTES, set);
  }

  /** A character, a range or a named set of a class. */
  protected range(items: ClassItem[], classStart: number): void {
    const start = this.at;
    const from = this.classAtom();
    this.skipBlanks();
    if (this.peek() !== '-' || /^[\]-]/.test(this.behind())) {
      items.push(
        typeof from === 'number'
          ? { kind: 'range', first: from, last: from, span: this.span(start) }
          : { kind: 'named', set: from, span: this.span(start) },
      );
      return;
    }
    this.take();
    this.skipBlanks();
    if (this.peek() === '') {
      const span = { start: classStart, end: this.source.length };
      this.refuse('unterminated-class', span, t('This character class is not closed with `]`.'));
    }
    const to = this.classAtom();
    const span = this.span(start);
    if (typeof from !== 'number' || typeof to !== 'number') {
      this.refuse('bad-range', span, t('A set cannot be an end of a range.'));
    }
    if (from > to) this.refuse('bad-range', span, t('This range ends before it starts.'));
    items.push({ kind: 'range', first: from, last: to, span });
  }

  protected classAtom(): number | CharSet {
    const start = this.at;
    if (this.peek() !== '\\') {
      const code = this.take().codePointAt(0)!;
      if (code > 0x7f && !this.flags.unicode) this.refuseCharacter(this.span(start));
      return code;
    }
    this.take();
    const named = this.namedSet(start);
    if (named !== undefined) return named;
    const letter = this.peek();
    if (letter !== '' && 'AzbB<>'.includes(letter)) {
      this.take();
      this.refuse('bad-escape', this.span(start), t('`\\{0}` cannot stand in a character class.', letter));
    }
    const { code, byte } = this.escapedCharacter(start);
    if (byte) this.matchBytes(this.span(start));
    else if (code > 0x7f && !this.flags.unicode) this.refuseCharacter(this.span(start));
    return code;
  }
}

function combine(left: CharSet, operator: string, right: CharSet): CharSet {
  if (operator === '&&') return intersect(left, right);
  if (operator === '--') return subtract(left, right);
  return union(subtract(left, right), subtract(right, left));
}

export function setNode(set: CharSet, written: SetNode['written'], span: Span): SetNode {
  return { kind: 'set', set, written, code: undefined, negated: false, items: [], span };
}
