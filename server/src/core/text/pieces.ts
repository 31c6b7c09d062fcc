import type { TextEdit } from './finding';

interface Piece {
  /** Offset in the original text, or -1 for new text. */
  readonly start: number;
  readonly text: string;
}

/**
 * A text that is edited several times over, and which can say in the end what has changed against the start, as edits
 * of the original. What no edit replaced is in none of them.
 */
export class PieceText {
  #pieces: Piece[];

  constructor(readonly original: string) {
    this.#pieces = [{ start: 0, text: original }];
  }

  /** The text with all edits so far. */
  get text(): string {
    return this.#pieces.map((piece) => piece.text).join('');
  }

  /** Applies edits of the present text, given in text order and without overlaps. */
  apply(edits: readonly TextEdit[]): void {
    let at = 0;
    let index = 0;
    let inside = 0;
    const result: Piece[] = [];
    const advance = (to: number, keep: boolean): void => {
      while (at < to && index < this.#pieces.length) {
        const { start, text } = this.#pieces[index]!;
        const length = Math.min(to - at, text.length - inside);
        if (keep && length > 0) {
          result.push({ start: start < 0 ? -1 : start + inside, text: text.slice(inside, inside + length) });
        }
        at += length;
        inside += length;
        if (inside === text.length) {
          index++;
          inside = 0;
        }
      }
    };
    for (const { span, newText } of edits) {
      advance(span.start, true);
      if (newText !== '') result.push({ start: -1, text: newText });
      advance(span.end, false);
    }
    advance(Number.POSITIVE_INFINITY, true);
    this.#pieces = result;
  }

  /** The difference between the original and the present text, in text order. */
  edits(): TextEdit[] {
    const edits: TextEdit[] = [];
    let at = 0;
    let added = '';
    const close = (end: number): void => {
      if (added !== '' || end > at) edits.push({ span: { start: at, end }, newText: added });
      added = '';
    };
    for (const { start, text } of this.#pieces) {
      if (start < 0) added += text;
      else {
        close(start);
        at = start + text.length;
      }
    }
    close(this.original.length);
    return edits;
  }
}
