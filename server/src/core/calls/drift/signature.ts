import { parseJson } from '../../text/json';
import { walkJson } from '../../text/jsonTree';

const QUOTES = new Set(["'", '"', '`', '“', '‘']);
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['“', '”'],
  ['‘', '’'],
]);
/** Longer texts say nothing new about what is wrong. */
const MOST_READ = 20_000;
const MOST_UNITS = 600;

/**
 * What a feedback may quote of an input: its text, and of JSON the strings in it, too.
 */
export function quotable(input: string, json: boolean): string {
  if (!json || !input.includes('\\')) return input;
  const parts = [input];
  const { root } = parseJson(input);
  if (root !== undefined) {
    walkJson(root, ({ string, property }) => {
      parts.push(property?.key ?? '', string ?? '');
    });
  }
  return parts.join('\n');
}

/**
 * A feedback text without what depends on the single input: numbers, addresses and quoted parts. What is quoted out of
 * the input may hold quotes itself, so the longest part that stands in the input is taken.
 *
 * @param input the input, or better what `quotable` gives for it
 */
export function signatureOf(feedback: string, input: string): string {
  const text = feedback.slice(0, MOST_READ);
  let out = '';
  for (let at = 0; at < text.length; ) {
    const character = text[at]!;
    const end = QUOTES.has(character) && !/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') ? quotedEnd(text, at, input) : -1;
    if (end < 0) {
      out += character;
      at++;
      continue;
    }
    out += `${character}…${text[end]}`;
    at = end + 1;
  }
  return withoutNumbers(out).replace(/\s+/g, ' ').trim().slice(0, MOST_UNITS);
}

function withoutNumbers(text: string): string {
  return text.replace(/\b0x[0-9a-fA-F]+\b/g, '#').replace(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, '#');
}

/** A signature, and what it comes from. */
export interface SignedInput {
  readonly signature: string;
  readonly feedback: string;
  readonly input: string;
}

export function signed(feedback: string, input: string): SignedInput {
  return { signature: signatureOf(feedback, input), feedback, input };
}

/** Letters that two signatures have in common at least, if one part is to be all that differs. */
const LEAST_COMMON = 12;

/**
 * Whether two signatures differ in one part only, which each took out of its own input without quotes around it.
 * `names` are words that mean something: keys of a schema, of which each may have a fault of its own.
 */
export function sameButForInput(a: SignedInput, b: SignedInput, names: ReadonlySet<string>): boolean {
  if (differInOwnPart(a.signature, b.signature, a.input, b.input, names)) return true;
  // Quotes within that part may have been taken for quotes around others.
  return differInOwnPart(flat(a.feedback), flat(b.feedback), a.input, b.input, names);
}

/** A text in one line without numbers. */
function flat(text: string): string {
  return withoutNumbers(text.slice(0, MOST_READ)).replace(/\s+/g, ' ').trim();
}

function differInOwnPart(
  left: string,
  right: string,
  leftInput: string,
  rightInput: string,
  names: ReadonlySet<string>,
): boolean {
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  // Parts begin and end with words.
  while (start > 0 && isWord(left[start - 1])) start--;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left.at(-1 - end) === right.at(-1 - end)) end++;
  while (end > 0 && isWord(left.at(-end))) end--;
  const common = left.slice(0, start) + left.slice(left.length - end);
  if (common.replace(/[^\p{L}]/gu, '').length < LEAST_COMMON) return false;
  const isOwn = (text: string, input: string): boolean => {
    const part = text.slice(start, text.length - end).trim();
    if (part === '' || names.has(part)) return false;
    return input.includes(part) || flat(input).includes(part);
  };
  return isOwn(left, leftInput) && isOwn(right, rightInput);
}

const isWord = (character: string | undefined): boolean => /[\p{L}\p{N}_]/u.test(character ?? ' ');

/** Offset of the quote that closes the one at `start`, or -1. */
function quotedEnd(text: string, start: number, input: string): number {
  const quote = CLOSING.get(text[start]!) ?? text[start]!;
  const nearest = text.indexOf(quote, start + 1);
  if (nearest < 0) return -1;
  for (let end = text.lastIndexOf(quote); end > nearest; end = text.lastIndexOf(quote, end - 1)) {
    if (input.includes(text.slice(start + 1, end))) return end;
  }
  return nearest;
}
