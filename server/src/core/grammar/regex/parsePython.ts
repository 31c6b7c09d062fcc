import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { ANY_CHAR, complement, has, single } from './charSet';
import { changed, FLAG_LETTERS, type Flags, NO_FLAGS, namedSet, TYPE_FLAGS } from './pythonFlags';
import { isDigit, isOctal, PythonReader, setNode } from './pythonReader';
import { Refusal } from './text';
import {
  type AnchorType,
  children,
  type GroupNode,
  MAX_REGEX_NESTING,
  type RegexMark,
  type RegexNode,
  type RegexResult,
  type RepeatMode,
  type RepeatNode,
} from './tree';
import { ASCII_WORD, pythonDigit, pythonWord } from './unicodeTables';
import { Widths } from './width';

/** Python counts repeats and groups in 32 bits. */
const MAX_REPEAT = 4294967295;
const MAX_GROUPS = 1073741823;
const MAX_LOOK_BEHIND = 4294967295;
const NOT_LINE_FEED = complement(single(0x0a));
/**
 * Reads a regular expression of Python 3.11's `re` for text patterns. It is refused exactly where `re.compile`
 * refuses it, at the first cause; beyond that, a name in `\N{…}` must be among the more common ones.
 * @param flags Letters out of `imsxau`, as `re.compile` takes them.
 */
export function parsePythonRegex(source: string, flags: string | Iterable<string> = ''): RegexResult {
  try {
    return new PythonParser(source, flags).parse();
  } catch (error) {
    if (error instanceof Refusal) return { problem: error.problem };
    throw error;
  }
}

interface OpenGroup {
  readonly name: string | undefined;
  node: GroupNode | undefined;
}

class PythonParser extends PythonReader {
  private readonly groups: (OpenGroup | undefined)[] = [undefined];
  private readonly names = new Map<string, number>();
  /** Group numbers of conditions, with the place of the first use of each. */
  private readonly conditions = new Map<number, Span>();
  private lookBehindGroups: number | undefined;
  private flags: Flags;
  private unicodeFlag = false;
  private asciiSpan: Span | undefined;
  private template = false;
  private depth = 0;
  private readonly marks: RegexMark[] = [];

  constructor(source: string, flags: string | Iterable<string>) {
    super(source);
    const letters = new Set(flags);
    this.flags = {
      ignoreCase: letters.has('i'),
      multiline: letters.has('m'),
      dotAll: letters.has('s'),
      verbose: letters.has('x'),
      ascii: letters.has('a'),
    };
    this.unicodeFlag = letters.has('u');
    const whole = { start: 0, end: source.length };
    if (letters.has('l') || letters.has('L')) this.refuse('bad-flag', whole, LOCALE());
    if (letters.has('a')) this.asciiSpan = whole;
  }

  parse(): RegexResult {
    const root = this.alternatives(NO_FLAGS, true);
    const { text } = this;
    if (text.next !== undefined) {
      this.refuse('unmatched-parenthesis', text.span(), t('This closing bracket has no opening one.'));
    }
    if (this.asciiSpan !== undefined && this.unicodeFlag) {
      this.refuse('flag-conflict', this.asciiSpan, t('The flags `a` and `u` exclude each other.'));
    }
    for (const [group, span] of this.conditions) {
      if (group >= this.groups.length) this.refuse('bad-reference', span, t('There is no group {0}.', String(group)));
    }
    const groups = this.groups.map((group) => group?.node);
    this.checkLookBehind(root, new Widths(groups));
    return { tree: { dialect: 'python', source: this.source, root, groups, marks: this.marks } };
  }

  /** Alternatives up to a closing bracket or the end. */
  private alternatives(flags: Flags, top = false): RegexNode {
    this.depth++;
    if (this.depth > MAX_REGEX_NESTING + 1) {
      const message = t('Brackets are nested too deeply, more than {0} levels.', MAX_REGEX_NESTING);
      this.refuse('too-deep', this.text.span(), message);
    }
    const { start } = this.text;
    const items: RegexNode[] = [];
    do {
      items.push(this.sequence(top ? this.flags : flags, top && items.length === 0));
    } while (this.text.match('|'));
    this.depth--;
    if (items.length === 1) return items[0]!;
    return { kind: 'alternation', items, span: { start, end: this.text.start } };
  }

