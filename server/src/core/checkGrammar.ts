import type { GrammarDocument } from './grammar/ast';
import type { Importer } from './grammar/load/definitions';
import type { GrammarMemory } from './grammar/memory';
import type { ProviderOpinion } from './grammar/providerOpinion';
import { DEFAULT_TARGETS, type Target } from './profiles/targets';
import { type GrammarInput, grammarRuleSteps, runGrammarRules } from './rules/grammar/context';
import { GRAMMAR_RULES } from './rules/grammar/rules';
import { compareFindings, type Finding, type RuleLevel } from './text/finding';

/** What decides which rules speak about a grammar, and how loudly. */
export interface GrammarCheckOptions {
  /** Default: `codex` and `openai`. Rules about grammars know `openai`, `llguidance` and `lark`. */
  readonly targets?: Iterable<Target>;
  /** Levels of single rules. */
  readonly levels?: ReadonlyMap<string, RuleLevel>;
  /** Gives the texts of imported files; Lark's own library needs none. */
  readonly importer?: Importer;
  /** The grammar stands in a JSON string. */
  readonly embedded?: boolean;
  /** Another grammar imports from this one. It needs no rule `start` then: nobody reads it alone. */
  readonly imported?: boolean;
  /** What the provider's engine says of the text, where the host has asked it (`askOpinion`). */
  readonly provider?: ProviderOpinion | undefined;
  /** Shared by checks one after the other, so that an edit costs what it touches. */
  readonly memory?: GrammarMemory | undefined;
}

/** Checks the text of a Lark grammar. Spans are UTF-16 offsets in it. Never throws. */
export function checkGrammar(text: string, options: GrammarCheckOptions = {}): Finding[] {
  return runGrammarRules(GRAMMAR_RULES, inputOf(text, options)).sort(compareFindings);
}

/**
 * As `checkGrammar`, a part at a time: each `next` goes on until something else may come in between, and the last one gives
 * the findings. `return` ends it early.
 * @param document the text, where it has been read already
 */
export function* checkGrammarSteps(
  text: string,
  options: GrammarCheckOptions = {},
  document?: GrammarDocument,
): Generator<void, Finding[], undefined> {
  const findings = yield* grammarRuleSteps(GRAMMAR_RULES, { ...inputOf(text, options), document });
  return findings.sort(compareFindings);
}

function inputOf(text: string, options: GrammarCheckOptions): GrammarInput {
  const { targets = DEFAULT_TARGETS, levels = new Map<string, RuleLevel>() } = options;
  const { importer, embedded, imported, provider, memory } = options;
  return { text, targets: new Set(targets), levels, importer, embedded, imported, provider, memory };
}
