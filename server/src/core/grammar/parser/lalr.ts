import { TooComplex } from '../tree';
import { buildLr0, type Lr0Automaton } from './lr0';
import type { NumberedGrammar } from './symbols';

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

/** LALR(1) tables. An action is 0 for none, `state + 1` for a shift, `-(rule + 1)` for a reduction. */
export interface LalrTable {
  readonly grammar: NumberedGrammar;
  readonly automaton: Lr0Automaton;
  readonly stateCount: number;
  readonly actions: Int32Array;
  /** Next state by nonterminal, or -1. */
  readonly gotos: Int32Array;
  /** In order of states and terminals. */
  readonly conflicts: readonly LalrConflict[];
  readonly starts: readonly number[];
  /** Start nonterminals, one per start state. */
  readonly roots: readonly number[];
  readonly ends: readonly number[];
}

/** More table cells than this end in "too complex". */
const MAX_CELLS = 60_000_000;

/**
 * Builds LALR(1) tables with the look-aheads of DeRemer and Pennello. A shift wins over a reduction; between reductions
 * the one rule of highest priority wins, as in Lark 1.3.1.
 * @param starts numbers of the start nonterminals
 * @throws TooComplex when the tables would not fit
 */
export function buildLalr(grammar: NumberedGrammar, starts: readonly number[]): LalrTable {
  const automaton = buildLr0(grammar, starts);
  const stateCount = automaton.kernels.length;
  const { terminalCount } = grammar;
  const nonterminalCount = grammar.nonterminalNames.length;
  if (stateCount * (terminalCount + nonterminalCount) > MAX_CELLS) throw new TooComplex();
  const actions = new Int32Array(stateCount * terminalCount);
  const gotos = new Int32Array(stateCount * nonterminalCount).fill(-1);
  for (let state = 0; state < stateCount; state++) {
    for (const [symbol, next] of automaton.moves[state]!) {
      if (symbol < terminalCount) actions[state * terminalCount + symbol] = next + 1;
      else gotos[state * nonterminalCount + symbol - terminalCount] = next;
    }
  }
  const conflicts: LalrConflict[] = [];
  const lookAheads = new LookAheads(grammar, automaton, actions, gotos);
  for (let state = 0; state < stateCount; state++) {
    const reductions = lookAheads.of(state);
    if (reductions.length === 0) continue;
    const only = reductions.length === 1 ? reductions[0]! : undefined;
    for (let terminal = 0; terminal < terminalCount; terminal++) {
      if (only !== undefined && !hasBit(only.set, terminal)) continue;
      const rules = (only === undefined ? reductions.filter(({ set }) => hasBit(set, terminal)) : reductions).map(
        (reduction) => reduction.rule,
      );
      if (rules.length === 0) continue;
      let rule: number | undefined = rules[0]!;
      if (rules.length > 1) {
        const byPriority = [...rules].sort((a, b) => grammar.rulePriority[b]! - grammar.rulePriority[a]!);
        const [best, second] = byPriority as [number, number];
        rule = grammar.rulePriority[best]! > grammar.rulePriority[second]! ? best : undefined;
        conflicts.push({ kind: 'reduce-reduce', state, terminal, rules, resolved: rule });
        if (rule === undefined) continue;
      }
      const cell = state * terminalCount + terminal;
      if (actions[cell]! > 0) {
        conflicts.push({ kind: 'shift-reduce', state, terminal, rules: [rule], resolved: 'shift' });
      } else {
        actions[cell] = -(rule + 1);
      }
    }
  }
  const { starts: states, ends } = automaton;
  return { grammar, automaton, stateCount, actions, gotos, conflicts, starts: states, roots: starts, ends };
}

