import type { Span } from '../text/span';

/** Flags of a pattern that change what it matches: `i`, `m`, `s`, `u`, `x`, `l`. */
export type PatternFlag = 'i' | 'm' | 's' | 'u' | 'x' | 'l';

/** What a terminal matches: a fixed text or a regular expression in Python's `re` dialect. */
export interface TerminalPattern {
  readonly kind: 'string' | 'regexp';
  /** The decoded text, or the expression without slashes and flags. */
  readonly value: string;
  readonly flags: ReadonlySet<PatternFlag>;
  /** How the pattern was written, for messages; `undefined` for one put together out of several. */
  readonly raw: string | undefined;
}

/** A terminal as the lexers see it (Lark 1.3.1, `TerminalDef`). */
export interface CompiledTerminal {
  readonly name: string;
  readonly pattern: TerminalPattern;
  /** The whole expression for Python's `re`, flags as scoped groups included: what `pattern.to_regexp()` gives. */
  readonly regexp: string;
  /** Shortest and longest match in characters as Python's parser counts them; unbounded is `MAX_WIDTH`. */
  readonly minWidth: number;
  readonly maxWidth: number;
  readonly priority: number;
  /** `%declare`d: no pattern, never matched. */
  readonly declared: boolean;
  /** Where it is defined or first used; `undefined` for terminals of the built-in libraries. */
  readonly span: Span | undefined;
}

/** What Python 3.11 uses for an unbounded width. */
export const MAX_WIDTH = 4294967295;

/** An occurrence of a symbol in an expansion. */
export interface CompiledSymbol {
  readonly name: string;
  readonly terminal: boolean;
  /** The token leaves the tree. Always false for rules. */
  readonly filterOut: boolean;
}

/** One BNF alternative (Lark 1.3.1, `Rule`). */
export interface CompiledRule {
  /** Name of the rule; helper rules are called as in Lark (`__start_star_0`), template instances `name{args}`. */
  readonly origin: string;
  readonly expansion: readonly CompiledSymbol[];
  readonly alias: string | undefined;
  /** Position among the alternatives of its origin. */
  readonly order: number;
  readonly options: RuleOptions;
  /** Its alternative (of a helper rule: what is repeated), where it is written in the grammar's own text. */
  readonly span: Span | undefined;
}

/** How a rule shapes the tree (Lark 1.3.1, `RuleOptions`). */
export interface RuleOptions {
  /** `!`: no token is filtered. */
  readonly keepAllTokens: boolean;
  /** `?`: a single child takes the node's place. */
  readonly expand1: boolean;
  readonly priority: number | undefined;
  /** Name of the template that it is an instance of. */
  readonly templateSource: string | undefined;
  /** One entry per symbol of the expansion and per `[ ]` left empty between them: `true` for an empty one. */
  readonly emptyIndices: readonly boolean[];
}

/** A grammar after loading: what lexers and parsers are built of. */
export interface CompiledGrammar {
  readonly start: readonly string[];
  /** Those that are used, in Lark's order of definition. */
  readonly terminals: readonly CompiledTerminal[];
  readonly rules: readonly CompiledRule[];
  /** Names of terminals that may stand anywhere. */
  readonly ignore: readonly string[];
}
