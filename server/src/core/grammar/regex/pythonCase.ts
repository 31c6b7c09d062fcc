import { type CharSet, complement, fromCodes, fromRanges, has, intersect, single, subtract, unionAll } from './charSet';
import { pythonWord } from './unicodeTables';

/** How letters of different case compare: not at all, in ASCII alone (flag `a`), or by Unicode. */
export type CaseMode = 'exact' | 'ascii' | 'unicode';

/** A part of a character class: code points `first` to `last`, or a named set such as `\d`. */
export type ClassPart = { readonly first: number; readonly last: number } | { readonly set: CharSet };

interface CaseTable {
  /** Characters that change when they are lowered, and what they become. */
  readonly lower: ReadonlyMap<number, number>;
  readonly upper: ReadonlyMap<number, number>;
  /** Who becomes a character when lowered. */
  readonly sources: ReadonlyMap<number, readonly number[]>;
  readonly lowered: CharSet;
  readonly cased: CharSet;
}

/**
 * Lower case letters that share their upper case letter with others. Python lets these match one another where
 * case is ignored (`i` and dotless `ı`, `s` and long `ſ`, the two sigmas …).
 */
const SIBLINGS: readonly (readonly number[])[] = [
  [0x69, 0x131],
  [0x73, 0x17f],
  [0xb5, 0x3bc],
  [0x345, 0x3b9, 0x1fbe],
  [0x390, 0x1fd3],
  [0x3b0, 0x1fe3],
  [0x3b2, 0x3d0],
  [0x3b5, 0x3f5],
  [0x3b8, 0x3d1],
  [0x3ba, 0x3f0],
  [0x3c0, 0x3d6],
  [0x3c1, 0x3f1],
  [0x3c2, 0x3c3],
  [0x3c6, 0x3d5],
  [0x432, 0x1c80],
  [0x434, 0x1c81],
  [0x43e, 0x1c82],
  [0x441, 0x1c83],
  [0x442, 0x1c84, 0x1c85],
  [0x44a, 0x1c86],
  [0x463, 0x1c87],
  [0x1c88, 0xa64b],
  [0x1e61, 0x1e9b],
  [0xfb05, 0xfb06],
];

const siblings = new Map<number, readonly number[]>();
for (const group of SIBLINGS) for (const code of group) siblings.set(code, group);

/** No character beyond has another case. */
const LAST_CASED_PLANE = 0x1ffff;

let unicode: CaseTable | undefined;
let ascii: CaseTable | undefined;

/** Simple case mappings as Python 3.11 has them: the host's, without letters that Unicode 14 does not know. */
function unicodeTable(): CaseTable {
  if (unicode !== undefined) return unicode;
  const chunks: string[] = [];
  for (let start = 0; start <= LAST_CASED_PLANE; start += 0x800) {
    if (start >= 0xd800 && start < 0xe000) continue;
    chunks.push(String.fromCodePoint(...Array.from({ length: 0x800 }, (_, i) => start + i)));
  }
  const entries: [number, number, number][] = [];
  const candidates = /[\p{Changes_When_Lowercased}\p{Changes_When_Uppercased}\p{Changes_When_Titlecased}]/gu;
  for (const chunk of chunks) {
    for (const [char] of chunk.matchAll(candidates)) {
      const code = char.codePointAt(0)!;
      const lower = char.toLowerCase().codePointAt(0)!;
      const upper = char.toUpperCase().codePointAt(0)!;
      const known = (each: number) => !/\p{L}/u.test(String.fromCodePoint(each)) || has(pythonWord(), each);
      if (known(code) && known(lower) && known(upper)) entries.push([code, lower, upper]);
    }
  }
  unicode = tableOf(entries);
  return unicode;
}

function asciiTable(): CaseTable {
  if (ascii !== undefined) return ascii;
  const entries: [number, number, number][] = [];
  for (let i = 0; i < 26; i++) entries.push([0x41 + i, 0x61 + i, 0x41 + i], [0x61 + i, 0x61 + i, 0x41 + i]);
  ascii = tableOf(entries);
  return ascii;
}

function tableOf(entries: readonly [number, number, number][]): CaseTable {
  const lower = new Map<number, number>();
  const upper = new Map<number, number>();
  const sources = new Map<number, number[]>();
  const cased: number[] = [];
  for (const [code, low, up] of entries) {
    if (low !== code) {
      lower.set(code, low);
      const list = sources.get(low);
      if (list === undefined) sources.set(low, [code]);
      else list.push(code);
    }
    if (up !== code) upper.set(code, up);
    if (low !== code || up !== code) cased.push(code);
  }
  return { lower, upper, sources, lowered: fromCodes(lower.keys()), cased: fromCodes(cased) };
}

/** Everything that is in the set once it is lowered. */
function preimage(set: CharSet, table: CaseTable): CharSet {
  const more: number[] = [];
  for (const [code, low] of table.lower) if (has(set, low)) more.push(code);
  return unionAll([subtract(set, table.lowered), fromCodes(more)]);
}

/**
 * What a character matches where case is ignored. Python 3.11 (`sre`): the lowered text character is compared with
 * the lowered pattern character and with the lower case letters that share its upper case.
 */
