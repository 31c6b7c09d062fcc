import { TooComplex } from '../tree';
import { firstNonterminals, type NumberedGrammar } from './symbols';

/** The LR(0) automaton of a grammar. An item is a number: `itemBase[rule] + dot`. */
export interface Lr0Automaton {
  /** Rules of the grammar, then one `$root` rule per start symbol, which has no left side (-1). */
  readonly left: Int32Array;
  readonly right: readonly Int32Array[];
  readonly itemBase: Int32Array;
  readonly itemRule: Int32Array;
  /** Sorted items of each state's kernel. */
  readonly kernels: readonly Int32Array[];
  /** What may begin in each state: rules without symbols. */
  readonly emptyRules: readonly (readonly number[])[];
  /** The moves of a state are those from `moveStart[state]` up to `moveStart[state + 1]`. */
  readonly moveStart: Int32Array;
  readonly moveSymbol: Int32Array;
  /** State before each move, and behind it. */
  readonly moveState: Int32Array;
  readonly moveTarget: Int32Array;
  /** The moves of each state, at the same places as above, in order of their symbols. */
  readonly moveBySymbol: Int32Array;
  /** Start state of each start symbol. */
  readonly starts: readonly number[];
  /** State behind each start symbol: the input is read when it is reached at the end. */
  readonly ends: readonly number[];
}

/** More states than this end in "too complex". */
const MAX_STATES = 400_000;
/** More moves than this do, too: ladders of rules have as many moves in each state as there are rules below. */
const MOST_MOVES = 5_000_000;
/** More items than this, looked at in closures and put into kernels, do as well. */
const MOST_ITEMS = 100_000_000;
/** Items in closures that are kept for further states. */
const MOST_KEPT = 2_000_000;

/** What some nonterminals open together. States with the same ones behind their dots share it. */
interface Closure {
  readonly symbols: readonly number[];
  /** Kernels behind the symbols. */
  readonly kernels: readonly Int32Array[];
  /** Number of the state of each kernel, or -1 as long as there is none. */
  readonly targets: Int32Array;
  readonly emptyRules: readonly number[];
}

const NO_CLOSURE: Closure = { symbols: [], kernels: [], targets: new Int32Array(0), emptyRules: [] };

/**
 * Builds the automaton; states are found by their kernels.
 * @throws TooComplex when it has too many states or moves
 */
