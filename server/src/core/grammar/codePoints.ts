/** Counts code points in front of UTF-16 offsets of one text. */
export class CodePoints {
  /** Offsets behind each surrogate pair, in order. */
  readonly #pairs: number[] = [];

  constructor(readonly text: string) {
    for (let i = 0; i + 1 < text.length; i++) {
      if ((text.charCodeAt(i) & 0xfc00) !== 0xd800 || (text.charCodeAt(i + 1) & 0xfc00) !== 0xdc00) continue;
      this.#pairs.push(i + 2);
      i++;
    }
  }

  /** Number of code points in front of an offset. */
  before(offset: number): number {
    const pairs = this.#pairs;
    let low = 0;
    let high = pairs.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return offset - low;
  }
}
