const LINE_FEED = 10;

/**
 * Cuts a stream of bytes into lines. Holds one unfinished line at most; a line that grows beyond the limit is
 * told once and dropped as it comes in.
 */
export class LineSplitter {
  #pieces: Buffer[] = [];
  #held = 0;
  #dropping = false;

  constructor(
    readonly limit: number,
    readonly line: (bytes: Buffer) => void,
    readonly tooLong: () => void,
  ) {}

  /** Whether a line has begun that has not ended. */
  get unfinished(): boolean {
    return this.#held > 0;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, start)) {
      this.#add(chunk.subarray(start, at));
      this.#finish();
      start = at + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    if (this.#held > 0) this.#finish();
  }

  #add(piece: Buffer): void {
    if (this.#dropping || piece.length === 0) return;
    if (this.#held + piece.length > this.limit) {
      this.#dropping = true;
      this.#pieces = [];
      this.#held = 0;
      this.tooLong();
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length;
  }

  #finish(): void {
    const pieces = this.#pieces;
    const dropped = this.#dropping;
    this.#pieces = [];
    this.#held = 0;
    this.#dropping = false;
    if (dropped) return;
    this.line(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  }
}
