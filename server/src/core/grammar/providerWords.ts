import type { CharacterRange } from './provider';

/** From so many allowed characters of the 95 printable ones on, those that are not are named instead. */
const MANY = 70;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0d, 'carriage return'],
  [0x20, 'space'],
  [0x7f, 'U+007F'],
  [0xa0, 'no-break space'],
  [0xfeff, 'U+FEFF'],
]);

/** A character as it can be shown in a line: itself, or what it is called. */
export function characterText(code: number): string {
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  const hidden = code < 0x20 || (code >= 0x80 && code < 0xa0) || /\p{C}|\p{Z}|\p{M}/u.test(String.fromCodePoint(code));
  return hidden ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCodePoint(code);
}

/**
 * Characters in one line, such as `0–9 a–z space`, or `any character but " \ line feed`. `more` says that characters
 * beyond ASCII are allowed which are not listed.
 */
export function charactersText(ranges: readonly CharacterRange[], more: boolean): string {
  const allowed = (code: number): boolean => ranges.some(([first, last]) => first <= code && code <= last);
  const printable = Array.from({ length: 95 }, (_, index) => index + 0x20);
  const missing = printable.filter((code) => !allowed(code));
  if (printable.length - missing.length < MANY) {
    const listed = ranges.map(rangeText);
    return [...listed, ...(more ? ['characters beyond ASCII'] : [])].join(' ');
  }
  const beyond = more || ranges.some(([, last]) => last > 0x7f);
  const excluded = [...missing, ...(allowed(0x0a) ? [] : [0x0a])].map(characterText);
  const all = beyond ? 'any character' : 'any ASCII character';
  return excluded.length === 0 ? all : `${all} but ${excluded.join(' ')}`;
}

/** Characters that people know the order of; ranges of others would say nothing. */
const ORDERED: readonly CharacterRange[] = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0x00, 0x08],
  [0x0e, 0x1f],
  [0x80, 0x10ffff],
];

/** A range in parts: what has a known order stays together, other characters stand alone. */
function rangeText([first, last]: CharacterRange): string {
  const parts: string[] = [];
  for (let code = first; code <= last; code++) {
    const end = Math.min(last, ORDERED.find(([from, to]) => from <= code && code <= to)?.[1] ?? code);
    const between = end === code ? '' : `${end === code + 1 ? ' ' : '–'}${characterText(end)}`;
    parts.push(characterText(code) + between);
    code = end;
  }
  return parts.join(' ');
}

/** Bytes as ranges, in words: those below 128 as characters, the first bytes of others as `more`. */
export function bytesText(ranges: readonly CharacterRange[]): string {
  const ascii = ranges
    .filter(([first]) => first < 0x80)
    .map(([first, last]): CharacterRange => [first, Math.min(last, 0x7f)]);
  return charactersText(
    ascii,
    ranges.some(([, last]) => last >= 0x80),
  );
}
