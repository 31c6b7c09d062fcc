import type { JsonNode } from '../text/json';
import { type Message, t } from '../text/message';
import { shorten } from '../text/words';

/** Texts of values in messages are cut to this many characters. */
const LONGEST = 60;

/** So many values of an enumeration are listed. */
const MOST_LISTED = 12;

/** What stands somewhere, for a sentence: `the string "abc"`, `the number 3`, `an object`. */
export function foundText(node: JsonNode): Message {
  switch (node.kind) {
    case 'string':
      return node.text === '' ? t('the empty string') : t('the string {0}', quoted(node.text));
    case 'number':
      return t('the number {0}', shorten(node.text, LONGEST));
    case 'object':
      return node.properties.length === 0 ? t('an empty object') : t('an object');
    case 'array':
      return node.items.length === 0 ? t('an empty array') : t('an array');
    default:
      return t('{0}', node.text);
  }
}

/** A text in quotes, on one line and not too long. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text, LONGEST));
}

/** A value as JSON, not too long; containers by their kind. */
export function valueText(node: JsonNode): string {
  if (node.kind === 'string') return quoted(node.text);
  if (node.kind === 'object') return '{…}';
  return node.kind === 'array' ? '[…]' : shorten(node.text, LONGEST);
}

const TYPES: ReadonlyMap<string, Message> = new Map([
  ['string', t('a string')],
  ['number', t('a number')],
  ['integer', t('an integer')],
  ['boolean', t('a boolean')],
  ['object', t('an object')],
  ['array', t('an array')],
  ['null', t('null')],
]);

/** Types as people read them: `a string`, `an integer or null`. */
export function typesText(types: readonly string[]): Message {
  return either([...new Set(types)].map((type) => TYPES.get(type) ?? t('{0}', type)));
}

/** `a`, `a or b`, `a, b or c`. */
export function either(items: readonly (string | Message)[]): Message {
  const shown =
    items.length > MOST_LISTED
      ? [...items.slice(0, MOST_LISTED), t('{0} more', items.length - MOST_LISTED)]
      : [...items];
  const last = shown.pop();
  if (last === undefined) return t('nothing');
  if (shown.length === 0) return t('{0}', last);
  return t('{0} or {1}', { text: shown.map((_, i) => `{${i}}`).join(', '), args: shown }, last);
}
