/** A growing list of 32-bit integers; `data` may be longer than `length` and is replaced when it grows. */
export class IntList {
  data: Int32Array;
  length = 0;

  constructor(capacity = 256) {
    this.data = new Int32Array(capacity);
  }

  push(value: number): number {
    const at = this.length;
    if (at === this.data.length) {
      const grown = new Int32Array(at * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[at] = value;
    this.length = at + 1;
    return at;
  }
}

/**
 * A hash table from pairs of non-negative integers to integers, with open addressing. `clear` takes constant time,
 * because entries carry the number of the round that they were written in.
 */
export class PairTable {
  #first: Int32Array;
  #second: Int32Array;
  #value: Int32Array;
  #round: Int32Array;
  #mask: number;
  #now = 1;
  #used = 0;

  /** @param capacity a power of two */
  constructor(capacity = 256) {
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#value = new Int32Array(capacity);
    this.#round = new Int32Array(capacity);
    this.#mask = capacity - 1;
  }

  clear(): void {
    this.#now++;
    this.#used = 0;
  }

  #slot(first: number, second: number): number {
    let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    hash ^= hash >>> 15;
    let at = hash & this.#mask;
    while (this.#round[at] === this.#now && (this.#first[at] !== first || this.#second[at] !== second)) {
      at = (at + 1) & this.#mask;
    }
    return at;
  }

  /** The value of a pair, or -1. */
  get(first: number, second: number): number {
    const at = this.#slot(first, second);
    return this.#round[at] === this.#now ? this.#value[at]! : -1;
  }

  set(first: number, second: number, value: number): void {
    const at = this.#slot(first, second);
    if (this.#round[at] === this.#now) {
      this.#value[at] = value;
      return;
    }
    this.#round[at] = this.#now;
    this.#first[at] = first;
    this.#second[at] = second;
    this.#value[at] = value;
    this.#used++;
    if (this.#used * 2 > this.#mask) this.#grow();
  }

  /** Adds a pair; false when it is there already. */
  add(first: number, second: number): boolean {
    const at = this.#slot(first, second);
    if (this.#round[at] === this.#now) return false;
    this.set(first, second, 1);
    return true;
  }

  #grow(): void {
    const first = this.#first;
    const second = this.#second;
    const value = this.#value;
    const round = this.#round;
    const old = this.#now;
    const capacity = first.length * 2;
    this.#first = new Int32Array(capacity);
    this.#second = new Int32Array(capacity);
    this.#value = new Int32Array(capacity);
    this.#round = new Int32Array(capacity);
    this.#mask = capacity - 1;
    this.#now = 1;
    this.#used = 0;
    for (let i = 0; i < first.length; i++) {
      if (round[i] === old) this.set(first[i]!, second[i]!, value[i]!);
    }
  }
}
