/**
 * A set of terminals: pairs of the index of a word and its 32 bits, in order of the indices; no word is empty. Most sets
 * of large grammars are small, and many are equal, so equal ones are made once and compared by identity.
 */
export type TerminalSet = Uint32Array;

const NO_TERMINALS: TerminalSet = new Uint32Array(0);

/** Whether a set has a terminal. */
export function hasTerminal(set: TerminalSet, terminal: number): boolean {
  const wanted = terminal >>> 5;
  let low = 0;
  let high = set.length >>> 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (set[2 * middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && set[2 * low] === wanted && ((set[2 * low + 1]! >>> (terminal & 31)) & 1) === 1;
}

/** Hands on the terminals of a set, in order. */
export function eachTerminal(set: TerminalSet, use: (terminal: number) => void): void {
  for (let at = 0; at < set.length; at += 2) eachBit(set[at]! * 32, set[at + 1]!, use);
}

/** Hands on a number for each bit of a word, lowest first. */
export function eachBit(base: number, word: number, use: (number: number) => void): void {
  for (let bits = word | 0; bits !== 0; bits &= bits - 1) use(base + 31 - Math.clz32(bits & -bits));
}

/** Puts sets together. One is made at a time: `add` as often as wanted, then `take`. */
export class TerminalSets {
  readonly #bits: Uint32Array;
  readonly #touched: number[] = [];
  readonly #known = new Map<number, TerminalSet[]>();
  /** The only set that was added so far; `undefined` with none, `null` with more. */
  #only: TerminalSet | undefined | null;
  #size = 0;

  constructor(terminalCount: number) {
    this.#bits = new Uint32Array((terminalCount + 31) >>> 5);
  }

  /** So many numbers are kept in all sets together. */
  get size(): number {
    return this.#size;
  }

  addTerminal(terminal: number): void {
    this.#spill();
    this.#or(terminal >>> 5, 1 << (terminal & 31));
  }

  add(set: TerminalSet): void {
    if (set.length === 0 || set === this.#only) return;
    if (this.#only === undefined) {
      this.#only = set;
      return;
    }
    this.#spill();
    this.#orAll(set);
  }

  take(): TerminalSet {
    const only = this.#only;
    this.#only = undefined;
    if (only === undefined) return NO_TERMINALS;
    if (only !== null) return only;
    const touched = this.#touched;
    if (touched.length > 1) touched.sort(byNumber);
    const set = new Uint32Array(2 * touched.length);
    let hash = touched.length;
    for (let i = 0; i < touched.length; i++) {
      const word = touched[i]!;
      const bits = this.#bits[word]!;
      set[2 * i] = word;
      set[2 * i + 1] = bits;
      hash = (Math.imul(Math.imul(hash, 0x01000193) ^ word, 0x01000193) ^ bits) | 0;
      this.#bits[word] = 0;
    }
    touched.length = 0;
    return this.#same(set, hash);
  }

  /** The one set was all until now; from here on there are more parts. */
  #spill(): void {
    const only = this.#only;
    if (only === null) return;
    this.#only = null;
    if (only !== undefined) this.#orAll(only);
  }

  #orAll(set: TerminalSet): void {
    for (let at = 0; at < set.length; at += 2) this.#or(set[at]!, set[at + 1]!);
  }

  #or(word: number, bits: number): void {
    if (this.#bits[word] === 0) this.#touched.push(word);
    this.#bits[word]! |= bits;
  }

  #same(set: TerminalSet, hash: number): TerminalSet {
    const known = this.#known.get(hash);
    if (known !== undefined) for (const each of known) if (equal(each, set)) return each;
    if (known === undefined) this.#known.set(hash, [set]);
    else known.push(set);
    this.#size += set.length;
    return set;
  }
}

const byNumber = (a: number, b: number): number => a - b;

function equal(a: TerminalSet, b: TerminalSet): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
