import type { Lr0Automaton } from './lr0';
import type { NumberedGrammar } from './symbols';

/** A rule that can end in a state, and the terminals that may come then. */
export interface Reduction {
  readonly rule: number;
  /** Bits by number of terminal, `words` of them. */
  readonly set: Uint32Array;
}

/**
 * LALR(1) look-aheads by the relations of DeRemer and Pennello. They are followed from what is asked, so that a few
 * questions cost little, and all of them no more than once over the whole.
 */
export class LookAheads {
  readonly words: number;
  readonly #grammar: NumberedGrammar;
  readonly #automaton: Lr0Automaton;
  /** By state and nonterminal: its move, or -1. All relations are between moves over nonterminals. */
  readonly #moveOf: Int32Array;
  readonly #moveState: Int32Array;
  /** States from which moves lead to each state, all over one symbol. */
  readonly #sourceStart: Int32Array;
  readonly #sources: Int32Array;
  /** Where the part of each rule begins that can be empty up to its end. */
  readonly #emptyFrom: Int32Array;
  readonly #reads: Closing;
  readonly #follows: Closing;

  constructor(grammar: NumberedGrammar, automaton: Lr0Automaton) {
    this.#grammar = grammar;
    this.#automaton = automaton;
    const { terminalCount, nullable } = grammar;
    const { moveStart, moveSymbol, moveTarget, kernels, right } = automaton;
    const nonterminalCount = grammar.nonterminalNames.length;
    const stateCount = kernels.length;
    const moveCount = moveSymbol.length;
    this.words = (terminalCount + 31) >>> 5;
    this.#moveOf = new Int32Array(stateCount * nonterminalCount).fill(-1);
    this.#moveState = new Int32Array(moveCount);
    const sourceStart = new Int32Array(stateCount + 2);
    for (let state = 0; state < stateCount; state++) {
      for (let move = moveStart[state]!; move < moveStart[state + 1]!; move++) {
        this.#moveState[move] = state;
        sourceStart[moveTarget[move]! + 2]!++;
        if (moveSymbol[move]! >= terminalCount)
          this.#moveOf[state * nonterminalCount + moveSymbol[move]! - terminalCount] = move;
      }
    }
    for (let state = 1; state < sourceStart.length; state++) sourceStart[state]! += sourceStart[state - 1]!;
    this.#sources = new Int32Array(moveCount);
    for (let move = 0; move < moveCount; move++)
      this.#sources[sourceStart[moveTarget[move]! + 1]!++] = this.#moveState[move]!;
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
    this.#reads = new Closing(moveCount, this.words, (move, set, offset) => this.#read(move, set, offset));
    this.#follows = new Closing(moveCount, this.words, (move, set, offset) => this.#include(move, set, offset));
  }

  /** What can end in a state, in order of rules. */
  of(state: number): Reduction[] {
    const { kernels, emptyRules, itemBase, itemRule, left, right } = this.#automaton;
    const found: Reduction[] = [];
    const add = (rule: number, length: number): void => {
      if (left[rule]! < 0) return;
      const set = new Uint32Array(this.words);
      for (const from of this.#back(state, length)) this.#follows.into(set, this.#move(from, left[rule]!));
      found.push({ rule, set });
    };
    for (const item of kernels[state]!) {
      const rule = itemRule[item]!;
      if (item - itemBase[rule]! === right[rule]!.length) add(rule, right[rule]!.length);
    }
    for (const rule of emptyRules[state]!) add(rule, 0);
    return found.length > 1 ? found.sort((a, b) => a.rule - b.rule) : found;
  }

  #move(state: number, nonterminal: number): number {
    return this.#moveOf[state * this.#grammar.nonterminalNames.length + nonterminal]!;
  }

  /** States that lie so many symbols before a state. */
  #back(state: number, count: number): readonly number[] {
    let states: number[] = [state];
    for (let step = 0; step < count; step++) {
      const before: number[] = [];
      for (const at of states) {
        for (let i = this.#sourceStart[at]!; i < this.#sourceStart[at + 1]!; i++) before.push(this.#sources[i]!);
      }
      states = before;
    }
    return states;
  }

