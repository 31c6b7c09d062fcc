/**
 * Where lines start, as Lark counts them: only LF ends a line, and the basic lexer looks for it only in tokens whose
 * expression looks as if it could match one.
 */
export class LineStarts {
  readonly #starts: number[] = [0];

  /** All lines of a text up to an offset. */
  static of(text: string, end = text.length): LineStarts {
    const lines = new LineStarts();
    for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) lines.add(at + 1);
    return lines;
  }

  /** Starts are added in order. */
  add(start: number): void {
    this.#starts.push(start);
  }

  /** 1-based line, and the offset where that line starts. */
  place(offset: number): { line: number; lineStart: number } {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return { line: low, lineStart: starts[low - 1]! };
  }
}
