import { NOTE_LENGTH, NOTE_LINES } from './limits';

/** The latest lines of what a process said beside its answers. */
export class Notes {
  #lines: string[] = [];
  #dropped = 0;

  add(line: string): void {
    const text = line.trimEnd();
    if (text === '') return;
    this.#lines.push(text.length > NOTE_LENGTH ? `${text.slice(0, NOTE_LENGTH)}…` : text);
    if (this.#lines.length <= NOTE_LINES) return;
    this.#lines.shift();
    this.#dropped++;
  }

  /** The lines since the last time. */
  take(): string[] {
    const lines =
      this.#dropped === 0 ? this.#lines : [`… ${this.#dropped.toLocaleString('en-US')} earlier lines`, ...this.#lines];
    this.#lines = [];
    this.#dropped = 0;
    return lines;
  }
}
