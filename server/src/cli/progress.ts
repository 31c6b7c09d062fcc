import type { Io } from './io';

/** So long nothing is drawn, in milliseconds: short work needs no progress. */
const QUIET = 300;

/** One line on the terminal while something takes its time; nothing in a pipe. */
export class Progress {
  #drawn = false;
  readonly #begin = performance.now();

  constructor(readonly io: Io) {}

  /** Draws the line over the last one. */
  show(line: string): void {
    if (!this.io.progress || performance.now() - this.#begin < QUIET) return;
    this.#drawn = true;
    this.io.err(`\r\u001b[K${line.slice(0, this.io.columns - 1)}`);
  }

  /** Wipes the line. */
  end(): void {
    if (this.#drawn) this.io.err('\r\u001b[K');
    this.#drawn = false;
  }
}
