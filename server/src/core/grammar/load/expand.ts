import { type Child, EMPTY, type Place, Structure, Sym, subtrees, TooComplex, type Tree } from './tree';

/** Alternatives beyond those that are written, and symbols, that groups multiplied out may come to in all rules. */
const MOST_ALTERNATIVES = 100_000;
const MOST_SYMBOLS = 2_000_000;

/** One alternative without groups. */
export interface FlatAlternative {
  readonly items: readonly Sym[];
  readonly alias: Sym | undefined;
  /** An alias inside brackets, which has no place in an alternative. */
  readonly stray: Sym | undefined;
  readonly place: Place | undefined;
}

/** Multiplies groups out into alternatives, each kept once (Lark 1.3.1, `SimplifyRule_Visitor`). */
export class Expansion {
  readonly #structure = new Structure();
  readonly #known = new Map<Tree, FlatAlternative[]>();
  #alternatives = 0;
  #symbols = 0;

  /** The alternatives of a rule in order. */
  rule(root: Tree): readonly FlatAlternative[] {
    for (const tree of subtrees(root)) {
      if (!this.#known.has(tree)) this.#known.set(tree, this.#once(this.#flat(tree), tree));
    }
    return this.#known.get(root)!;
  }

  #flat(tree: Tree): FlatAlternative[] {
    switch (tree.kind) {
      case 'alternatives':
        return tree.children.flatMap((child) => this.#choice(child));
      case 'alias': {
        const { alias } = tree;
        return this.#choice(tree.children[0]!).map((one) => ({
          ...one,
          alias,
          stray: one.stray ?? one.alias,
          place: tree.place,
        }));
      }
      default:
        return this.#product(tree);
    }
  }

  #choice(child: Child): readonly FlatAlternative[] {
    return child instanceof Sym
      ? [{ items: [child], alias: undefined, stray: undefined, place: child.place }]
      : this.#known.get(child)!;
  }

  #product(tree: Tree): FlatAlternative[] {
    const { place } = tree;
    let rows: FlatAlternative[] = [{ items: [], alias: undefined, stray: undefined, place }];
    // Runs of plain symbols are put behind in one go.
    let run: Sym[] = [];
    const flush = (): void => {
      if (run.length > 0) {
        rows = rows.map(({ items, stray }) => ({
          items: items.length === 0 ? run : [...items, ...run],
          alias: undefined,
          stray,
          place,
        }));
      }
      run = [];
    };
    for (const child of tree.children) {
      if (child instanceof Sym) {
        run.push(child);
        continue;
      }
      flush();
      const options = this.#known.get(child)!;
      // What is written does not count, however much it is.
      this.#alternatives += rows.length * options.length - Math.max(rows.length, options.length);
      if (this.#alternatives > MOST_ALTERNATIVES) throw new TooComplex('alternatives', place);
      const next: FlatAlternative[] = [];
      for (const row of rows) {
        for (const option of options) {
          const stray = row.stray ?? option.stray ?? option.alias;
          this.#symbols += row.items.length + option.items.length;
          next.push({ items: [...row.items, ...option.items], alias: undefined, stray, place });
        }
        if (this.#symbols > MOST_SYMBOLS) throw new TooComplex('alternatives', place);
      }
      rows = next;
    }
    flush();
    return rows;
  }

  #once(alternatives: FlatAlternative[], tree: Tree): FlatAlternative[] {
    // Groups inside one another hand their alternatives on, one level after the other.
    this.#symbols += alternatives.length;
    if (this.#symbols > MOST_SYMBOLS) throw new TooComplex('alternatives', tree.place);
    if (alternatives.length < 2) return alternatives;
    const seen = new Set<string>();
    return alternatives.filter(({ items, alias, stray }) => {
      const parts = items.map((item) => (item === EMPTY ? -1 : this.#structure.symbol(item)));
      const key = `${parts.join(' ')}|${alias?.name ?? ''}|${stray?.name ?? ''}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }
}
