import { type Message, render, type Translate, t } from '../text/message';
import type { CharacterRange } from './provider';

/** From so many allowed characters of the 95 printable ones on, those that are not are named instead. */
const MANY = 70;

const NAMES: ReadonlyMap<number, Message> = new Map([
  [0x09, t('tab')],
  [0x0a, t('line feed')],
  [0x0d, t('carriage return')],
  [0x20, t('space')],
  [0x7f, t('{0}', 'U+007F')],
  [0xa0, t('no-break space')],
  [0xfeff, t('{0}', 'U+FEFF')],
]);

/** A character as it can be shown in a line: itself, or what it is called. */
export function characterWords(code: number): string | Message {
  const name = NAMES.get(code);
  if (name !== undefined) return name;
  const hidden = code < 0x20 || (code >= 0x80 && code < 0xa0) || /\p{C}|\p{Z}|\p{M}/u.test(String.fromCodePoint(code));
  return hidden ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : String.fromCodePoint(code);
}

/** Parts in one line, with a space between. */
const line = (parts: readonly (string | Message)[]): Message => ({
  text: parts.map((_, index) => `{${index}}`).join(' '),
  args: parts,
});

/**
 * Characters in one line, such as `0–9 a–z space`, or `any character but " \ line feed`. `more` says that characters
 * beyond ASCII are allowed which are not listed.
 */
export function charactersWords(ranges: readonly CharacterRange[], more: boolean): Message {
  const allowed = (code: number): boolean => ranges.some(([first, last]) => first <= code && code <= last);
  const printable = Array.from({ length: 95 }, (_, index) => index + 0x20);
  const missing = printable.filter((code) => !allowed(code));
  if (printable.length - missing.length < MANY) {
    return line([...ranges.flatMap(rangeWords), ...(more ? [t('characters beyond ASCII')] : [])]);
  }
  const beyond = more || ranges.some(([, last]) => last > 0x7f);
  const excluded = [...missing, ...(allowed(0x0a) ? [] : [0x0a])].map(characterWords);
  if (excluded.length === 0) return beyond ? t('any character') : t('any ASCII character');
  return beyond ? t('any character but {0}', line(excluded)) : t('any ASCII character but {0}', line(excluded));
}

/** The same as text. */
export function charactersText(ranges: readonly CharacterRange[], more: boolean, translate?: Translate): string {
  return render(charactersWords(ranges, more), translate);
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
function rangeWords([first, last]: CharacterRange): (string | Message)[] {
  const parts: (string | Message)[] = [];
  for (let code = first; code <= last; code++) {
    const end = Math.min(last, ORDERED.find(([from, to]) => from <= code && code <= to)?.[1] ?? code);
    if (end > code + 1) parts.push({ text: '{0}–{1}', args: [characterWords(code), characterWords(end)] });
    else for (let each = code; each <= end; each++) parts.push(characterWords(each));
    code = end;
  }
  return parts;
}

/** Bytes as ranges, in words: those below 128 as characters, the first bytes of others as `more`. */
export function bytesWords(ranges: readonly CharacterRange[]): Message {
  const ascii = ranges
    .filter(([first]) => first < 0x80)
    .map(([first, last]): CharacterRange => [first, Math.min(last, 0x7f)]);
  return charactersWords(
    ascii,
    ranges.some(([, last]) => last >= 0x80),
  );
}
