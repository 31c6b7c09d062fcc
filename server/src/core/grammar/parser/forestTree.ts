import { AMBIGUOUS, LarkFault, type ParseChild, partial, type RuleBuilder, TooComplex, tree } from '../tree';
import type { EarleyTable } from './earleyTable';
import { type Forest, NONE, tokenOf } from './forest';

export interface ForestTreeOptions {
  readonly table: EarleyTable;
  readonly forest: Forest;
  readonly text: string;
  readonly builders: readonly RuleBuilder[];
  /** Keep all readings in `_ambig` nodes instead of the best one. */
  readonly explicit: boolean;
  /** Priority of each terminal's tokens, or `undefined` when no priority is in play. */
  readonly terminalPriority: Int32Array | undefined;
  readonly usePriorities: boolean;
  /** Most visits of nodes. */
  readonly steps: number;
}

/** A part of a tree on its way up: what a symbol gave, or the children of the part of a rule before its dot. */
type Part = ParseChild | ParseChild[];

interface Frame {
  /** Node, or `-1 - family`. */
  readonly id: number;
  readonly list: readonly number[];
  next: number;
  readonly data: Part[];
}

/**
 * Makes the tree of a forest as Lark 1.3.1 does: per node the first reading by "not empty", priority, order of the
 * alternative and order of discovery; or all of them. A reading that contains itself is dropped.
 */
export class ForestTree {
  readonly #sorted: (readonly number[] | undefined)[] = [];
  readonly #nodePriority: number[] = [];
  readonly #familyPriority: number[] = [];
  /** Nodes that are being visited. */
  readonly #open = new Set<number>();
  readonly #succeeded = new Set<number>();
  readonly #cache = new Map<number, Part>();
  /** Going back out of a reading that contains itself; `#cycle` is the node that closed the circle. */
  #retreat = false;
  #cycle = NONE;
  #steps = 0;

  constructor(private readonly options: ForestTreeOptions) {}

  /** The tree of a node; `null` when every reading contains itself. */
  build(root: number): ParseChild {
    if (this.options.usePriorities) this.#sumPriorities(root);
    const result: Part[] = [];
    const stack: Frame[] = [];
    this.#enterNode(root, stack);
    while (stack.length > 0) {
      const frame = stack[stack.length - 1]!;
      if (frame.next < frame.list.length) {
        const id = frame.list[frame.next++]!;
        // Children of a node are families, children of a family are nodes and tokens.
        if (frame.id >= 0) this.#enterFamily(id, stack);
        else if (id < NONE) frame.data.push(this.#token(id));
        else if (this.#open.has(id)) this.#meetCycle(id);
        else this.#enterNode(id, stack);
        continue;
      }
      stack.pop();
      const parent = stack[stack.length - 1];
      const into = parent === undefined ? result : parent.data;
      if (frame.id >= 0) this.#leaveNode(frame, into);
      else this.#leaveFamily(-1 - frame.id, frame, stack[stack.length - 1]!.id, into);
    }
    const value = result[0];
    return value === undefined || Array.isArray(value) ? null : value;
  }

  #work(): void {
    if (++this.#steps > this.options.steps) throw new TooComplex();
  }

  #token(child: number): ParseChild {
    const { forest, table, text } = this.options;
    const token = tokenOf(child);
    const start = forest.tokenStart.data[token]!;
    const end = forest.tokenEnd.data[token]!;
    const type = table.grammar.terminalNames[forest.tokenTerminal.data[token]!]!;
    return { kind: 'token', type, value: text.slice(start, end), start, end };
  }

  #meetCycle(node: number): void {
    this.#cycle = node;
    this.#retreat = true;
  }