  /** Terminals directly behind a move; those behind what can be empty there are read, too. */
  #read(move: number, set: Uint32Array, offset: number): number[] {
    const { moveStart, moveSymbol, moveTarget, starts, right, kernels, itemRule } = this.#automaton;
    const { terminalCount, nullable } = this.#grammar;
    const target = moveTarget[move]!;
    const edges: number[] = [];
    for (let next = moveStart[target]!; next < moveStart[target + 1]!; next++) {
      const symbol = moveSymbol[next]!;
      if (symbol < terminalCount) set[offset + (symbol >>> 5)]! |= 1 << (symbol & 31);
      else if (nullable[symbol - terminalCount] === 1) edges.push(next);
    }
    // The end of the input, which has number 0, comes behind a start symbol.
    const state = this.#moveState[move]!;
    if (starts.includes(state) && right[itemRule[kernels[state]![0]!]!]![0] === moveSymbol[move]) set[offset]! |= 1;
    return edges;
  }

  /** What comes behind a move where it ends a rule: that is what comes behind the rule. */
  #include(move: number, set: Uint32Array, offset: number): number[] {
    this.#reads.into(set, move, offset);
    const { moveTarget, kernels, itemBase, itemRule, left } = this.#automaton;
    const edges: number[] = [];
    for (const item of kernels[moveTarget[move]!]!) {
      const rule = itemRule[item]!;
      const dot = item - itemBase[rule]!;
      if (dot < this.#emptyFrom[rule]! || left[rule]! < 0) continue;
      let states: number[] = [this.#moveState[move]!];
      for (let at = dot - 1; ; at--) {
        for (const state of states) {
          // Lark also lets look-aheads through from rules of the same name that are half read in a state (1.3.1), which
          // makes more of them than LALR(1) has, and so more conflicts.
          const over = this.#move(state, left[rule]!);
          if (over >= 0) edges.push(over);
        }
        if (at === 0) break;
        const before: number[] = [];
        for (const state of states) {
          for (let i = this.#sourceStart[state]!; i < this.#sourceStart[state + 1]!; i++)
            before.push(this.#sources[i]!);
        }
        states = before;
      }
    }
    return edges;
  }
}

/** Sets of terminals that take in one another; made on demand. Members of a cycle end up equal (Tarjan, iterative). */
class Closing {
  readonly #sets: Uint32Array;
  readonly #low: Int32Array;
  readonly #done: Uint8Array;
  readonly #edges: (readonly number[] | undefined)[] = [];
  readonly #position: Int32Array;
  readonly #stack: number[] = [];

  /** @param begin puts a node's own terminals into its set, and gives the nodes whose sets it takes in */
  constructor(
    count: number,
    readonly words: number,
    readonly begin: (node: number, sets: Uint32Array, offset: number) => readonly number[],
  ) {
    this.#sets = new Uint32Array(count * words);
    this.#low = new Int32Array(count);
    this.#done = new Uint8Array(count);
    this.#position = new Int32Array(count);
  }

  /** Adds the set of a node to another one. */
  into(set: Uint32Array, node: number, offset = 0): void {
    if (this.#low[node] === 0) this.#settle(node);
    const from = node * this.words;
    for (let word = 0; word < this.words; word++) set[offset + word]! |= this.#sets[from + word]!;
  }

  #settle(root: number): void {
    const { words } = this;
    const sets = this.#sets;
    const low = this.#low;
    const stack = this.#stack;
    const path: number[] = [root];
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (low[node] === 0) {
        stack.push(node);
        low[node] = stack.length;
        this.#edges[node] = this.begin(node, sets, node * words);
      }
      const next = this.#edges[node]![this.#position[node]!];
      if (next !== undefined && low[next] === 0) {
        path.push(next);
        continue;
      }
      if (next !== undefined) {
        this.#position[node]!++;
        if (this.#done[next] === 0 && low[next]! < low[node]!) low[node] = low[next]!;
        if (next !== node) {
          for (let word = 0; word < words; word++) sets[node * words + word]! |= sets[next * words + word]!;
        }
        continue;
      }
      path.pop();
      if (stack[low[node]! - 1] !== node) continue;
      for (let member = stack.pop()!; ; member = stack.pop()!) {
        this.#done[member] = 1;
        this.#edges[member] = undefined;
        // The order of nodes on the stack no longer counts, but their sets must be equal.
        if (member === node) break;
        sets.copyWithin(member * words, node * words, (node + 1) * words);
      }
    }
  }
}
