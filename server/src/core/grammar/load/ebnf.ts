import type { Loading } from './entries';
import { badRange } from './patterns';
import { type Child, EMPTY, type Place, rewrite, Structure, Sym, TooComplex, Tree } from './tree';

/** From this upper count on a repeat is split into helper rules (Lark 1.3.1). */
const SPLIT_FROM = 50;
/** Parts of a helper rule of a split repeat. */
const MOST_PARTS = 5;
/** Symbols that repeats written out may have, in all rules together. */
const MOST_SYMBOLS = 1_000_000;
const MOST_PLACEHOLDERS = 10_000;
/** Larger counts are no exact numbers any more. */
const GREATEST_COUNT = Number.MAX_SAFE_INTEGER;

/** A rule in BNF, still as a tree. */
export interface DraftRule {
  readonly name: string;
  readonly tree: Tree;
  readonly place: Place;
}

/** A helper rule; it keeps all tokens if the rule that first needed it does. */
export interface HelperRule extends DraftRule {
  readonly keepAllTokens: boolean;
}

/** Replaces operators and optionals by alternatives and helper rules (Lark 1.3.1, `EBNF_to_BNF`). */
export class Ebnf {
  readonly helpers: HelperRule[] = [];
  readonly #structure = new Structure();
  readonly #known = new Map<string, Sym>();
  #rule = '';
  #keepAllTokens = false;
  #place: Place | undefined;
  #count = 0;
  #symbols = 0;
  readonly #sizes = new Map<Tree, number>();

  constructor(readonly loading: Loading) {}

  rule(name: string, keepAllTokens: boolean, place: Place, tree: Tree): Tree {
    this.#rule = name;
    this.#keepAllTokens = keepAllTokens;
    this.#place = place;
    return rewrite(tree, (part) => {
      if (part.kind === 'repeat') return this.#repeat(part);
      return part.kind === 'maybe' ? this.#maybe(part) : part;
    }) as Tree;
  }

