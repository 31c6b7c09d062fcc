import { t } from '../../text/message';
import type { Span } from '../../text/span';
import type { RegexProblem } from './tree';

/** Ends the reading of an expression. It never leaves the parsers. */
export class Refusal extends Error {
  constructor(readonly problem: RegexProblem) {
    super(problem.code);
  }
}

/**
 * An expression cut into characters, where a backslash and the character behind it are one piece (as in Python's
 * parser, also inside comments and names).
 */
export class RegexText {
  /** The current piece; `undefined` at the end. */
  next: string | undefined;
  /** Where it starts, in UTF-16 units. */
  start = 0;
  private end = 0;

  constructor(private readonly source: string) {
    this.advance();
  }

  advance(): void {
    const { source, end } = this;
    this.start = end;
    if (end >= source.length) {
      this.next = undefined;
      return;
    }
    let last = end + width(source, end);
    if (source.charCodeAt(end) === 0x5c) {
      if (last >= source.length) {
        const message = t('The expression ends with a backslash that escapes nothing.');
        throw new Refusal({ code: 'bad-escape', span: { start: end, end: last }, message });
      }
      last += width(source, last);
    }
    this.next = source.slice(end, last);
    this.end = last;
  }

  match(piece: string): boolean {
    if (this.next !== piece) return false;
    this.advance();
    return true;
  }

  seek(offset: number): void {
    this.end = offset;
    this.advance();
  }

  /** A run of ASCII digits, possibly empty. */
  digits(): string {
    let out = '';
    while (this.next !== undefined && this.next >= '0' && this.next <= '9' && this.next.length === 1) {
      out += this.next;
      this.advance();
    }
    return out;
  }

  /** The place of the current piece. */
  span(): Span {
    return { start: this.start, end: this.end };
  }
}

function width(source: string, at: number): number {
  return source.codePointAt(at)! > 0xffff ? 2 : 1;
}
