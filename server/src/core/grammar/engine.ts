import { type Message, t } from '../text/message';
import type { CompiledGrammar, CompiledTerminal } from './compiled';
import { BasicLexer } from './lexer/basic';
import { ContextualLexer } from './lexer/contextual';
import { INDENTATIONS } from './lexer/indenter';
import { TerminalMatcher } from './lexer/matcher';
import { DEFAULT_BUDGET, type EarleyBudget } from './parser/earley';
import { dynamicNext, type EarleyOptions, parseDynamic, parseTokens, tokensNext } from './parser/earleyRun';
import { buildEarley } from './parser/earleyTable';
import { buildLalr } from './parser/lalr';
import { LalrRun, lalrNext } from './parser/lalrParser';
import type { LalrTable } from './parser/lalrTable';
import type { ParseFailure, ParseOutcome, Waiting } from './parser/outcome';
import {
  type NumberedGrammar,
  numberGrammar,
  type PriorityMode,
  sortedNames,
  undefinedNonterminal,
} from './parser/symbols';
import type { RegexProblem } from './regex/tree';
import { LarkFault, type ParseChild, type RuleBuilder, ruleBuilder, TooComplex, TreeWork, tree } from './tree';

/** Post-lexers by name. */
export type PostLexer = 'python';

export type ParserKind = 'earley' | 'lalr';
export type LexerKind = 'auto' | 'basic' | 'contextual' | 'dynamic' | 'dynamic_complete';

/** Set-up of a parser; names and defaults are those of Lark 1.3.1. */
export interface ParserOptions {
  readonly parser?: ParserKind;
  readonly lexer?: LexerKind;
  readonly ambiguity?: 'auto' | 'resolve' | 'explicit';
  readonly priority?: 'auto' | 'normal' | 'invert' | null;
  readonly maybePlaceholders?: boolean;
  /** LALR refuses what it would settle by a shift. */
  readonly strict?: boolean;
  readonly budget?: Partial<EarleyBudget>;
  /** What makes tokens out of indentation, by name: `python` as Lark's `PythonIndenter`. */
  readonly postlex?: PostLexer | undefined;
}

export type ParserProblemCode =
  | 'lalr.reduce-reduce'
  | 'lalr.shift-reduce-strict'
  | 'terminal.zero-width'
  | 'regex.invalid'
  | 'regex.unicode-category'
  | 'name.undefined'
  | 'options.invalid'
  | 'too-complex';

/** Why no parser can be made of a grammar. */
export interface ParserProblem {
  readonly code: ParserProblemCode;
  readonly message: Message;
  readonly terminal?: CompiledTerminal;
  readonly regex?: RegexProblem;
}

/** Why a text is refused. Offsets and columns are UTF-16 units; lines and columns count from 1. */
export interface ParseError {
  /** `too-complex` when a budget was used up; a Python exception's name for failures outside Lark's own errors. */
  readonly kind: ParseFailure['kind'] | 'too-complex' | (string & {});
  readonly pos: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** Names of terminals, sorted. */
  readonly expected: readonly string[];
  /** The token that does not fit. */
  readonly token?: { readonly type: string; readonly value: string };
  /** Terminals that the parser could really take here (LALR only). */
  readonly accepts?: readonly string[];
  readonly message?: string;
}

/** 1-based line, and the offset where it starts, of an offset. */
export type PlaceOf = (offset: number) => { readonly line: number; readonly lineStart: number };

export type ParseResult =
  | { readonly accepted: true; readonly tree: ParseChild; readonly place: PlaceOf }
  | { readonly accepted: false; readonly error: ParseError };

export interface ParseOptions {
  /** False to judge the text only. */
  readonly tree?: boolean;
}

/** Parses with these builders; without them the text is only judged. */
type Run = (text: string, builders: readonly RuleBuilder[] | undefined) => ParseOutcome;

/** A parser for one grammar and set-up. */
export class GrammarParser {
  readonly grammar: NumberedGrammar;
  readonly kind: ParserKind;
  readonly lexer: Exclude<LexerKind, 'auto'>;
  /** Tables of an LALR parser, with their conflicts. */
  readonly lalr: LalrTable | undefined;
  readonly matchers: readonly (TerminalMatcher | undefined)[];
  readonly #run: Run;
  readonly #builders: readonly RuleBuilder[];
  readonly #next: (text: string) => Waiting;

  constructor(parts: {
    grammar: NumberedGrammar;
    kind: ParserKind;
    lexer: Exclude<LexerKind, 'auto'>;
    lalr: LalrTable | undefined;
    matchers: readonly (TerminalMatcher | undefined)[];
    builders: readonly RuleBuilder[];
    run: Run;
    next: (text: string) => Waiting;
  }) {
    this.grammar = parts.grammar;
    this.kind = parts.kind;
    this.lexer = parts.lexer;
    this.lalr = parts.lalr;
    this.matchers = parts.matchers;
    this.#builders = parts.builders;
    this.#run = parts.run;
    this.#next = parts.next;
  }