function hasBit(set: Uint32Array, bit: number): boolean {
  return ((set[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
}

/** Look-ahead sets of the reductions of each state. */
class LookAheads {
  readonly #reductions = new Map<number, { readonly rule: number; readonly set: Uint32Array }[]>();

  /** @param actions holds shifts alone yet */
  constructor(grammar: NumberedGrammar, automaton: Lr0Automaton, actions: Int32Array, gotos: Int32Array) {
    const { terminalCount, nullable } = grammar;
    const nonterminalCount = grammar.nonterminalNames.length;
    const words = (terminalCount + 31) >>> 5;
    const stateCount = automaton.kernels.length;
    // Moves over nonterminals are numbered; all relations are between these numbers.
    const moveOf = new Int32Array(stateCount * nonterminalCount).fill(-1);
    const moveState: number[] = [];
    const moveSymbol: number[] = [];
    for (let state = 0; state < stateCount; state++) {
      for (const symbol of automaton.moves[state]!.keys()) {
        if (symbol < terminalCount) continue;
        moveOf[state * nonterminalCount + symbol - terminalCount] = moveState.length;
        moveState.push(state);
        moveSymbol.push(symbol - terminalCount);
      }
    }
    const count = moveState.length;
    const sets: Uint32Array[] = [];
    const reads: number[][] = [];
    for (let move = 0; move < count; move++) {
      const set = new Uint32Array(words);
      const target = gotos[moveState[move]! * nonterminalCount + moveSymbol[move]!]!;
      const edges: number[] = [];
      for (const symbol of automaton.moves[target]!.keys()) {
        if (symbol < terminalCount) set[symbol >>> 5]! |= 1 << (symbol & 31);
        else if (nullable[symbol - terminalCount] === 1) {
          edges.push(moveOf[target * nonterminalCount + symbol - terminalCount]!);
        }
      }
      sets.push(set);
      reads.push(edges);
    }
    automaton.starts.forEach((state) => {
      const root = automaton.right[automaton.itemRule[automaton.kernels[state]![0]!]!]![0]! - terminalCount;
      // The end of the input has number 0.
      sets[moveOf[state * nonterminalCount + root]!]![0]! |= 1;
    });
    closeOver(sets, reads);

    const includes: number[][] = Array.from({ length: count }, () => []);
    const lookback = new Map<number, number[]>();
    const ruleCount = automaton.right.length;
    // Where the nullable tail of each rule begins.
    const nullableFrom = automaton.right.map((symbols) => {
      let from = symbols.length;
      while (from > 0) {
        const symbol = symbols[from - 1]!;
        if (symbol < terminalCount || nullable[symbol - terminalCount] === 0) break;
        from--;
      }
      return from;
    });
    // Where a rule goes on from a dot, its nullable tail lets the look-aheads of `move` through. Gives the last state.
    const follow = (rule: number, dot: number, from: number, move: number): number => {
      const symbols = automaton.right[rule]!;
      const open = nullableFrom[rule]! - 1;
      let state = from;
      for (let i = dot; i < symbols.length; i++) {
        const symbol = symbols[i]!;
        if (symbol < terminalCount) {
          state = actions[state * terminalCount + symbol]! - 1;
          continue;
        }
        const cell = state * nonterminalCount + symbol - terminalCount;
        if (i >= open) includes[moveOf[cell]!]!.push(move);
        state = gotos[cell]!;
      }
      return state;
    };
    for (let move = 0; move < count; move++) {
      const from = moveState[move]!;
      for (const rule of grammar.rulesOf[moveSymbol[move]!]!) {
        const key = follow(rule, 0, from, move) * ruleCount + rule;
        const list = lookback.get(key);
        if (list === undefined) lookback.set(key, [move]);
        else list.push(move);
      }
      // Lark also lets them through rules of the same name that are half read in this state, which makes more
      // look-aheads than LALR(1) has, and so more conflicts.
      for (const item of automaton.kernels[from]!) {
        const rule = automaton.itemRule[item]!;
        const dot = item - automaton.itemBase[rule]!;
        if (dot > 0 && automaton.left[rule] === moveSymbol[move]) follow(rule, dot, from, move);
      }
    }
    closeOver(sets, includes);
    for (const [key, moves] of lookback) {
      const state = Math.floor(key / ruleCount);
      const set = new Uint32Array(words);
      for (const move of moves) for (let w = 0; w < words; w++) set[w]! |= sets[move]![w]!;
      const list = this.#reductions.get(state);
      const entry = { rule: key % ruleCount, set };
      if (list === undefined) this.#reductions.set(state, [entry]);
      else list.push(entry);
    }
    for (const list of this.#reductions.values()) list.sort((a, b) => a.rule - b.rule);
  }

  of(state: number): readonly { readonly rule: number; readonly set: Uint32Array }[] {
    return this.#reductions.get(state) ?? [];
  }
}

/** Adds to each set the sets that it reaches over the edges; members of a cycle end up equal (Tarjan, iterative). */
function closeOver(sets: Uint32Array[], edges: readonly (readonly number[])[]): void {
  const count = sets.length;
  const low = new Int32Array(count);
  const done = new Uint8Array(count);
  const stack: number[] = [];
  const path: number[] = [];
  const position = new Int32Array(count);
  for (let root = 0; root < count; root++) {
    if (low[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1]!;
      if (low[node] === 0) {
        stack.push(node);
        low[node] = stack.length;
      }
      const next = edges[node]![position[node]!];
      if (next !== undefined && low[next] === 0) {
        path.push(next);
        continue;
      }
      if (next !== undefined) {
        position[node]!++;
        if (done[next] === 0 && low[next]! < low[node]!) low[node] = low[next]!;
        if (sets[next] !== sets[node]) merge(sets[node]!, sets[next]!);
        continue;
      }
      path.pop();
      if (stack[low[node]! - 1] !== node) continue;
      for (let member = stack.pop()!; ; member = stack.pop()!) {
        done[member] = 1;
        // The order of nodes on the stack no longer counts, but their sets must be equal.
        if (member === node) break;
        sets[member] = sets[node]!;
      }
    }
  }
}

function merge(into: Uint32Array, from: Uint32Array): void {
  for (let w = 0; w < into.length; w++) into[w]! |= from[w]!;
}
