import {
  AMBIGUOUS,
  boundSize,
  LarkFault,
  type ParseChild,
  partial,
  type RuleBuilder,
  TooComplex,
  type TreeWork,
  tree,
} from '../tree';
import type { EarleyTable } from './earleyTable';
import { type Forest, NONE, tokenOf } from './forest';

export interface ForestTreeOptions {
  readonly table: EarleyTable;
  readonly forest: Forest;
  readonly text: string;
  readonly builders: readonly RuleBuilder[];
  /** Keep all readings in `_ambig` nodes instead of the best one, and count here what goes into them. */
  readonly explicit: TreeWork | undefined;
  /** Priority of each terminal's tokens, or `undefined` when no priority is in play. */
  readonly terminalPriority: Int32Array | undefined;
  readonly usePriorities: boolean;
  /** Most visits of nodes. */
  readonly steps: number;
}

/** A part of a tree on its way up: what a symbol gave, or the children of the part of a rule before its dot. */
type Part = ParseChild | ParseChild[];

/** What a frame of the walk stands for. */
const enum Visit {
  /** A node and its only family. */
  Single,
  /** One of several families of the node in the frame below. */
  Family,
  /** A node with several families. */
  Node,
}

/**
 * Makes the tree of a forest as Lark 1.3.1 does: per node the first reading by "not empty", priority, order of the
 * alternative and order of discovery; or all of them. A reading that contains itself is dropped.
 */
export class ForestTree {
  readonly #sorted = new Map<number, readonly number[]>();
  readonly #nodePriority: number[] = [];
  readonly #familyPriority: number[] = [];
  /** 1 for nodes that are being visited. */
  #open: Uint8Array;
  /** Nodes with several families of which one gave a reading. */
  readonly #succeeded = new Set<number>();
  readonly #cache = new Map<number, Part>();
  /** Going back out of a reading that contains itself. */
  #retreat = false;
  #steps = 0;

  // The stack of the walk, one entry per frame in each list.
  #depth = -1;
  readonly #visit: Visit[] = [];
  readonly #node: number[] = [];
  readonly #family: number[] = [];
  /** Next child of a family, or next family of a node. */
  readonly #next: number[] = [];
  readonly #lists: (readonly number[] | undefined)[] = [];
  /** Parts that children gave: up to two for a family, one per family for a node. */
  readonly #first: (Part | undefined)[] = [];
  readonly #second: (Part | undefined)[] = [];
  readonly #readings: (Part[] | undefined)[] = [];

  constructor(private readonly options: ForestTreeOptions) {
    this.#open = new Uint8Array(options.forest.nodeCount + 1);
  }

