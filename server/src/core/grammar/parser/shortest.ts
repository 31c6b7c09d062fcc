import type { NumberedGrammar } from './symbols';

/** Shortest derivations of a grammar. Costs count terminals, and a little for each rule. */
export interface ShortestDerivations {
  /** Per nonterminal; infinite when it derives no text. */
  readonly cost: Float64Array;
  /** The rule that begins the shortest derivation of each nonterminal, or -1. */
  readonly rule: Int32Array;
  /** Per rule. */
  readonly ruleCost: Float64Array;
}

const TERMINAL_COST = 1;
/** Less than a terminal, so that short texts win, and more than nothing, so that no rule is used for its own sake. */
const RULE_COST = 1 / 1024;

/** Finds the cheapest derivation of each nonterminal, cheapest first. */
export function shortestDerivations(grammar: NumberedGrammar): ShortestDerivations {
  const { terminalCount } = grammar;
  const count = grammar.nonterminalNames.length;
  const cost = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const rule = new Int32Array(count).fill(-1);
  const ruleCost = new Float64Array(grammar.rules.length).fill(RULE_COST);
  const open = new Int32Array(grammar.rules.length);
  const users: number[][] = Array.from({ length: count }, () => []);
  const queue = new CostQueue();
  grammar.right.forEach((symbols, index) => {
    for (const symbol of symbols) {
      if (symbol < terminalCount) {
        ruleCost[index]! += TERMINAL_COST;
        continue;
      }
      open[index]!++;
      users[symbol - terminalCount]!.push(index);
    }
    if (open[index] === 0) queue.push(index, ruleCost[index]!);
  });
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const nonterminal = grammar.left[next]!;
    if (rule[nonterminal]! >= 0) continue;
    rule[nonterminal] = next;
    cost[nonterminal] = ruleCost[next]!;
    for (const user of users[nonterminal]!) {
      ruleCost[user]! += cost[nonterminal]!;
      if (--open[user]! === 0) queue.push(user, ruleCost[user]!);
    }
  }
  for (let index = 0; index < ruleCost.length; index++)
    if (open[index]! > 0) ruleCost[index] = Number.POSITIVE_INFINITY;
  return { cost, rule, ruleCost };
}

/** More terminals than this are not written out. */
const MAX_LENGTH = 20_000;

/** Terminals of the shortest text of a row of symbols; `undefined` when there is none, or none of sensible length. */
export function shortestText(
  grammar: NumberedGrammar,
  shortest: ShortestDerivations,
  symbols: readonly number[],
): number[] | undefined {
  const out: number[] = [];
  const stack = [...symbols].reverse();
  for (let symbol = stack.pop(); symbol !== undefined; symbol = stack.pop()) {
    if (symbol < grammar.terminalCount) {
      if (out.push(symbol) > MAX_LENGTH) return undefined;
      continue;
    }
    const rule = shortest.rule[symbol - grammar.terminalCount]!;
    if (rule < 0) return undefined;
    const right = grammar.right[rule]!;
    for (let i = right.length - 1; i >= 0; i--) stack.push(right[i]!);
    if (stack.length > MAX_LENGTH) return undefined;
  }
  return out;
}

/** A priority queue of numbers; equal costs come out in the order of the numbers. */
export class CostQueue {
  readonly #items: number[] = [];
  readonly #costs: number[] = [];

  #before(a: number, b: number): boolean {
    const difference = this.#costs[a]! - this.#costs[b]!;
    return difference < 0 || (difference === 0 && this.#items[a]! < this.#items[b]!);
  }

  #swap(a: number, b: number): void {
    // Without arrays for the exchange: this is done very often.
    const item = this.#items[a]!;
    this.#items[a] = this.#items[b]!;
    this.#items[b] = item;
    const cost = this.#costs[a]!;
    this.#costs[a] = this.#costs[b]!;
    this.#costs[b] = cost;
  }

  push(item: number, cost: number): void {
    let at = this.#items.push(item) - 1;
    this.#costs.push(cost);
    for (let parent = (at - 1) >> 1; at > 0 && this.#before(at, parent); parent = (at - 1) >> 1) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const size = this.#items.length;
    if (size === 0) return undefined;
    this.#swap(0, size - 1);
    const item = this.#items.pop();
    this.#costs.pop();
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      if (left >= size - 1) break;
      const child = left + 1 < size - 1 && this.#before(left + 1, left) ? left + 1 : left;
      if (!this.#before(child, at)) break;
      this.#swap(at, child);
      at = child;
    }
    return item;
  }
}
