import { queryReading, searchAnswer } from '../../core/search/answer';
import { createSearch, fullName, type SearchHit, type SearchTool, type ToolSearch } from '../../core/search/search';
import { keySpan, nodeSpan } from '../../core/text/jsonTree';
import { t } from '../../core/text/message';
import type { EmptyPage, PanelPlace, PanelSearchHit, PanelText, SearchAsk, SearchPage } from '../../panelProtocol';
import type { FileState } from '../files';
import { say } from '../language';
import { wireOptions } from '../wireText';
import type { PageContext } from './pageContext';
import { placeIn } from './place';

const DEFAULT_SEARCH: SearchAsk = { query: '', limit: 8, all: false };

/** So many tools of each list are sent. */
const MOST = 60;

/** Found tools come with their texts, so there are fewer of them beyond the limit. */
const MOST_HITS = 16;

/** What tool search finds for a query, and why. */
export function searchPage(context: PageContext): SearchPage | EmptyPage {
  const { params } = context;
  const ask = params.search ?? DEFAULT_SEARCH;
  const result = indexOf(context, ask.all).search(ask.query, ask.limit);
  if (result.searched === 0 && !ask.all) return nothingDeferred(context, result.notSearched.length);
  const blank = ask.query.trim() === '';
  const answer = searchAnswer(result);
  const icon = answer.level === 'ok' ? 'fine' : answer.level;
  const shown = Math.max(MOST_HITS, Math.min(ask.limit, MOST));
  const tied = result.hits.some((hit, i) => hit.score === result.hits[i + 1]?.score);
  return {
    name: 'search',
    ask,
    answer: blank
      ? {
          icon: 'info',
          title: say(
            result.searched === 1
              ? t('1 deferred tool is waiting for a query.')
              : t('{0} deferred tools are waiting for a query.', result.searched),
          ),
          detail: say(
            t('They are not sent at the start: the model finds them by a search. Type what it would look for.'),
          ),
        }
      : {
          icon,
          title: say(answer.headline),
          ...(answer.detail === undefined ? {} : { detail: say(answer.detail) }),
        },
    reading: blank || result.words.length === 0 ? '' : say(queryReading(result)),
    best: result.hits[0]?.score ?? 0,
    hits: result.hits.slice(0, shown).map((hit) => hitOf(hit, context)),
    moreHits: Math.max(0, result.hits.length - shown),
    misses: blank
      ? []
      : result.misses.slice(0, MOST).map((miss) => ({
          name: fullName(miss),
          place: placeOf(miss, context),
          why: say(miss.near?.message ?? t('No query word in its text.')),
        })),
    moreMisses: blank ? 0 : Math.max(0, result.misses.length - MOST),
    notSearched: result.notSearched.slice(0, MOST).map((each) => ({
      name: fullName(each),
      place: placeOf(each, context),
      why: say(each.message),
    })),
    note: tied ? say(t('Equal scores stand in the order of the file here; Codex has them in no fixed order.')) : '',
  };
}

/** Indexes of the newest states of files: a query is asked letter by letter. */
const indexes = new WeakMap<FileState, Map<boolean, ToolSearch>>();

function indexOf({ state, grammars }: PageContext, all: boolean): ToolSearch {
  const known = indexes.get(state) ?? new Map<boolean, ToolSearch>();
  indexes.set(state, known);
  let index = known.get(all);
  if (index === undefined) {
    const { mode: _mode, ...options } = wireOptions(state, 'deferred', grammars);
    index = createSearch([{ file: state.uri, set: state.result.set, options }], { all });
    known.set(all, index);
  }
  return index;
}

function nothingDeferred({ tool }: PageContext, others: number): EmptyPage {
  const title = others === 0 ? t('No tool is searched.') : t('No tool of this file is deferred.');
  const detail = t(
    'Tool search finds deferred tools only; all others stand in every request. Set `"x-toolspec": {"exposure": "deferred"}` in `{0}`, or search all tools as if they were deferred.',
    tool.name ?? '',
  );
  const link = { label: say(t('Search all tools')), action: { kind: 'search-all' } } as const;
  return { name: 'empty', empty: { title: say(title), detail: say(detail), link } };
}

function placeOf({ tool }: SearchTool, { state }: PageContext): PanelPlace {
  const property = tool.nameNode?.property;
  return placeIn(state.uri, state.lines, property === undefined ? nodeSpan(tool.node) : keySpan(property));
}

function hitOf(hit: SearchHit, context: PageContext): PanelSearchHit {
  return {
    name: fullName(hit),
    place: placeOf(hit, context),
    rank: hit.rank,
    score: hit.score,
    within: hit.within,
    words: hit.parts.map(({ token, documents, frequency, idf, weight, score }) => ({
      token,
      documents,
      frequency,
      idf,
      weight,
      score,
    })),
    text: marked(hit),
  };
}

/** The search text with the words that count marked. */
function marked({ text: { text }, matches }: SearchHit): PanelText[] {
  const parts: PanelText[] = [];
  let at = 0;
  for (const { span } of [...matches].sort((a, b) => a.span.start - b.span.start)) {
    if (span.start < at) continue;
    if (span.start > at) parts.push({ text: text.slice(at, span.start), marked: false });
    parts.push({ text: text.slice(span.start, span.end), marked: true });
    at = span.end;
  }
  if (at < text.length) parts.push({ text: text.slice(at), marked: false });
  return parts;
}
