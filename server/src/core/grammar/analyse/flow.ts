import type { Bnf, Nonterminal, Occurrence } from './bnf';

/** What can be derived from the alternatives alone. */
export interface Flow {
  /** By nonterminal: it can match nothing. */
  readonly nullable: readonly boolean[];
  /** By nonterminal: some derivation comes to an end. */
  readonly productive: readonly boolean[];
  /** By nonterminal: lexemes that it can start with. */
  readonly first: readonly ReadonlySet<number>[];
  /** By nonterminal: lexemes that it can end with. */
  readonly last: readonly ReadonlySet<number>[];
  /** By lexeme: lexemes that can come directly behind it; `END` for the end of the text. Empty where that is too much. */
  readonly after: readonly ReadonlySet<number>[];
}

/** Entries that the sets of one grammar may have together; beyond, they stay empty. */
const MOST_ENTRIES = 400_000;

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
export function flowOf(bnf: Bnf, empty: (lexeme: number) => boolean): Flow {
  const { nonterminals } = bnf;
  const nullable: boolean[] = nonterminals.map(() => false);
  settle(bnf, nullable, (symbols) => symbols.every((each) => isNullable(each, nullable, empty)));
  const productive = productiveOf(bnf, () => false);
  const first = edges(bnf, nullable, empty, false);
  const last = edges(bnf, nullable, empty, true);
  const after = pairs(bnf, nullable, empty, first, last);
  return { nullable, productive, first, last, after };
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

/** First or last lexemes of each nonterminal. */
function edges(
  bnf: Bnf,
  nullable: readonly boolean[],
  empty: (lexeme: number) => boolean,
  fromEnd: boolean,
): Set<number>[] {
  const sets = bnf.nonterminals.map(() => new Set<number>());
  const users: Set<number>[] = bnf.nonterminals.map(() => new Set());
  for (const { id, productions } of bnf.nonterminals) {
    for (const { symbols } of productions) {
      for (const each of fromEnd ? [...symbols].reverse() : symbols) {
        if (each.symbol >= 0) sets[id]!.add(each.symbol);
        else users[~each.symbol]!.add(id);
        if (!isNullable(each, nullable, empty)) break;
      }
    }
  }
  const queue = bnf.nonterminals.map(({ id }) => id);
  const waiting = new Set(queue);
  let work = 0;
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    waiting.delete(id);
    for (const user of users[id]!) {
      work += sets[id]!.size;
      if (work > MOST_ENTRIES * 4) return bnf.nonterminals.map(() => new Set());
      const before = sets[user]!.size;
      for (const lexeme of sets[id]!) sets[user]!.add(lexeme);
      if (sets[user]!.size > before && !waiting.has(user)) {
        waiting.add(user);
        queue.push(user);
      }
    }
  }
  return sets;
}

/** Lexemes that can follow each other, in all that can be reached from the start. */
function pairs(
  bnf: Bnf,
  nullable: readonly boolean[],
  empty: (lexeme: number) => boolean,
  first: readonly ReadonlySet<number>[],
  last: readonly ReadonlySet<number>[],
): Set<number>[] {
  const after = bnf.lexemes.map(() => new Set<number>());
  const reached = new Set<number>();
  if (bnf.start === undefined) return after;
  reached.add(bnf.start.id);
  for (const lexeme of last[bnf.start.id]!) after[lexeme]!.add(END);
  const ends = ({ symbol }: Occurrence, sets: readonly ReadonlySet<number>[]) =>
    symbol < 0 ? sets[~symbol]! : [symbol];
  // Neighbors come again and again; each two are looked at once.
  const met = new Map<number, Set<number>>();
  let work = 0;
  for (const id of reached) {
    for (const { symbols } of bnf.nonterminals[id]!.productions) {
      // What stands to the left with nothing but what may be empty between.
      let open: Occurrence[] = [];
      for (const each of symbols) {
        for (const before of open) {
          const known = met.get(before.symbol) ?? new Set();
          met.set(before.symbol, known);
          if (known.has(each.symbol)) continue;
          known.add(each.symbol);
          const firsts = ends(each, first);
          for (const lexeme of ends(before, last)) {
            work += 1;
            for (const next of firsts) {
              after[lexeme]!.add(next);
              work += 1;
            }
          }
          if (work > MOST_ENTRIES) return bnf.lexemes.map(() => new Set());
        }
        if (isNullable(each, nullable, empty)) open.push(each);
        else open = [each];
        if (each.symbol < 0) reached.add(~each.symbol);
      }
    }
  }
  return after;
}
