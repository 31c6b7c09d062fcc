import type { Span } from '../../text/span';
import type { PatternFlag } from '../compiled';

/** The file that something is written in. */
export interface Origin {
  /** `undefined` for the grammar's own text. */
  readonly file: string | undefined;
  /** The directive of the grammar's own text that brings the file in. */
  readonly importedAt: Span | undefined;
  /** One of Lark's own grammars. */
  readonly library: boolean;
}

/** A place in one of the files. */
export interface Place {
  readonly span: Span;
  readonly origin: Origin;
}

/** An occurrence of a symbol. Occurrences are shared between the places that they are copied to, as in Lark. */
export class Sym {
  filterOut: boolean;

  constructor(
    readonly name: string,
    readonly terminal: boolean,
    filterOut: boolean,
    readonly place: Place | undefined,
  ) {
    this.filterOut = filterOut;
  }
}

/** Stands for a symbol that `[ ]` leaves out. No grammar can name it. */
export const EMPTY = new Sym('__empty__', false, false, undefined);

/** What a terminal or a literal matches, while it is put together. */
export interface Pattern {
  readonly kind: 'string' | 'regexp';
  readonly value: string;
  /** In alphabetical order. */
  readonly flags: readonly PatternFlag[];
  readonly raw: string | undefined;
  readonly place: Place | undefined;
}

export type TreeKind =
  | 'alternatives'
  | 'sequence'
  | 'alias'
  | 'repeat'
  | 'maybe'
  | 'value'
  | 'literal'
  | 'range'
  | 'pattern'
  | 'template';

export type Child = Tree | Sym;

/** How often a `repeat` repeats: the operator, and for `~` the counts. */
export interface Repetition {
  readonly operator: '?' | '*' | '+' | '~';
  readonly least: number;
  readonly most: number;
  readonly range: boolean;
}

/** A node of a grammar on its way from what is written to rules. */
export class Tree {
  repetition: Repetition | undefined;
  pattern: Pattern | undefined;
  /** Texts of a `literal` (one) and a `range` (two), as written. */
  raw: readonly string[] = [];
  /** Of an `alias`. */
  alias: Sym | undefined;
  /** The last walk that came by. */
  walk = 0;

  constructor(
    readonly kind: TreeKind,
    public children: Child[],
    readonly place: Place | undefined,
  ) {}
}

/**
 * All trees in a tree, each once, in the order in which Lark 1.3.1 works through them: level by level from the deepest,
 * each from left to right. The numbers of anonymous terminals and helper rules depend on it.
 */
export function subtrees(root: Tree, enter: (tree: Tree) => boolean = () => true): Tree[] {
  const walk = ++walks;
  const queue: Tree[] = [root];
  const found: Tree[] = [];
  for (let i = 0; i < queue.length; i++) {
    const tree = queue[i]!;
    if (tree.walk === walk) continue;
    tree.walk = walk;
    found.push(tree);
    if (!enter(tree)) continue;
    for (let c = tree.children.length - 1; c >= 0; c--) {
      const child = tree.children[c]!;
      if (child instanceof Tree && child.walk !== walk) queue.push(child);
    }
  }
  return found.reverse();
}

/** Number of the last walk through a tree; trees remember it, which is faster than a set of them. */
let walks = 0;

/** Whether a `value` refers to the tree of another terminal. */
export function refersOn(tree: Tree): boolean {
  return tree.kind === 'value' && tree.children[0] instanceof Tree && tree.children[0].kind === 'alternatives';
}

/** The trees that are written in a terminal itself, without those of the terminals it uses. */
export function ownTrees(root: Tree): Tree[] {
  return subtrees(root, (tree) => !refersOn(tree));
}

/** Replaces each tree by what `visit` makes of it, children before parents, in Lark's order. */
export function rewrite(root: Tree, visit: (tree: Tree) => Child): Child {
  for (const tree of subtrees(root)) {
    const { children } = tree;
    // Most visits leave most trees as they are.
    let changed: Child[] | undefined;
    for (let i = 0; i < children.length; i++) {
      const child = children[i]!;
      if (!(child instanceof Tree)) continue;
      const made = visit(child);
      if (made === child) continue;
      changed ??= [...children];
      changed[i] = made;
    }
    if (changed !== undefined) tree.children = changed;
  }
  return visit(root);
}

/** A copy of a tree and of the symbols in it. */
export function clone(root: Tree): Tree {
  const copies = new Map<Tree, Tree>();
  for (const tree of subtrees(root)) {
    const children = tree.children.map((child) =>
      child instanceof Tree ? copies.get(child)! : new Sym(child.name, child.terminal, child.filterOut, child.place),
    );
    const copy = new Tree(tree.kind, children, tree.place);
    copy.repetition = tree.repetition;
    copy.pattern = tree.pattern;
    copy.raw = tree.raw;
    copy.alias = tree.alias;
    copies.set(tree, copy);
  }
  return copies.get(root)!;
}

/** Numbers for trees and symbols that are equal by structure; symbols are equal if kind and name are. */
export class Structure {
  readonly #numbers = new Map<string, number>();

  #number(key: string): number {
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(key, number);
    }
    return number;
  }

  symbol(symbol: Sym): number {
    return this.#number(`${symbol.terminal ? 'T' : 'N'}${symbol.name}`);
  }

  of(child: Child): number {
    if (child instanceof Sym) return this.symbol(child);
    const known = new Map<Tree, number>();
    for (const tree of subtrees(child)) {
      const parts = tree.children.map((c) => (c instanceof Sym ? this.symbol(c) : known.get(c)!));
      if (tree.alias !== undefined) parts.push(this.symbol(tree.alias));
      known.set(tree, this.#number(`${tree.kind}(${parts.join(' ')})`));
    }
    return known.get(child)!;
  }
}

/** A grammar that takes more than the budgets allow. Caught where loading starts. */
export class TooComplex extends Error {
  constructor(
    readonly what: 'alternatives' | 'templates' | 'repeats' | 'terminals' | 'imports' | 'placeholders',
    readonly place: Place | undefined,
  ) {
    super(what);
  }
}
