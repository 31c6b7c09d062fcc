import { type Message, sentences, t } from '../text/message';
import { list } from '../text/words';
import type { SearchResult } from './search';
import type { SearchPart } from './text';

/** A result in a sentence, and the sentence that follows it. */
export interface SearchAnswer {
  readonly level: 'ok' | 'warning' | 'error';
  readonly headline: Message;
  readonly detail: Message | undefined;
}

/** How people read the parts of a search text. */
export const PART_NAMES: Readonly<Record<SearchPart, Message>> = {
  name: t('name'),
  'name-words': t('words of the name'),
  'flat-name': t('full name'),
  description: t('description'),
  property: t('property name'),
  schema: t('description in the schema'),
  namespace: t('namespace'),
  'namespace-description': t('description of the namespace'),
  server: t('server name'),
  title: t('title'),
  syntax: t('syntax'),
};

/** How a tool becomes one that is searched. */
const HOW_TO_DEFER = t(
  'Set "defer_loading": true (Responses), "deferLoading": true (Codex dynamic tools, in a namespace) or "x-toolspec": { "exposure": "deferred" }.',
);

/** What a search comes to: how many tools match, how well the best does, and the nearest miss. */
export function searchAnswer(result: SearchResult): SearchAnswer {
  const { error, searched, hits, words, limit, notSearched } = result;
  const blocked = searched === 0 ? notSearched.find(({ reason }) => reason === 'provider') : undefined;
  if (blocked !== undefined) return { level: 'warning', headline: blocked.message, detail: undefined };
  if (searched === 0) {
    const headline = t('No tool is deferred, so there is nothing to search.');
    return { level: 'warning', headline, detail: HOW_TO_DEFER };
  }
  if (error !== undefined) {
    const headline = t('Tool search answers "{0}" and finds nothing.', error);
    return { level: 'error', headline, detail: undefined };
  }
  const asked = new Set(words.flatMap(({ token }) => token ?? []));
  if (asked.size === 0) {
    const detail = t('Say what the tool is about: words such as "the", "of" and "to" are never searched.');
    return { level: 'warning', headline: t('No word of the query is searched, so no tool is found.'), detail };
  }
  const best = hits[0];
  if (best === undefined) {
    const headline = t('None of {0} deferred tools has a word of the query.', searched);
    return { level: 'warning', headline, detail: nearestSentence(result) };
  }
  const matched =
    hits.length === 1
      ? t('1 of {0} deferred tools matches.', searched)
      : t('{0} of {1} deferred tools match.', hits.length, searched);
  const taken =
    asked.size === best.parts.length
      ? t('The best has every word.')
      : t('The best has {0} of {1} words.', best.parts.length, asked.size);
  const cut = hits.length > limit ? t('The limit lets {0} through.', limit) : undefined;
  const level = best.parts.length === asked.size ? 'ok' : 'warning';
  return { level, headline: sentences(matched, taken, cut), detail: nearestSentence(result) };
}

/** So many tools are looked at for the nearest miss. */
const LOOKED_AT = 50;

function nearestSentence(result: SearchResult): Message | undefined {
  const misses = result.misses.slice(0, LOOKED_AT);
  const nearest = misses.find(({ near }) => near?.kind === 'stem') ?? misses.find(({ near }) => near !== undefined);
  if (nearest?.near === undefined) return undefined;
  return t('Near miss in {0}: {1}', nearest.name, nearest.near.message);
}

/** What the query is looked up as: its stems, those in no tool marked, and the words left out. */
export function queryReading({ words }: SearchResult): Message {
  const tokens = new Map<string, number>();
  for (const { token, tools } of words) if (token !== undefined) tokens.set(token, tools);
  const stop = [...new Set(words.filter(({ token }) => token === undefined).map(({ text }) => text))];
  const read = [...tokens].map(([token, tools]) => (tools === 0 ? t('{0} (in no tool)', token) : token));
  const searched = read.length === 0 ? undefined : t('Searched as: {0}.', list(read));
  return sentences(searched, stop.length === 0 ? undefined : t('Left out: {0}.', list(stop)));
}
