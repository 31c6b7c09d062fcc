import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import {
  type CharSet,
  complement,
  EMPTY_SET,
  fromRanges,
  intersect,
  single,
  subtract,
  union,
  unionAll,
} from './charSet';
import { hostSet, hostUnion, unicodeProperty } from './properties';
import { dropOuterAnchors, innerAnchor, nestedTooDeeply } from './rustAnchors';
import { foldedSet } from './rustCase';
import { Refusal } from './text';
import type {
  AnchorType,
  ClassItem,
  GroupNode,
  RegexMark,
  RegexNode,
  RegexProblemCode,
  RegexResult,
  RepeatNode,
  SetNode,
} from './tree';
import { ASCII_DIGIT, ASCII_SPACE, ASCII_WORD } from './unicodeTables';

interface Flags {
  ignoreCase: boolean;
  multiline: boolean;
  dotAll: boolean;
  swapGreed: boolean;
  unicode: boolean;
  crlf: boolean;
  verbose: boolean;
}

const FLAG_NAMES = new Map<string, keyof Flags>([
  ['i', 'ignoreCase'],
  ['m', 'multiline'],
  ['s', 'dotAll'],
  ['U', 'swapGreed'],
  ['u', 'unicode'],
  ['R', 'crlf'],
  ['x', 'verbose'],
]);

const MAX_U32 = 4294967295;
const SURROGATES: CharSet = [0xd800, 0xdfff];
/** Rust's strings are Unicode text: no class of characters has surrogates. */
const ALL = complement(SURROGATES);
const ASCII_ALL: CharSet = [0, 0x7f];
/** Brackets open at a time before the reader gives up; `regex-syntax` allows 250 levels of all kinds. */
const MAX_OPEN = 260;

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

/**
 * Reads a regular expression as llguidance 1.9.1 does (Rust's `regex-syntax`, observed): refused with a reason code
 * where the engine refuses it, at the place of the cause. Anchors at the outer ends are dropped as they are there.
 * Unlike the engine it tells look-around, atomic groups and other foreign constructs apart.
 * @param flags Letters out of `imsux`, as behind a grammar's `/…/`.
 */
export function parseRustRegex(source: string, flags: string | Iterable<string> = ''): RegexResult {
  try {
    return new RustParser(source, flags).parse();
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    throw error;
  }
}

class RustParser {
  private at = 0;
  private depth = 0;
  private flags: Flags = {
    ignoreCase: false,
    multiline: false,
    dotAll: false,
    swapGreed: false,
    unicode: true,
    crlf: false,
    verbose: false,
  };
  private readonly groups: (GroupNode | undefined)[] = [undefined];
  private readonly names = new Set<string>();
  private readonly marks: RegexMark[] = [];
  /** What the engine refuses after its parser took it; the first in text order counts. */
  private boundary: Span | undefined;

  constructor(
    private readonly source: string,
    flags: string | Iterable<string>,
  ) {
    for (const letter of flags) {
      const name = FLAG_NAMES.get(letter);
      if (name === undefined) this.refuse('bad-flag', { start: 0, end: 0 }, t('`{0}` is not a flag.', letter));
      this.flags[name] = true;
    }
  }

  parse(): RegexResult {
    const parsed = this.alternatives();
    if (this.at < this.source.length) {
      this.refuse('unmatched-parenthesis', this.span(this.at, 1), t('This closing bracket has no opening one.'));
    }
    const deep = nestedTooDeeply(parsed);
    if (deep !== undefined) this.refuse('too-deep', deep, t('The expression is nested too deeply.'));
    if (this.boundary !== undefined) {
      this.refuse('boundary', this.boundary, t('Word boundaries are not supported by the engine.'));
    }
    const root = dropOuterAnchors(parsed, (span) => this.marks.push({ code: 'anchor', span }));
    const inner = innerAnchor(root);
    if (inner !== undefined) {
      const message = t('An anchor is only taken at the outer ends of the expression; here the engine refuses it.');
      this.refuse('inner-anchor', inner, message);
    }
    const { source, groups, marks } = this;
    return { tree: { dialect: 'rust', source, root, groups, marks } };
  }

