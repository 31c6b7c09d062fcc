import { type BasicLexer, Lexed, LexerState } from '../lexer/basic';
import { DynamicRun, type EarleyResult } from '../lexer/dynamic';
import { type Indentation, type IndentedToken, Indenter } from '../lexer/indenter';
import { LineStarts } from '../lexer/lineStarts';
import type { TerminalMatcher } from '../lexer/matcher';
import { LarkFault, type ParseChild, type RuleBuilder, type TreeWork } from '../tree';
import { type EarleyBudget, EarleyChart } from './earley';
import type { EarleyTable } from './earleyTable';
import { ForestTree } from './forestTree';
import type { ParseFailure, ParseOutcome, Waiting, WaitingPlace } from './outcome';
import { sortedNames } from './symbols';

export interface EarleyOptions {
  readonly table: EarleyTable;
  /** Keep all readings, and count here what goes into them. */
  readonly explicit: TreeWork | undefined;
  /** Some rule, or with a dynamic lexer some terminal, has a priority. */
  readonly usePriorities: boolean;
  readonly budget: EarleyBudget;
}

/** Parses with the dynamic lexer. Without builders the text is only judged. */
export function parseDynamic(
  options: EarleyOptions,
  matchers: readonly (TerminalMatcher | undefined)[],
  complete: boolean,
  text: string,
  builders: readonly RuleBuilder[] | undefined,
): ParseOutcome {
  const result = new DynamicRun(options.table, matchers, text, complete, options.budget).run();
  const lines = LineStarts.of(text);
  const stop = result.stop;
  if (stop === undefined) {
    return { accepted: true, tree: treeOf(options, result, text, true, builders), lines };
  }
  const expected = names(options.table, stop.expected);
  if (stop.kind === 'end') return refused('UnexpectedEOF', undefined, lines, expected);
  return refused('UnexpectedCharacters', stop.at, lines, expected);
}

/** Parses tokens of the basic lexer, which are read as they are needed. */
export function parseTokens(
  options: EarleyOptions,
  lexer: BasicLexer,
  text: string,
  builders: readonly RuleBuilder[] | undefined,
  language?: Indentation,
): ParseOutcome {
  const { table } = options;
  const state = new LexerState(text);
  const { tokens, lexed, fault } = tokensOf(table, lexer, state, language, true);
  const chart = new EarleyChart(table, tokens.length, options.budget);
  chart.open(0);
  chart.settle();
  for (let column = 0; column < tokens.length; column++) {
    const { type, start, end, made } = tokens[column]!;
    const waiting = chart.scan.filter((item) => chart.expected(item) === type);
    if (waiting.length === 0) {
      const expected = names(table, chart.expectedTerminals());
      const token = {
        type: made?.name ?? table.grammar.terminalNames[type]!,
        value: made?.value ?? text.slice(start, end),
      };
      return refused('UnexpectedToken', start, state.lines, expected, token);
    }
    const token = chart.forest.addToken(type, start, end);
    if (made !== undefined) chart.forest.tokenText.set(token, made.value);
    chart.open(column + 1);
    for (const item of waiting) chart.arrive(item, token, false);
    chart.settle();
  }
  if (fault !== undefined) throw fault;
  if (lexed === Lexed.Nothing) {
    return refused('UnexpectedCharacters', state.offset, state.lines, sortedNames(lexer.allowed()));
  }
  const root = chart.root();
  if (root < 0) return refused('UnexpectedEOF', undefined, state.lines, names(table, chart.expectedTerminals()));
  const tree = treeOf(options, { chart, root, stop: undefined }, text, false, builders);
  return { accepted: true, tree, lines: state.lines };
}

interface Tokens {
  readonly tokens: readonly {
    readonly type: number;
    readonly start: number;
    readonly end: number;
    /** Of a token that the post-lexer has made. */
    readonly made?: IndentedToken;
  }[];
  /** Why there are no more. */
  readonly lexed: Lexed;
  /** What the post-lexer found wrong behind them. */
  readonly fault: LarkFault | undefined;
}

