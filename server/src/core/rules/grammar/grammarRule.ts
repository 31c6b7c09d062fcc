import type { GrammarDocument } from '../../grammar/ast';
import type { EngineVerdict } from '../../grammar/dialect/engineCheck';
import type { LoadResult } from '../../grammar/load/load';
import type { GrammarMemory } from '../../grammar/memory';
import type { ProviderOpinion } from '../../grammar/providerOpinion';
import type { Target } from '../../profiles/targets';
import type { Fix, Level, RelatedPlace } from '../../text/finding';
import type { Message } from '../../text/message';
import type { Span } from '../../text/span';
import type { Rule } from '../rule';

/** Levels of a report by target. */
export type TargetLevels = Readonly<Partial<Record<Target, Level>>>;

/** What a rule says of one place of a grammar. Spans are UTF-16 offsets in the grammar's text. */
export interface GrammarReport {
  readonly span: Span;
  readonly message: Message;
  readonly related?: readonly RelatedPlace[];
  readonly fixes?: readonly Fix[];
  readonly unnecessary?: boolean;
  /** Instead of the rule's own levels. It is dropped when none of these targets is on. */
  readonly levels?: TargetLevels;
}

/** What a check of a grammar may ask. Everything is made on first use. */
export interface GrammarContext {
  readonly text: string;
  readonly document: GrammarDocument;
  readonly embedded: boolean;
  /** Others import from the grammar, which has no rule `start` and needs none. */
  readonly library: boolean;
  /** What can be taken over from earlier checks. */
  readonly memory: GrammarMemory;
  /** What llguidance says. */
  readonly engine: EngineVerdict;
  /** What reference Lark says, with its default parser and lexer. */
  readonly loaded: LoadResult;
  /** What the engine itself says, where the host has asked it. */
  readonly provider: ProviderOpinion | undefined;
  /** Whether a rule has said why the engine refuses the grammar. */
  readonly explained: boolean;
  /** Whether a rule has said that the engine loads the grammar and nothing can be generated. */
  readonly useless: boolean;
  on(target: Target): boolean;
  report(report: GrammarReport): void;
  /** Makes something once per grammar. The key is the function itself, so pass one of the top of a module. */
  memo<T>(make: (context: GrammarContext) => T): T;
  slice(span: Span): string;
}

/** A rule about grammars. Its levels are those of the targets `llguidance`, `openai` and `lark`. */
export interface GrammarRule extends Rule {
  readonly section: 'grammar';
  check(context: GrammarContext): void;
}

/** Whether a rule is one about grammars. */
export function isGrammarRule(rule: Rule): rule is GrammarRule {
  return rule.section === 'grammar' && 'check' in rule;
}

/** What the provider's engine and so the provider refuses. */
export const ENGINE_ERROR: TargetLevels = { llguidance: 'error', openai: 'error' };

/** The level for the provider's engine and for the provider. */
export function forEngine(level: Level): TargetLevels {
  return { llguidance: level, openai: level };
}

/** The level for every reader of grammars. */
export function forAll(level: Level): TargetLevels {
  return { llguidance: level, openai: level, lark: level };
}
