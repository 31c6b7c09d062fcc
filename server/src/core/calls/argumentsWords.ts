import { type Message, t } from '../text/message';

/** Why a bare word is no JSON value. */
export interface WordFault {
  readonly rule: 'call/invalid-json' | 'call/non-json-number';
  readonly kind: string;
  readonly message: Message;
  /** At the end of the text it may be the beginning of a value. */
  readonly cut: boolean;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The beginning of a number that lacks its last part. */
const BEGUN = /^-?(?:(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))?$/;

/** Words for numbers that are none, by their lower-case form without a sign. */
const NOT_FINITE = new Map([
  ['nan', 'NaN'],
  ['infinity', 'Infinity'],
  ['inf', 'Infinity'],
]);

/** What stands for a JSON word in other languages. */
const FOREIGN = new Map([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['yes', 'true'],
  ['False', 'false'],
  ['FALSE', 'false'],
  ['no', 'false'],
  ['None', 'null'],
  ['NULL', 'null'],
  ['Null', 'null'],
  ['nil', 'null'],
  ['undefined', 'null'],
]);

const JSON_WORDS = ['true', 'false', 'null'];

/** Why a word that begins with a digit, a sign or a dot is no JSON number; `undefined` when it is one. */
export function numberFault(word: string): WordFault | undefined {
  if (NUMBER.test(word)) {
    if (Number.isFinite(Number(word))) return undefined;
    const message = t('{0} is beyond the range of numbers: decoders refuse it or make Infinity of it.', word);
    return { rule: 'call/non-json-number', kind: 'number-range', message, cut: false };
  }
  const bare = word.replace(/^[-+]/, '');
  if (NOT_FINITE.has(bare.toLowerCase())) return notFinite(word);
  const cut = BEGUN.test(word);
  const reason = numberReason(word, bare);
  if (reason !== undefined) return { rule: 'call/non-json-number', kind: 'number', message: reason, cut };
  const message = t('{0} stands without double quotes, and it is no number.', word);
  return { rule: 'call/invalid-json', kind: 'bare-text', message, cut };
}

function numberReason(word: string, bare: string): Message | undefined {
  if (/^0[xXoObB][\da-fA-F]+$/.test(bare))
    return t('{0} is not a JSON number: JSON writes numbers in decimal digits.', word);
  if (/^\d[\d_]*_[\d_]*(?:\.\d+)?$/.test(bare))
    return t('{0} is not a JSON number: there is nothing between its digits.', word);
  if (/^\d+n$/.test(bare)) return t('{0} is not a JSON number: it has no suffix.', word);
  if (!/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?$/.test(bare)) return undefined;
  if (word.startsWith('+')) return t('{0} is not a JSON number: it has no plus sign.', word);
  if (/^0\d/.test(bare)) return t('{0} is not a JSON number: it does not begin with a zero.', word);
  if (bare.startsWith('.')) return t('{0} is not a JSON number: a digit stands before the point.', word);
  return t('{0} is not a JSON number: a digit follows the point or the exponent.', word);
}

function notFinite(word: string): WordFault {
  const message = t(
    '{0} is not JSON: it has no NaN, Infinity or -Infinity. Some decoders read it and others refuse it.',
    word,
  );
  return { rule: 'call/non-json-number', kind: 'number', message, cut: false };
}

/** Why a word that begins with a letter is no JSON value; `undefined` when it is one. */
export function wordFault(word: string): WordFault | undefined {
  if (JSON_WORDS.includes(word)) return undefined;
  if (NOT_FINITE.has(word.toLowerCase())) return notFinite(word);
  const cut = JSON_WORDS.some((each) => each.startsWith(word));
  const meant = FOREIGN.get(word);
  if (meant !== undefined) {
    return {
      rule: 'call/invalid-json',
      kind: 'foreign-word',
      message: t('{0} is not JSON. JSON writes {1}.', word, meant),
      cut,
    };
  }
  const message = t('{0} stands without double quotes.', word);
  return { rule: 'call/invalid-json', kind: 'word', message, cut };
}