export function buildLr0(
  grammar: NumberedGrammar,
  starts: readonly number[],
  mostMoves: number = MOST_MOVES,
): Lr0Automaton {
  const { terminalCount, rulesOf } = grammar;
  const ruleCount = grammar.rules.length;
  const total = ruleCount + starts.length;
  const left = new Int32Array(total).fill(-1);
  left.set(grammar.left);
  const right = [...grammar.right, ...starts.map((start) => Int32Array.of(terminalCount + start))];
  const itemBase = new Int32Array(total + 1);
  for (let rule = 0; rule < total; rule++) itemBase[rule + 1] = itemBase[rule]! + right[rule]!.length + 1;
  const itemRule = new Int32Array(itemBase[total]!);
  const itemNext = new Int32Array(itemBase[total]!).fill(-1);
  for (let rule = 0; rule < total; rule++) {
    const symbols = right[rule]!;
    itemRule.fill(rule, itemBase[rule]!, itemBase[rule + 1]!);
    itemNext.set(symbols, itemBase[rule]!);
  }
  const firsts = firstNonterminals(grammar);
  const states = new States();
  const startStates = starts.map((_, index) => states.of(Int32Array.of(itemBase[ruleCount + index]!)));

  const behind = new Gathering(terminalCount + grammar.nonterminalNames.length);
  const seen = new Int32Array(grammar.nonterminalNames.length).fill(-1);
  let turn = 0;
  let kept = 0;
  let items = 0;
  const count = (more: number): void => {
    items += more;
    if (items > MOST_ITEMS) throw new TooComplex();
  };
  const queue: number[] = [];
  const open = (nonterminal: number): void => {
    if (seen[nonterminal] === turn) return;
    seen[nonterminal] = turn;
    queue.push(nonterminal);
  };
  const closures = new Map<string, Closure>();
  const closureOf = (nonterminals: readonly number[]): Closure => {
    if (nonterminals.length === 0) return NO_CLOSURE;
    const key = nonterminals.join();
    const known = closures.get(key);
    if (known !== undefined) return known;
    behind.restart();
    turn++;
    const emptyRules: number[] = [];
    for (const from of nonterminals) {
      // Breadth first from each: this is the order in which states are numbered.
      queue.length = 0;
      open(from);
      for (let i = 0; i < queue.length; i++) {
        count(rulesOf[queue[i]!]!.length);
        for (const rule of rulesOf[queue[i]!]!) {
          const item = itemBase[rule]!;
          if (itemNext[item]! < 0) emptyRules.push(rule);
          else behind.add(itemNext[item]!, item + 1);
        }
        for (const nonterminal of firsts[queue[i]!]!) open(nonterminal);
      }
    }
    const made: Closure = {
      symbols: [...behind.symbols],
      kernels: behind.symbols.map((_, i) => sorted(behind.items[i]!)),
      targets: new Int32Array(behind.symbols.length).fill(-1),
      emptyRules,
    };
    for (const kernel of made.kernels) kept += kernel.length;
    if (kept <= MOST_KEPT) closures.set(key, made);
    return made;
  };

  const moveStart: number[] = [];
  const moveSymbol: number[] = [];
  const moveTarget: number[] = [];
  const emptyRules: (readonly number[])[] = [];
  const own = new Gathering(terminalCount + grammar.nonterminalNames.length);
  for (let current = 0; current < states.kernels.length; current++) {
    moveStart.push(moveSymbol.length);
    own.restart();
    const opened: number[] = [];
    count(states.kernels[current]!.length);
    for (const item of states.kernels[current]!) {
      const symbol = itemNext[item]!;
      if (symbol < 0) continue;
      if (own.add(symbol, item + 1) && symbol >= terminalCount) opened.push(symbol - terminalCount);
    }
    const closure = closureOf(opened);
    emptyRules.push(closure.emptyRules);
    if (moveSymbol.length + closure.symbols.length > mostMoves) throw new TooComplex();
    const { symbols, kernels, targets } = closure;
    for (let i = 0; i < symbols.length; i++) {
      const joined = own.of(symbols[i]!);
      if (joined !== undefined) {
        count(kernels[i]!.length);
        for (const item of kernels[i]!) joined.push(item);
        continue;
      }
      if (targets[i]! < 0) targets[i] = states.of(kernels[i]!);
      moveSymbol.push(symbols[i]!);
      moveTarget.push(targets[i]!);
    }
    for (let i = 0; i < own.symbols.length; i++) {
      moveSymbol.push(own.symbols[i]!);
      moveTarget.push(states.of(sorted(own.items[i]!)));
    }
  }
  moveStart.push(moveSymbol.length);
  const moves = movesOf(moveStart, moveSymbol, terminalCount + grammar.nonterminalNames.length);
  const automaton = {
    left,
    right,
    itemBase,
    itemRule,
    kernels: states.kernels,
    emptyRules,
    ...moves,
    moveTarget: Int32Array.from(moveTarget),
    starts: startStates,
  };
  const ends = starts.map((start, index) => moveOver(automaton, startStates[index]!, terminalCount + start));
  return { ...automaton, ends };
}

type Moves = Pick<Lr0Automaton, 'moveStart' | 'moveSymbol' | 'moveState' | 'moveBySymbol'>;

