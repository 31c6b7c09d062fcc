import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { EMPTY_SET, single, subtract } from './charSet';
import { dropOuterAnchors, innerAnchor, nestedTooDeeply } from './rustAnchors';
import { foldedSet } from './rustCase';
import { ALL, type Flags, MAX_OPEN, RustReader, setNode } from './rustReader';
import { Refusal } from './text';
import type { AnchorType, GroupNode, RegexNode, RegexProblemCode, RegexResult, RepeatNode, SetNode } from './tree';

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
/**
 * Reads a regular expression as llguidance 1.9.1 does (Rust's `regex-syntax`, observed): refused with a reason code
 * where the engine refuses it, at the place of the cause. Anchors at the outer ends are dropped as they are there.
 * Unlike the engine it tells look-around, atomic groups and other foreign constructs apart.
 * @param flags Letters out of `imsux`, as behind a grammar's `/…/`, each once.
 * @param options `bytes`: the grammar has `allow_invalid_utf8`, so expressions stand for bytes unless they say `(?u)`.
 * `anchors`: those at the outer ends stay in the tree, for an expression that is searched for in a text.
 */
export function parseRustRegex(
  source: string,
  flags: string | Iterable<string> = '',
  options: { readonly bytes?: boolean; readonly anchors?: boolean } = {},
): RegexResult {
  try {
    return new RustParser(source, flags, options.bytes ?? false).parse(options.anchors ?? false);
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    throw error;
  }
}

class RustParser extends RustReader {
  private readonly groups: (GroupNode | undefined)[] = [undefined];
  private readonly names = new Set<string>();
  /** What the engine refuses after its parser took it; the first in text order counts. */
  private boundary: Span | undefined;

  constructor(source: string, flags: string | Iterable<string>, bytes: boolean) {
    super(source, bytes);
    const seen = new Set<string>();
    for (const letter of flags) {
      const name = FLAG_NAMES.get(letter);
      const place = { start: 0, end: 0 };
      if (name === undefined) this.refuse('bad-flag', place, t('`{0}` is not a flag.', letter));
      if (seen.has(letter)) this.refuse('bad-flag', place, t('The flag `{0}` stands here twice.', letter));
      seen.add(letter);
      this.flags[name] = true;
    }
  }

  parse(keepAnchors: boolean): RegexResult {
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
    return { tree: { dialect: 'rust', source, root: keepAnchors ? parsed : root, groups, marks } };
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
    if (!this.flags.unicode) this.matchBytes(this.span(start));
    const { dotAll, crlf } = this.flags;
    const set = dotAll ? ALL : subtract(ALL, crlf ? [0x0a, 0x0a, 0x0d, 0x0d] : single(0x0a));
    return setNode(set, 'dot', this.span(start));
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
    if (byte) this.matchBytes(this.span(start));
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
}
