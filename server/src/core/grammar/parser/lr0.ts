import { TooComplex } from '../tree';
import type { NumberedGrammar } from './symbols';

/** The LR(0) automaton of a grammar. An item is a number: `itemBase[rule] + dot`. */
export interface Lr0Automaton {
  /** Rules of the grammar, then one `$root` rule per start symbol. */
  readonly left: Int32Array;
  readonly right: readonly Int32Array[];
  readonly itemBase: Int32Array;
  readonly itemRule: Int32Array;
  /** Sorted items of each state's kernel. */
  readonly kernels: readonly Int32Array[];
  /** From symbol to state, per state. */
  readonly moves: readonly ReadonlyMap<number, number>[];
  /** Start state of each start symbol. */
  readonly starts: readonly number[];
  /** State behind each start symbol: the input is read when it is reached at the end. */
  readonly ends: readonly number[];
  /** Nonterminals whose rules a nonterminal opens, itself included. */
  readonly opens: readonly Int32Array[];
}

/** More states than this end in "too complex". */
const MAX_STATES = 60_000;

/** Builds the automaton; states are found by their kernels. */
export function buildLr0(grammar: NumberedGrammar, starts: readonly number[]): Lr0Automaton {
  const ruleCount = grammar.rules.length;
  const total = ruleCount + starts.length;
  const left = new Int32Array(total).fill(-1);
  left.set(grammar.left);
  const right = [...grammar.right, ...starts.map((start) => Int32Array.of(grammar.terminalCount + start))];
  const itemBase = new Int32Array(total + 1);
  for (let rule = 0; rule < total; rule++) itemBase[rule + 1] = itemBase[rule]! + right[rule]!.length + 1;
  const itemRule = new Int32Array(itemBase[total]!);
  const itemNext = new Int32Array(itemBase[total]!).fill(-1);
  for (let rule = 0; rule < total; rule++) {
    const symbols = right[rule]!;
    for (let dot = 0; dot <= symbols.length; dot++) {
      itemRule[itemBase[rule]! + dot] = rule;
      if (dot < symbols.length) itemNext[itemBase[rule]! + dot] = symbols[dot]!;
    }
  }
  const opens = openedBy(grammar);

  const kernels: Int32Array[] = [];
  const moves: Map<number, number>[] = [];
  const byKernel = new Map<string, number>();
  const state = (kernel: Int32Array): number => {
    const key = kernel.join();
    let id = byKernel.get(key);
    if (id === undefined) {
      id = kernels.length;
      if (id >= MAX_STATES) throw new TooComplex();
      byKernel.set(key, id);
      kernels.push(kernel);
      moves.push(new Map());
    }
    return id;
  };
  const startStates = starts.map((_, index) => state(Int32Array.of(itemBase[ruleCount + index]!)));
  const seen = new Int32Array(grammar.nonterminalNames.length).fill(-1);
  // Items behind each symbol, for the state at hand.
  const lists: number[][] = [];
  const slot = new Int32Array(grammar.terminalCount + grammar.nonterminalNames.length);
  const slotOf = new Int32Array(slot.length).fill(-1);
  const order: number[] = [];
  const add = (item: number, current: number): void => {
    const symbol = itemNext[item]!;
    if (symbol < 0) return;
    if (slotOf[symbol] !== current) {
      slotOf[symbol] = current;
      slot[symbol] = order.push(symbol) - 1;
      lists[slot[symbol]!] = [];
    }
    lists[slot[symbol]!]!.push(item + 1);
  };
  for (let current = 0; current < kernels.length; current++) {
    order.length = 0;
    for (const item of kernels[current]!) {
      add(item, current);
      const symbol = itemNext[item]!;
      if (symbol < grammar.terminalCount) continue;
      for (const nonterminal of opens[symbol - grammar.terminalCount]!) {
        if (seen[nonterminal] === current) continue;
        seen[nonterminal] = current;
        for (const rule of grammar.rulesOf[nonterminal]!) add(itemBase[rule]!, current);
      }
    }
    const own = moves[current]!;
    for (let i = 0; i < order.length; i++) own.set(order[i]!, state(Int32Array.from(lists[i]!).sort()));
  }
  const ends = starts.map((start, index) => moves[startStates[index]!]!.get(grammar.terminalCount + start)!);
  return { left, right, itemBase, itemRule, kernels, moves, starts: startStates, ends, opens };
}

/** Which nonterminals the closure of an item in front of each nonterminal reaches, in breadth-first order. */
export function openedBy(grammar: NumberedGrammar): Int32Array[] {
  const count = grammar.nonterminalNames.length;
  const direct = grammar.rulesOf.map((rules) => {
    const first = new Set<number>();
    for (const rule of rules) {
      const symbol = grammar.right[rule]![0];
      if (symbol !== undefined && symbol >= grammar.terminalCount) first.add(symbol - grammar.terminalCount);
    }
    return [...first];
  });
  const seen = new Int32Array(count).fill(-1);
  return direct.map((_, from) => {
    const order = [from];
    seen[from] = from;
    for (let i = 0; i < order.length; i++) {
      for (const next of direct[order[i]!]!) {
        if (seen[next] === from) continue;
        seen[next] = from;
        order.push(next);
      }
    }
    return Int32Array.from(order);
  });
}
