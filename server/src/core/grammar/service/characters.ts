import { formatNumber, type Message, t } from '../../text/message';
import { list } from '../../text/words';
import { type CharSet, complement, size } from '../regex/charSet';

/** So many ranges are named; the rest is counted. */
const MOST_RANGES = 6;

const NAMES: ReadonlyMap<number, string> = new Map([
  [0x09, 'tab'],
  [0x0a, 'line feed'],
  [0x0d, 'carriage return'],
  [0x0c, 'form feed'],
  [0x20, 'space'],
  [0xa0, 'no-break space'],
]);

/** A set of characters for people: "`a`–`z`, `_` and space", "any character but line feed". Text is Markdown. */
export function charactersOf(set: CharSet): Message {
  const rest = complement(set);
  if (rest.length === 0) return t('any character');
  return size(rest) < size(set) && rest.length <= set.length ? t('any character but {0}', ranges(rest)) : ranges(set);
}

function ranges(set: CharSet): Message {
  const found: Message[] = [];
  for (let i = 0; i < set.length; i += 2) {
    const [first, last] = [set[i]!, set[i + 1]!];
    const named = last - first < NAMES.size && NAMES.has(first) && NAMES.has(last);
    if (last - first < 2 || named) for (let code = first; code <= last; code++) found.push(one(code));
    else found.push(t('{0}–{1}', one(first), one(last)));
  }
  return list(found, MOST_RANGES);
}

function one(code: number): Message {
  const name = NAMES.get(code);
  if (name !== undefined) return t('{0}', name);
  const plain =
    code > 0x20 &&
    code !== 0x60 &&
    !(code >= 0x7f && code < 0xa1) &&
    !/[\p{C}\p{M}\p{Z}]/u.test(String.fromCodePoint(code));
  return t(
    '{0}',
    plain ? `\`${String.fromCodePoint(code)}\`` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** The length of what an expression matches: "3 characters", "1 to 255 characters", "1 character or more". */
export function widthOf(min: number, max: number, unbounded: number): Message {
  if (max >= unbounded) {
    if (min === 0) return t('any number of characters, also none');
    return min === 1 ? t('1 character or more') : t('{0} characters or more', formatNumber(min));
  }
  if (min === max) return min === 1 ? t('1 character') : t('{0} characters', formatNumber(min));
  return t('{0} to {1} characters', formatNumber(min), formatNumber(max));
}

/** A text in one line, with signs for what cannot be seen. */
export function visible(text: string): string {
  return text
    .replace(/\r\n|\n/g, '⏎')
    .replace(/\r/g, '␍')
    .replace(/\t/g, '⇥')
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
}