/** All tokens of a text, up to the first problem. `whole` says that the end of the text ends all blocks. */
function tokensOf(
  { grammar }: EarleyTable,
  lexer: BasicLexer,
  state: LexerState,
  language: Indentation | undefined,
  whole: boolean,
): Tokens {
  const tokens: { type: number; start: number; end: number; made?: IndentedToken }[] = [];
  const indenter = language === undefined ? undefined : new Indenter(language, grammar);
  const add = (made: IndentedToken): void => {
    tokens.push({ type: made.type, start: made.start, end: made.end, made });
  };
  let lexed = lexer.next(state);
  try {
    for (; lexed === Lexed.Token; lexed = lexer.next(state)) {
      const { type, start, offset: end } = state;
      if (indenter === undefined) tokens.push({ type, start, end });
      else {
        const value = state.text.slice(start, end);
        for (const made of indenter.of({ type, name: grammar.terminalNames[type]!, value, start, end })) add(made);
      }
    }
    if (whole && lexed === Lexed.End && indenter !== undefined) for (const made of indenter.finish()) add(made);
  } catch (error) {
    if (!(error instanceof LarkFault) || indenter === undefined) throw error;
    return { tokens, lexed, fault: error };
  }
  return { tokens, lexed, fault: undefined };
}

/** Places from which on a token may reach over the end of a text that the dynamic lexer reads. */
export function dynamicNext(
  options: EarleyOptions,
  matchers: readonly (TerminalMatcher | undefined)[],
  complete: boolean,
  text: string,
): Waiting {
  const places: WaitingPlace[] = [];
  const run = new DynamicRun(options.table, matchers, text, complete, options.budget);
  const result = run.run((offset, chart) => {
    places.push({ offset, terminals: chart.expectedTerminals() });
  });
  return { complete: result.root >= 0, places };
}

/** How many tokens back a token may begin that reaches over the end of the text. */
const TOKENS_BACK = 4;

/** The same for tokens of the basic lexer: the last few may become longer, or be one. */
export function tokensNext(options: EarleyOptions, lexer: BasicLexer, text: string, language?: Indentation): Waiting {
  const { table } = options;
  const state = new LexerState(text);
  const places: WaitingPlace[] = [];
  const { tokens, lexed, fault } = tokensOf(table, lexer, state, language, false);
  const chart = new EarleyChart(table, tokens.length, options.budget);
  chart.open(0);
  chart.settle();
  for (let column = 0; column < tokens.length; column++) {
    const { type, start } = tokens[column]!;
    if (tokens.length - column <= TOKENS_BACK) places.push({ offset: start, terminals: chart.expectedTerminals() });
    const waiting = chart.scan.filter((item) => chart.expected(item) === type);
    if (waiting.length === 0) return { complete: false, places };
    const token = chart.forest.addToken(type, start, start);
    chart.open(column + 1);
    for (const item of waiting) chart.arrive(item, token, false);
    chart.settle();
  }
  places.push({ offset: state.offset, terminals: chart.expectedTerminals() });
  if (language !== undefined) {
    const complete = fault === undefined && parseTokens(options, lexer, text, undefined, language).accepted;
    return { complete, places };
  }
  return { complete: lexed === Lexed.End && chart.root() >= 0, places };
}

function names(table: EarleyTable, terminals: readonly number[]): string[] {
  return sortedNames(terminals.map((terminal) => table.grammar.terminalNames[terminal]!));
}

function treeOf(
  options: EarleyOptions,
  result: EarleyResult,
  text: string,
  dynamic: boolean,
  builders: readonly RuleBuilder[] | undefined,
): ParseChild {
  if (builders === undefined) return null;
  return new ForestTree({
    table: options.table,
    forest: result.chart.forest,
    text,
    builders,
    explicit: options.explicit,
    // With the basic lexer priorities of terminals are used up in the lexer.
    terminalPriority: dynamic ? options.table.grammar.terminalPriority : undefined,
    usePriorities: options.usePriorities,
    steps: options.budget.steps,
  }).build(result.root);
}

function refused(
  kind: ParseFailure['kind'],
  offset: number | undefined,
  lines: LineStarts,
  expected: readonly string[],
  token?: { type: string; value: string },
): ParseOutcome {
  return { accepted: false, failure: { kind, offset, lines, token, expected, accepts: undefined } };
}