  /** @param first At the very start of the expression, where flags for all of it may stand. */
  private sequence(outerFlags: Flags, first: boolean): RegexNode {
    const { text } = this;
    const { start } = text;
    let flags = outerFlags;
    const items: RegexNode[] = [];
    for (;;) {
      const token = text.next;
      if (token === undefined || token === '|' || token === ')') break;
      const at = text.start;
      text.advance();
      if (flags.verbose) {
        if (token.length === 1 && ' \t\n\r\v\f'.includes(token)) continue;
        if (token === '#') {
          this.skipLine();
          continue;
        }
      }
      if (token.charCodeAt(0) === 0x5c) {
        items.push(this.escape(token, at, flags));
      } else if (token === '[') {
        items.push(this.characterClass(at, flags));
      } else if (token === '.') {
        const set = flags.dotAll ? ANY_CHAR : NOT_LINE_FEED;
        items.push(setNode(set, 'dot', { start: at, end: text.start }));
      } else if (token === '^') {
        items.push(this.anchor(flags.multiline ? 'line-start' : 'start', at, flags));
      } else if (token === '$') {
        items.push(this.anchor(flags.multiline ? 'line-end' : 'before-last-line-end', at, flags));
      } else if (token === '*' || token === '+' || token === '?' || token === '{') {
        const brace = token === '{' ? this.braces(at) : undefined;
        if (token === '{' && brace === undefined)
          items.push(this.character(0x7b, { start: at, end: text.start }, flags));
        else this.repeat(items, brace ?? { min: token === '+' ? 1 : 0, max: token === '?' ? 1 : Infinity }, at);
      } else if (token === '(') {
        const opened = this.bracket(at, flags, first && items.length === 0);
        if (opened === 'flags') flags = this.flags;
        else if (opened !== undefined) items.push(opened);
      } else {
        items.push(this.character(token.codePointAt(0)!, { start: at, end: text.start }, flags));
      }
    }
    const span = { start, end: text.start };
    if (items.length === 0) return { kind: 'empty', span };
    return items.length === 1 ? items[0]! : { kind: 'sequence', items, span };
  }

  private skipLine(): void {
    for (;;) {
      const { next } = this.text;
      this.text.advance();
      if (next === undefined || next === '\n') return;
    }
  }

  private anchor(type: AnchorType, start: number, flags: Flags): RegexNode {
    const word = flags.ascii ? ASCII_WORD : pythonWord();
    return { kind: 'anchor', type, word, span: { start, end: this.text.start } };
  }

  /** The bounds between braces; `undefined` when the brace is a plain character. */
  private braces(at: number): { min: number; max: number } | undefined {
    const { text } = this;
    if (text.next === '}') return undefined;
    const here = text.start;
    const low = text.digits();
    let high = low;
    if (text.match(',')) high = text.digits();
    if (!text.match('}')) {
      text.seek(here);
      return undefined;
    }
    const span = { start: at, end: text.start };
    const min = low === '' ? 0 : Number(low);
    const max = high === '' ? Infinity : Number(high);
    if (min >= MAX_REPEAT || (high !== '' && max >= MAX_REPEAT)) {
      this.refuse('bad-repeat', span, t('The number of repeats is too large.'));
    }
    if (max < min) this.refuse('bad-repeat', span, t('The least number of repeats is above the greatest.'));
    return { min, max };
  }

  private repeat(items: RegexNode[], bounds: { min: number; max: number }, at: number): void {
    const { text } = this;
    const operator = { start: at, end: text.start };
    const body = items.at(-1);
    if (body === undefined || body.kind === 'anchor') {
      this.refuse('nothing-to-repeat', operator, t('There is nothing before this that could be repeated.'));
    }
    if (body.kind === 'repeat') {
      const message = t('A repeat cannot be repeated; put `(?:…)` around the first one.');
      this.refuse('multiple-repeat', operator, message);
    }
    if (this.template) this.refuse('bad-flag', operator, t('With the flag `t`, nothing can be repeated.'));
    let mode: RepeatMode = 'greedy';
    if (text.match('?')) mode = 'lazy';
    else if (text.match('+')) mode = 'possessive';
    const operatorSpan = { start: at, end: text.start };
    if (mode !== 'greedy') this.marks.push({ code: mode, span: operatorSpan });
    const span = { start: body.span.start, end: text.start };
    const node: RepeatNode = { kind: 'repeat', ...bounds, mode, body, operatorSpan, span };
    items[items.length - 1] = node;
  }