export function literalSet(code: number, mode: CaseMode): CharSet {
  if (mode === 'exact') return single(code);
  if (code < 0x80) return asciiLetter(code, mode);
  const table = mode === 'ascii' ? asciiTable() : unicodeTable();
  if (!has(table.cased, code)) return single(code);
  const low = table.lower.get(code) ?? code;
  const wanted = mode === 'unicode' ? (siblings.get(low) ?? [low]) : [low];
  const out: number[] = [];
  for (const each of wanted) {
    if (!table.lower.has(each)) out.push(each);
    out.push(...(table.sources.get(each) ?? []));
  }
  return fromCodes(out);
}

/** Others that match an ASCII letter by Unicode. */
const ASCII_SIBLINGS = new Map([
  [0x69, [0x130, 0x131]],
  [0x6b, [0x212a]],
  [0x73, [0x17f]],
]);

/** The answer for ASCII without the table, which takes a while to make. */
function asciiLetter(code: number, mode: CaseMode): CharSet {
  const low = code | 0x20;
  if (low < 0x61 || low > 0x7a) return single(code);
  const more = mode === 'unicode' ? (ASCII_SIBLINGS.get(low) ?? []) : [];
  return fromCodes([low - 0x20, low, ...more]);
}

/**
 * What a character class matches (Python 3.11, `sre`). Where case is ignored and the class has a letter, the text
 * character is lowered first; characters of the class beyond U+FFFF are then compared as they are written, and
 * ranges that reach beyond it also with the upper case.
 */
export function classSet(parts: readonly ClassPart[], negated: boolean, mode: CaseMode): CharSet {
  const first = parts[0];
  const only = first !== undefined && 'first' in first && first.first === first.last ? first.first : undefined;
  const alone =
    only !== undefined && parts.every((part) => 'first' in part && part.first === only && part.last === only);
  const set = alone ? literalSet(only, mode) : mode === 'exact' ? plainSet(parts) : foldedSet(parts, mode);
  return negated ? complement(set) : set;
}

function plainSet(parts: readonly ClassPart[]): CharSet {
  const ranges: [number, number][] = [];
  const sets: CharSet[] = [];
  for (const part of parts) {
    if ('set' in part) sets.push(part.set);
    else ranges.push([part.first, part.last]);
  }
  return unionAll([fromRanges(ranges), ...sets]);
}

function foldedSet(parts: readonly ClassPart[], mode: 'ascii' | 'unicode'): CharSet {
  if (parts.every((part) => 'first' in part && part.last < 0x80)) {
    const sets: CharSet[] = [plainSet(parts)];
    for (let code = 0x41; code <= 0x7a; code++) if (has(sets[0]!, code)) sets.push(asciiLetter(code, mode));
    return unionAll(sets);
  }
  const table = mode === 'ascii' ? asciiTable() : unicodeTable();
  const sets: CharSet[] = [];
  let letters = false;
  for (const part of parts) {
    if ('set' in part) {
      sets.push(part.set);
      continue;
    }
    const { first, last } = part;
    const low: CharSet = first <= 0xffff ? [first, Math.min(last, 0xffff)] : [];
    if (low.length > 0) sets.push(loweredSet(low, table, mode));
    if (last > 0xffff) {
      letters = true;
      sets.push([first, last]);
      if (first < last) sets.push(fromCodes(uppersIn(first, last)));
    } else if (intersect(low, table.cased).length > 0) {
      letters = true;
    }
  }
  const set = unionAll(sets);
  return letters ? preimage(set, table) : set;
}

/** What a set becomes when each member is lowered, with the siblings of each. */
function loweredSet(set: CharSet, table: CaseTable, mode: CaseMode): CharSet {
  const codes: number[] = [];
  for (const [code, low] of table.lower) if (has(set, code)) codes.push(low);
  const lowered = unionAll([subtract(set, table.lowered), fromCodes(codes)]);
  if (mode === 'ascii') return lowered;
  const more: number[] = [];
  for (const [code, group] of siblings) if (has(lowered, code)) more.push(...group);
  return unionAll([lowered, fromCodes(more)]);
}

function uppersIn(first: number, last: number): number[] {
  const out: number[] = [];
  for (const [code, up] of unicodeTable().upper) if (up >= first && up <= last) out.push(code);
  return out;
}

/** Whether the set has, with each letter, the letter's other cases: ignoring case would not change it. */
export function closedUnderCase(set: CharSet): boolean {
  const { lower, upper } = unicodeTable();
  for (const [code, low] of lower) if (has(set, code) !== has(set, low) && isSimple(code, low)) return false;
  for (const [code, up] of upper) if (has(set, code) !== has(set, up) && isSimple(code, up)) return false;
  return true;
}

/** Whether JavaScript's flags `iu` make the two match each other. */
function isSimple(a: number, b: number): boolean {
  return SAME_LETTER.test(String.fromCodePoint(a, b));
}

/** Two characters that are equal where JavaScript ignores case: by the simple case folding of Unicode. */
export const SAME_LETTER = /^(.)\1$/isu;
