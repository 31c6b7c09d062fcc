import { type BasicLexer, Lexed, LexerState } from '../lexer/basic';
import { DynamicRun, type EarleyResult } from '../lexer/dynamic';
import { LineStarts } from '../lexer/lineStarts';
import type { TerminalMatcher } from '../lexer/matcher';
import type { ParseChild, RuleBuilder } from '../tree';
import { type EarleyBudget, EarleyChart } from './earley';
import type { EarleyTable } from './earleyTable';
import { ForestTree } from './forestTree';
import type { ParseFailure, ParseOutcome, Waiting, WaitingPlace } from './outcome';
import { sortedNames } from './symbols';

export interface EarleyOptions {
  readonly table: EarleyTable;
  readonly explicit: boolean;
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
): ParseOutcome {
  const { table } = options;
  const state = new LexerState(text);
  const tokens: { type: number; start: number; end: number }[] = [];
  let lexed = lexer.next(state);
  for (; lexed === Lexed.Token; lexed = lexer.next(state)) {
    tokens.push({ type: state.type, start: state.start, end: state.offset });
  }
  const chart = new EarleyChart(table, tokens.length, options.budget);
  chart.open(0);
  chart.settle();
  for (let column = 0; column < tokens.length; column++) {
    const { type, start, end } = tokens[column]!;
    const waiting = chart.scan.filter((item) => chart.expected(item) === type);
    if (waiting.length === 0) {
      const expected = names(table, chart.expectedTerminals());
      const token = { type: table.grammar.terminalNames[type]!, value: text.slice(start, end) };
      return refused('UnexpectedToken', start, state.lines, expected, token);
    }
    const token = chart.forest.addToken(type, start, end);
    chart.open(column + 1);
    for (const item of waiting) chart.arrive(item, token, false);
    chart.settle();
  }
  if (lexed === Lexed.Nothing) {
    return refused('UnexpectedCharacters', state.offset, state.lines, sortedNames(lexer.allowed()));
  }
  const root = chart.root();
  if (root < 0) return refused('UnexpectedEOF', undefined, state.lines, names(table, chart.expectedTerminals()));
  const tree = treeOf(options, { chart, root, stop: undefined }, text, false, builders);
  return { accepted: true, tree, lines: state.lines };
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
export function tokensNext(options: EarleyOptions, lexer: BasicLexer, text: string): Waiting {
  const { table } = options;
  const state = new LexerState(text);
  const places: WaitingPlace[] = [];
  const tokens: { type: number; start: number }[] = [];
  let lexed = lexer.next(state);
  for (; lexed === Lexed.Token; lexed = lexer.next(state)) tokens.push({ type: state.type, start: state.start });
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