/** Moves as numbers, and in each state in order of their symbols: all of them are sorted by symbol, then dealt out. */
function movesOf(start: readonly number[], symbol: readonly number[], symbolCount: number): Moves {
  const moveStart = Int32Array.from(start);
  const moveSymbol = Int32Array.from(symbol);
  const count = moveSymbol.length;
  const moveState = new Int32Array(count);
  for (let state = 0; state + 1 < moveStart.length; state++)
    moveState.fill(state, moveStart[state]!, moveStart[state + 1]!);
  const places = new Int32Array(symbolCount + 1);
  for (let move = 0; move < count; move++) places[moveSymbol[move]! + 1]!++;
  for (let i = 0; i < symbolCount; i++) places[i + 1]! += places[i]!;
  const sortedMoves = new Int32Array(count);
  for (let move = 0; move < count; move++) sortedMoves[places[moveSymbol[move]!]!++] = move;
  const next = moveStart.slice();
  const moveBySymbol = new Int32Array(count);
  for (const move of sortedMoves) moveBySymbol[next[moveState[move]!]!++] = move;
  return { moveStart, moveSymbol, moveState, moveBySymbol };
}

/** The move of a state over a symbol, or -1. */
export function moveAt({ moveStart, moveSymbol, moveBySymbol }: Moves, state: number, symbol: number): number {
  let low = moveStart[state]!;
  const end = moveStart[state + 1]!;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (moveSymbol[moveBySymbol[middle]!]! < symbol) low = middle + 1;
    else high = middle;
  }
  if (low === end) return -1;
  const move = moveBySymbol[low]!;
  return moveSymbol[move] === symbol ? move : -1;
}

/** State behind a symbol, or -1. */
export function moveOver(automaton: Moves & Pick<Lr0Automaton, 'moveTarget'>, state: number, symbol: number): number {
  const move = moveAt(automaton, state, symbol);
  return move < 0 ? -1 : automaton.moveTarget[move]!;
}

/** Items by the symbol in front of them. Its lists are used again after each restart. */
class Gathering {
  readonly symbols: number[] = [];
  readonly items: number[][] = [];
  readonly #slot: Int32Array;
  readonly #turnOf: Int32Array;
  #turn = 0;

  constructor(symbolCount: number) {
    this.#slot = new Int32Array(symbolCount);
    this.#turnOf = new Int32Array(symbolCount);
  }

  restart(): void {
    this.#turn++;
    this.symbols.length = 0;
  }

  /** Gives whether the symbol is new. */
  add(symbol: number, item: number): boolean {
    const known = this.#turnOf[symbol] === this.#turn;
    if (known) this.items[this.#slot[symbol]!]!.push(item);
    else {
      this.#turnOf[symbol] = this.#turn;
      const slot = this.symbols.push(symbol) - 1;
      this.#slot[symbol] = slot;
      const list = this.items[slot];
      if (list === undefined) this.items.push([item]);
      else {
        list.length = 0;
        list.push(item);
      }
    }
    return !known;
  }

  of(symbol: number): number[] | undefined {
    return this.#turnOf[symbol] === this.#turn ? this.items[this.#slot[symbol]!] : undefined;
  }
}

/** States by their kernels. */
class States {
  readonly kernels: Int32Array[] = [];
  readonly #byHash = new Map<number, number[]>();

  of(kernel: Int32Array): number {
    let hash = kernel.length;
    for (let i = 0; i < kernel.length; i++) hash = (Math.imul(hash, 0x01000193) ^ kernel[i]!) | 0;
    let same = this.#byHash.get(hash);
    if (same === undefined) {
      same = [];
      this.#byHash.set(hash, same);
    }
    for (const id of same) if (equal(this.kernels[id]!, kernel)) return id;
    const id = this.kernels.length;
    if (id >= MAX_STATES) throw new TooComplex();
    this.kernels.push(kernel);
    same.push(id);
    return id;
  }
}

function equal(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function sorted(items: readonly number[]): Int32Array {
  const kernel = Int32Array.from(items);
  for (let i = 1; i < kernel.length; i++) if (kernel[i - 1]! > kernel[i]!) return kernel.sort();
  return kernel;
}