  /** After an opening bracket: a node, nothing for a comment, `flags` when flags of the whole expression changed. */
  private bracket(at: number, flags: Flags, first: boolean): RegexNode | 'flags' | undefined {
    const { text } = this;
    if (!text.match('?')) return this.group(at, flags, { capture: true });
    const token = text.next;
    const tokenAt = text.start;
    if (token === undefined) this.refuseEnd(at);
    text.advance();
    switch (token) {
      case 'P':
        return this.pythonExtension(at, flags);
      case ':':
        return this.group(at, flags, {});
      case '>':
        return this.group(at, flags, { atomic: true });
      case '#':
        this.comment(at);
        return undefined;
      case '=':
      case '!':
        return this.look(at, flags, true, token === '!');
      case '<': {
        const sign = text.next;
        if (sign === undefined) this.refuseEnd(at);
        text.advance();
        if (sign !== '=' && sign !== '!') {
          const message = t('Python does not know `(?<{0}`. A named group is written `(?P<name>…)`.', sign);
          this.refuse('unknown-extension', { start: at, end: text.start }, message);
        }
        return this.look(at, flags, false, sign === '!');
      }
      case '(':
        return this.conditional(at, flags);
      default:
        if (token === '-' || (token.length === 1 && FLAG_LETTERS.includes(token))) {
          return this.flagGroup(token, tokenAt, at, flags, first);
        }
        this.refuse('unknown-extension', { start: at, end: text.start }, t('Python does not know `(?{0}`.', token));
    }
  }

  private pythonExtension(at: number, flags: Flags): RegexNode {
    const { text } = this;
    if (text.match('<')) {
      const name = this.groupName('>', at);
      return this.group(at, flags, { capture: true, name: name.text, nameSpan: name.span });
    }
    if (text.match('=')) {
      const name = this.groupName(')', at);
      const group = this.names.get(name.text);
      if (group === undefined)
        this.refuse('bad-reference', name.span, t('There is no group `{0}` before this.', name.text));
      this.checkClosed(group, name.span);
      this.checkLookBehindReference(group, name.span);
      const span = { start: at, end: text.start };
      return { kind: 'reference', group, named: true, ignoreCase: flags.ignoreCase, span };
    }
    const token = text.next;
    if (token === undefined) this.refuseEnd(at);
    text.advance();
    const message = t('Python does not know `(?P{0}`.', token);
    this.refuse('unknown-extension', { start: at, end: text.start }, message);
  }

  /** A name up to its end mark, checked as an identifier. */
  private groupName(endMark: string, at: number): { text: string; span: Span } {
    const name = this.until(endMark, at);
    if (!isIdentifier(name.text))
      this.refuse('bad-group-name', name.span, t('`{0}` cannot be a group name.', name.text));
    return name;
  }

  private comment(at: number): void {
    const { text } = this;
    for (;;) {
      const { next } = text;
      if (next === undefined) {
        const span = { start: at, end: this.source.length };
        this.refuse('unterminated-comment', span, t('This comment is not closed.'));
      }
      text.advance();
      if (next === ')') return;
    }
  }

  private close(at: number): void {
    if (!this.text.match(')')) this.refuseEnd(at);
  }

  private look(at: number, flags: Flags, ahead: boolean, negative: boolean): RegexNode {
    const outer = this.lookBehindGroups;
    if (!ahead && outer === undefined) this.lookBehindGroups = this.groups.length;
    const body = this.alternatives(flags);
    if (!ahead && outer === undefined) this.lookBehindGroups = undefined;
    this.close(at);
    return { kind: 'look', ahead, negative, body, span: { start: at, end: this.text.start } };
  }

  private conditional(at: number, flags: Flags): RegexNode {
    const { text } = this;
    const name = this.until(')', at);
    const group = this.conditionGroup(name);
    this.checkLookBehindReference(group, name.span);
    this.depth++;
    const yes = this.sequence(flags, false);
    let no: RegexNode | undefined;
    if (text.match('|')) {
      no = this.sequence(flags, false);
      if (text.next === '|') {
        this.refuse('bad-reference', text.span(), t('A condition has two alternatives at most.'));
      }
    }
    this.depth--;
    this.close(at);
    return { kind: 'conditional', group, yes, no, span: { start: at, end: text.start } };
  }