  /** The tree of a node; `null` when every reading contains itself. */
  build(root: number): ParseChild {
    if (this.options.usePriorities) this.#sumPriorities(root);
    const { familyLeft, familyRight } = this.options.forest;
    // The frame at the bottom takes the result.
    this.#push(Visit.Node, NONE, NONE);
    this.#readings[0] = [];
    this.#enterNode(root);
    while (this.#depth > 0) {
      const top = this.#depth;
      const next = this.#next[top]!++;
      if (this.#visit[top] === Visit.Node) {
        const family = this.#lists[top]![next];
        if (family === undefined) this.#leaveNode();
        else this.#enterFamily(family);
        continue;
      }
      if (next > 1) {
        if (this.#visit[top] === Visit.Single) this.#leaveSingle();
        else this.#leaveFamily();
        continue;
      }
      const child = (next === 0 ? familyLeft : familyRight).data[this.#family[top]!]!;
      if (child === NONE) continue;
      if (child < NONE) this.#give(top, this.#token(child));
      else if (this.#open[child] === 1) this.#retreat = true;
      else this.#enterNode(child);
    }
    const value = this.#readings[0]![0];
    if (value === undefined || Array.isArray(value)) return null;
    if (this.options.explicit !== undefined) boundSize(value);
    return value;
  }

  #work(): void {
    if (++this.#steps > this.options.steps) throw new TooComplex();
  }

  #push(visit: Visit, node: number, family: number): void {
    const at = ++this.#depth;
    this.#visit[at] = visit;
    this.#node[at] = node;
    this.#family[at] = family;
    this.#next[at] = 0;
    this.#first[at] = undefined;
    this.#second[at] = undefined;
  }

  /** Hands a part to a frame. */
  #give(frame: number, part: Part): void {
    if (this.#visit[frame] === Visit.Node) this.#readings[frame]!.push(part);
    else if (this.#first[frame] === undefined) this.#first[frame] = part;
    else this.#second[frame] = part;
  }

  #token(child: number): ParseChild {
    const { forest, table, text } = this.options;
    const token = tokenOf(child);
    const start = forest.tokenStart.data[token]!;
    const end = forest.tokenEnd.data[token]!;
    const type = table.grammar.terminalNames[forest.tokenTerminal.data[token]!]!;
    return { kind: 'token', type, value: forest.tokenText.get(token) ?? text.slice(start, end), start, end };
  }

  #enterNode(node: number): void {
    this.#work();
    // On the way back from a circle nothing new is begun.
    if (this.#retreat) return;
    const only = this.options.forest.onlyFamily(node);
    if (only >= 0) {
      this.#push(Visit.Single, node, only);
      if (this.options.explicit !== undefined && this.#cache.has(only)) this.#next[this.#depth] = 2;
    } else {
      const list = this.#families(node);
      this.#push(Visit.Node, node, NONE);
      this.#lists[this.#depth] = list;
      this.#readings[this.#depth] = [];
    }
    if (node >= this.#open.length) {
      const grown = new Uint8Array(node * 2);
      grown.set(this.#open);
      this.#open = grown;
    }
    this.#open[node] = 1;
  }

  #enterFamily(family: number): void {
    this.#work();
    const { explicit } = this.options;
    this.#retreat = false;
    const node = this.#node[this.#depth]!;
    const skip = explicit !== undefined ? this.#cache.has(family) : this.#succeeded.has(node);
    this.#push(Visit.Family, node, family);
    if (skip) this.#next[this.#depth] = 2;
  }

  #leaveSingle(): void {
    const top = this.#depth--;
    const node = this.#node[top]!;
    this.#open[node] = 0;
    if (this.#retreat) return;
    const part = this.#partOf(top);
    if (this.#isIntermediate(node) || this.options.explicit === undefined) this.#give(this.#depth, part);
    else this.#giveReadings([part as ParseChild]);
  }

  #leaveFamily(): void {
    const top = this.#depth--;
    if (this.#retreat) return;
    const node = this.#node[top]!;
    if (this.options.explicit !== undefined || !this.#succeeded.has(node)) this.#give(this.#depth, this.#partOf(top));
    this.#succeeded.add(node);
  }

  #leaveNode(): void {
    const top = this.#depth--;
    const node = this.#node[top]!;
    this.#open[node] = 0;
    if (!this.#succeeded.has(node)) return;
    // A node with a reading ends the way back.
    this.#retreat = false;
    this.#succeeded.delete(node);
    const readings = this.#readings[top]!;
    if (!this.#isIntermediate(node)) {
      this.#giveReadings(readings as ParseChild[]);
      return;
    }
    if (readings.length === 0) throw new LarkFault('IndexError', 'list index out of range');
    this.#give(this.#depth, readings.length > 1 ? partial(readings as ParseChild[][]) : readings[0]!);
  }

  #isIntermediate(node: number): boolean {
    const { forest, table } = this.options;
    return forest.nodeLabel.data[node]! < table.positionCount;
  }

  /** What a family gives: the tree of its rule, or the children so far of the part of a rule. */
  #partOf(frame: number): Part {
    const { forest, explicit, builders } = this.options;
    const family = this.#family[frame]!;
    if (explicit !== undefined) {
      const cached = this.#cache.get(family);
      if (cached !== undefined) return cached;
    }
    const first = this.#first[frame];
    const second = this.#second[frame];
    let children: ParseChild[];
    if (first === undefined) children = [];
    else if (!Array.isArray(first)) children = [first];
    else if (explicit === undefined) children = first;
    else {
      explicit.spend(first.length);
      children = [...first];
    }
    if (second !== undefined) children.push(second as ParseChild);
    const intermediate = this.#isIntermediate(this.#node[frame]!);
    const part: Part = intermediate ? children : builders[forest.familyRule.data[family]!]!(children);
    if (explicit !== undefined) this.#cache.set(family, part);
    return part;
  }

  /** Readings of a symbol: nested ones are lifted, several become one node. */
  #giveReadings(found: readonly ParseChild[]): void {
    const readings: ParseChild[] = [];
    for (const reading of found) {
      if (reading !== null && reading.kind === 'tree' && reading.name === AMBIGUOUS) {
        this.options.explicit?.spend(reading.children.length);
        for (const inner of reading.children) readings.push(inner);
      } else readings.push(reading);
    }
    if (readings.length > 1) this.#give(this.#depth, tree(AMBIGUOUS, readings));
    else if (readings.length === 1) this.#give(this.#depth, readings[0]!);
  }

  /** Families of a node, the best first. */
  #families(node: number): readonly number[] {
    const known = this.#sorted.get(node);
    if (known !== undefined) return known;
    const families = this.options.forest.families(node);
    if (families.length < 2) return families;
    const sorted = this.#sort(families);
    this.#sorted.set(node, sorted);
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
    this.#sorted.clear();
  }
}
