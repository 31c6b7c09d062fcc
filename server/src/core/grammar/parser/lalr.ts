import { TooComplex } from '../tree';
import { LookAheads, type Reduction } from './lookAheads';
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
  readonly stateCount: number;
  readonly actions: Int32Array;
  /** Next state by nonterminal, or -1. */
  readonly gotos: Int32Array;
  /** In order of states and terminals. */
  readonly conflicts: readonly LalrConflict[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** More table cells than this end in "too complex". */
const MAX_CELLS = 60_000_000;

/**
 * Builds LALR(1) tables. A shift wins over a reduction; between reductions the one rule of highest priority wins, as in
 * Lark 1.3.1.
 * @param starts numbers of the start nonterminals
 * @throws TooComplex when the tables would not fit
 */
export function buildLalr(grammar: NumberedGrammar, starts: readonly number[]): LalrTable {
  const automaton = automatonOf(grammar, starts);
  const { kernels, moveStart, moveSymbol, moveTarget } = automaton;
  const stateCount = kernels.length;
  const { terminalCount } = grammar;
  const nonterminalCount = grammar.nonterminalNames.length;
  const actions = new Int32Array(stateCount * terminalCount);
  const gotos = new Int32Array(stateCount * nonterminalCount).fill(-1);
  const lookAheads = new LookAheads(grammar, automaton);
  const conflicts: LalrConflict[] = [];
  for (let state = 0; state < stateCount; state++) {
    for (let move = moveStart[state]!; move < moveStart[state + 1]!; move++) {
      const symbol = moveSymbol[move]!;
      if (symbol < terminalCount) actions[state * terminalCount + symbol] = moveTarget[move]! + 1;
      else gotos[state * nonterminalCount + symbol - terminalCount] = moveTarget[move]!;
    }
    decide(grammar, lookAheads.of(state), (terminal, rules, rule) => {
      const cell = state * terminalCount + terminal;
      if (rules !== undefined) conflicts.push({ kind: 'reduce-reduce', state, terminal, rules, resolved: rule });
      if (rule === undefined) return;
      if (actions[cell]! > 0)
        conflicts.push({ kind: 'shift-reduce', state, terminal, rules: [rule], resolved: 'shift' });
      else actions[cell] = -(rule + 1);
    });
  }
  const { starts: states, ends } = automaton;
  return { grammar, stateCount, actions, gotos, conflicts, starts: states, ends };
}

/** Conflicts, and what is needed to explain them. */
export interface LalrConflicts {
  readonly grammar: NumberedGrammar;
  readonly automaton: Lr0Automaton;
  /** As in the tables. */
  readonly conflicts: readonly LalrConflict[];
  /**
   * What to do in a state before a terminal, written as in the tables. It may end a rule where the tables have nothing
   * to do; the terminal is not taken after that either.
   */
  action(state: number, terminal: number): number;
}

/**
 * Finds the conflicts that `buildLalr` finds, without its tables: look-aheads are followed only in states where what may
 * come behind a rule anywhere does not settle it.
 * @throws TooComplex as `buildLalr` does
 */
export function findConflicts(grammar: NumberedGrammar, starts: readonly number[]): LalrConflicts {
  const automaton = automatonOf(grammar, starts);
  const { kernels, moveStart, moveSymbol, moveTarget } = automaton;
  const endings = new Endings(grammar, starts, automaton);
  const clashing = new Map<number, readonly Reduction[]>();
  const conflicts: LalrConflict[] = [];
  const shift = (state: number, terminal: number): number => {
    for (let move = moveStart[state]!; move < moveStart[state + 1]!; move++)
      if (moveSymbol[move] === terminal) return moveTarget[move]! + 1;
    return 0;
  };
  let lookAheads: LookAheads | undefined;
  for (let state = 0; state < kernels.length; state++) {
    if (!endings.clash(state)) continue;
    lookAheads ??= new LookAheads(grammar, automaton);
    const reductions = lookAheads.of(state);
    clashing.set(state, reductions);
    decide(grammar, reductions, (terminal, rules, rule) => {
      if (rules !== undefined) conflicts.push({ kind: 'reduce-reduce', state, terminal, rules, resolved: rule });
      if (rule !== undefined && shift(state, terminal) > 0)
        conflicts.push({ kind: 'shift-reduce', state, terminal, rules: [rule], resolved: 'shift' });
    });
  }
  return {
    grammar,
    automaton,
    conflicts,
    action(state, terminal) {
      let action = shift(state, terminal);
      if (action > 0) return action;
      const reductions = clashing.get(state);
      if (reductions === undefined) {
        const rule = endings.before(state, terminal);
        return rule === undefined ? 0 : -(rule + 1);
      }
      decide(grammar, reductions, (at, _, rule) => {
        if (at === terminal && rule !== undefined) action = -(rule + 1);
      });
      return action;
    },
  };
}

function automatonOf(grammar: NumberedGrammar, starts: readonly number[]): Lr0Automaton {
  const automaton = buildLr0(grammar, starts);
  const width = grammar.terminalCount + grammar.nonterminalNames.length;
  if (automaton.kernels.length * width > MAX_CELLS) throw new TooComplex();
  return automaton;
}

/**
 * Chooses among the rules that can end in a state, for each terminal that lets one end, in order.
 * @param settle gets the terminal, all rules if there are several, and the chosen one if there is one
 */
function decide(
  grammar: NumberedGrammar,
  reductions: readonly Reduction[],
  settle: (terminal: number, rules: readonly number[] | undefined, rule: number | undefined) => void,
): void {
  const first = reductions[0];
  if (first === undefined) return;
  for (let word = 0; word < first.set.length; word++) {
    let bits = 0;
    for (const { set } of reductions) bits |= set[word]!;
    while (bits !== 0) {
      const bit = bits & -bits;
      bits ^= bit;
      const terminal = word * 32 + 31 - Math.clz32(bit);
      if (reductions.length === 1) {
        settle(terminal, undefined, first.rule);
        continue;
      }
      const rules = reductions.filter(({ set }) => (set[word]! & bit) !== 0).map(({ rule }) => rule);
      settle(terminal, rules.length > 1 ? rules : undefined, rules.length > 1 ? strongest(grammar, rules) : rules[0]!);
    }
  }
}

/** The rule of highest priority, if there is one. */
function strongest({ rulePriority }: NumberedGrammar, rules: readonly number[]): number | undefined {
  const [best, second] = [...rules].sort((a, b) => rulePriority[b]! - rulePriority[a]!) as [number, number];
  return rulePriority[best]! > rulePriority[second]! ? best : undefined;
}

/** Rules that end in states, by what may come behind them anywhere: that is at least their look-aheads. */
class Endings {
  readonly #follow: Uint32Array;
  readonly #words: number;
  /** What has an action in the state at hand. */
  readonly #met: Uint32Array;

  constructor(
    readonly grammar: NumberedGrammar,
    starts: readonly number[],
    readonly automaton: Lr0Automaton,
  ) {
    this.#words = (grammar.terminalCount + 31) >>> 5;
    this.#follow = followSets(grammar, starts, this.#words);
    this.#met = new Uint32Array(this.#words);
  }

  #rules(state: number): readonly number[] {
    const { kernels, emptyRules, itemBase, itemRule, left, right } = this.automaton;
    let rules: number[] | undefined;
    for (const item of kernels[state]!) {
      const rule = itemRule[item]!;
      if (item - itemBase[rule]! !== right[rule]!.length || left[rule]! < 0) continue;
      if (rules === undefined) rules = [rule];
      else rules.push(rule);
    }
    const empty = emptyRules[state]!;
    if (rules === undefined) return empty;
    return empty.length === 0 ? rules : [...rules, ...empty];
  }

  /** Whether the state could have a conflict. */
  clash(state: number): boolean {
    const { moveStart, moveSymbol, left } = this.automaton;
    const met = this.#met;
    let begun = false;
    for (const rule of this.#rules(state)) {
      if (!begun) {
        begun = true;
        met.fill(0);
        for (let move = moveStart[state]!; move < moveStart[state + 1]!; move++) {
          const symbol = moveSymbol[move]!;
          if (symbol < this.grammar.terminalCount) met[symbol >>> 5]! |= 1 << (symbol & 31);
        }
      }
      const offset = left[rule]! * this.#words;
      for (let word = 0; word < this.#words; word++) {
        if ((met[word]! & this.#follow[offset + word]!) !== 0) return true;
        met[word]! |= this.#follow[offset + word]!;
      }
    }
    return false;
  }

  /** The first rule that may end before a terminal. */
  before(state: number, terminal: number): number | undefined {
    for (const rule of this.#rules(state)) {
      const word = this.#follow[this.automaton.left[rule]! * this.#words + (terminal >>> 5)]!;
      if (((word >>> (terminal & 31)) & 1) === 1) return rule;
    }
    return undefined;
  }
}

/** By nonterminal: terminals that may come behind it in some sentence, as bits. */
function followSets(grammar: NumberedGrammar, starts: readonly number[], words: number): Uint32Array {
  const { terminalCount, nullable, left, right } = grammar;
  const count = grammar.nonterminalNames.length;
  const first = new Uint32Array(count * words);
  const follow = new Uint32Array(count * words);
  const firstOf: Set<number>[] = Array.from({ length: count }, () => new Set());
  const followOf: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (let rule = 0; rule < right.length; rule++) {
    for (const symbol of right[rule]!) {
      if (symbol < terminalCount) {
        first[left[rule]! * words + (symbol >>> 5)]! |= 1 << (symbol & 31);
        break;
      }
      firstOf[symbol - terminalCount]!.add(left[rule]!);
      if (nullable[symbol - terminalCount] === 0) break;
    }
  }
  spread(first, firstOf, words);
  // From the right, with what may begin behind each symbol; `open` as long as the rest can be empty.
  const behind = new Uint32Array(words);
  for (let rule = 0; rule < right.length; rule++) {
    behind.fill(0);
    let open = true;
    const symbols = right[rule]!;
    for (let i = symbols.length - 1; i >= 0; i--) {
      const symbol = symbols[i]!;
      if (symbol < terminalCount) {
        behind.fill(0);
        behind[symbol >>> 5] = 1 << (symbol & 31);
        open = false;
        continue;
      }
      const at = symbol - terminalCount;
      for (let word = 0; word < words; word++) follow[at * words + word]! |= behind[word]!;
      if (open) followOf[left[rule]!]!.add(at);
      if (nullable[at] === 0) {
        behind.fill(0);
        open = false;
      }
      for (let word = 0; word < words; word++) behind[word]! |= first[at * words + word]!;
    }
  }
  for (const start of starts) follow[start * words]! |= 1;
  spread(follow, followOf, words);
  return follow;
}

/** Adds the set of each nonterminal to those of the given others, until nothing changes. */
function spread(sets: Uint32Array, to: readonly ReadonlySet<number>[], words: number): void {
  const waiting = new Uint8Array(to.length).fill(1);
  const queue = to.map((_, nonterminal) => nonterminal);
  for (let from = queue.pop(); from !== undefined; from = queue.pop()) {
    waiting[from] = 0;
    for (const other of to[from]!) {
      let changed = false;
      for (let word = 0; word < words; word++) {
        const before = sets[other * words + word]!;
        const after = (before | sets[from * words + word]!) >>> 0;
        if (after === before) continue;
        sets[other * words + word] = after;
        changed = true;
      }
      if (changed && waiting[other] === 0) {
        waiting[other] = 1;
        queue.push(other);
      }
    }
  }
}