  private conditionGroup(name: { text: string; span: Span }): number {
    if (isIdentifier(name.text)) {
      const group = this.names.get(name.text);
      if (group === undefined)
        this.refuse('bad-reference', name.span, t('There is no group `{0}` before this.', name.text));
      return group;
    }
    const group = pythonInteger(name.text);
    if (group === undefined || group < 0) {
      this.refuse('bad-group-name', name.span, t('`{0}` cannot be a group name.', name.text));
    }
    if (group === 0 || group >= MAX_GROUPS) {
      this.refuse('bad-reference', name.span, t('There is no group {0}.', String(group)));
    }
    if (!this.conditions.has(group)) this.conditions.set(group, name.span);
    return group;
  }

  private checkClosed(group: number, span: Span): void {
    if (this.groups[group]?.node === undefined) {
      this.refuse('bad-reference', span, t('A group cannot refer to itself while it is open.'));
    }
  }

  private checkLookBehindReference(group: number, span: Span): void {
    if (this.lookBehindGroups === undefined) return;
    if (group < this.groups.length) this.checkClosed(group, span);
    if (group >= this.lookBehindGroups) {
      this.refuse('bad-reference', span, t('A look-behind cannot refer to a group of its own.'));
    }
  }

  private flagGroup(letter: string, letterAt: number, at: number, flags: Flags, first: boolean): RegexNode | 'flags' {
    const { text } = this;
    const add = new Set<string>();
    const remove = new Set<string>();
    let token: string | undefined = letter;
    let tokenAt = letterAt;
    const step = () => {
      tokenAt = text.start;
      token = text.next;
      text.advance();
      if (token === undefined) this.refuseEnd(at);
    };
    const here = () => ({ start: tokenAt, end: tokenAt + (token ?? '').length });
    const isFlag = () => token!.length === 1 && FLAG_LETTERS.includes(token!);
    if (token !== '-') {
      for (;;) {
        if (token === 'L') this.refuse('bad-flag', here(), LOCALE());
        add.add(token!);
        if (TYPE_FLAGS.includes(token!) && add.has('a') && add.has('u')) {
          this.refuse('flag-conflict', here(), t('The flags `a` and `u` exclude each other.'));
        }
        step();
        if (token === ')' || token === '-' || token === ':') break;
        if (!isFlag()) this.refuse('bad-flag', here(), t('`{0}` is not a flag.', token!));
      }
    }
    if (token === ')') return this.globalFlags(add, at, first);
    if (add.has('t')) this.refuse('bad-flag', here(), t('The flag `t` cannot be set for a part alone.'));
    if (token === '-') {
      step();
      if (!isFlag()) this.refuse('bad-flag', here(), t('`{0}` is not a flag.', token!));
      for (;;) {
        if (TYPE_FLAGS.includes(token!)) {
          this.refuse('bad-flag', here(), t('The flag `{0}` cannot be switched off.', token!));
        }
        remove.add(token!);
        step();
        if ((token as string) === ':') break;
        if (!isFlag()) this.refuse('bad-flag', here(), t('`{0}` is not a flag.', token!));
      }
    }
    const span = { start: at, end: text.start };
    if (remove.has('t')) this.refuse('bad-flag', span, t('The flag `{0}` cannot be switched off.', 't'));
    for (const each of add) {
      if (remove.has(each)) this.refuse('flag-conflict', span, t('The flag `{0}` is switched on and off.', each));
    }
    return this.group(at, changed(flags, add, remove), {});
  }

  private globalFlags(add: ReadonlySet<string>, at: number, first: boolean): 'flags' {
    const span = { start: at, end: this.text.start };
    if (!first) {
      const message = t('Flags for the whole expression stand at its very start. For a part of it write `(?i:…)`.');
      this.refuse('flag-position', span, message);
    }
    this.flags = { ...changed(this.flags, add, new Set()), ascii: this.flags.ascii || add.has('a') };
    if (add.has('u')) this.unicodeFlag = true;
    if (add.has('a')) this.asciiSpan = span;
    if (add.has('t')) this.template = true;
    this.marks.push({ code: 'global-flags', span });
    return 'flags';
  }

