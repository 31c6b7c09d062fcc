import type { LalrConflicts } from './lalr';
import type { LalrConflict } from './lalrTable';
import { moveOver } from './lr0';
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

/** Explains conflicts of one grammar by examples. */
export class ConflictExamples {
  readonly #found: LalrConflicts;
  readonly #shortest: ShortestDerivations;
  /** By state: what the shortest way there costs; infinite where no text leads. */
  readonly #distance: Float64Array;
  /** States from which moves lead to each state, all over one symbol. */
  readonly #sources: readonly (readonly number[])[];
  readonly #over: Int32Array;

  constructor(found: LalrConflicts) {
    this.#found = found;
    this.#shortest = shortestDerivations(found.grammar);
    const { kernels, moveStart, moveSymbol, moveTarget, starts } = found.automaton;
    const sources: number[][] = Array.from(kernels, () => []);
    this.#sources = sources;
    this.#over = new Int32Array(kernels.length);
    this.#distance = new Float64Array(kernels.length).fill(Number.POSITIVE_INFINITY);
    const queue = new CostQueue();
    for (const start of starts) {
      this.#distance[start] = 0;
      queue.push(start, 0);
    }
    const done = new Uint8Array(kernels.length);
    for (let state = queue.pop(); state !== undefined; state = queue.pop()) {
      if (done[state] === 1) continue;
      done[state] = 1;
      for (let move = moveStart[state]!; move < moveStart[state + 1]!; move++) {
        const target = moveTarget[move]!;
        sources[target]!.push(state);
        this.#over[target] = moveSymbol[move]!;
        const distance = this.#distance[state]! + this.#costOf(moveSymbol[move]!);
        if (distance >= this.#distance[target]!) continue;
        this.#distance[target] = distance;
        queue.push(target, distance);
      }
    }
  }

  #costOf(symbol: number): number {
    const { terminalCount } = this.#found.grammar;
    return symbol < terminalCount ? 1 : this.#shortest.cost[symbol - terminalCount]!;
  }

  /**
   * An example, or `undefined` when no text leads to the state. Of the shortest texts the first behind which each choice
   * leads to a sentence, if there is one among them.
   */
  of(conflict: LalrConflict): ConflictExample | undefined {
    let first: ConflictExample | undefined;
    for (const { states, symbols } of this.#paths(conflict.state)) {
      const before = shortestText(this.#found.grammar, this.#shortest, symbols);
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
    }
    return first;
  }

  /** The shortest ways to a state, from its end: what is left to a start is known, so that little else is looked at. */
  *#paths(wanted: number): Generator<{ states: number[]; symbols: number[] }> {
    const { starts } = this.#found.automaton;
    const steps: { state: number; behind: number; cost: number }[] = [];
    const visits = new Map<number, number>();
    const queue = new CostQueue();
    const add = (state: number, behind: number, cost: number): void => {
      const whole = cost + this.#distance[state]!;
      if (Number.isFinite(whole)) queue.push(steps.push({ state, behind, cost }) - 1, whole);
    };
    add(wanted, -1, 0);
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      const { state, cost } = steps[at]!;
      const count = (visits.get(state) ?? 0) + 1;
      if (count > MAX_PATHS) continue;
      visits.set(state, count);
      if (starts.includes(state)) {
        const states: number[] = [];
        const symbols: number[] = [];
        for (let step = at; step >= 0; step = steps[step]!.behind) {
          if (states.length > 0) symbols.push(this.#over[steps[step]!.state]!);
          states.push(steps[step]!.state);
        }
        yield { states, symbols };
      }
      const step = this.#costOf(this.#over[state]!);
      for (const source of this.#sources[state]!) add(source, at, cost + step);
    }
  }

  /** Terminals from the conflict on to the end of a sentence. */
  #complete(states: number[], action: 'shift' | number, terminal: number): number[] | undefined {
    const { grammar, automaton } = this.#found;
    const { ends, starts, kernels, itemBase, itemRule, left, right } = automaton;
    const start = starts.indexOf(states[0]!);
    const isEnd = (state: number): boolean => state === ends[start];
    const top = (): number => states[states.length - 1]!;
    const goto = (nonterminal: number): void => {
      states.push(moveOver(automaton, top(), grammar.terminalCount + nonterminal));
    };
    let act = action === 'shift' ? this.#found.action(top(), terminal) : -(action + 1);
    for (let steps = 0; act < 0 && steps < MAX_STEPS; steps++) {
      states.length -= right[-act - 1]!.length;
      goto(left[-act - 1]!);
      if (terminal === 0 && isEnd(top())) return [];
      act = this.#found.action(top(), terminal);
    }
    if (act <= 0) return undefined;
    states.push(act - 1);
    const out = [terminal];
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      if (isEnd(top())) return out;
      let best: { rule: number; dot: number; cost: number } | undefined;
      for (const item of kernels[top()]!) {
        const rule = itemRule[item]!;
        const dot = item - itemBase[rule]!;
        let cost = 0;
        for (const symbol of right[rule]!.subarray(dot)) cost += this.#costOf(symbol);
        if (best === undefined || cost < best.cost) best = { rule, dot, cost };
      }
      if (best === undefined || left[best.rule]! < 0) return undefined;
      const rest = shortestText(grammar, this.#shortest, [...right[best.rule]!.subarray(best.dot)]);
      if (rest === undefined) return undefined;
      out.push(...rest);
      states.length -= best.dot;
      goto(left[best.rule]!);
    }
    return undefined;
  }
}
