import type { LalrConflict, LalrTable } from './lalr';
import { type ShortestDerivations, shortestDerivations, shortestText } from './shortest';

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

/** Steps of one completion. */
const MAX_STEPS = 2000;

/** Explains conflicts of one table by examples. */
export class ConflictExamples {
  readonly #table: LalrTable;
  readonly #shortest: ShortestDerivations;
  /** How each state is reached first: state before, and symbol. */
  readonly #from: Int32Array;
  readonly #by: Int32Array;

  constructor(table: LalrTable) {
    this.#table = table;
    this.#shortest = shortestDerivations(table.grammar);
    this.#from = new Int32Array(table.stateCount).fill(-1);
    this.#by = new Int32Array(table.stateCount);
    const seen = new Uint8Array(table.stateCount);
    // States by the cost of the text that leads there; rows of equal cost stay in order.
    const queue = table.starts.map((state) => ({ state, cost: 0 }));
    for (const { state } of queue) seen[state] = 1;
    while (queue.length > 0) {
      let best = 0;
      for (let i = 1; i < queue.length; i++) if (queue[i]!.cost < queue[best]!.cost) best = i;
      const { state, cost } = queue.splice(best, 1)[0]!;
      for (const [symbol, next] of table.automaton.moves[state]!) {
        if (seen[next] === 1) continue;
        const own = this.#costOf(symbol);
        if (!Number.isFinite(own)) continue;
        seen[next] = 1;
        this.#from[next] = state;
        this.#by[next] = symbol;
        queue.push({ state: next, cost: cost + own });
      }
    }
  }

  #costOf(symbol: number): number {
    const { terminalCount } = this.#table.grammar;
    return symbol < terminalCount ? 1 : this.#shortest.cost[symbol - terminalCount]!;
  }

  /** An example, or `undefined` when no text leads to the state. */
  of(conflict: LalrConflict): ConflictExample | undefined {
    const path: number[] = [];
    const states: number[] = [conflict.state];
    for (let state = conflict.state; this.#from[state]! >= 0; state = this.#from[state]!) {
      path.push(this.#by[state]!);
      states.push(this.#from[state]!);
    }
    states.reverse();
    if (!this.#table.starts.includes(states[0]!)) return undefined;
    const { grammar } = this.#table;
    const before = shortestText(grammar, this.#shortest, path.reverse());
    if (before === undefined) return undefined;
    const actions: ('shift' | number)[] = [
      ...(conflict.kind === 'shift-reduce' ? ['shift' as const] : []),
      ...conflict.rules,
    ];
    const choices = actions.map((action) => ({ action, rest: this.#complete([...states], action, conflict.terminal) }));
    return { before, terminal: conflict.terminal, choices };
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
