import { NOTE_LENGTH, NOTE_LINES } from './limits';

const NONE: readonly string[] = [];

/** The latest lines of what a process said beside its answers. Bytes become text when they are asked for. */
export class Notes {
  /** A ring: the line after the latest one is the oldest. */
  #ring: (Buffer | string)[] = [];
  #count = 0;

  add(line: string): void {
    if (line.trim() !== '') this.#ring[this.#count++ % NOTE_LINES] = line;
  }

  addBytes(line: Buffer): void {
    // A copy, so that a short note does not keep the block that it came in.
    if (line.length > 0) this.#ring[this.#count++ % NOTE_LINES] = Buffer.from(line.subarray(0, 4 * NOTE_LENGTH));
  }

  /** The lines since the last time. */
  take(): readonly string[] {
    if (this.#count === 0) return NONE;
    const dropped = Math.max(0, this.#count - NOTE_LINES);
    const start = dropped > 0 ? this.#count % NOTE_LINES : 0;
    const lines = [...this.#ring.slice(start), ...this.#ring.slice(0, start)]
      .map((each) => (typeof each === 'string' ? each : each.toString('utf8')).trimEnd())
      .filter((each) => each !== '')
      .map((each) => (each.length > NOTE_LENGTH ? `${each.slice(0, NOTE_LENGTH)}…` : each));
    this.#ring = [];
    this.#count = 0;
    return dropped === 0 ? lines : [`… ${dropped.toLocaleString('en-US')} earlier lines`, ...lines];
  }
}
