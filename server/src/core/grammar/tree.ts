import type { CompiledRule } from './compiled';

/** A token of a parse tree; offsets are UTF-16 units of the parsed text. */
export interface ParseToken {
  readonly kind: 'token';
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** A node of a parse tree, named by its alias, its template or its rule. */
export interface ParseTree {
  readonly kind: 'tree';
  readonly name: string;
  children: ParseChild[];
}

/** A child is a node, a token, or `null` for a `[ ]` that is not there. */
export type ParseChild = ParseTree | ParseToken | null;

/** Failures of Lark outside its own error classes, which it shows as Python exceptions. */
export class LarkFault extends Error {
  constructor(
    readonly kind: string,
    message: string,
  ) {
    super(message);
  }
}

/** A parse that went over its budget. */
export class TooComplex extends Error {}

/** So many children are put into trees with all readings, which share parts and can grow beyond any bound. */
const MOST_CHILDREN = 4_000_000;

/** How large a tree with all readings may be when it is written out, shared parts at each of their places. */
const MOST_NODES = 2_000_000;

/** Counts what goes into the trees of one parse. */
export class TreeWork {
  #left = MOST_CHILDREN;

  /** A parse begins. */
  restart(): void {
    this.#left = MOST_CHILDREN;
  }

  /** Children are put into a tree. Throws `TooComplex` when there are too many. */
  spend(children: number): void {
    this.#left -= children;
    if (this.#left < 0) throw new TooComplex();
  }
}

/** Throws `TooComplex` for a tree that is too large when shared parts are written out at each of their places. */
export function boundSize(root: ParseChild): void {
  if (root === null || root.kind === 'token') return;
  const sizes = new Map<ParseTree, number>();
  const stack: ParseTree[] = [root];
  for (let node = stack.at(-1); node !== undefined; node = stack.at(-1)) {
    const before = stack.length;
    // What is not done yet counts as too large, should a tree ever contain itself.
    if (!sizes.has(node)) sizes.set(node, Number.POSITIVE_INFINITY);
    let size = 1;
    for (const child of node.children) {
      if (child === null || child.kind === 'token') size++;
      else {
        const known = sizes.get(child);
        if (known === undefined) stack.push(child);
        else size += known;
      }
    }
    if (stack.length > before) continue;
    if (size > MOST_NODES) throw new TooComplex();
    sizes.set(node, size);
    stack.pop();
  }
}

/** The name of trees that hold several readings of one piece of text. */
export const AMBIGUOUS = '_ambig';
/** Several readings of the first part of an alternative; never left in a finished tree. */
const PARTIAL = '_iambig';
const READING = '_inter';

export function tree(name: string, children: ParseChild[]): ParseTree {
  return { kind: 'tree', name, children };
}

/** Makes the value of a rule out of the values of its symbols; the array is taken over. */
export type RuleBuilder = (children: ParseChild[]) => ParseChild;

export interface ShapeOptions {
  /** Put `null` for an absent `[ ]`. */
  readonly maybePlaceholders: boolean;
  /** Keep every reading: nodes may be shared, so they are copied instead of taken over, which is counted here. */
  readonly explicit: TreeWork | undefined;
  /** Most readings of one node that are multiplied out. */
  readonly maxReadings?: number;
}

/**
 * How a rule's children become a node, from inside out as Lark 1.3.1 does it: the node, or its only child with `?`;
 * before that, tokens are filtered, helper rules spliced and placeholders put in; before that, with all readings kept,
 * ambiguities of spliced children move up.
 */
export function ruleBuilder(rule: CompiledRule, options: ShapeOptions): RuleBuilder {
  const name = rule.alias ?? rule.options.templateSource ?? rule.origin;
  const expandSingle = rule.options.expand1 && rule.alias === undefined;
  const node: RuleBuilder = expandSingle
    ? (children) => (children.length === 1 ? children[0]! : tree(name, children))
    : (children) => tree(name, children);
  const filtered = filterChildren(rule, options, node);
  const work = options.explicit;
  if (work === undefined) return filtered;
  const spliced = rule.expansion.flatMap((symbol, index) =>
    rule.options.keepAllTokens || (!(symbol.terminal && symbol.filterOut) && isSpliced(symbol)) ? [index] : [],
  );
  const limit = options.maxReadings ?? 100_000;
  const expanded = spliced.length > 0 ? expandAmbiguous(new Set(spliced), filtered, limit, work) : filtered;
  return expandPartial(expanded, work);
}

function isSpliced(symbol: { readonly name: string; readonly terminal: boolean }): boolean {
  return !symbol.terminal && symbol.name.startsWith('_');
}

function filterChildren(rule: CompiledRule, options: ShapeOptions, build: RuleBuilder): RuleBuilder {
  const expansion = rule.expansion;
  const empties = options.maybePlaceholders && rule.options.emptyIndices.length > 0 ? rule.options.emptyIndices : [];
  const gaps = new Array<number>(expansion.length + 1).fill(0);
  let gap = 0;
  for (const empty of empties) {
    if (empty) gaps[gap]!++;
    else gap++;
  }
  const steps: { index: number; splice: boolean; nulls: number }[] = [];
  let nulls = 0;
  expansion.forEach((symbol, index) => {
    nulls += gaps[index]!;
    if (!rule.options.keepAllTokens && symbol.terminal && symbol.filterOut) return;
    steps.push({ index, splice: isSpliced(symbol), nulls });
    nulls = 0;
  });
  nulls += gaps[expansion.length]!;
  if (empties.length === 0 && steps.length === expansion.length && !steps.some((step) => step.splice)) return build;
  const trailing = nulls;
  const work = options.explicit;
  return (children) => {
    let out: ParseChild[] = [];
    for (const step of steps) {
      for (let n = step.nulls; n > 0; n--) out.push(null);
      const child = children[step.index];
      if (child === undefined) throw new LarkFault('IndexError', 'list index out of range');
      if (!step.splice) {
        out.push(child);
        continue;
      }
      if (child === null || child.kind !== 'tree') {
        throw new LarkFault('AttributeError', "'Token' object has no attribute 'children'");
      }
      // Taking over the list makes left-recursive lists linear.
      if (out.length === 0 && work === undefined) out = child.children;
      else {
        work?.spend(child.children.length);
        for (const inner of child.children) out.push(inner);
      }
    }
    for (let n = trailing; n > 0; n--) out.push(null);
    return build(out);
  };
}

function expandAmbiguous(spliced: ReadonlySet<number>, build: RuleBuilder, limit: number, work: TreeWork): RuleBuilder {
  return (children) => {
    const ambiguous: number[] = [];
    children.forEach((child, index) => {
      if (child === null || child.kind !== 'tree' || child.name !== AMBIGUOUS) return;
      if (spliced.has(index)) ambiguous.push(index);
      flattenAmbiguous(child, work);
    });
    if (ambiguous.length === 0) return build(children);
    let readings: ParseChild[][] = [[]];
    children.forEach((child, index) => {
      const choices = ambiguous.includes(index) ? (child as ParseTree).children : [child];
      if (readings.length * choices.length > limit) throw new TooComplex();
      work.spend(readings.length * choices.length * (index + 1));
      readings =
        choices.length === 1
          ? readings.map((reading) => [...reading, choices[0]!])
          : readings.flatMap((reading) => choices.map((choice) => [...reading, choice]));
    });
    return tree(AMBIGUOUS, readings.map(build));
  };
}

/** Readings of a reading are readings: they take its place. */
function flattenAmbiguous(node: ParseTree, work: TreeWork): void {
  const nested = (child: ParseChild) => child !== null && child.kind === 'tree' && child.name === AMBIGUOUS;
  if (!node.children.some(nested)) return;
  node.children = node.children.flatMap((child) => {
    if (!nested(child)) return [child];
    work.spend((child as ParseTree).children.length);
    return (child as ParseTree).children;
  });
}

/** Several readings of the first part of an alternative become several readings of the whole. */
function expandPartial(build: RuleBuilder, work: TreeWork): RuleBuilder {
  return (children) => {
    const readings = partialReadings(children, work);
    if (readings === undefined) return build(children);
    return tree(AMBIGUOUS, readings.map(build));
  };
}

function partialReadings(children: ParseChild[], work: TreeWork): ParseChild[][] | undefined {
  if (!isPartial(children[0])) return undefined;
  const out: ParseChild[][] = [];
  // Depth first and in order; the parts behind are linked, so that a long alternative is not copied at each level.
  interface Tail {
    readonly parts: readonly ParseChild[];
    readonly next: Tail | undefined;
  }
  const stack: { list: ParseChild[]; tail: Tail | undefined }[] = [{ list: children, tail: undefined }];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const first = top.list[0];
    if (isPartial(first)) {
      const tail: Tail = { parts: top.list.slice(1), next: top.tail };
      work.spend(first.children.length);
      for (let i = first.children.length - 1; i >= 0; i--) {
        stack.push({ list: (first.children[i] as ParseTree).children, tail });
      }
      continue;
    }
    const reading = [...top.list];
    for (let tail = top.tail; tail !== undefined; tail = tail.next) for (const part of tail.parts) reading.push(part);
    work.spend(reading.length);
    out.push(reading);
  }
  return out;
}

function isPartial(child: ParseChild | undefined): child is ParseTree {
  return child !== undefined && child !== null && child.kind === 'tree' && child.name === PARTIAL;
}

/** Several readings of the symbols before the dot of an alternative, for the builder of its rule. */
export function partial(readings: readonly ParseChild[][]): ParseTree {
  return tree(
    PARTIAL,
    readings.map((children) => tree(READING, children)),
  );
}
