import type { SearchProfile } from '../profiles/search';
import type { JsonNode } from '../text/json';
import { walkJson } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import { editDistance } from '../text/words';
import { stemOf, type Word, wordsOf } from './words';

/** A word of a query that a tool nearly has. */
export interface NearMiss {
  /**
   * - `underscore`: one of the two is part of the other, which an underscore makes one word
   * - `unsearched`: the word stands in the definition, where search does not look
   * - `stem`: one of the two starts with the other, and their stems differ
   * - `spelling`: a slip of one or two letters
   */
  readonly kind: 'underscore' | 'unsearched' | 'stem' | 'spelling';
  /** As the query has it. */
  readonly queryWord: string;
  readonly queryToken: string;
  /** As the tool has it. */
  readonly word: string;
  readonly token: string;
  /** What happens and what helps. */
  readonly message: Message;
}

/** Shorter words start too many others. */
const STEM_LETTERS = 4;

/** The near miss that says most, over all words of the query; `undefined` where no word comes near. */
export function nearMiss(
  query: readonly Word[],
  words: readonly Word[],
  definition: JsonNode,
  profile: SearchProfile,
): NearMiss | undefined {
  const wanted = query.filter((word) => word.token !== undefined);
  const present = words.filter((word) => word.token !== undefined);
  for (const find of [underscore, stem]) {
    for (const word of wanted) {
      const found = find(word, present);
      if (found !== undefined) return found;
    }
  }
  return unsearched(wanted, definition, profile) ?? first(wanted, (word) => spelling(word, present));
}

function first<T>(words: readonly Word[], find: (word: Word) => T | undefined): T | undefined {
  for (const word of words) {
    const found = find(word);
    if (found !== undefined) return found;
  }
  return undefined;
}

function miss(kind: NearMiss['kind'], query: Word, word: string, token: string, message: Message): NearMiss {
  return { kind, queryWord: query.text, queryToken: query.token!, word, token, message };
}

function partsOf(text: string): string[] {
  return text.split('_').filter((part) => part !== '');
}

function underscore(query: Word, present: readonly Word[]): NearMiss | undefined {
  for (const { text, token } of present) {
    if (!text.includes('_') || !partsOf(text).some((part) => stemOf(part) === query.token)) continue;
    const message = t(
      '"{0}" is one word to the ranking, so "{1}" is not in it. Say "{1}" on its own as well.',
      text,
      query.text,
    );
    return miss('underscore', query, text, token!, message);
  }
  if (!query.text.includes('_')) return undefined;
  const parts = partsOf(query.text).map(stemOf);
  const found = present.find(({ token }) => parts.includes(token!));
  if (found === undefined) return undefined;
  const message = t(
    'The query\'s "{0}" is one word to the ranking, and the tool says "{1}". Ask with spaces.',
    query.text,
    found.text,
  );
  return miss('underscore', query, found.text, found.token!, message);
}

function stem(query: Word, present: readonly Word[]): NearMiss | undefined {
  for (const { text, token } of present) {
    if (Math.min(text.length, query.text.length) < STEM_LETTERS) continue;
    if (!text.startsWith(query.text) && !query.text.startsWith(text)) continue;
    const message = t('"{0}" reads as "{1}", not "{2}". Say "{3}" as well.', text, token!, query.token!, query.text);
    return miss('stem', query, text, token!, message);
  }
  return undefined;
}

function spelling(query: Word, present: readonly Word[]): NearMiss | undefined {
  const { text: wanted } = query;
  if (wanted.length < STEM_LETTERS) return undefined;
  const limit = wanted.length < 8 ? 2 : 3;
  for (const { text, token } of present) {
    if (Math.abs(text.length - wanted.length) >= limit || text[0] !== wanted[0]) continue;
    if (editDistance(text, wanted, limit) >= limit) continue;
    const message = t(
      'The tool says "{0}", and the query "{1}". The ranking takes words as they are spelled.',
      text,
      wanted,
    );
    return miss('spelling', query, text, token!, message);
  }
  return undefined;
}

/** Values that say what kind of thing something is, not what it is about. */
const TECHNICAL = new Set(['type', '$ref', '$schema', '$id', 'format', 'syntax', 'pattern']);

function unsearched(query: readonly Word[], definition: JsonNode, profile: SearchProfile): NearMiss | undefined {
  let found: NearMiss | undefined;
  walkJson(definition, (node) => {
    if (found !== undefined || node.property?.key === 'x-toolspec') return false;
    if (node.kind !== 'string') return true;
    const key = keyOf(node);
    if (key === undefined || TECHNICAL.has(key)) return false;
    for (const { text, token } of wordsOf(node.text, profile)) {
      const word = token === undefined ? undefined : query.find((each) => each.token === token);
      if (word === undefined) continue;
      const message = t(
        '"{0}" stands in a value under "{1}" that is not searched. Say it in the description of the tool as well.',
        text,
        key,
      );
      found = miss('unsearched', word, text, token!, message);
      return false;
    }
    return false;
  });
  return found;
}

/** Lists in lists that are passed over in search of a key. */
const MAX_LISTS = 100;

/** The key under which a string stands, lists passed over. */
function keyOf(node: JsonNode): string | undefined {
  let at: JsonNode | undefined = node;
  for (let i = 0; at !== undefined && i < MAX_LISTS; i++) {
    if (at.property !== undefined) return at.property.key;
    at = at.parent;
  }
  return undefined;
}