  private refuse(code: RegexProblemCode, span: Span, message: Message): never {
    throw new Refusal({ code, span, message });
  }

  private span(start: number, length = 0): Span {
    const end = length === 0 ? this.at : Math.min(this.source.length, start + length);
    return { start, end };
  }

  /** The current character; empty at the end. */
  private peek(): string {
    const code = this.source.codePointAt(this.at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  private take(): string {
    const char = this.peek();
    this.at += char.length;
    return char;
  }

  private match(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** With flag `x`: blanks and comments, also inside classes. */
  private skipBlanks(): void {
    if (!this.flags.verbose) return;
    for (;;) {
      const char = this.peek();
      if (char !== '' && /^\p{White_Space}$/u.test(char)) this.take();
      else if (char === '#') {
        while (this.at < this.source.length && this.take() !== '\n');
      } else return;
    }
  }

  private alternatives(): RegexNode {
    const start = this.at;
    const outer = { ...this.flags };
    this.depth++;
    if (this.depth > MAX_OPEN) {
      this.refuse('too-deep', this.span(start, 1), t('The expression is nested too deeply.'));
    }
    const items: RegexNode[] = [this.sequence()];
    while (this.match('|')) items.push(this.sequence());
    this.depth--;
    this.flags = outer;
    return items.length === 1 ? items[0]! : { kind: 'alternation', items, span: this.span(start) };
  }

  private sequence(): RegexNode {
    const start = this.at;
    const items: RegexNode[] = [];
    /** The last thing read is `(?flags)`, which cannot be repeated. */
    let afterFlags = false;
    for (;;) {
      this.skipBlanks();
      const char = this.peek();
      if (char === '' || char === '|' || char === ')') break;
      if (char === '*' || char === '+' || char === '?' || char === '{') {
        this.repeat(items, afterFlags);
        continue;
      }
      const item = this.item(char);
      afterFlags = item === undefined;
      if (item !== undefined) items.push(item);
    }
    const span = this.span(start);
    if (items.length === 0) return { kind: 'empty', span: { start, end: this.at } };
    return items.length === 1 ? items[0]! : { kind: 'sequence', items, span };
  }

  private item(char: string): RegexNode | undefined {
    const start = this.at;
    switch (char) {
      case '(':
        return this.group();
      case '[':
        return this.characterClass();
      case '\\':
        return this.escape();
      case '.':
        this.take();
        return this.dot(start);
      case '^':
      case '$': {
        this.take();
        const type: AnchorType = char === '^' ? 'start' : 'end';
        return this.anchor(this.flags.multiline ? (char === '^' ? 'line-start' : 'line-end') : type, start);
      }
      default:
        this.take();
        return this.character(char.codePointAt(0)!, start);
    }
  }

  private dot(start: number): RegexNode {
    if (!this.flags.unicode) this.refuseBytes(this.span(start));
    const { dotAll, crlf } = this.flags;
    const set = dotAll ? ALL : subtract(ALL, crlf ? [0x0a, 0x0a, 0x0d, 0x0d] : single(0x0a));
    return setNode(set, 'dot', this.span(start));
  }

  private refuseBytes(span: Span): never {
    this.refuse('surrogate', span, t('Without the flag `u` this matches single bytes, which is no text.'));
  }

  private anchor(type: AnchorType, start: number): RegexNode {
    return { kind: 'anchor', type, word: EMPTY_SET, span: this.span(start) };
  }

  private character(code: number, start: number): SetNode {
    const set = this.flags.ignoreCase ? foldedSet(single(code), !this.flags.unicode) : single(code);
    return { ...setNode(set, 'character', this.span(start)), code };
  }

  // ---- Repeats.

  private repeat(items: RegexNode[], afterFlags: boolean): void {
    const start = this.at;
    const operator = this.take();
    const body = items.at(-1);
    if (body === undefined || afterFlags) {
      const message =
        operator === '{'
          ? t('A brace starts a repeat here; write `\\{` for the character.')
          : t('There is nothing before this that could be repeated.');
      this.refuse(operator === '{' ? 'literal-brace' : 'nothing-to-repeat', this.span(start), message);
    }
    let min = operator === '+' ? 1 : 0;
    let max = operator === '?' ? 1 : Infinity;
    if (operator === '{') {
      [min, max] = this.bounds(start);
      this.skipBlanks();
    }
    const lazy = this.match('?');
    const operatorSpan = this.span(start);
    if (lazy) this.marks.push({ code: 'lazy', span: operatorSpan });
    if (body.kind === 'repeat') this.marks.push({ code: 'stacked', span: operatorSpan });
    const mode = lazy !== this.flags.swapGreed ? 'lazy' : 'greedy';
    const node: RepeatNode = { kind: 'repeat', min, max, mode, body, operatorSpan, span: this.span(body.span.start) };
    items[items.length - 1] = node;
  }

  private bounds(start: number): [number, number] {
    this.skipBlanks();
    const unclosed = (): never => {
      const message = t('A brace starts a repeat such as `{2,3}` here; write `\\{` for the character.');
      this.refuse('literal-brace', this.span(start), message);
    };
    const least = this.decimal();
    if (least === undefined) return unclosed();
    let most: number | undefined = least;
    if (this.match(',')) {
      this.skipBlanks();
      if (this.peek() === '}') most = Infinity;
      else most = this.decimal();
    }
    if (most === undefined || !this.match('}')) return unclosed();
    if (least > MAX_U32 || (most !== Infinity && most > MAX_U32)) {
      this.refuse('bad-repeat', this.span(start), t('The number of repeats is too large.'));
    }
    if (least > most) {
      this.refuse('bad-repeat', this.span(start), t('The least number of repeats is above the greatest.'));
    }
    return [least, most];
  }

  private decimal(): number | undefined {
    const blanks = () => {
      while (/^\p{White_Space}$/u.test(this.peek())) this.take();
    };
    blanks();
    let digits = '';
    while (/^[0-9]$/.test(this.peek())) digits += this.take();
    blanks();
    return digits === '' ? undefined : Number(digits);
  }

  // ---- Groups.

  private group(): RegexNode | undefined {
    const start = this.at;
    this.take();
    this.skipBlanks();
    if (!this.match('?')) return this.groupBody(start, true, undefined);
    for (const prefix of ['=', '!', '<=', '<!']) {
      if (!this.match(prefix)) continue;
      const message = t('Look-around is not supported by the engine; it knows no `(?{0}`.', prefix);
      this.refuse('lookaround', this.span(start), message);
    }
    if (this.match('P<') || this.match('<')) return this.groupBody(start, true, this.groupName(start));
    this.refuseForeign(start);
    const saved = { ...this.flags };
    const ends = this.readFlags(start);
    if (ends === ')') return undefined;
    const node = this.groupBody(start, false, undefined);
    this.flags = saved;
    return node;
  }

  /** Extensions of other dialects, by name. */
  private refuseForeign(start: number): void {
    const rest = this.source.slice(this.at, this.at + 2);
    const refuse = (code: RegexProblemCode, length: number, message: Message) =>
      this.refuse(code, { start, end: Math.min(this.source.length, this.at + length) }, message);
    if (rest[0] === '>') refuse('atomic', 1, t('Atomic groups are not supported by the engine.'));
    if (rest[0] === '#') refuse('comment', 1, t('The engine knows no comments in brackets.'));
    if (rest[0] === '(') refuse('conditional', 1, t('Conditions are not supported by the engine.'));
    if (rest === 'P=') refuse('backreference', 2, t('Back-references are not supported by the engine.'));
    if (rest[0] === "'") refuse('bad-group-name', 1, t('A named group is written `(?<name>…)`.'));
    if (rest[0] !== undefined && /[|&PR0-9+]/.test(rest[0]) && !/^R[:)imsUuRx-]/.test(rest)) {
      refuse('unknown-extension', 1, t('The engine does not know `(?{0}`.', rest[0]));
    }
  }

  private groupName(start: number): string {
    const from = this.at;
    for (;;) {
      const at = this.at;
      const char = this.take();
      if (char === '') this.refuse('bad-group-name', { start, end: at }, t('The name is not closed with `>`.'));
      if (char === '>') break;
      const good = at === from ? /^[_\p{Alphabetic}]$/u : /^[_.[\]\p{Alphabetic}\p{Nd}\p{Nl}\p{No}]$/u;
      if (!good.test(char)) {
        this.refuse('bad-group-name', { start: at, end: this.at }, t('`{0}` cannot stand in a group name.', char));
      }
    }
    const name = this.source.slice(from, this.at - 1);
    const span = { start: from, end: Math.max(from, this.at - 1) };
    if (name === '') this.refuse('bad-group-name', { start, end: this.at }, t('A name is missing here.'));
    if (this.names.has(name)) this.refuse('bad-group-name', span, t('There is a group `{0}` already.', name));
    this.names.add(name);
    return name;
  }

  private groupBody(start: number, capture: boolean, name: string | undefined): RegexNode {
    const number = capture ? this.groups.push(undefined) - 1 : undefined;
    const body = this.alternatives();
    if (!this.match(')')) {
      this.refuse('unterminated-group', { start, end: this.source.length }, t('This bracket is not closed.'));
    }
    const node: GroupNode = { kind: 'group', capture: number, name, atomic: false, body, span: this.span(start) };
    if (number !== undefined) this.groups[number] = node;
    return node;
  }

  /** Reads flags up to `:` or `)` and sets them. */
  private readFlags(start: number): ':' | ')' {
    const seen = new Set<string>();
    let negated = false;
    let last = '';
    for (;;) {
      const at = this.at;
      const char = this.take();
      const span = this.span(at);
      if (char === '') {
        this.refuse('unterminated-group', { start, end: this.source.length }, t('This bracket is not closed.'));
      }
      if (char === ':' || char === ')') {
        if (last === '-') this.refuse('bad-flag', { start, end: this.at }, t('No flag stands behind the `-`.'));
        if (char === ')' && seen.size === 0) {
          this.refuse('nothing-to-repeat', { start, end: this.at }, t('There is no flag in these brackets.'));
        }
        return char;
      }
      if (seen.has(char)) this.refuse('bad-flag', span, t('The flag `{0}` stands here twice.', char));
      const name = FLAG_NAMES.get(char);
      if (char !== '-' && name === undefined) this.refuse('bad-flag', span, t('`{0}` is not a flag.', char));
      seen.add(char);
      if (name === undefined) negated = true;
      else this.flags[name] = !negated;
      last = char;
    }
  }

  // ---- Escapes.

  private escape(): RegexNode {
    const start = this.at;
    this.take();
    const letter = this.peek();
    switch (letter) {
      case 'A':
      case 'z':
        this.take();
        return this.anchor(letter === 'A' ? 'start' : 'end', start);
      case 'b':
      case 'B':
      case '<':
      case '>':
        this.take();
        if (letter === 'b') this.specialBoundary(start);
        this.boundary ??= this.span(start);
        return this.anchor('boundary', start);
      default:
    }
    const named = this.namedSet(start);
    if (named !== undefined) return setNode(named, 'escape', this.span(start));
    const { code, byte } = this.escapedCharacter(start);
    if (byte) this.refuseBytes(this.span(start));
    return this.character(code, start);
  }

  /** `\b{start}` and the like. */
  private specialBoundary(start: number): void {
    const match = /^\{[-A-Za-z]+/.exec(this.source.slice(this.at, this.at + 20));
    if (match === null) return;
    const whole = /^\{(start|end|start-half|end-half)\}/.exec(this.source.slice(this.at, this.at + 20));
    if (whole === null) {
      this.at += match[0].length;
      this.refuse('bad-escape', this.span(start), t('There is no such kind of word boundary.'));
    }
    this.at += whole[0].length;
  }

  /** `\d`, `\p{…}` and the like, the backslash taken; `undefined` for other escapes. */
  private namedSet(start: number): CharSet | undefined {
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
    if (!unicode) this.refuseBytes(this.span(start));
    return subtract(ALL, set);
  }

  private property(negative: boolean, start: number): CharSet {
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
  private escapedCharacter(start: number): { code: number; byte: boolean } {
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

  private hexEscape(letter: string, start: number): { code: number; byte: boolean } {
    const length = letter === 'x' ? 2 : letter === 'u' ? 4 : 8;
    let digits = '';
    let valid = true;
    if (this.match('{')) {
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
    return { code, byte: !this.flags.unicode && letter === 'x' && code > 0x7f && code <= 0xff };
  }

  // ---- Classes.

  private characterClass(): SetNode {
    const start = this.at;
    const { set, items, negated } = this.classBody();
    return { ...setNode(set, 'class', this.span(start)), negated, items };
  }

  private classBody(): { set: CharSet; items: ClassItem[]; negated: boolean } {
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
    if (!this.flags.unicode && (negated || intersect(folded, [0x80, 0x10ffff]).length > 0)) {
      this.refuseBytes(this.span(start));
    }
    return { set: negated ? subtract(ALL, folded) : folded, items, negated };
  }

  private fold(set: CharSet): CharSet {
    return this.flags.ignoreCase ? foldedSet(set, !this.flags.unicode) : set;
  }

  private posixClass(): CharSet | undefined {
    const match = /^\[:(\^?)([^:\]]*):\]/.exec(this.source.slice(this.at, this.at + 20));
    const set = match === null ? undefined : POSIX.get(match[2]!);
    if (match === null || set === undefined) return undefined;
    const start = this.at;
    this.at += match[0].length;
    this.marks.push({ code: 'posix-class', span: this.span(start) });
    return match[1] === '' ? set : subtract(this.flags.unicode ? ALL : ASCII_ALL, set);
  }

  /** A character, a range or a named set of a class. */
  private range(items: ClassItem[], classStart: number): void {
    const start = this.at;
    const from = this.classAtom();
    this.skipBlanks();
    const next = this.source.slice(this.at + 1).trimStart();
    const dash = this.peek() === '-' && next[0] !== ']' && next[0] !== '-';
    if (!dash) {
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

  private classAtom(): number | CharSet {
    const start = this.at;
    if (this.peek() !== '\\') return this.take().codePointAt(0)!;
    this.take();
    const named = this.namedSet(start);
    if (named !== undefined) return named;
    const letter = this.peek();
    if (letter !== '' && 'AzbB<>'.includes(letter)) {
      this.take();
      this.refuse('bad-escape', this.span(start), t('`\\{0}` cannot stand in a character class.', letter));
    }
    const { code, byte } = this.escapedCharacter(start);
    if (byte) this.refuseBytes(this.span(start));
    return code;
  }
}

function combine(left: CharSet, operator: string, right: CharSet): CharSet {
  if (operator === '&&') return intersect(left, right);
  if (operator === '--') return subtract(left, right);
  return union(subtract(left, right), subtract(right, left));
}

function setNode(set: CharSet, written: SetNode['written'], span: Span): SetNode {
  return { kind: 'set', set, written, code: undefined, negated: false, items: [], span };
}

/** White space and words of Rust's engine, for lints that compare the dialects. */
export function rustSpace(): CharSet {
  return hostSet('White_Space') ?? EMPTY_SET;
}