  #helper(key: string, suffix: string, make: (name: Sym) => Child[][], place: Place | undefined): Sym {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const symbol = new Sym(`__${this.#rule}_${suffix}_${this.#count++}`, false, false, place);
    const sequences = make(symbol).map((items) => this.#sequence(items, place));
    const tree = new Tree('alternatives', sequences, place);
    this.helpers.push({ name: symbol.name, tree, place: place ?? this.#place!, keepAllTokens: this.#keepAllTokens });
    this.#known.set(key, symbol);
    return symbol;
  }

  #sequence(items: Child[], place: Place | undefined): Tree {
    this.#symbols += items.length + 1;
    if (this.#symbols > MOST_SYMBOLS) throw new TooComplex('repeats', place);
    return new Tree('sequence', items, place);
  }

  #repeat(tree: Tree): Child {
    const item = tree.children[0]!;
    const { place } = tree;
    const { operator, least, most, range } = tree.repetition!;
    switch (operator) {
      case '?':
        return new Tree('alternatives', [item, this.#sequence([], place)], place);
      case '+':
        return this.#list(item, 'plus', place);
      case '*':
        return new Tree('alternatives', [this.#list(item, 'star', place), this.#sequence([], place)], place);
      default:
        if (range && (most < least || least < 0)) {
          badRange(this.loading, tree);
          return item;
        }
        if (most > GREATEST_COUNT) throw new TooComplex('repeats', place);
        return this.#counted(item, least, most, place);
    }
  }

  #list(item: Child, suffix: string, place: Place | undefined): Sym {
    return this.#helper(`${this.#structure.of(item)}`, suffix, (self) => [[item], [self, item]], place);
  }

  #counted(item: Child, least: number, most: number, place: Place | undefined): Child {
    if (most < SPLIT_FROM) {
      const sequences: Tree[] = [];
      for (let n = least; n <= most; n++) sequences.push(this.#sequence(times(item, n), place));
      return new Tree('alternatives', sequences, place);
    }
    let exact = item;
    for (const [a, b] of factors(least)) exact = this.#exactly(a, b, exact, item, place);
    if (most === least) return exact;
    const steps = factors(most - least + 1);
    let all: Child = item;
    let fewer: Child = this.#sequence([], place);
    steps.forEach(([a, b], i) => {
      const before = all;
      fewer = this.#upTo(a, b, before, fewer, item, place);
      if (i < steps.length - 1) all = this.#exactly(a, b, before, item, place);
    });
    return new Tree('alternatives', [this.#sequence([exact, fewer], place)], place);
  }

  /** `a` times the target and `b` times the item. */
  #exactly(a: number, b: number, target: Child, item: Child, place: Place | undefined): Sym {
    const key = `exactly ${a} ${b} ${this.#structure.of(target)} ${this.#structure.of(item)}`;
    return this.#helper(key, `repeat_a${a}_b${b}`, () => [[...times(target, a), ...times(item, b)]], place);
  }

  /** Up to `a` targets with what stands for fewer than one behind, then `a` targets and fewer than `b` items. */
  #upTo(a: number, b: number, target: Child, fewer: Child, item: Child, place: Place | undefined): Sym {
    const key = `upTo ${a} ${b} ${this.#structure.of(target)} ${this.#structure.of(item)}`;
    const make = (): Child[][] => {
      const sequences: Child[][] = [];
      for (let n = 0; n < a; n++) sequences.push([...times(target, n), fewer]);
      for (let n = 0; n < b; n++) sequences.push([...times(target, a), ...times(item, n)]);
      return sequences;
    };
    return this.#helper(key, `repeat_a${a}_b${b}_opt`, make, place);
  }

  /** The item, or as many placeholders as it has symbols that stay in the tree. */
  #maybe(tree: Tree): Tree {
    const body = tree.children[0] as Tree;
    const size = this.#size(body);
    if (size > MOST_PLACEHOLDERS) throw new TooComplex('placeholders', tree.place);
    return new Tree('alternatives', [body, this.#sequence(times(EMPTY, size), tree.place)], tree.place);
  }

  /** How many symbols stay in the tree: the most that one of the alternatives has. Trees below are final by now. */
  #size(root: Tree): number {
    const stack: Tree[] = [root];
    for (let tree = stack.at(-1); tree !== undefined; tree = stack.at(-1)) {
      const open = tree.children.filter((child): child is Tree => child instanceof Tree && !this.#sizes.has(child));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      stack.pop();
      let size = 0;
      for (const child of tree.children) {
        const part = child instanceof Sym ? this.#stays(child) : this.#sizes.get(child)!;
        size = tree.kind === 'alternatives' ? Math.max(size, part) : size + part;
      }
      this.#sizes.set(tree, size);
    }
    return this.#sizes.get(root)!;
  }

  #stays(symbol: Sym): number {
    if (symbol === EMPTY) return 0;
    if (symbol.terminal) return this.#keepAllTokens || !symbol.filterOut ? 1 : 0;
    return symbol.name.startsWith('_') ? 0 : 1;
  }
}

function times(item: Child, count: number): Child[] {
  return count > 0 ? Array.from({ length: count }, () => item) : [];
}

/**
 * Pairs (a, b) such that 1, put through n → a·n + b one pair after the other, gives the number, with a + b of each pair
 * small (Lark 1.3.1, `small_factors`).
 */
function factors(n: number): [number, number][] {
  const pairs: [number, number][] = [];
  let rest = n;
  while (rest > MOST_PARTS) {
    let found = false;
    for (let a = MOST_PARTS; a > 1 && !found; a--) {
      const b = rest % a;
      if (a + b > MOST_PARTS) continue;
      pairs.unshift([a, b]);
      rest = (rest - b) / a;
      found = true;
    }
    if (!found) break;
  }
  pairs.unshift([rest, 0]);
  return pairs;
}
