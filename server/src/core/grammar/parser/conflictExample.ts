import type { LalrConflict, LalrTable } from './lalr';
import { CostQueue, type ShortestDerivations, shortestDerivations, shortestText } from './shortest';

/** One way to go on at a conflict. */
export interface ConflictChoice {
  /** The rule that ends, or `shift` to go on. */
  readonly action: 'shift' | number;
  /**
   * Numbers of the terminals behind the conflict, the one looked at first, that make a whole sentence. `undefined`
   * where this choice leads nowhere: LALR merges states, and so sees choices that no sentence has.
   */
  readonly rest: readonly number[] | undefined;
}

/** A shortest text up to a conflict, and how each choice would go on. */
export interface ConflictExample {
  /** Numbers of the terminals that lead to the conflict. */
  readonly before: readonly number[];
  readonly terminal: number;
  readonly choices: readonly ConflictChoice[];
}

/** Ways to a state that are tried. */
const MAX_PATHS = 8;
/** Steps of one completion. */
const MAX_STEPS = 2000;

/** Explains conflicts of one table by examples. */
export class ConflictExamples {
  readonly #table: LalrTable;
  readonly #shortest: ShortestDerivations;
  constructor(table: LalrTable) {
    this.#table = table;
    this.#shortest = shortestDerivations(table.grammar);
  }

  #costOf(symbol: number): number {
    const { terminalCount } = this.#table.grammar;
    return symbol < terminalCount ? 1 : this.#shortest.cost[symbol - terminalCount]!;
  }

  /**
   * An example, or `undefined` when no text leads to the state. Of the shortest texts the first behind which each choice
   * leads to a sentence, if there is one among them.
   */
  of(conflict: LalrConflict): ConflictExample | undefined {
    let first: ConflictExample | undefined;
    let tries = 0;
    for (const { states, symbols } of this.#paths(conflict.state)) {
      const before = shortestText(this.#table.grammar, this.#shortest, symbols);
      if (before === undefined) continue;
      const actions: ('shift' | number)[] = [...conflict.rules];
      if (conflict.kind === 'shift-reduce') actions.unshift('shift');
      const choices = actions.map((action) => ({
        action,
        rest: this.#complete([...states], action, conflict.terminal),
      }));
      const example = { before, terminal: conflict.terminal, choices };
      if (choices.every((choice) => choice.rest !== undefined)) return example;
      first ??= example;
      if (++tries === MAX_PATHS) break;
    }
    return first;
  }

  /** Ways to a state, those of the shortest texts first. */
  *#paths(wanted: number): Generator<{ states: number[]; symbols: number[] }> {
    const { automaton, starts, stateCount } = this.#table;
    const steps: { state: number; symbol: number; before: number; cost: number }[] = [];
    const visits = new Uint8Array(stateCount);
    const queue = new CostQueue();
    const add = (state: number, symbol: number, before: number, cost: number): void => {
      if (Number.isFinite(cost)) queue.push(steps.push({ state, symbol, before, cost }) - 1, cost);
    };
    for (const state of starts) add(state, -1, -1, 0);
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const { state, cost } = steps[at]!;
      if (++visits[state]! > MAX_PATHS) continue;
      if (state === wanted) {
        const states: number[] = [];
        const symbols: number[] = [];
        for (let step = at; step >= 0; step = steps[step]!.before) {
          states.push(steps[step]!.state);
          if (steps[step]!.symbol >= 0) symbols.push(steps[step]!.symbol);
        }
        yield { states: states.reverse(), symbols: symbols.reverse() };
      }
      for (const [symbol, next] of automaton.moves[state]!) add(next, symbol, at, cost + this.#costOf(symbol));
    }
  }

  /** Terminals from the conflict on to the end of a sentence. */
  #complete(states: number[], action: 'shift' | number, terminal: number): number[] | undefined {
    const { grammar, actions, ends, automaton } = this.#table;
    const { terminalCount } = grammar;
    let act = action === 'shift' ? actions[states[states.length - 1]! * terminalCount + terminal]! : -(action + 1);
    for (let steps = 0; act < 0 && steps < MAX_STEPS; steps++) {
      this.#reduce(states, -act - 1);
      const top = states[states.length - 1]!;
      if (terminal === 0 && ends.includes(top)) return [];
      act = actions[top * terminalCount + terminal]!;
    }
    if (act <= 0) return undefined;
    states.push(act - 1);
    const out = [terminal];
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      const top = states[states.length - 1]!;
      if (ends.includes(top)) return out;
      let best: { rule: number; dot: number; cost: number } | undefined;
      for (const item of automaton.kernels[top]!) {
        const rule = automaton.itemRule[item]!;
        const dot = item - automaton.itemBase[rule]!;
        let cost = 0;
        for (const symbol of automaton.right[rule]!.subarray(dot)) cost += this.#costOf(symbol);
        if (best === undefined || cost < best.cost) best = { rule, dot, cost };
      }
      if (best === undefined) return undefined;
      const rest = shortestText(grammar, this.#shortest, [...automaton.right[best.rule]!.subarray(best.dot)]);
      if (rest === undefined) return undefined;
      out.push(...rest);
      states.length -= best.dot;
      this.#goto(states, automaton.left[best.rule]!);
    }
    return undefined;
  }

  #reduce(states: number[], rule: number): void {
    states.length -= this.#table.grammar.right[rule]!.length;
    this.#goto(states, this.#table.grammar.left[rule]!);
  }

  #goto(states: number[], nonterminal: number): void {
    const { gotos, grammar } = this.#table;
    states.push(gotos[states[states.length - 1]! * grammar.nonterminalNames.length + nonterminal]!);
  }
}
