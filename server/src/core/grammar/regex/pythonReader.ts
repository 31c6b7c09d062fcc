import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';
import { characterNamed } from './characterNames';
import type { CharSet } from './charSet';
import { type ClassPart, classSet, literalSet } from './pythonCase';
import { caseMode, type Flags, namedSet } from './pythonFlags';
import { Refusal, RegexText } from './text';
import type { ClassItem, RegexProblemCode, SetNode } from './tree';

const SIMPLE_ESCAPES = new Map([
  ['a', 0x07],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
  ['v', 0x0b],
  ['\\', 0x5c],
]);

/** Reads what stands for single characters in a Python expression: escapes and classes. */
export class PythonReader {
  protected readonly text: RegexText;

  constructor(protected readonly source: string) {
    this.text = new RegexText(source);
  }

  protected refuse(code: RegexProblemCode, span: Span, message: Message): never {
    throw new Refusal({ code, span, message });
  }

  protected character(code: number, span: Span, flags: Flags): SetNode {
    return { ...setNode(literalSet(code, caseMode(flags)), 'character', span), code };
  }

  protected refuseEnd(at: number): never {
    this.refuse('unterminated-group', { start: at, end: this.source.length }, t('This bracket is not closed.'));
  }

  protected until(endMark: string, at: number): { text: string; span: Span } {
    const { text } = this;
    const { start } = text;
    for (;;) {
      const { next } = text;
      const end = text.start;
      text.advance();
      if (next === undefined) {
        this.refuse('bad-group-name', { start: at, end }, t('The name is not closed with `{0}`.', endMark));
      }
      if (next !== endMark) continue;
      if (end === start) this.refuse('bad-group-name', { start: at, end: text.start }, t('A name is missing here.'));
      return { text: this.source.slice(start, end), span: { start, end } };
    }
  }

  protected octal(digits: string, at: number): number {
    const value = Number.parseInt(digits, 8);
    if (value > 0o377) {
      this.refuse('bad-escape', { start: at, end: this.text.start }, t('An octal escape ends at `\\377`.'));
    }
    return value;
  }

  /** Escapes for one character, the same inside and outside of classes. */
  protected codeEscape(letter: string, at: number): number {
    const { text } = this;
    const simple = SIMPLE_ESCAPES.get(letter);
    if (simple !== undefined) return simple;
    if (letter === 'x') return this.hexEscape(2, at);
    if (letter === 'u') return this.hexEscape(4, at);
    if (letter === 'U') return this.hexEscape(8, at);
    if (letter === 'N') {
      const span = () => ({ start: at, end: text.start });
      if (!text.match('{')) this.refuse('bad-escape', span(), t('`\\N` needs a name in braces.'));
      const name = this.until('}', at);
      const code = characterNamed(name.text);
      if (code !== undefined) return code;
      this.refuse('unknown-character-name', name.span, t('No character of the name `{0}` is known here.', name.text));
    }
    if (isOctal(letter)) {
      let digits = letter;
      for (let i = 0; i < 2 && isOctal(text.next); i++) {
        digits += text.next;
        text.advance();
      }
      return this.octal(digits, at);
    }
    const span = { start: at, end: text.start };
    if (letter === 'p' || letter === 'P') {
      const message = t('Python’s `re` has no `\\{0}{…}`; it refuses this escape.', letter);
      this.refuse('unicode-category', span, message);
    }
    if (/^[A-Za-z0-9]$/.test(letter)) {
      this.refuse('bad-escape', span, t('Python’s `re` does not know the escape `\\{0}`.', letter));
    }
    return letter.codePointAt(0)!;
  }

  protected hexEscape(length: number, at: number): number {
    const { text } = this;
    let digits = '';
    while (digits.length < length && text.next !== undefined && /^[0-9a-fA-F]$/.test(text.next)) {
      digits += text.next;
      text.advance();
    }
    const span = { start: at, end: text.start };
    if (digits.length < length) this.refuse('bad-escape', span, t('{0} hexadecimal digits are needed here.', length));
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) this.refuse('bad-escape', span, t('There is no character beyond `\\U0010FFFF`.'));
    return code;
  }

  protected characterClass(at: number, flags: Flags): SetNode {
    const { text } = this;
    const items: ClassItem[] = [];
    const negated = text.match('^');
    for (;;) {
      const token = text.next;
      const start = text.start;
      if (token === ']' && items.length > 0) {
        text.advance();
        break;
      }
      const from = this.classAtom(at, flags);
      const dash = text.start;
      if (!text.match('-')) {
        items.push(classItem(from, { start, end: text.start }));
        continue;
      }
      if (text.next === ']') {
        items.push(classItem(from, { start, end: dash }), classItem(0x2d, { start: dash, end: text.start }));
        text.advance();
        break;
      }
      const to = this.classAtom(at, flags);
      const span = { start, end: text.start };
      if (typeof from !== 'number' || typeof to !== 'number') {
        this.refuse('bad-range', span, t('A set cannot be an end of a range.'));
      }
      if (to < from) this.refuse('bad-range', span, t('This range ends before it starts.'));
      items.push({ kind: 'range', first: from, last: to, span });
    }
    const parts: ClassPart[] = items.map((item) => (item.kind === 'named' ? { set: item.set } : item));
    const set = classSet(parts, negated, caseMode(flags));
    return { ...setNode(set, 'class', { start: at, end: text.start }), negated, items };
  }

  protected classAtom(classAt: number, flags: Flags): number | CharSet {
    const { text } = this;
    const token = text.next;
    const at = text.start;
    if (token === undefined) {
      const span = { start: classAt, end: this.source.length };
      this.refuse('unterminated-class', span, t('This character class is not closed with `]`.'));
    }
    text.advance();
    if (token.charCodeAt(0) !== 0x5c) return token.codePointAt(0)!;
    const letter = token.slice(1);
    return namedSet(letter, flags) ?? this.codeEscape(letter, at);
  }
}

function classItem(atom: number | CharSet, span: Span): ClassItem {
  return typeof atom === 'number'
    ? { kind: 'range', first: atom, last: atom, span }
    : { kind: 'named', set: atom, span };
}

export function setNode(set: CharSet, written: SetNode['written'], span: Span): SetNode {
  return { kind: 'set', set, written, code: undefined, negated: false, items: [], span };
}

export function isDigit(token: string | undefined): boolean {
  return token !== undefined && /^[0-9]$/.test(token);
}

export function isOctal(token: string | undefined): boolean {
  return token !== undefined && /^[0-7]$/.test(token);
}
