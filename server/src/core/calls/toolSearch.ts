import type { CodexProfile } from '../profiles/codex';
import { CODEX_SEARCH } from '../profiles/search';
import { searchAnswer } from '../search/answer';
import { foundTools } from '../search/output';
import { createSearch, fullName, type SearchResult, type SearchSource, type ToolSearch } from '../search/search';
import { parseJson } from '../text/json';
import { type Message, sentences, t } from '../text/message';
import { list } from '../text/words';
import type { ToolDefinition } from '../tools/model';
import { readTools } from '../tools/read';
import type { WireProvider } from '../wire/options';
import type { Definitions } from './definitions';
import type { HandlerOutcome } from './handler';
import type { SearchQuery } from './route';
import type { SampleWorkspace } from './workspace';

/** What a search needs of the calls around it. */
export interface SearchContext {
  readonly definitions: Definitions;
  readonly workspace: SampleWorkspace;
  readonly profile: CodexProfile;
  /** What the model's provider supports: without namespaces there is no tool search. */
  readonly modelProvider: WireProvider | undefined;
}

/** What tool search says to a call. */
export interface SearchedTools {
  /** The value is the list of tools; `undefined` where nothing is deferred, so that there is no tool search at all. */
  readonly outcome: Extract<HandlerOutcome, { verdict: 'accepted' | 'rejected' }> | undefined;
  /** The list of tools that goes back, as compact JSON. A search that fails gives an empty one: the message is lost. */
  readonly tools: string;
  readonly message: Message;
}

const NO_TOOLS = '[]';

/** Tools named in a message. */
const MOST_NAMED = 8;

/**
 * Answers a call of tool search as Codex does: by a search among the deferred tools of the definition files (Codex
 * 0.171.0, observed; ranking of the public source of 0.148.0). Never rejects.
 */
export async function searchTools({ query, limit }: SearchQuery, context: SearchContext): Promise<SearchedTools> {
  const search = await searchOf(context);
  const result = search.search(query, limit === undefined ? undefined : Number(limit));
  const { headline, detail } = searchAnswer(result);
  const message = sentences(headline, givenBack(result), detail);
  if (search.size === 0) return { outcome: undefined, tools: NO_TOOLS, message };
  if (result.error !== undefined) {
    return { outcome: { verdict: 'rejected', feedback: result.error, notes: [] }, tools: NO_TOOLS, message };
  }
  const tools = foundTools(search, result);
  return { outcome: { verdict: 'accepted', value: tools, notes: [] }, tools, message };
}

function givenBack({ hits }: SearchResult): Message | undefined {
  const names = hits.filter(({ within }) => within).map(fullName);
  if (names.length === 0) return undefined;
  const more = names.length - MOST_NAMED;
  if (more <= 0) return t('It gives back {0}.', list(names));
  return t('It gives back {0} and {1} more.', names.slice(0, MOST_NAMED).join(', '), more);
}

/** One index for all calls of a run. */
const indexes = new WeakMap<Definitions, Promise<ToolSearch>>();

function searchOf(context: SearchContext): Promise<ToolSearch> {
  let index = indexes.get(context.definitions);
  if (index === undefined) {
    index = indexOf(context);
    indexes.set(context.definitions, index);
  }
  return index;
}

async function indexOf({ definitions, workspace, profile, modelProvider }: SearchContext): Promise<ToolSearch> {
  const sources = await Promise.all(
    definitions.loaded.map(async ({ uri, set }): Promise<SearchSource> => {
      const grammars = new Map<string, string>();
      for (const { format } of set.tools) {
        if (format?.file === undefined || grammars.has(format.file)) continue;
        const read = await workspace.read(format.file, uri);
        if (!('failure' in read)) grammars.set(format.file, read.text);
      }
      return {
        file: uri,
        set,
        options: { profile, provider: modelProvider, grammar: (path) => grammars.get(path) },
      };
    }),
  );
  return createSearch(sources);
}

let ownDefinition: ToolDefinition | undefined;

/** Tool search as Codex defines it: what holds for calls where no definition file has it. */
export function searchDefinition(): ToolDefinition {
  ownDefinition ??= readTools(parseJson(CODEX_SEARCH.definition), { baseName: 'tool_search.tool.json' }).tools[0]!;
  return ownDefinition;
}
