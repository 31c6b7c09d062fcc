/** Largest Unicode code point. */
export const MAX_CODE_POINT = 0x10ffff;

/**
 * A set of code points as sorted, disjoint, non-adjacent ranges: `[first, last, first, last, …]`, both inclusive.
 * Surrogates count as code points, as they do in Python.
 */
export type CharSet = readonly number[];

export const EMPTY_SET: CharSet = [];
export const ANY_CHAR: CharSet = [0, MAX_CODE_POINT];

/** The set of one code point. */
export function single(code: number): CharSet {
  return [code, code];
}

/** A set out of ranges in any order, overlapping or not. */
export function fromRanges(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [first, last] of sorted) push(out, first, last);
  return out;
}

/** A set out of code points in any order. */
export function fromCodes(codes: Iterable<number>): CharSet {
  const out: number[] = [];
  for (const code of [...codes].sort((a, b) => a - b)) push(out, code, code);
  return out;
}

function push(out: number[], first: number, last: number): void {
  const end = out.length - 1;
  if (end > 0 && first <= out[end]! + 1) {
    if (last > out[end]!) out[end] = last;
  } else {
    out.push(first, last);
  }
}

export function union(a: CharSet, b: CharSet): CharSet {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (j >= b.length || (i < a.length && a[i]! <= b[j]!)) {
      push(out, a[i]!, a[i + 1]!);
      i += 2;
    } else {
      push(out, b[j]!, b[j + 1]!);
      j += 2;
    }
  }
  return out;
}

/** The union of many sets, in one pass over their ranges. */
export function unionAll(sets: readonly CharSet[]): CharSet {
  if (sets.length <= 2) return union(sets[0] ?? EMPTY_SET, sets[1] ?? EMPTY_SET);
  const ranges: [number, number][] = [];
  for (const set of sets) for (let i = 0; i < set.length; i += 2) ranges.push([set[i]!, set[i + 1]!]);
  return fromRanges(ranges);
}

export function complement(a: CharSet): CharSet {
  const out: number[] = [];
  let next = 0;
  for (let i = 0; i < a.length; i += 2) {
    if (a[i]! > next) out.push(next, a[i]! - 1);
    next = a[i + 1]! + 1;
  }
  if (next <= MAX_CODE_POINT) out.push(next, MAX_CODE_POINT);
  return out;
}

export function intersect(a: CharSet, b: CharSet): CharSet {
  const out: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const first = Math.max(a[i]!, b[j]!);
    const last = Math.min(a[i + 1]!, b[j + 1]!);
    if (first <= last) out.push(first, last);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return out;
}

export function subtract(a: CharSet, b: CharSet): CharSet {
  return b.length === 0 || a.length === 0 ? a : intersect(a, complement(b));
}

export function has(set: CharSet, code: number): boolean {
  let low = 0;
  let high = set.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (code < set[middle * 2]!) high = middle - 1;
    else if (code > set[middle * 2 + 1]!) low = middle + 1;
    else return true;
  }
  return false;
}

export function equal(a: CharSet, b: CharSet): boolean {
  return a.length === b.length && a.every((code, i) => code === b[i]);
}

/** How many code points are in the set. */
export function size(set: CharSet): number {
  let count = 0;
  for (let i = 0; i < set.length; i += 2) count += set[i + 1]! - set[i]! + 1;
  return count;
}

/** Classes of characters from the most telling to the least: the first that has a member names a set's sample. */
const PREFERENCE: readonly (readonly [number, number])[] = [
  [0x61, 0x7a], // Lower case letters.
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x20, 0x7e],
  [0x09, 0x0a],
  [0xa1, 0xd7ff],
  [0xe000, MAX_CODE_POINT],
];

/** The member that shows best in a sample: a letter, else a digit, else something printable, else the lowest. */
export function sample(set: CharSet): number {
  for (const [first, last] of PREFERENCE) {
    for (let i = 0; i < set.length && set[i]! <= last; i += 2) {
      if (set[i + 1]! >= first) return Math.max(first, set[i]!);
    }
  }
  return set[0]!;
}

/** The member at a position in code point order, from 0 to `size` − 1. */
export function memberAt(set: CharSet, index: number): number {
  let rest = index;
  for (let i = 0; i < set.length; i += 2) {
    const count = set[i + 1]! - set[i]! + 1;
    if (rest < count) return set[i]! + rest;
    rest -= count;
  }
  return set[set.length - 1]!;
}