  #enterNode(node: number, stack: Frame[]): void {
    this.#work();
    this.#open.add(node);
    stack.push({ id: node, list: this.#retreat ? [] : this.#families(node), next: 0, data: [] });
  }

  #enterFamily(family: number, stack: Frame[]): void {
    this.#work();
    const { forest, explicit } = this.options;
    this.#retreat = false;
    const parent = stack[stack.length - 1]!.id;
    const list: number[] = [];
    if ((explicit || !this.#succeeded.has(parent)) && !(explicit && this.#cache.has(family))) {
      const left = forest.familyLeft.data[family]!;
      const right = forest.familyRight.data[family]!;
      if (left !== NONE) list.push(left);
      if (right !== NONE) list.push(right);
    }
    stack.push({ id: -1 - family, list, next: 0, data: [] });
  }

  /** True when the way back from a circle goes on through this node or family. */
  #stillRetreating(node: number): boolean {
    if (!this.#retreat) return false;
    if (node >= 0 && (node === this.#cycle || this.#succeeded.has(node))) {
      this.#cycle = NONE;
      this.#retreat = false;
      return false;
    }
    return true;
  }

  #leaveFamily(family: number, frame: Frame, parent: number, into: Part[]): void {
    this.#transformFamily(family, frame, parent, into);
    if (!this.#retreat) this.#succeeded.add(parent);
  }

  #transformFamily(family: number, frame: Frame, parent: number, into: Part[]): void {
    const { forest, explicit, builders, table } = this.options;
    if (this.#stillRetreating(NONE)) return;
    if (!explicit && this.#succeeded.has(parent)) return;
    if (explicit) {
      const cached = this.#cache.get(family);
      if (cached !== undefined) {
        into.push(cached);
        return;
      }
    }
    const left = forest.familyLeft.data[family]!;
    const data = frame.data;
    let children: ParseChild[] = [];
    let taken = 0;
    // A left child that was dropped leaves its place to the right one.
    if (left !== NONE && data.length > 0) {
      const first = data[0]!;
      taken = 1;
      if (Array.isArray(first)) children = explicit ? [...first] : first;
      else children = [first];
    }
    if (taken < data.length) children.push(data[taken] as ParseChild);
    const intermediate = forest.nodeLabel.data[parent]! < table.positionCount;
    const value: Part = intermediate ? children : builders[forest.familyRule.data[family]!]!(children);
    if (explicit) this.#cache.set(family, value);
    into.push(value);
  }

  #leaveNode(frame: Frame, into: Part[]): void {
    const node = frame.id;
    this.#open.delete(node);
    if (!this.#succeeded.has(node)) return;
    if (this.#stillRetreating(node)) return;
    this.#succeeded.delete(node);
    const { forest, table } = this.options;
    if (forest.nodeLabel.data[node]! < table.positionCount) {
      if (frame.data.length === 0) throw new LarkFault('IndexError', 'list index out of range');
      into.push(frame.data.length > 1 ? partial(frame.data as ParseChild[][]) : frame.data[0]!);
      return;
    }
    const readings: ParseChild[] = [];
    for (const reading of frame.data as ParseChild[]) {
      if (reading !== null && reading.kind === 'tree' && reading.name === AMBIGUOUS) readings.push(...reading.children);
      else readings.push(reading);
    }
    if (readings.length > 1) into.push(tree(AMBIGUOUS, readings));
    else if (readings.length === 1) into.push(readings[0]!);
  }

  /** Families of a node, the best first. */
  #families(node: number): readonly number[] {
    let sorted = this.#sorted[node];
    if (sorted === undefined) {
      const families = this.options.forest.families(node);
      sorted = families.length > 1 ? this.#sort(families) : families;
      this.#sorted[node] = sorted;
    }
    return sorted;
  }

  #sort(families: number[]): number[] {
    const { forest, table } = this.options;
    const lefts = forest.familyLeft.data;
    const rights = forest.familyRight.data;
    const rules = forest.familyRule.data;
    const empty = (family: number) => (lefts[family] === NONE && rights[family] === NONE ? 1 : 0);
    const priority = (family: number) => this.#familyPriority[family] ?? Number.NEGATIVE_INFINITY;
    const order = (family: number) => table.grammar.rules[rules[family]!]!.order;
    return families.sort((a, b) => {
      const byEmpty = empty(a) - empty(b);
      if (byEmpty !== 0) return byEmpty;
      const pa = priority(a);
      const pb = priority(b);
      if (pa !== pb) return pa > pb ? -1 : 1;
      return order(a) - order(b);
    });
  }

  /** Adds up priorities from the leaves; each node is visited once, and a node in a circle counts as unknown there. */
  #sumPriorities(root: number): void {
    const { forest, table, terminalPriority } = this.options;
    const { positionCount, grammar } = table;
    const lefts = forest.familyLeft;
    const rights = forest.familyRight;
    const value = (child: number): number => {
      if (child === NONE) return 0;
      if (child < NONE) return terminalPriority?.[forest.tokenTerminal.data[tokenOf(child)]!] ?? 0;
      return this.#nodePriority[child] ?? Number.NEGATIVE_INFINITY;
    };
    const seen = new Set<number>([root]);
    const stack: { node: number; list: readonly number[]; next: number }[] = [];
    stack.push({ node: root, list: this.#families(root), next: 0 });
    while (stack.length > 0) {
      const frame = stack[stack.length - 1]!;
      const family = frame.list[Math.floor(frame.next / 3)];
      if (family === undefined) {
        stack.pop();
        let best = Number.NEGATIVE_INFINITY;
        for (const member of frame.list) best = Math.max(best, this.#familyPriority[member]!);
        this.#nodePriority[frame.node] = best;
        continue;
      }
      const phase = frame.next++ % 3;
      if (phase < 2) {
        const child = (phase === 0 ? lefts : rights).data[family]!;
        if (child < 0 || seen.has(child)) continue;
        this.#work();
        seen.add(child);
        stack.push({ node: child, list: this.#families(child), next: 0 });
        continue;
      }
      const whole = forest.nodeLabel.data[frame.node]! >= positionCount;
      const own = whole ? grammar.rulePriority[forest.familyRule.data[family]!]! : 0;
      this.#familyPriority[family] = own + value(rights.data[family]!) + value(lefts.data[family]!);
    }
    this.#sorted.length = 0;
  }
}
