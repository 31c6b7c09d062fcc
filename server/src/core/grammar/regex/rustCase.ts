import { type CharSet, fromCodes, has, union } from './charSet';
import { hostSet } from './properties';
import { SAME_LETTER } from './pythonCase';

/** Characters that match each other where case is ignored, by character (simple case folding of Unicode). */
let orbits: Map<number, readonly number[]> | undefined;

function table(): ReadonlyMap<number, readonly number[]> {
  if (orbits !== undefined) return orbits;
  const groups = new Map<number, Set<number>>();
  const found = new Map<number, readonly number[]>();
  const cased = hostSet('Changes_When_Casemapped') ?? [];
  for (let i = 0; i < cased.length; i += 2) {
    for (let code = cased[i]!; code <= cased[i + 1]!; code++) {
      const char = String.fromCodePoint(code);
      const upper = char.toUpperCase();
      // Folding relates a letter to its lower case, its upper case, and the lower case of that.
      for (const other of [char.toLowerCase(), upper, upper.toLowerCase()]) {
        if (other !== char && SAME_LETTER.test(char + other)) join(groups, code, other.codePointAt(0)!);
      }
    }
  }
  for (const group of new Set(groups.values())) {
    const members = [...group].sort((a, b) => a - b);
    for (const code of members) found.set(code, members);
  }
  orbits = found;
  return found;
}

function join(groups: Map<number, Set<number>>, a: number, b: number): void {
  const merged = new Set([...(groups.get(a) ?? [a]), ...(groups.get(b) ?? [b])]);
  for (const code of merged) groups.set(code, merged);
}

/** The set and all characters that are equal to one of it where case is ignored. */
export function foldedSet(set: CharSet, ascii: boolean): CharSet {
  if (set.length === 0 || set.at(-1)! < 0x80) return foldedAscii(set, ascii);
  const more: number[] = [];
  for (const [code, orbit] of table()) {
    if (!has(set, code)) continue;
    for (const each of orbit) if (!ascii || (each < 0x80 && code < 0x80)) more.push(each);
  }
  return union(set, fromCodes(more));
}

/** The answer for ASCII without the table, which takes a while to make. */
function foldedAscii(set: CharSet, ascii: boolean): CharSet {
  const more: number[] = [];
  for (let low = 0x61; low <= 0x7a; low++) {
    if (!has(set, low) && !has(set, low - 0x20)) continue;
    more.push(low, low - 0x20);
    if (!ascii && low === 0x6b) more.push(0x212a);
    if (!ascii && low === 0x73) more.push(0x17f);
  }
  return union(set, fromCodes(more));
}
