import { TooComplex } from '../tree';
import { type Lr0Automaton, moveAt } from './lr0';
import type { NumberedGrammar } from './symbols';
import { type TerminalSet, TerminalSets } from './terminalSets';

/** A rule that can end in a state, and the terminals that may come then. */
export interface Reduction {
  readonly rule: number;
  readonly set: TerminalSet;
}

/** Steps back from ends of rules, and numbers in all sets, beyond which it is "too complex". */
const MOST_STEPS = 60_000_000;
const MOST_KEPT = 50_000_000;
/** Moves are looked up in a table of up to so many cells, and searched for where it would have more. */
const MOST_CELLS = 4_000_000;

/**
 * LALR(1) look-aheads by the relations of DeRemer and Pennello. They are followed from what is asked, so that a few
 * questions cost little, and all of them no more than once over the whole.
 */
export class LookAheads {
  readonly #grammar: NumberedGrammar;
  readonly #automaton: Lr0Automaton;
  /** States from which moves lead to each state, all over one symbol. */
  readonly #sourceStart: Int32Array;
  readonly #sources: Int32Array;
  /** Where the part of each rule begins that can be empty up to its end. */
  readonly #emptyFrom: Int32Array;
  /** By state and nonterminal: the move, or -1. */
  readonly #moveOf: Int32Array | undefined;
  readonly #sets: TerminalSets;
  /** All relations are between moves over nonterminals. */
  readonly #reads: Closing;
  readonly #follows: Closing;
  #steps = 0;

