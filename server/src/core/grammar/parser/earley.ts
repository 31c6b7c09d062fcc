import { LarkFault, TooComplex } from '../tree';
import type { EarleyTable } from './earleyTable';
import { Forest, NONE, tokenChild } from './forest';
import { IntList, PairTable } from './store';

/** Bounds of one parse; whoever goes over them gets `TooComplex`. */
export interface EarleyBudget {
  /** Items and derivations. */
  readonly items: number;
  /** Steps of work: completions, matches of terminals, visits of nodes. */
  readonly steps: number;
}

export const DEFAULT_BUDGET: EarleyBudget = { items: 4_000_000, steps: 40_000_000 };

/** What stops a parse. */
export type EarleyStop =
  /** Nothing goes on at this column. */
  | { readonly kind: 'stuck'; readonly at: number; readonly expected: readonly number[] }
  /** The text ends too early. */
  | { readonly kind: 'end'; readonly expected: readonly number[] };

/** Chains of completions below this height are walked step by step; writing them out later would cost more. */
const SHORT_CHAIN = 8;

/** In place of a token: the item has only skipped ignored text. */
export const SKIPPED = -1;

/**
 * An Earley parse with a shared forest, in the order of Lark 1.3.1 (which decides between equal readings): items of a
 * column are worked off last in, first out. Right-recursive completions that leave no choice are one step (Leo's
 * optimization), which makes right recursion linear; Lark's own parser does not do that.
 *
 * A column is an offset of the text with the dynamic lexer, and the number of a token otherwise. `arrive` hands over
 * items for a later column; `settle` works a column off and leaves the items that wait for a terminal in `scan`.
 */
export class EarleyChart {
  readonly forest: Forest;
  readonly itemPosition = new IntList();
  readonly #itemStart = new IntList();
  readonly #itemNode = new IntList();
  /** Next item of the same column that waits for the same nonterminal. */
  readonly #itemNext = new IntList();
  /** Items of the current column that wait for a terminal, in order. */
  scan: number[] = [];
  /** The other items of the current column. */
  column: number[] = [];
  steps = 0;

  readonly #table: EarleyTable;
  readonly #budget: EarleyBudget;
  /** First waiting item by column and nonterminal. */
  readonly #waiting = new PairTable(1024);
  readonly #waitingLast: Int32Array;
  readonly #waitingColumn: Int32Array;
  readonly #inColumn = new PairTable();
  readonly #inScan = new PairTable();
  readonly #nodes = new PairTable();
  /** Column in which a nonterminal was last opened. */
  readonly #predicted: Int32Array;
  /** Room for `#predict`: nonterminals that it goes through, and what it gives. */
  readonly #queue: number[] = [];
  readonly #opened: number[] = [];
  readonly #held: Int32Array;
  readonly #heldColumn: Int32Array;
  /** Column in which a node's completion was last worked off. */
  readonly #completed = new IntList();
  /** Step of a chain by column and nonterminal: -2 for none. */
  readonly #chains = new PairTable(1024);
  readonly #stepTop = new IntList();
  /** Steps from here to the top of the chain. */
  readonly #stepHeight = new IntList();
  readonly #stepItem = new IntList();
  /** Column and nonterminal whose completion takes a step. */
  readonly #stepColumn = new IntList();
  readonly #stepSymbol = new IntList();
  readonly #columnFirst: Int32Array;
  readonly #columnEnd: Int32Array;
  #now = 0;

