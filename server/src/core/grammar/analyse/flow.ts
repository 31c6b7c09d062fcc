import type { Bnf, Nonterminal, Occurrence } from './bnf';

/** What can be derived from the alternatives alone. */
export interface Flow {
  /** By nonterminal: it can match nothing. */
  readonly nullable: readonly boolean[];
  /** By nonterminal: some derivation comes to an end. */
  readonly productive: readonly boolean[];
  /** Lexemes that a text can start with. */
  readonly atStart: ReadonlySet<number>;
  /**
   * By lexeme: lexemes that can come directly behind it; `END` for the end of the text. Equal sets are one object. Empty
   * where that is too much.
   */
  readonly after: readonly ReadonlySet<number>[];
}

/** Words of bits that the sets of one grammar may have together, and steps over words; beyond, they stay empty. */
const MOST_WORDS = 8_000_000;
const MOST_STEPS = 40_000_000;
/** Members that the sets in `after` may have together, equal ones counted once; beyond, they stay empty. */
const MOST_MEMBERS = 4_000_000;

/** Stands for the end of the text in `after`. */
export const END = -1;

/** Whether an occurrence can match nothing. */
function isNullable({ symbol }: Occurrence, nullable: readonly boolean[], empty: (lexeme: number) => boolean): boolean {
  return symbol < 0 ? nullable[~symbol]! : empty(symbol);
}

/** By nonterminal: some derivation comes to an end without the occurrences that are `dead`. */
export function productiveOf(bnf: Bnf, dead: (occurrence: Occurrence) => boolean): readonly boolean[] {
  const productive: boolean[] = bnf.nonterminals.map(() => false);
  settle(bnf, productive, (symbols) =>
    symbols.every((each) => (each.symbol < 0 ? productive[~each.symbol]! : !dead(each))),
  );
  return productive;
}

/** By nonterminal: some derivation without the `dead` occurrences comes to an end and has a lexeme in it. */
export function nonEmptyOf(
  bnf: Bnf,
  productive: readonly boolean[],
  dead: (occurrence: Occurrence) => boolean,
): readonly boolean[] {
  const marks: boolean[] = bnf.nonterminals.map(() => false);
  settle(
    bnf,
    marks,
    (symbols) =>
      symbols.every((each) => (each.symbol < 0 ? productive[~each.symbol]! : !dead(each))) &&
      symbols.some(({ symbol }) => symbol >= 0 || marks[~symbol]!),
  );
  return marks;
}

/** Follows what can stand where. `empty` tells which lexemes can match nothing (llguidance). */
export function flowOf(bnf: Bnf, empty: (lexeme: number) => boolean, mostMembers: number = MOST_MEMBERS): Flow {
  const { nonterminals } = bnf;
  const nullable: boolean[] = nonterminals.map(() => false);
  settle(bnf, nullable, (symbols) => symbols.every((each) => isNullable(each, nullable, empty)));
  const productive = productiveOf(bnf, () => false);
  const first = edges(bnf, nullable, empty, false);
  const last = edges(bnf, nullable, empty, true);
  const { start } = bnf;
  if (start === undefined || first === undefined || last === undefined) {
    return { nullable, productive, atStart: new Set(), after: bnf.lexemes.map(() => new Set()) };
  }
  const after = pairs(bnf, start, nullable, empty, { first, last, mostMembers });
  return { nullable, productive, atStart: first.numbers(start.id), after };
}

/** Marks nonterminals until nothing changes: once one of their alternatives holds. Linear in the grammar. */
function settle(bnf: Bnf, marks: boolean[], holds: (symbols: readonly Occurrence[]) => boolean): void {
  const users = usersOf(bnf);
  const queue = [...bnf.nonterminals];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (marks[next.id] || !next.productions.some(({ symbols }) => holds(symbols))) continue;
    marks[next.id] = true;
    for (const user of users[next.id]!) if (!marks[user.id]) queue.push(user);
  }
}

const knownUsers = new WeakMap<Bnf, readonly (readonly Nonterminal[])[]>();

/** By nonterminal: those that use it. Several questions follow them. */
function usersOf(bnf: Bnf): readonly (readonly Nonterminal[])[] {
  const known = knownUsers.get(bnf);
  if (known !== undefined) return known;
  const users: Set<Nonterminal>[] = bnf.nonterminals.map(() => new Set());
  for (const nonterminal of bnf.nonterminals) {
    for (const { symbols } of nonterminal.productions)
      for (const { symbol } of symbols) if (symbol < 0) users[~symbol]!.add(nonterminal);
  }
  const lists = users.map((each) => [...each]);
  knownUsers.set(bnf, lists);
  return lists;
}

/** Sets of lexemes in rows, as bits. */
class Rows {
  readonly #words: number;
  readonly #bits: Uint32Array;

  constructor(rows: number, columns: number) {
    this.#words = (columns + 31) >>> 5;
    this.#bits = new Uint32Array(rows * this.#words);
  }

  /** `undefined` where they would be too large. */
  static of(rows: number, columns: number): Rows | undefined {
    return rows * (columns + 31) > MOST_WORDS * 32 ? undefined : new Rows(rows, columns);
  }

  /** Words of a row. */
  get words(): number {
    return this.#words;
  }

