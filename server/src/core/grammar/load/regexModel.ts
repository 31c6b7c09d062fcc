import type { Message } from '../../text/message';
import type { Span } from '../../text/span';

/** Shortest and longest match in characters. */
export interface ReadRegex {
  readonly min: number;
  readonly max: number;
  /** What Python only refuses after parsing, like a look-behind of variable width. */
  readonly compileError?: Message;
}

/** Why an expression cannot be read, and which part of it is wrong. */
export interface RefusedRegex {
  readonly error: Message;
  readonly span?: Span;
}

/** What loading needs to know of a regular expression in the dialect of Python 3.11's `re`. */
export interface RegexModel {
  /** Its width as Python's parser counts it. */
  width(regexp: string): ReadRegex | RefusedRegex;
}
