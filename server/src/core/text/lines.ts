import type { Span } from './span';

/** A place in a text: 0-based line, 0-based UTF-16 column, as in LSP. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Offsets to lines and back. Line ends are LF, CRLF and CR, as in LSP. */
export class LineIndex {
  readonly #starts: number[];

  constructor(readonly text: string) {
    const starts = [0];
    const ends = /\r\n|\n|\r/g;
    for (let match = ends.exec(text); match !== null; match = ends.exec(text)) starts.push(ends.lastIndex);
    this.#starts = starts;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Offset of the first character of a line; the end of the text for lines behind the last. */
  lineStart(line: number): number {
    return this.#starts[line] ?? this.text.length;
  }

  position(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#starts[middle]! <= clamped) low = middle + 1;
      else high = middle;
    }
    return { line: low - 1, character: clamped - this.#starts[low - 1]! };
  }

  offset(position: Position): number {
    if (position.line < 0) return 0;
    const start = this.lineStart(position.line);
    return Math.min(start + Math.max(0, position.character), this.lineStart(position.line + 1));
  }

  range(span: Span): { start: Position; end: Position } {
    return { start: this.position(span.start), end: this.position(span.end) };
  }
}
