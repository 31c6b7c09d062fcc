import { TooComplex } from '../tree';
import { type LalrConflict, LalrTable, strongest } from './lalrTable';
import { LookAheads, type Reduction } from './lookAheads';
import { buildLr0, type Lr0Automaton, moveOver } from './lr0';
import type { NumberedGrammar } from './symbols';
import { eachBit, hasTerminal } from './terminalSets';

/** More conflicts than this are "too complex". */
const MOST_CONFLICTS = 2_000_000;
/** So many words in all sets of what may come behind a nonterminal are too many. */
const MOST_WORDS = 20_000_000;

/**
 * Builds LALR(1) tables. A shift wins over a reduction; between reductions the one rule of highest priority wins, as in
 * Lark 1.3.1.
 * @param starts numbers of the start nonterminals
 * @param mostCells larger tables are not written out; they are searched instead
 * @throws TooComplex when there are too many states, or too much to find out about them
 */
export function buildLalr(grammar: NumberedGrammar, starts: readonly number[], mostCells?: number): LalrTable {
  const automaton = buildLr0(grammar, starts);
  const lookAheads = new LookAheads(grammar, automaton);
  const conflicts: LalrConflict[] = [];
  const reductions = automaton.kernels.map((_, state) => {
    const here = lookAheads.of(state);
    findClashes(grammar, automaton, state, here, conflicts);
    return here;
  });
  return new LalrTable(grammar, automaton, reductions, conflicts, mostCells);
}

/** Adds the conflicts of a state, in order of terminals. */
function findClashes(
  grammar: NumberedGrammar,
  automaton: Lr0Automaton,
  state: number,
  reductions: readonly Reduction[],
  conflicts: LalrConflict[],
): void {
  const clash = (terminal: number, rule: number): void => {
    conflicts.push({ kind: 'shift-reduce', state, terminal, rules: [rule], resolved: 'shift' });
  };
  const only = reductions[0];
  if (only === undefined) return;
  if (reductions.length === 1) {
    const { moveStart, moveSymbol, moveBySymbol } = automaton;
    for (let at = moveStart[state]!; at < moveStart[state + 1]!; at++) {
      const symbol = moveSymbol[moveBySymbol[at]!]!;
      if (symbol >= grammar.terminalCount) break;
      if (hasTerminal(only.set, symbol)) clash(symbol, only.rule);
    }
  } else {
    decide(grammar, reductions, (terminal, rules, rule) => {
      if (rules !== undefined) conflicts.push({ kind: 'reduce-reduce', state, terminal, rules, resolved: rule });
      if (rule !== undefined && moveOver(automaton, state, terminal) >= 0) clash(terminal, rule);
    });
  }
  if (conflicts.length > MOST_CONFLICTS) throw new TooComplex();
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
  const automaton = buildLr0(grammar, starts);
  const endings = new Endings(grammar, starts, automaton);
  const clashing = new Map<number, readonly Reduction[]>();
  const conflicts: LalrConflict[] = [];
  let lookAheads: LookAheads | undefined;
  for (let state = 0; state < automaton.kernels.length; state++) {
    if (!endings.clash(state)) continue;
    lookAheads ??= new LookAheads(grammar, automaton);
    const reductions = lookAheads.of(state);
    clashing.set(state, reductions);
    findClashes(grammar, automaton, state, reductions, conflicts);
  }
  return {
    grammar,
    automaton,
    conflicts,
    action(state, terminal) {
      const target = moveOver(automaton, state, terminal);
      if (target >= 0) return target + 1;
      const reductions = clashing.get(state);
      if (reductions === undefined) {
        const rule = endings.before(state, terminal);
        return rule === undefined ? 0 : -(rule + 1);
      }
      const rules = reductions.flatMap(({ rule, set }) => (hasTerminal(set, terminal) ? [rule] : []));
      const rule = rules.length === 0 ? undefined : strongest(grammar, rules);
      return rule === undefined ? 0 : -(rule + 1);
    },
  };
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
  const places = new Int32Array(reductions.length);
  for (;;) {
    // The next word that one of the sets has, and what all of them have there.
    let word = Number.POSITIVE_INFINITY;
    for (let i = 0; i < reductions.length; i++) {
      const { set } = reductions[i]!;
      if (places[i]! < set.length && set[places[i]!]! < word) word = set[places[i]!]!;
    }
    if (word === Number.POSITIVE_INFINITY) return;
    let bits = 0;
    const here: { readonly rule: number; readonly bits: number }[] = [];
    for (let i = 0; i < reductions.length; i++) {
      const { rule, set } = reductions[i]!;
      if (places[i]! >= set.length || set[places[i]!] !== word) continue;
      here.push({ rule, bits: set[places[i]! + 1]! });
      bits |= set[places[i]! + 1]!;
      places[i]! += 2;
    }
    eachBit(word * 32, bits, (terminal) => {
      const rules = here.flatMap(({ rule, bits: own }) => (((own >>> (terminal & 31)) & 1) === 1 ? [rule] : []));
      settle(terminal, rules.length > 1 ? rules : undefined, strongest(grammar, rules));
    });
  }
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
    if (this.#words * grammar.nonterminalNames.length > MOST_WORDS) throw new TooComplex();
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