  private group(
    at: number,
    flags: Flags,
    options: { capture?: boolean; atomic?: boolean; name?: string; nameSpan?: Span },
  ): GroupNode {
    const { capture = false, atomic = false, name } = options;
    let number: number | undefined;
    let info: OpenGroup | undefined;
    if (capture) {
      number = this.groups.length;
      info = { name, node: undefined };
      if (name !== undefined && this.names.has(name)) {
        this.refuse('bad-group-name', options.nameSpan!, t('There is a group `{0}` already.', name));
      }
      this.groups.push(info);
      if (name !== undefined) this.names.set(name, number);
    }
    const body = this.alternatives(flags);
    this.close(at);
    const span = { start: at, end: this.text.start };
    const node: GroupNode = { kind: 'group', capture: number, name, atomic, body, span };
    if (info !== undefined) info.node = node;
    return node;
  }

  private escape(token: string, at: number, flags: Flags): RegexNode {
    const letter = token.slice(1);
    switch (letter) {
      case 'A':
        return this.anchor('start', at, flags);
      case 'Z':
        return this.anchor('end', at, flags);
      case 'b':
        return this.anchor('boundary', at, flags);
      case 'B':
        return this.anchor('no-boundary', at, flags);
      default:
    }
    const named = namedSet(letter, flags);
    if (named !== undefined) return setNode(named, 'escape', { start: at, end: this.text.start });
    if (letter >= '1' && letter <= '9' && letter.length === 1) {
      const number = this.numberEscape(letter, at);
      const span = { start: at, end: this.text.start };
      if (number.octal) return this.character(number.value, span, flags);
      if (number.value >= this.groups.length) {
        this.refuse('bad-reference', span, t('There is no group {0} before this.', String(number.value)));
      }
      this.checkClosed(number.value, span);
      this.checkLookBehindReference(number.value, span);
      return { kind: 'reference', group: number.value, named: false, ignoreCase: flags.ignoreCase, span };
    }
    const code = this.codeEscape(letter, at);
    return this.character(code, { start: at, end: this.text.start }, flags);
  }

  /** `\1` to `\99` are references, three octal digits a character. */
  private numberEscape(digit: string, at: number): { octal: boolean; value: number } {
    const { text } = this;
    let digits = digit;
    if (isDigit(text.next)) {
      digits += text.next;
      text.advance();
      if (/^[0-7]{2}$/.test(digits) && isOctal(text.next)) {
        digits += text.next;
        text.advance();
        return { octal: true, value: this.octal(digits, at) };
      }
    }
    return { octal: false, value: Number(digits) };
  }

  /** Look-behinds must have one width; Python checks that last, from the outside in. */
  private checkLookBehind(root: RegexNode, widths: Widths): void {
    const stack: RegexNode[] = [root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (node.kind === 'look' && !node.ahead) {
        const { min, max } = widths.of(node.body);
        if (min !== max) {
          const message = t('A look-behind must always match the same number of characters.');
          this.refuse('look-behind-width', node.span, message);
        }
        if (min > MAX_LOOK_BEHIND) this.refuse('look-behind-width', node.span, t('This look-behind is too long.'));
      }
      const parts = children(node);
      for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i]!);
    }
  }
}

function LOCALE(): Message {
  return t('The flag `L` is for bytes; it never works on text.');
}

function isIdentifier(name: string): boolean {
  return /^[\p{XID_Start}_]\p{XID_Continue}*$/u.test(name);
}

/** What Python's `int` makes of a text; `undefined` where it refuses. */
function pythonInteger(text: string): number | undefined {
  const match = /^\s*([+-]?)(\p{Nd}+(?:_\p{Nd}+)*)\s*$/u.exec(text);
  if (match === null) return undefined;
  let value = 0;
  for (const char of match[2]!.replace(/_/g, '')) value = value * 10 + digitValue(char.codePointAt(0)!);
  return match[1] === '-' && value > 0 ? -value : value;
}

function digitValue(code: number): number {
  const digits = pythonDigit();
  for (let i = 0; i < digits.length; i += 2) {
    if (has([digits[i]!, digits[i + 1]!], code)) return (code - digits[i]!) % 10;
  }
  return 0;
}