  constructor(grammar: NumberedGrammar, automaton: Lr0Automaton) {
    this.#grammar = grammar;
    this.#automaton = automaton;
    const { terminalCount, nullable } = grammar;
    const { moveState, moveSymbol, moveTarget, kernels, right } = automaton;
    const moveCount = moveTarget.length;
    const nonterminalCount = grammar.nonterminalNames.length;
    if (kernels.length * nonterminalCount <= MOST_CELLS) {
      const table = new Int32Array(kernels.length * nonterminalCount).fill(-1);
      for (let move = 0; move < moveCount; move++) {
        const nonterminal = moveSymbol[move]! - terminalCount;
        if (nonterminal >= 0) table[moveState[move]! * nonterminalCount + nonterminal] = move;
      }
      this.#moveOf = table;
    }
    const sourceStart = new Int32Array(kernels.length + 2);
    for (const target of moveTarget) sourceStart[target + 2]!++;
    for (let state = 1; state < sourceStart.length; state++) sourceStart[state]! += sourceStart[state - 1]!;
    this.#sources = new Int32Array(moveCount);
    for (let move = 0; move < moveCount; move++)
      this.#sources[sourceStart[moveTarget[move]! + 1]!++] = moveState[move]!;
    this.#sourceStart = sourceStart;
    this.#emptyFrom = Int32Array.from(right, (symbols) => {
      let from = symbols.length;
      while (from > 0) {
        const symbol = symbols[from - 1]!;
        if (symbol < terminalCount || nullable[symbol - terminalCount] === 0) break;
        from--;
      }
      return from;
    });
    this.#sets = new TerminalSets(terminalCount);
    this.#reads = new Closing(moveCount, this.#sets, (move) => this.#read(move));
    this.#follows = new Closing(moveCount, this.#sets, (move) => this.#include(move));
  }

  /**
   * What can end in a state, in order of rules.
   * @throws TooComplex
   */
  of(state: number): Reduction[] {
    const { kernels, emptyRules, itemBase, itemRule, left, right } = this.#automaton;
    const found: Reduction[] = [];
    for (const item of kernels[state]!) {
      const rule = itemRule[item]!;
      if (item - itemBase[rule]! === right[rule]!.length && left[rule]! >= 0) found.push(this.#ending(state, rule));
    }
    for (const rule of emptyRules[state]!) found.push(this.#ending(state, rule));
    return found.length > 1 ? found.sort((a, b) => a.rule - b.rule) : found;
  }

  #ending(state: number, rule: number): Reduction {
    const { left, right } = this.#automaton;
    const states = this.#back(state, right[rule]!.length);
    for (const from of states) this.#follows.settle(this.#move(from, left[rule]!));
    for (const from of states) this.#sets.add(this.#follows.of(this.#move(from, left[rule]!)));
    return { rule, set: this.#sets.take() };
  }

  #move(state: number, nonterminal: number): number {
    const { terminalCount, nonterminalNames } = this.#grammar;
    if (this.#moveOf !== undefined) return this.#moveOf[state * nonterminalNames.length + nonterminal]!;
    return moveAt(this.#automaton, state, terminalCount + nonterminal);
  }

  /** States that lie so many symbols before a state. */
  #back(state: number, count: number): readonly number[] {
    let states: readonly number[] = [state];
    for (let step = 0; step < count; step++) states = this.#before(states);
    return states;
  }

  /** States from which one move leads to the given ones. */
  #before(states: readonly number[]): readonly number[] {
    const before: number[] = [];
    for (const at of states) {
      for (let i = this.#sourceStart[at]!; i < this.#sourceStart[at + 1]!; i++) before.push(this.#sources[i]!);
    }
    this.#steps += before.length;
    if (this.#steps > MOST_STEPS || this.#sets.size > MOST_KEPT) throw new TooComplex();
    return before;
  }

  /** Terminals directly behind a move; those behind what can be empty there are read, too. */
  #read(move: number): readonly number[] {
    const { moveStart, moveSymbol, moveState, moveTarget, starts, right, kernels, itemRule } = this.#automaton;
    const { terminalCount, nullable } = this.#grammar;
    const target = moveTarget[move]!;
    const edges: number[] = [];
    for (let next = moveStart[target]!; next < moveStart[target + 1]!; next++) {
      const symbol = moveSymbol[next]!;
      if (symbol < terminalCount) this.#sets.addTerminal(symbol);
      else if (nullable[symbol - terminalCount] === 1) edges.push(next);
    }
    // The end of the input, which has number 0, comes behind a start symbol.
    const state = moveState[move]!;
    if (starts.includes(state) && right[itemRule[kernels[state]![0]!]!]![0] === moveSymbol[move])
      this.#sets.addTerminal(0);
    return edges;
  }

  /** What comes behind a move where it ends a rule: that is what comes behind the rule. */
  #include(move: number): readonly number[] {
    this.#reads.settle(move);
    const { moveState, moveTarget, kernels, itemBase, itemRule, left } = this.#automaton;
    const edges: number[] = [];
    for (const item of kernels[moveTarget[move]!]!) {
      const rule = itemRule[item]!;
      const dot = item - itemBase[rule]!;
      if (dot < this.#emptyFrom[rule]! || left[rule]! < 0) continue;
      let states: readonly number[] = [moveState[move]!];
      for (let at = dot - 1; ; at--) {
        for (const state of states) {
          // Lark also lets look-aheads through from rules of the same name that are half read in a state (1.3.1), which
          // makes more of them than LALR(1) has, and so more conflicts.
          const over = this.#move(state, left[rule]!);
          if (over >= 0) edges.push(over);
        }
        if (at === 0) break;
        states = this.#before(states);
      }
    }
    this.#sets.add(this.#reads.of(move));
    return edges;
  }
}

/** Sets of terminals that take in one another; made on demand. Members of a cycle share one set (Tarjan, iterative). */
class Closing {
  /** What each node has itself, then its whole set. */
  readonly #sets: TerminalSet[] = [];
  readonly #edges: (readonly number[] | undefined)[] = [];
  readonly #low: Int32Array;
  readonly #done: Uint8Array;
  readonly #position: Int32Array;
  readonly #stack: number[] = [];

  /** @param begin takes a node's own terminals into `sets`, and gives the nodes whose sets it takes in */
  constructor(
    count: number,
    readonly sets: TerminalSets,
    readonly begin: (node: number) => readonly number[],
  ) {
    this.#low = new Int32Array(count);
    this.#done = new Uint8Array(count);
    this.#position = new Int32Array(count);
  }

  /** The set of a node that is settled. */
  of(node: number): TerminalSet {
    return this.#sets[node]!;
  }

  /** Finds the sets of a node and of all that it takes in. */
  settle(root: number): void {
    if (this.#low[root] !== 0) return;
    const low = this.#low;
    const stack = this.#stack;
    const path: number[] = [root];
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (low[node] === 0) {
        stack.push(node);
        low[node] = stack.length;
        this.#edges[node] = this.begin(node);
        this.#sets[node] = this.sets.take();
      }
      const next = this.#edges[node]![this.#position[node]!];
      if (next !== undefined && low[next] === 0) {
        path.push(next);
        continue;
      }
      if (next !== undefined) {
        this.#position[node]!++;
        if (this.#done[next] === 0 && low[next]! < low[node]!) low[node] = low[next]!;
        continue;
      }
      path.pop();
      if (stack[low[node]! - 1] === node) this.#close(low[node]! - 1);
    }
  }

  /** The members of a cycle have one set: what they have themselves and what they take in from outside. */
  #close(from: number): void {
    const stack = this.#stack;
    for (let i = from; i < stack.length; i++) {
      this.sets.add(this.#sets[stack[i]!]!);
      for (const next of this.#edges[stack[i]!]!) if (this.#done[next] === 1) this.sets.add(this.#sets[next]!);
    }
    const set = this.sets.take();
    for (let i = from; i < stack.length; i++) {
      this.#sets[stack[i]!] = set;
      this.#done[stack[i]!] = 1;
      this.#edges[stack[i]!] = undefined;
    }
    stack.length = from;
  }
}
