import type { Reduction } from './lookAheads';
import { type Lr0Automaton, moveOver } from './lr0';
import type { NumberedGrammar } from './symbols';
import { eachTerminal, hasTerminal } from './terminalSets';

/** A state where one terminal has more than one action. */
export interface LalrConflict {
  readonly kind: 'shift-reduce' | 'reduce-reduce';
  readonly state: number;
  /** Number of the terminal that is looked at. */
  readonly terminal: number;
  /** Rules that could end here. */
  readonly rules: readonly number[];
  /** What happens: `shift`, the rule of highest priority, or nothing, which is an error of the grammar. */
  readonly resolved: 'shift' | number | undefined;
}

/** Tables of up to so many cells are written out; in larger ones nearly all cells are empty. */
const MOST_CELLS = 4_000_000;

/** LALR(1) tables. An action is 0 for none, `state + 1` for a shift, `-(rule + 1)` for a reduction. */
export class LalrTable {
  readonly grammar: NumberedGrammar;
  /** In order of states and terminals. */
  readonly conflicts: readonly LalrConflict[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly #automaton: Lr0Automaton;
  /** What can end in each state. */
  readonly #reductions: readonly (readonly Reduction[])[];
  readonly #terminalCount: number;
  readonly #nonterminalCount: number;
  readonly #actions: Int32Array | undefined;
  readonly #gotos: Int32Array | undefined;

  constructor(
    grammar: NumberedGrammar,
    automaton: Lr0Automaton,
    reductions: readonly (readonly Reduction[])[],
    conflicts: readonly LalrConflict[],
    mostCells: number = MOST_CELLS,
  ) {
    this.grammar = grammar;
    this.conflicts = conflicts;
    this.starts = automaton.starts;
    this.ends = automaton.ends;
    this.#automaton = automaton;
    this.#reductions = reductions;
    this.#terminalCount = grammar.terminalCount;
    this.#nonterminalCount = grammar.nonterminalNames.length;
    if (reductions.length * (this.#terminalCount + this.#nonterminalCount) > mostCells) return;
    this.#actions = new Int32Array(reductions.length * this.#terminalCount);
    this.#gotos = new Int32Array(reductions.length * this.#nonterminalCount).fill(-1);
    this.#fill(this.#actions, this.#gotos);
  }

  #fill(actions: Int32Array, gotos: Int32Array): void {
    const { moveState, moveSymbol, moveTarget } = this.#automaton;
    const width = this.#terminalCount;
    this.#reductions.forEach((reductions, state) => {
      const many = reductions.length > 1;
      for (const { rule, set } of reductions) {
        eachTerminal(set, (terminal) => {
          const chosen = many ? this.#ending(state, terminal) : -(rule + 1);
          actions[state * width + terminal] = chosen;
        });
      }
    });
    for (let move = 0; move < moveSymbol.length; move++) {
      const symbol = moveSymbol[move]!;
      const state = moveState[move]!;
      if (symbol < width) actions[state * width + symbol] = moveTarget[move]! + 1;
      else gotos[state * this.#nonterminalCount + symbol - width] = moveTarget[move]!;
    }
  }

  /** What to do in a state before a terminal. A shift wins over a reduction. */
  action(state: number, terminal: number): number {
    if (this.#actions !== undefined) return this.#actions[state * this.#terminalCount + terminal]!;
    const target = moveOver(this.#automaton, state, terminal);
    return target >= 0 ? target + 1 : this.#ending(state, terminal);
  }

  /** Next state behind a nonterminal, or -1. */
  goto(state: number, nonterminal: number): number {
    if (this.#gotos !== undefined) return this.#gotos[state * this.#nonterminalCount + nonterminal]!;
    return moveOver(this.#automaton, state, this.#terminalCount + nonterminal);
  }

  #ending(state: number, terminal: number): number {
    let rules: number[] | undefined;
    for (const { rule, set } of this.#reductions[state]!) {
      if (!hasTerminal(set, terminal)) continue;
      if (rules === undefined) rules = [rule];
      else rules.push(rule);
    }
    const chosen = rules === undefined ? undefined : strongest(this.grammar, rules);
    return chosen === undefined ? 0 : -(chosen + 1);
  }

  /** Terminals that have an action in a state, in order. */
  taken(state: number): number[] {
    const { moveStart, moveSymbol, moveBySymbol } = this.#automaton;
    const found = new Set<number>();
    for (let at = moveStart[state]!; at < moveStart[state + 1]!; at++) {
      const symbol = moveSymbol[moveBySymbol[at]!]!;
      if (symbol >= this.#terminalCount) break;
      found.add(symbol);
    }
    const reductions = this.#reductions[state]!;
    for (const { set } of reductions) {
      eachTerminal(set, (terminal) => {
        if (reductions.length === 1 || this.action(state, terminal) !== 0) found.add(terminal);
      });
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Terminals that have an action in some state. */
  takenAnywhere(): Set<number> {
    const { moveSymbol } = this.#automaton;
    const found = new Set<number>();
    for (const symbol of moveSymbol) if (symbol < this.#terminalCount) found.add(symbol);
    // Equal sets are one and the same.
    const seen = new Set<unknown>();
    this.#reductions.forEach((reductions, state) => {
      if (reductions.length > 1) for (const terminal of this.taken(state)) found.add(terminal);
      const only = reductions.length === 1 ? reductions[0]!.set : undefined;
      if (only === undefined || seen.has(only)) return;
      seen.add(only);
      eachTerminal(only, (terminal) => found.add(terminal));
    });
    return found;
  }
}

/** The rule of highest priority, if there is one. */
export function strongest({ rulePriority }: NumberedGrammar, rules: readonly number[]): number | undefined {
  if (rules.length === 1) return rules[0];
  const [best, second] = [...rules].sort((a, b) => rulePriority[b]! - rulePriority[a]!) as [number, number];
  return rulePriority[best]! > rulePriority[second]! ? best : undefined;
}