  /** @param length number of the last column */
  constructor(table: EarleyTable, length: number, budget: EarleyBudget = DEFAULT_BUDGET) {
    this.#table = table;
    this.#budget = budget;
    const nonterminals = table.grammar.nonterminalNames.length;
    this.#waitingLast = new Int32Array(nonterminals);
    this.#waitingColumn = new Int32Array(nonterminals).fill(-1);
    this.#predicted = new Int32Array(nonterminals).fill(-1);
    this.#held = new Int32Array(nonterminals);
    this.#heldColumn = new Int32Array(nonterminals).fill(-1);
    this.#columnFirst = new Int32Array(length + 1);
    this.#columnEnd = new Int32Array(length + 1);
    const startLabel = table.positionCount + table.start;
    const ignores = table.grammar.ignore.length > 0;
    this.forest = new Forest(
      (end) => [this.#columnFirst[end]!, this.#columnEnd[end]!],
      (label) => ignores && label === startLabel,
    );
  }

  get itemCount(): number {
    return this.itemPosition.length;
  }

  /** Terminal that an item of `scan` waits for. */
  expected(item: number): number {
    return this.#table.expect[this.itemPosition.data[item]!]!;
  }

  /** Numbers of the terminals that `scan` waits for. */
  expectedTerminals(): number[] {
    return [...new Set(this.scan.map((item) => this.expected(item)))];
  }

  /** Begins a column, the first with the rules of the start symbol. */
  open(column: number): void {
    this.#now = column;
    this.scan = [];
    this.column = [];
    this.#inColumn.clear();
    this.#inScan.clear();
    this.#nodes.clear();
    this.#columnFirst[column] = this.forest.nodeCount;
    if (column === 0) {
      for (const position of this.#predict(this.#table.start)) this.#add(position, 0, NONE);
    }
  }

  /** An item that waited for `token` goes on in the current column; `SKIPPED` carries it over as it is. */
  arrive(item: number, token: number, check: boolean): void {
    const position = this.itemPosition.data[item]!;
    const start = this.#itemStart.data[item]!;
    if (token === SKIPPED) {
      const terminal = this.#table.expect[position]! >= 0;
      const fresh = (terminal ? this.#inScan : this.#inColumn).add(position, start);
      if (fresh) (terminal ? this.scan : this.column).push(item);
      return;
    }
    const node = this.#node(this.#table.label[position + 1]!, start);
    const rule = this.#table.rule[position]!;
    this.forest.addFamily(node, rule, this.#itemNode.data[item]!, tokenChild(token), check);
    this.#add(position + 1, start, node);
  }

  /** Predicts and completes until the current column has no more. */
  settle(): void {
    const stack = [...this.column];
    const { expect, grammar, label, rule } = this.#table;
    const terminals = grammar.terminalCount;
    const now = this.#now;
    const positions = this.itemPosition;
    for (const item of stack) this.#wait(item);
    for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
      this.#work();
      const position = positions.data[item]!;
      const symbol = expect[position]!;
      if (symbol < 0) {
        this.#complete(item, stack);
        continue;
      }
      const nonterminal = symbol - terminals;
      const start = this.#itemStart.data[item]!;
      let held = NONE;
      if (this.#heldColumn[nonterminal] === now) {
        held = this.#node(label[position + 1]!, start);
        const family = this.#held[nonterminal]!;
        this.forest.addFamily(held, rule[position]!, this.#itemNode.data[item]!, family, true);
      }
      for (const first of this.#predict(nonterminal)) this.#enter(first, now, NONE, stack);
      if (held !== NONE) this.#enter(position + 1, start, held, stack);
    }
    this.#columnEnd[now] = this.forest.nodeCount;
  }

  /** Items of the current column that complete the start symbol, wherever they began. */
  completedStarts(): number[] {
    const wanted = this.#table.positionCount + this.#table.start;
    return this.column.filter((item) => this.#table.label[this.itemPosition.data[item]!] === wanted);
  }

  /**
   * Node of the whole text when the current column completes it, else -1.
   * @throws LarkFault when Lark finds two of them
   */
  root(): number {
    const nodes = new Set<number>();
    for (const item of this.completedStarts()) {
      const node = this.#itemNode.data[item]!;
      if (this.#itemStart.data[item] === 0 && node !== NONE) nodes.add(node);
    }
    if (nodes.size > 1) {
      throw new LarkFault(
        'RuntimeError',
        'Earley should not generate multiple start symbol items! Please report this bug.',
      );
    }
    return nodes.size === 0 ? NONE : [...nodes][0]!;
  }

  /**
   * Positions that a nonterminal opens in the current column and that are not open there: the starts of its rules and
   * of the rules of all that they begin with, breadth first as in Lark. What is open has all open that it begins with,
   * so leaving it out changes no order, and a column opens each nonterminal once, however long chains of rules are.
   */
  #predict(nonterminal: number): readonly number[] {
    const opened = this.#opened;
    opened.length = 0;
    const now = this.#now;
    if (this.#predicted[nonterminal] === now) return opened;
    const { starts, firsts } = this.#table;
    const queue = this.#queue;
    queue.length = 0;
    this.#predicted[nonterminal] = now;
    queue.push(nonterminal);
    for (let i = 0; i < queue.length; i++) {
      const current = queue[i]!;
      for (const position of starts[current]!) opened.push(position);
      for (const next of firsts[current]!) {
        if (this.#predicted[next] === now) continue;
        this.#predicted[next] = now;
        queue.push(next);
      }
    }
    return opened;
  }

  #work(): void {
    if (++this.steps > this.#budget.steps) throw new TooComplex();
  }

  #node(label: number, start: number): number {
    let node = this.#nodes.get(label, start);
    if (node < 0) {
      node = this.forest.addNode(label, start, this.#now);
      this.#nodes.set(label, start, node);
    }
    return node;
  }

  #make(position: number, start: number, node: number): number {
    if (this.itemPosition.length + this.forest.familyCount > this.#budget.items) throw new TooComplex();
    this.#itemStart.push(start);
    this.#itemNode.push(node);
    this.#itemNext.push(-1);
    return this.itemPosition.push(position);
  }

  /** Adds an item to the current column or to those that wait for a terminal, unless it is there. */
  #add(position: number, start: number, node: number): number {
    const expect = this.#table.expect[position]!;
    if (expect >= 0 && expect < this.#table.grammar.terminalCount) {
      if (this.#inScan.add(position, start)) this.scan.push(this.#make(position, start, node));
      return -1;
    }
    if (!this.#inColumn.add(position, start)) return -1;
    const item = this.#make(position, start, node);
    this.column.push(item);
    return item;
  }

  #enter(position: number, start: number, node: number, stack: number[]): void {
    const item = this.#add(position, start, node);
    if (item < 0) return;
    stack.push(item);
    this.#wait(item);
  }

  /** Lists an item among those that wait for its nonterminal. */
  #wait(item: number): void {
    const symbol = this.#table.expect[this.itemPosition.data[item]!]!;
    if (symbol < 0) return;
    const nonterminal = symbol - this.#table.grammar.terminalCount;
    if (this.#waitingColumn[nonterminal] === this.#now) {
      this.#itemNext.data[this.#waitingLast[nonterminal]!] = item;
    } else {
      this.#waitingColumn[nonterminal] = this.#now;
      this.#waiting.set(this.#now, nonterminal, item);
    }
    this.#waitingLast[nonterminal] = item;
  }

  #complete(item: number, stack: number[]): void {
    const { label, rule, grammar, positionCount } = this.#table;
    const now = this.#now;
    const position = this.itemPosition.data[item]!;
    const start = this.#itemStart.data[item]!;
    const nonterminal = grammar.left[rule[position]!]!;
    let node = this.#itemNode.data[item]!;
    if (node === NONE) {
      node = this.#node(positionCount + nonterminal, start);
      this.#itemNode.data[item] = node;
      this.forest.addFamily(node, rule[position]!, NONE, NONE, true);
    }
    const empty = start === now;
    if (!empty) {
      // The column that it began in does not change any more, so a second time brings nothing new.
      while (this.#completed.length <= node) this.#completed.push(-1);
      if (this.#completed.data[node] === now) return;
      this.#completed.data[node] = now;
      const step = this.#chain(start, nonterminal);
      if (step >= 0 && this.#stepHeight.data[step]! >= SHORT_CHAIN) {
        this.#jump(step, node, stack);
        return;
      }
    } else {
      this.#heldColumn[nonterminal] = now;
      this.#held[nonterminal] = node;
    }
    const first = this.#waiting.get(start, nonterminal);
    if (first < 0) return;
    const last = empty ? this.#waitingLast[nonterminal]! : -1;
    for (let waiting = first; waiting >= 0; waiting = this.#itemNext.data[waiting]!) {
      this.#work();
      const from = this.itemPosition.data[waiting]!;
      const begin = this.#itemStart.data[waiting]!;
      const target = this.#node(label[from + 1]!, begin);
      this.forest.addFamily(target, rule[from]!, this.#itemNode.data[waiting]!, node, empty);
      this.#enter(from + 1, begin, target, stack);
      if (waiting === last) break;
    }
  }

  /** Goes from a completion straight to the top of its chain. */
  #jump(step: number, node: number, stack: number[]): void {
    const top = this.#stepTop.data[step]!;
    const item = this.#stepItem.data[top]!;
    const position = this.itemPosition.data[item]! + 1;
    const start = this.#itemStart.data[item]!;
    const target = this.#node(this.#table.label[position]!, start);
    this.forest.addPath(target, step, node);
    this.#enter(position, start, target, stack);
  }

  /**
   * The step that a completion of a nonterminal from an earlier column on must take: exactly one item waits for it,
   * and that item is complete then. -2 when there is a choice, when something follows, or when the steps turn in a
   * circle. The whole text's start symbol is never passed over.
   */
  #chain(start: number, nonterminal: number): number {
    const known = this.#chains.get(start, nonterminal);
    if (known !== -1) return known;
    const { expect, rule, label, positionCount } = this.#table;
    const path: number[] = [];
    let top = -2;
    let height = 0;
    let column = start;
    let symbol = nonterminal;
    for (;;) {
      const before = this.#chains.get(column, symbol);
      if (before === -3) {
        // A circle: none of its members is a chain.
        for (const step of path) this.#chains.set(this.#stepColumn.data[step]!, this.#stepSymbol.data[step]!, -2);
        return -2;
      }
      if (before !== -1) {
        if (before >= 0) {
          top = this.#stepTop.data[before]!;
          height = this.#stepHeight.data[before]! + 1;
          if (path.length > 0) this.forest.stepNext.data[path[path.length - 1]!] = before;
        }
        break;
      }
      const item = this.#waiting.get(column, symbol);
      const single = item >= 0 && this.#itemNext.data[item] === -1;
      const position = single ? this.itemPosition.data[item]! : -1;
      if (!single || expect[position + 1] !== -1 || (symbol === this.#table.start && column === 0)) {
        this.#chains.set(column, symbol, -2);
        break;
      }
      const owner = rule[position]!;
      const step = this.#stepItem.push(item);
      this.#stepColumn.push(column);
      this.#stepSymbol.push(symbol);
      this.#stepTop.push(-1);
      this.#stepHeight.push(0);
      this.forest.stepLeft.push(this.#itemNode.data[item]!);
      this.forest.stepRule.push(owner);
      this.forest.stepLabel.push(label[position + 1]!);
      this.forest.stepStart.push(this.#itemStart.data[item]!);
      this.forest.stepNext.push(-1);
      if (path.length > 0) this.forest.stepNext.data[path[path.length - 1]!] = step;
      path.push(step);
      this.#chains.set(column, symbol, -3);
      column = this.#itemStart.data[item]!;
      symbol = label[position + 1]! - positionCount;
    }
    for (let i = path.length - 1; i >= 0; i--) {
      const step = path[i]!;
      if (top < 0) top = step;
      this.#stepTop.data[step] = top;
      this.#stepHeight.data[step] = height++;
      this.#chains.set(this.#stepColumn.data[step]!, this.#stepSymbol.data[step]!, step);
    }
    return path.length > 0 ? path[0]! : -2;
  }
}
