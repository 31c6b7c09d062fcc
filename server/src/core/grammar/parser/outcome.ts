import type { LineStarts } from '../lexer/lineStarts';
import type { ParseChild } from '../tree';

/** Why a text is refused; `at` is `undefined` where Lark gives no place. Offsets are UTF-16 units. */
export interface ParseFailure {
  readonly kind: 'UnexpectedCharacters' | 'UnexpectedToken' | 'UnexpectedEOF';
  readonly offset: number | undefined;
  readonly lines: LineStarts;
  readonly token: { readonly type: string; readonly value: string } | undefined;
  readonly expected: readonly string[];
  /** Which tokens the parser could really take here; LALR only. */
  readonly accepts: readonly string[] | undefined;
}

export type ParseOutcome =
  | { readonly accepted: true; readonly tree: ParseChild; readonly lines: LineStarts }
  | { readonly accepted: false; readonly failure: ParseFailure };

/** Terminals that are waited for at one place of a text. */
export interface WaitingPlace {
  /** Where their tokens begin. */
  readonly offset: number;
  /** Numbers of the terminals. */
  readonly terminals: readonly number[];
}

/** Where a beginning of a text can go on. */
export interface Waiting {
  /** The text is a sentence as it stands. */
  readonly complete: boolean;
  /** In order of offsets; the last one may lie at the end of the text. */
  readonly places: readonly WaitingPlace[];
}
