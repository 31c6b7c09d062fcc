import { newStemmer } from 'snowball-stemmers';
import type { SearchProfile } from '../profiles/search';
import { toAscii } from './ascii';

/** A word of a text, with what the ranking makes of it. */
export interface Word {
  /** As it is compared with stop words: in ASCII and lower case. */
  readonly text: string;
  /** What is looked up: the stem; `undefined` for a stop word. */
  readonly token: string | undefined;
  /** Its place in the source text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** What belongs together whatever stands around it. Of one class alone: a repeated group overflows on long words. */
const RUN = /[A-Za-z0-9_]+/g;

/** A character with its neighbors that joins what stands before it to what stands behind it. */
const JOINT = /^(?:[A-Za-z][:.'][A-Za-z]|[0-9][,;.'][0-9])$/;

/**
 * Words by UAX #29 in a text of ASCII characters: letters, digits and underscores belong together; a colon, a full
 * stop or an apostrophe joins letters, a comma, a semicolon, a full stop or an apostrophe joins digits.
 */
export function* spansOf(text: string): Generator<readonly [start: number, end: number]> {
  let start = 0;
  let end = -1;
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (index !== end + 1 || !JOINT.test(text.slice(end - 1, end + 2))) {
      if (end > start) yield [start, end];
      start = index;
    }
    end = index + run.length;
  }
  if (end > start) yield [start, end];
}

const stems = new Map<string, string>();
const MAX_STEMS = 20_000;
let stemmer: { stem(word: string): string } | undefined;

/** The English stem of a word by Snowball. */
export function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    stemmer ??= newStemmer('english');
    stem = stemmer.stem(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

/**
 * The words of a text as the Rust package `bm25` 2.3.2 finds them for English: ASCII, lower case, words, without stop
 * words, stems. An underscore joins, so `create_event` is one word; `e-mail` is two.
 */
export function wordsOf(text: string, profile: SearchProfile): readonly Word[] {
  let known = remembered.get(profile);
  if (known === undefined) {
    known = new Map();
    remembered.set(profile, known);
  }
  let words = known.get(text);
  if (words === undefined) {
    words = findWords(text, profile);
    if (known.size >= MAX_TEXTS) known.clear();
    known.set(text, words);
  }
  return words;
}

/** Words of the texts that were read last: while somebody types, those of one tool in a thousand change. */
const remembered = new WeakMap<SearchProfile, Map<string, readonly Word[]>>();
const MAX_TEXTS = 10_000;

function findWords(text: string, { stopWords }: SearchProfile): Word[] {
  const ascii = toAscii(text);
  const words: Word[] = [];
  for (const [start, end] of spansOf(ascii.text)) {
    const found = ascii.text.slice(start, end);
    if (!/[A-Za-z0-9]/.test(found)) continue;
    const word = found.toLowerCase();
    const token = stopWords.has(word) ? undefined : stemOf(word);
    words.push({ text: word, token, start: ascii.starts[start]!, end: ascii.ends[end - 1]! });
  }
  return words;
}
