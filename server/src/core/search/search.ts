import { DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import { CODEX_SEARCH, type SearchProfile } from '../profiles/search';
import { type Message, t } from '../text/message';
import type { Span } from '../text/span';
import type { ToolDefinition, ToolSet } from '../tools/model';
import { codexRoute } from '../tools/model';
import type { SessionNames } from '../wire/mcpNames';
import type { WireNote, WireOptions } from '../wire/options';
import { type PlannedTool, planForCodex, sessionOf } from '../wire/plan';
import { rustTrim } from '../wire/rustText';
import { DEFAULT_NAMESPACE } from '../wire/spec';
import { Bm25, type ScorePart } from './bm25';
import { type NearMiss, nearMiss } from './near';
import { type SearchPart, type SearchText, searchText } from './text';
import { type Word, wordsOf } from './words';

/** A file whose tools are searched. */
export interface SearchSource {
  /** As it is shown. */
  readonly file: string;
  readonly set: ToolSet;
  readonly options: Omit<WireOptions, 'mode'>;
}

/** A tool by the names under which the model meets it. */
export interface SearchTool {
  readonly source: SearchSource;
  readonly tool: ToolDefinition;
  readonly name: string;
  readonly namespace: string | undefined;
}

/** `namespace.name`, or the name alone where there is no namespace. */
export function fullName({ namespace, name }: Pick<SearchTool, 'namespace' | 'name'>): string {
  return namespace === undefined ? name : `${namespace}.${name}`;
}

/**
 * Why a tool is not among the searched ones.
 *
 * - `direct`: it stands in every request; `hidden`: no request has it
 * - `kind`: a tool of its kind cannot be deferred
 * - `provider`: the provider has no namespaces, without which there is no tool search
 * - `refused`: Codex does not take it
 */
export interface NotSearched extends SearchTool {
  readonly reason: 'direct' | 'hidden' | 'kind' | 'provider' | 'refused';
  readonly message: Message;
}

/** A word of the query. */
export interface QueryWord {
  readonly text: string;
  /** What is looked up; `undefined` for a stop word. */
  readonly token: string | undefined;
  /** Its place in the query. */
  readonly span: Span;
  /** Searched tools that have it. */
  readonly tools: number;
}

/** A word of a tool that a word of the query met. */
export interface WordMatch {
  readonly token: string;
  /** As the tool has it, in ASCII and lower case. */
  readonly word: string;
  readonly part: SearchPart;
  /** Its place in the search text. */
  readonly span: Span;
  /** Its place in the definition file; `undefined` where it is not written there. */
  readonly source: Span | undefined;
}

/** A tool that has a word of the query. Its `matches` are looked for when they are asked for. */
export interface SearchHit extends SearchTool {
  /** From 1. */
  readonly rank: number;
  readonly score: number;
  /** Whether the limit lets it through. */
  readonly within: boolean;
  readonly parts: readonly ScorePart[];
  readonly matches: readonly WordMatch[];
  readonly text: SearchText;
  /** Words of its search text that count. */
  readonly length: number;
}

/** A searched tool without a word of the query. What comes `near` is looked for when it is asked for. */
export interface SearchMiss extends SearchTool {
  readonly text: SearchText;
  readonly near: NearMiss | undefined;
}

/** What tool search gives for a query, and why. */
export interface SearchResult {
  readonly query: string;
  readonly limit: number;
  /** The answer of the tool to arguments that it does not take, in its own words; nothing is found then. */
  readonly error: string | undefined;
  readonly words: readonly QueryWord[];
  /** Number of searched tools, and the mean number of words of their texts. */
  readonly searched: number;
  readonly averageLength: number;
  /** The best first; equal scores in the order of registration. */
  readonly hits: readonly SearchHit[];
  readonly misses: readonly SearchMiss[];
  readonly notSearched: readonly NotSearched[];
}

/** Options of `createSearch`. */
export interface SearchOptions {
  /** Searches every tool that could be deferred, as if all were. */
  readonly all?: boolean | undefined;
  readonly profile?: SearchProfile | undefined;
}

interface Entry extends SearchTool {
  readonly planned: PlannedTool;
  readonly text: SearchText;
  readonly words: readonly Word[];
}

/** Order of registration: own tools, those of MCP servers, dynamic ones (public source of Codex 0.148.0). */
const ROUTE_ORDER = { own: 0, mcp: 1, dynamic: 2 } as const;

/** Tool search over the deferred tools of files, as Codex does it (public source of 0.148.0). */
export function createSearch(sources: readonly SearchSource[], options: SearchOptions = {}): ToolSearch {
  return new ToolSearch(sources, options);
}

/** An index of the deferred tools of files. */
export class ToolSearch {
  readonly notSearched: readonly NotSearched[];
  readonly #entries: readonly Entry[];
  readonly #index: Bm25;
  readonly #profile: SearchProfile;

  constructor(sources: readonly SearchSource[], options: SearchOptions) {
    this.#profile = options.profile ?? CODEX_SEARCH;
    const entries: Entry[] = [];
    const notSearched: NotSearched[] = [];
    // Codex tells the names of MCP tools apart over all servers of the session, whatever files they stand in.
    const session =
      sources.length < 2
        ? undefined
        : sessionOf(
            sources.map((source) => ({ set: source.set, server: source.options.server })),
            sources[0]!.options.profile ?? DEFAULT_CODEX_PROFILE,
          );
    for (const source of sources) this.#collect(source, session, options.all === true, entries, notSearched);
    entries.sort((a, b) => ROUTE_ORDER[codexRoute(a.tool.shape)] - ROUTE_ORDER[codexRoute(b.tool.shape)]);
    const registered = firstOfEachName(entries, notSearched);
    this.#entries = registered;
    this.notSearched = notSearched;
    this.#index = new Bm25(
      registered.map(({ words }) => tokensOf(words)),
      this.#profile,
    );
  }

  /** Number of searched tools. */
  get size(): number {
    return this.#entries.length;
  }

  /**
   * The ranking for a query.
   *
   * @param limit tools that are given back, at least 1; default: that of tool search
   */
  search(query: string, limit: number = this.#profile.limit): SearchResult {
    const words = wordsOf(query, this.#profile);
    const error = argumentError(query, limit);
    const ranked = error === undefined ? this.#index.rank(tokensOf(words)) : [];
    const hits = ranked.map((each, i): SearchHit => {
      const entry = this.#entries[each.index]!;
      const { score, parts } = each;
      const length = this.#index.length(each.index);
      const matches = once(() => matchesOf(entry, new Set(parts.map(({ token }) => token))));
      return {
        ...toolOf(entry),
        rank: i + 1,
        score,
        within: i < limit,
        parts,
        get matches() {
          return matches();
        },
        text: entry.text,
        length,
      };
    });
    const found = new Set(ranked.map(({ index }) => index));
    const misses = this.#entries.flatMap((entry, index): SearchMiss[] => {
      if (found.has(index)) return [];
      const near = once(() => nearMiss(words, entry.words, entry.tool.node, this.#profile));
      return [
        {
          ...toolOf(entry),
          text: entry.text,
          get near() {
            return error === undefined ? near() : undefined;
          },
        },
      ];
    });
    return {
      query,
      limit,
      error,
      words: words.map(({ text, token, start, end }) => ({
        text,
        token,
        span: { start, end },
        tools: token === undefined ? 0 : this.#index.documentsWith(token),
      })),
      searched: this.size,
      averageLength: this.#index.average,
      hits,
      misses,
      notSearched: this.notSearched,
    };
  }

  /** The tools of a result as they were planned, in its order. */
  plannedOf(hits: readonly SearchHit[]): PlannedTool[] {
    const byTool = new Map(this.#entries.map((entry) => [entry.tool, entry.planned]));
    return hits.flatMap(({ tool }) => byTool.get(tool) ?? []);
  }

  #collect(
    source: SearchSource,
    session: SessionNames | undefined,
    all: boolean,
    entries: Entry[],
    notSearched: NotSearched[],
  ): void {
    const plan = planForCodex(source.set, { ...source.options, session, mode: 'deferred' });
    const planned = plan.tools.filter((each) => each.tool !== undefined);
    for (const each of planned) {
      const { tool, spec, namespace } = each;
      const name = 'name' in spec ? spec.name : (tool.name ?? spec.kind);
      const shown: SearchTool = { source, tool, name, namespace: namespace?.name };
      const reason = source.options.provider?.namespaces === false ? 'provider' : notDeferred(each, all);
      if (reason !== undefined) notSearched.push({ ...shown, reason, message: REASONS[reason] });
      else {
        const text = searchText(each, source.set.document.text);
        entries.push({ ...shown, planned: each, text, words: wordsOf(text.text, this.#profile) });
      }
    }
    const notes = new Map<ToolDefinition | undefined, WireNote>();
    for (const note of plan.notes) if (note.kind !== 'changed' && !notes.has(note.tool)) notes.set(note.tool, note);
    for (const tool of source.set.tools) {
      if (plan.byTool.has(tool)) continue;
      const message = (notes.get(tool) ?? plan.refusal)?.message ?? t('Codex does not take it.');
      const name = tool.name ?? '';
      notSearched.push({ source, tool, name, namespace: tool.namespace?.name, reason: 'refused', message });
    }
  }
}

/** Of tools with one name in one namespace, which may stand in different files, Codex registers the first. */
function firstOfEachName(entries: readonly Entry[], left: NotSearched[]): Entry[] {
  const names = new Set<string>();
  return entries.filter((entry) => {
    const key = `${entry.namespace === DEFAULT_NAMESPACE ? '' : (entry.namespace ?? '')}\0${entry.name}`;
    if (!names.has(key)) return names.add(key);
    const message = t('A tool of this name is registered already, so Codex leaves this one out.');
    left.push({ ...toolOf(entry), reason: 'refused', message });
    return false;
  });
}

/** A value that is made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Tokens of words that were found before: texts that have not changed have the same words. */
const tokens = new WeakMap<readonly Word[], readonly string[]>();

function tokensOf(words: readonly Word[]): readonly string[] {
  let found = tokens.get(words);
  if (found === undefined) {
    found = words.flatMap(({ token }) => token ?? []);
    tokens.set(words, found);
  }
  return found;
}

function toolOf({ source, tool, name, namespace }: Entry): SearchTool {
  return { source, tool, name, namespace };
}

const REASONS: Readonly<Record<Exclude<NotSearched['reason'], 'refused'>, Message>> = {
  direct: t('It is not deferred, so it stands in every request and no search gives it back.'),
  hidden: t('It is hidden, so no request and no search has it.'),
  kind: t('A tool of its kind cannot be deferred.'),
  provider: t('The provider has no namespaces, and without them there is no tool search.'),
};

/** Why a tool is not searched: tools are when they are marked, and those of MCP servers unless they are marked as direct. */
function notDeferred({ exposure, spec, tool }: PlannedTool, all: boolean): keyof typeof REASONS | undefined {
  if (exposure === 'hidden') return 'hidden';
  if (spec.kind !== 'function' && spec.kind !== 'custom') return 'kind';
  if (all) return undefined;
  const deferred = exposure === 'deferred' || (exposure === undefined && (spec.deferred || tool.shape === 'mcp'));
  return deferred ? undefined : 'direct';
}

/** What tool search answers to arguments that it does not take (public source of Codex 0.148.0). */
function argumentError(query: string, limit: number): string | undefined {
  if (rustTrim(query) === '') return 'query must not be empty';
  return limit < 1 ? 'limit must be greater than zero' : undefined;
}

function matchesOf({ text, words }: Entry, tokens: ReadonlySet<string>): WordMatch[] {
  const matches: WordMatch[] = [];
  let at = 0;
  for (const { text: word, token, start, end } of words) {
    while (at + 1 < text.pieces.length && text.pieces[at + 1]!.offset <= start) at++;
    if (token === undefined || !tokens.has(token)) continue;
    const piece = text.pieces[at]!;
    const inside = { start: start - piece.offset, end: Math.min(end - piece.offset, piece.text.length) };
    matches.push({ token, word, part: piece.part, span: { start, end }, source: piece.place(inside) });
  }
  return matches;
}
