import { type EarleyBudget, EarleyChart, type EarleyStop, SKIPPED } from '../parser/earley';
import type { EarleyTable } from '../parser/earleyTable';
import { IntList } from '../parser/store';
import { LarkFault, TooComplex } from '../tree';
import type { TerminalMatcher } from './matcher';

/** What a run over a text leaves: its chart, and the root of the forest or why there is none. */
export interface EarleyResult {
  readonly chart: EarleyChart;
  /** Node of the whole text, or -1. */
  readonly root: number;
  readonly stop: EarleyStop | undefined;
}

/**
 * Lark's dynamic lexer (1.3.1): no tokens up front; at each place every terminal that some item waits for is matched
 * once. Ignored text carries the waiting items forward. With `complete`, each shorter prefix of a match that also
 * matches counts too.
 */
export class DynamicRun {
  readonly #chart: EarleyChart;
  readonly #head: Int32Array;
  readonly #tail: Int32Array;
  readonly #item = new IntList();
  readonly #token = new IntList();
  readonly #next = new IntList();
  #pending = 0;
  readonly #matched: Int32Array;
  readonly #tokens: number[][];
  #prefixWork = 0;

  /** @param matchers by number of the terminal; those without are declared only */
  constructor(
    private readonly table: EarleyTable,
    private readonly matchers: readonly (TerminalMatcher | undefined)[],
    private readonly text: string,
    private readonly complete: boolean,
    private readonly budget: EarleyBudget,
  ) {
    this.#chart = new EarleyChart(table, text.length, budget);
    this.#head = new Int32Array(text.length + 1).fill(-1);
    this.#tail = new Int32Array(text.length + 1).fill(-1);
    this.#matched = new Int32Array(matchers.length).fill(-1);
    this.#tokens = matchers.map(() => []);
  }

  /** @param settled told of each column that something arrives in */
  run(settled?: (offset: number, chart: EarleyChart) => void): EarleyResult {
    const chart = this.#chart;
    const length = this.text.length;
    let column = 0;
    chart.open(0);
    chart.settle();
    settled?.(0, chart);
    while (column < length) {
      this.#scan(column);
      if (this.#pending === 0) return { chart, root: -1, stop: this.#stuck(column) };
      do column++;
      while (this.#head[column]! < 0);
      chart.open(column);
      for (let entry = this.#head[column]!; entry >= 0; entry = this.#next.data[entry]!) {
        chart.arrive(this.#item.data[entry]!, this.#token.data[entry]!, this.complete);
        this.#pending--;
      }
      chart.settle();
      settled?.(column, chart);
    }
    const root = chart.root();
    return { chart, root, stop: root >= 0 ? undefined : { kind: 'end', expected: chart.expectedTerminals() } };
  }

  #park(end: number, item: number, token: number): void {
    this.#item.push(item);
    this.#token.push(token);
    const entry = this.#next.push(-1);
    const tail = this.#tail[end]!;
    if (tail < 0) this.#head[end] = entry;
    else this.#next.data[tail] = entry;
    this.#tail[end] = entry;
    this.#pending++;
    if (entry > this.budget.items) throw new TooComplex();
  }

  #scan(column: number): void {
    const chart = this.#chart;
    const ends = chart.forest.tokenEnd;
    for (const item of chart.scan) {
      for (const token of this.#match(chart.expected(item), column)) this.#park(ends.data[token]!, item, token);
    }
    for (const terminal of this.table.grammar.ignore) {
      const end = this.#matcher(terminal).match(this.text, column);
      if (end < 0) continue;
      for (const item of chart.scan) this.#park(end, item, SKIPPED);
      for (const item of chart.completedStarts()) this.#park(end, item, SKIPPED);
    }
  }

  #matcher(terminal: number): TerminalMatcher {
    const matcher = this.matchers[terminal];
    if (matcher === undefined) throw new LarkFault('KeyError', `'${this.table.grammar.terminalNames[terminal]}'`);
    return matcher;
  }

  /** Tokens of a terminal at a place, found once. */
  #match(terminal: number, column: number): readonly number[] {
    const known = this.#tokens[terminal]!;
    if (this.#matched[terminal] === column) return known;
    this.#matched[terminal] = column;
    known.length = 0;
    const matcher = this.#matcher(terminal);
    const end = matcher.match(this.text, column);
    if (end < 0) return known;
    const { forest } = this.#chart;
    known.push(forest.addToken(terminal, column, end));
    if (!this.complete) return known;
    for (let cut = this.#before(end); cut > column; cut = this.#before(cut)) {
      this.#prefixWork += cut - column;
      if (this.#prefixWork > this.budget.steps * 10) throw new TooComplex();
      // The prefix is matched on its own: what follows is out of sight for look-ahead and anchors.
      const shorter = matcher.match(this.text.slice(column, cut), 0);
      if (shorter < 0) continue;
      const at = column + shorter;
      const same = known.find((token) => forest.tokenEnd.data[token] === at);
      if (same === undefined) known.push(forest.addToken(terminal, column, at));
    }
    return known;
  }

  /** Offset of the character in front of an offset. */
  #before(offset: number): number {
    const pair =
      offset > 1 &&
      (this.text.charCodeAt(offset - 1) & 0xfc00) === 0xdc00 &&
      (this.text.charCodeAt(offset - 2) & 0xfc00) === 0xd800;
    return offset - (pair ? 2 : 1);
  }

  #after(offset: number): number {
    return offset + ((this.text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1);
  }

  /**
   * Where Lark notices that nothing goes on: not before the end of any ignored text that has begun on the way, even
   * where nothing waits for that end.
   */
  #stuck(column: number): EarleyStop {
    const expected = this.#chart.expectedTerminals();
    const ignore = this.table.grammar.ignore.map((terminal) => this.#matcher(terminal));
    if (ignore.length === 0) return { kind: 'stuck', at: column, expected };
    let latest = 0;
    const look = (offset: number): void => {
      for (const matcher of ignore) latest = Math.max(latest, matcher.match(this.text, offset));
    };
    for (let at = 0; at <= column; at = this.#after(at)) look(at);
    let at = column;
    while (latest > this.#after(at)) {
      at = this.#after(at);
      look(at);
    }
    if (at === column) return { kind: 'stuck', at, expected };
    return { kind: 'stuck', at, expected: [] };
  }
}
