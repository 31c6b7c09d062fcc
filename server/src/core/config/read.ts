import { isTarget, TARGETS, type Target } from '../profiles/targets';
import { LEVELS, type RuleLevel } from '../text/finding';
import type { JsonDocument, JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { type NamedHandler, readHandlers, readSources, type SourceSpec } from './handlers';

/** What a config file says. Whatever it leaves out, or says wrongly, is absent: the rules `config/*` speak of faults. */
export interface ToolSpecConfig {
  /** Patterns, as in `.gitignore`, of further files with tool definitions. */
  readonly include: readonly string[];
  /** Patterns, as in `.gitignore`, of files that are not checked unless they are named. */
  readonly exclude: readonly string[];
  /** Whom to check for; `undefined` for the default targets. */
  readonly targets: readonly Target[] | undefined;
  /** Level per rule id. */
  readonly rules: ReadonlyMap<string, RuleLevel>;
  /** Bytes up to which Codex shrinks nothing, instead of the profile's. */
  readonly budgetBytes: number | undefined;
  /** Id of the Codex profile. */
  readonly profile: string | undefined;
  /** What the model provider supports. */
  readonly provider: { readonly namespaces: boolean | undefined; readonly webSearch: boolean | undefined };
  /** Mode of web search. */
  readonly webSearch: string | undefined;
  /** What takes the calls of tools, in file order. Paths start in the config file's folder. */
  readonly handlers: readonly NamedHandler[];
  /** Where definition files come from that are not written by hand. Paths start in the config file's folder. */
  readonly sources: readonly SourceSpec[];
}

/** The config of a folder without a config file. */
export const EMPTY_CONFIG: ToolSpecConfig = {
  include: [],
  exclude: [],
  targets: undefined,
  rules: new Map(),
  budgetBytes: undefined,
  profile: undefined,
  provider: { namespaces: undefined, webSearch: undefined },
  webSearch: undefined,
  handlers: [],
  sources: [],
};

/** Reads a config file, comments and trailing commas tolerated. Never throws. */
export function readConfig(document: JsonDocument): ToolSpecConfig {
  const root = document.root;
  if (root?.kind !== 'object') return EMPTY_CONFIG;
  const targets = root.value('targets');
  const provider = root.value('provider');
  return {
    include: strings(root.value('include')),
    exclude: strings(root.value('exclude')),
    targets: targets?.kind === 'array' ? targetsOf(targets) : undefined,
    rules: levels(root.value('rules')),
    budgetBytes: wholeNumber(root.value('budgetBytes')),
    profile: root.value('profile')?.string,
    provider: {
      namespaces: provider?.value('namespaces')?.boolean,
      webSearch: provider?.value('webSearch')?.boolean,
    },
    webSearch: root.value('webSearch')?.string,
    handlers: readHandlers(root.value('handlers')),
    sources: readSources(root.value('sources')),
  };
}

function strings(node: JsonNode | undefined): string[] {
  return (node?.items ?? []).flatMap((item) => item.string ?? []);
}

/** `all` stands for every target. A list in which no word is a target counts as absent, so that a slip silences nothing. */
function targetsOf(node: JsonNode): readonly Target[] | undefined {
  const words = strings(node);
  if (words.includes('all')) return TARGETS;
  const targets = words.filter(isTarget);
  return targets.length === 0 && node.items.length > 0 ? undefined : targets;
}

function levels(node: JsonNode | undefined): ReadonlyMap<string, RuleLevel> {
  const result = new Map<string, RuleLevel>();
  if (node === undefined) return result;
  for (const { key, value } of effectiveProperties(node)) {
    const level = value?.string;
    if (level !== undefined && isRuleLevel(level)) result.set(key, level);
  }
  return result;
}

function isRuleLevel(word: string): word is RuleLevel {
  return word === 'off' || (LEVELS as readonly string[]).includes(word);
}

function wholeNumber(node: JsonNode | undefined): number | undefined {
  const value = node?.kind === 'number' ? Number(node.text) : Number.NaN;
  return Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