  add(row: number, column: number): void {
    this.#bits[row * this.#words + (column >>> 5)]! |= 1 << (column & 31);
  }

  /** Adds a row of these or of others with as many columns; gives whether that changes anything. */
  addRow(row: number, from: Rows, other: number): boolean {
    let changed = 0;
    for (let word = 0; word < this.#words; word++) {
      const bits = from.#bits[other * this.#words + word]!;
      changed |= bits & ~this.#bits[row * this.#words + word]!;
      this.#bits[row * this.#words + word]! |= bits;
    }
    return changed !== 0;
  }

  /** Equal for equal rows. */
  key(row: number): string {
    return this.#bits.subarray(row * this.#words, (row + 1) * this.#words).join();
  }

  /** How many columns a row has. */
  count(row: number): number {
    let count = 0;
    for (let word = row * this.#words; word < (row + 1) * this.#words; word++) {
      for (let bits = this.#bits[word]!; bits !== 0; bits &= bits - 1) count++;
    }
    return count;
  }

  numbers(row: number): Set<number> {
    const found = new Set<number>();
    for (let word = 0; word < this.#words; word++) {
      for (let bits = this.#bits[row * this.#words + word]!; bits !== 0; bits &= bits - 1)
        found.add(word * 32 + 31 - Math.clz32(bits & -bits));
    }
    return found;
  }
}

/** First or last lexemes of each nonterminal. */
function edges(
  bnf: Bnf,
  nullable: readonly boolean[],
  empty: (lexeme: number) => boolean,
  fromEnd: boolean,
): Rows | undefined {
  const rows = Rows.of(bnf.nonterminals.length, bnf.lexemes.length);
  if (rows === undefined) return undefined;
  const users: number[][] = bnf.nonterminals.map(() => []);
  for (const { id, productions } of bnf.nonterminals) {
    for (const { symbols } of productions) {
      for (let i = 0; i < symbols.length; i++) {
        const each = symbols[fromEnd ? symbols.length - 1 - i : i]!;
        if (each.symbol >= 0) rows.add(id, each.symbol);
        else if (users[~each.symbol]!.at(-1) !== id) users[~each.symbol]!.push(id);
        if (!isNullable(each, nullable, empty)) break;
      }
    }
  }
  const queue = bnf.nonterminals.map(({ id }) => id);
  const waiting = new Uint8Array(queue.length).fill(1);
  let steps = 0;
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    waiting[id] = 0;
    for (const user of users[id]!) {
      steps += rows.words;
      if (steps > MOST_STEPS) return undefined;
      if (!rows.addRow(user, rows, id) || waiting[user] === 1) continue;
      waiting[user] = 1;
      queue.push(user);
    }
  }
  return rows;
}

/** Lexemes that can follow each other, in all that can be reached from the start. */
function pairs(
  bnf: Bnf,
  start: Nonterminal,
  nullable: readonly boolean[],
  empty: (lexeme: number) => boolean,
  { first, last, mostMembers }: { readonly first: Rows; readonly last: Rows; readonly mostMembers: number },
): Set<number>[] {
  const nothing = (): Set<number>[] => bnf.lexemes.map(() => new Set());
  const count = bnf.lexemes.length;
  const after = Rows.of(count, count);
  if (after === undefined) return nothing();
  // Neighbors come again and again; each two are looked at once.
  const met = new Set<number>();
  const symbols = bnf.nonterminals.length + count;
  const ends = new Map<number, readonly number[]>();
  const lastOf = (symbol: number): readonly number[] => {
    if (symbol >= 0) return [symbol];
    let known = ends.get(symbol);
    if (known === undefined) {
      known = [...last.numbers(~symbol)];
      ends.set(symbol, known);
    }
    return known;
  };
  const reached = new Set([start.id]);
  let steps = 0;
  // What stands to the left with nothing but what may be empty between.
  const open: number[] = [];
  for (const id of reached) {
    for (const production of bnf.nonterminals[id]!.productions) {
      open.length = 0;
      for (const each of production.symbols) {
        const { symbol } = each;
        for (const before of open) {
          const key = (before + bnf.nonterminals.length) * symbols + symbol + bnf.nonterminals.length;
          if (met.has(key)) continue;
          met.add(key);
          for (const lexeme of lastOf(before)) {
            steps += after.words;
            if (symbol < 0) after.addRow(lexeme, first, ~symbol);
            else after.add(lexeme, symbol);
          }
          if (steps > MOST_STEPS) return nothing();
        }
        if (!isNullable(each, nullable, empty)) open.length = 0;
        open.push(symbol);
        if (symbol < 0) reached.add(~symbol);
      }
    }
  }
  // Many have the same ones behind them.
  const shared = new Map<string, Set<number>>();
  const atEnd = new Set(lastOf(~start.id));
  const found: Set<number>[] = [];
  let members = 0;
  for (const { id } of bnf.lexemes) {
    const key = `${after.key(id)}${atEnd.has(id) ? '$' : ''}`;
    let set = shared.get(key);
    if (set === undefined) {
      members += after.count(id);
      if (members > mostMembers) return nothing();
      set = after.numbers(id);
      if (atEnd.has(id)) set.add(END);
      shared.set(key, set);
    }
    found.push(set);
  }
  return found;
}