  /** Parses a text; never throws. */
  parse(text: string, options: ParseOptions = {}): ParseResult {
    return this.#parse(text, (options.tree ?? true) ? this.#builders : undefined);
  }

  /** Numbers of the rules that the tree of a text is made by, or `undefined` for a text that is refused. */
  rulesUsed(text: string): ReadonlySet<number> | undefined {
    const used = new Set<number>();
    const builders = this.#builders.map((_, rule) => (): ParseChild => {
      used.add(rule);
      return tree('', []);
    });
    return this.#parse(text, builders).accepted ? used : undefined;
  }

  /**
   * Terminals that are waited for at the places from which on a beginning of a text could go on, or `undefined` when
   * that is too complex to find out.
   */
  waiting(text: string): Waiting | undefined {
    try {
      return this.#next(text);
    } catch (error) {
      if (error instanceof TooComplex || error instanceof LarkFault || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #parse(text: string, builders: readonly RuleBuilder[] | undefined): ParseResult {
    try {
      const outcome = this.#run(text, builders);
      if (!outcome.accepted) return { accepted: false, error: errorOf(outcome.failure) };
      return { accepted: true, tree: outcome.tree, place: (offset) => outcome.lines.place(offset) };
    } catch (error) {
      if (error instanceof TooComplex) return { accepted: false, error: faultOf('too-complex') };
      if (error instanceof LarkFault) return { accepted: false, error: faultOf(error.kind, error.message) };
      if (error instanceof RangeError) return { accepted: false, error: faultOf('too-complex') };
      throw error;
    }
  }
}

function errorOf(failure: ParseFailure): ParseError {
  const { kind, offset, lines, token, expected, accepts } = failure;
  const extra = { ...(token === undefined ? {} : { token }), ...(accepts === undefined ? {} : { accepts }) };
  if (offset === undefined) return { kind, pos: undefined, line: undefined, column: undefined, expected, ...extra };
  const { line, lineStart } = lines.place(offset);
  return { kind, pos: offset, line, column: offset - lineStart + 1, expected, ...extra };
}

function faultOf(kind: string, message?: string): ParseError {
  const places = { pos: undefined, line: undefined, column: undefined };
  return { kind, ...places, expected: [], ...(message === undefined ? {} : { message }) };
}

/**
 * Makes a parser as Lark 1.3.1 does, or says why it refuses the grammar. What depends on the set-up is found here:
 * terminals that can be empty or do not compile, and conflicts of LALR.
 */
export function createParser(
  compiled: CompiledGrammar,
  options: ParserOptions = {},
):
  | { readonly parser: GrammarParser; readonly problem?: undefined }
  | { readonly parser?: undefined; readonly problem: ParserProblem } {
  try {
    return make(compiled, options);
  } catch (error) {
    if (!(error instanceof TooComplex || error instanceof RangeError)) throw error;
    return { problem: { code: 'too-complex', message: t('The grammar is too complex for a parser of this kind.') } };
  }
}

/** Terminals that a post-lexer needs even where no rule uses them. */
export function terminalsToKeep({ postlex }: ParserOptions): readonly string[] {
  const language = postlex === undefined ? undefined : INDENTATIONS.get(postlex);
  return language === undefined ? [] : [language.newline];
}

/** The lexer that `auto` stands for, as in Lark. */
export function lexerOf({ parser, lexer = 'auto', postlex }: ParserOptions): Exclude<LexerKind, 'auto'> {
  if (lexer !== 'auto') return lexer;
  if (parser === 'lalr') return 'contextual';
  return postlex === undefined ? 'dynamic' : 'basic';
}

function make(
  compiled: CompiledGrammar,
  options: ParserOptions,
): { readonly parser: GrammarParser } | { readonly problem: ParserProblem } {
  const kind = options.parser ?? 'earley';
  const lexer = lexerOf(options);
  const language = options.postlex === undefined ? undefined : INDENTATIONS.get(options.postlex);
  if (language !== undefined && (lexer === 'dynamic' || lexer === 'dynamic_complete')) {
    const message = t('A post-lexer works with the lexers basic and contextual, not with {0}.', lexer);
    return { problem: { code: 'options.invalid', message } };
  }
  const fits = kind === 'lalr' ? lexer === 'basic' || lexer === 'contextual' : lexer !== 'contextual';
  if (!fits) {
    const message = t('The parser {0} does not work with the lexer {1}.', kind, lexer);
    return { problem: { code: 'options.invalid', message } };
  }
  const mode: PriorityMode = options.priority === null ? 'off' : options.priority === 'invert' ? 'invert' : 'normal';
  const grammar = numberGrammar(compiled, mode);
  const missing = undefinedNonterminal(grammar);
  if (missing !== undefined) {
    return { problem: { code: 'name.undefined', message: t('Rule {0} is used but not defined.', missing) } };
  }
  const dynamic = lexer === 'dynamic' || lexer === 'dynamic_complete';
  const explicit = kind === 'earley' && options.ambiguity === 'explicit' ? new TreeWork() : undefined;
  const shape = { maybePlaceholders: options.maybePlaceholders ?? true, explicit };
  const builders = compiled.rules.map((rule) => ruleBuilder(rule, shape));

  let lalr: LalrTable | undefined;
  if (kind === 'lalr') {
    lalr = buildLalr(grammar, [grammar.nonterminalIds.get(compiled.start[0]!)!]);
    const problem = conflictProblem(lalr, options.strict ?? false);
    if (problem !== undefined) return { problem };
  }
  // The contextual lexer looks at widths of terminals that some state takes; rules that only use each other have none.
  const taken =
    lexer === 'contextual' && lalr !== undefined ? new Set([...grammar.ignore, ...lalr.takenAnywhere()]) : undefined;
  const matchers = makeMatchers(grammar, compiled, dynamic, taken);
  if (!Array.isArray(matchers)) return { problem: matchers };
  const parts = { grammar, kind, lexer, lalr, matchers, builders };
  const present = matchers.filter((matcher) => matcher !== undefined);
  const ignore = new Set(grammar.ignore);
  if (lalr !== undefined) {
    const table = lalr;
    const always = language === undefined ? undefined : grammar.terminalIds.get(language.newline);
    const takenIn = (state: number): readonly number[] => table.taken(state);
    const scanner =
      lexer === 'basic' ? new BasicLexer(present, ignore) : new ContextualLexer(present, ignore, takenIn, always);
    return {
      parser: new GrammarParser({
        ...parts,
        run: (text, chosen) => new LalrRun(table, scanner, chosen, text, language).parse(),
        next: (text) => lalrNext(table, scanner, text, language),
      }),
    };
  }
  const start = grammar.nonterminalIds.get(compiled.start[0]!)!;
  const earley: EarleyOptions = {
    table: buildEarley(grammar, start),
    explicit,
    usePriorities: grammar.hasRulePriority || (dynamic && grammar.terminalPriority.some((value) => value !== 0)),
    budget: { ...DEFAULT_BUDGET, ...options.budget },
  };
  if (dynamic) {
    const complete = lexer === 'dynamic_complete';
    return {
      parser: new GrammarParser({
        ...parts,
        run: (text, chosen) => {
          explicit?.restart();
          return parseDynamic(earley, matchers, complete, text, chosen);
        },
        next: (text) => dynamicNext(earley, matchers, complete, text),
      }),
    };
  }
  const scanner = new BasicLexer(present, ignore);
  return {
    parser: new GrammarParser({
      ...parts,
      run: (text, chosen) => {
        explicit?.restart();
        return parseTokens(earley, scanner, text, chosen, language);
      },
      next: (text) => tokensNext(earley, scanner, text, language),
    }),
  };
}

function conflictProblem(table: LalrTable, strict: boolean): ParserProblem | undefined {
  const { grammar } = table;
  const unresolved = table.conflicts.filter((conflict) => conflict.resolved === undefined);
  const first = unresolved[0];
  if (first !== undefined) {
    const rules = sortedNames(first.rules.map((rule) => grammar.rules[rule]!.origin)).join(', ');
    const terminal = grammar.terminalNames[first.terminal]!;
    const message = t('On {0}, more than one rule could end: {1}.', terminal, rules);
    return { code: 'lalr.reduce-reduce', message };
  }
  const shift = strict ? table.conflicts.find((conflict) => conflict.kind === 'shift-reduce') : undefined;
  if (shift === undefined) return undefined;
  const rule = grammar.rules[shift.rules[0]!]!.origin;
  const message = t('On {0}, rule {1} could end or go on.', grammar.terminalNames[shift.terminal]!, rule);
  return { code: 'lalr.shift-reduce-strict', message };
}

/**
 * A matcher for each terminal, by number; or the first terminal that Lark's lexers refuse. With `taken` others may match
 * nothing.
 */
function makeMatchers(
  grammar: NumberedGrammar,
  compiled: CompiledGrammar,
  dynamic: boolean,
  taken: ReadonlySet<number> | undefined,
): (TerminalMatcher | undefined)[] | ParserProblem {
  const matchers: (TerminalMatcher | undefined)[] = grammar.terminalNames.map(() => undefined);
  for (const terminal of compiled.terminals) {
    if (terminal.declared) continue;
    const id = grammar.terminalIds.get(terminal.name)!;
    const matcher = TerminalMatcher.of({ ...terminal, priority: grammar.terminalPriority[id]! }, id);
    if (!(matcher instanceof TerminalMatcher)) {
      // Before it compiles anything, dynamic Earley asks for an optional package where it sees a category.
      const category = dynamic && /\\p\{[A-Za-z_]+\}/.test(terminal.regexp);
      const message = t('The expression of terminal {0} is not valid.', terminal.name);
      return { code: category ? 'regex.unicode-category' : 'regex.invalid', message, terminal, regex: matcher };
    }
    if (terminal.minWidth === 0 && taken?.has(id) !== false) {
      const message = t('Terminal {0} can match nothing; the lexer refuses it.', terminal.name);
      return { code: 'terminal.zero-width', message, terminal };
    }
    matchers[id] = matcher;
  }
  return matchers;
}
