import { IntList, PairTable } from './store';

/** No child on this side of a family. */
export const NONE = -1;

/** A child of a family that is a token: tokens are stored as `-2 - token`. */
export function tokenChild(token: number): number {
  return -2 - token;
}

/** Number of the token that a child is; only for children below `NONE`. */
export function tokenOf(child: number): number {
  return -2 - child;
}

/**
 * A shared packed parse forest in arrays. A node stands for a symbol (or the part of a rule before the dot) over a
 * piece of the text; its families are its derivations, each with a left child (the part before) and a right child (the
 * last symbol).
 *
 * Families of a chain of right-recursive completions are kept in one entry, as a path, and only written out when
 * somebody reads the node: their number is quadratic in the length of the text, and hardly any is ever read.
 */
export class Forest {
  readonly nodeLabel = new IntList();
  readonly nodeStart = new IntList();
  readonly nodeEnd = new IntList();
  readonly #nodeFamilies = new IntList();
  readonly #nodeLast = new IntList();
  /** 1 when some family of the node is an unread path. */
  readonly #nodePaths = new IntList();
  readonly familyLeft = new IntList();
  readonly familyRight = new IntList();
  /** Rule of a family, or -1 for a path. */
  readonly familyRule = new IntList();
  readonly #familyNext = new IntList();
  /** Families that were written out late stand where their path stood. */
  readonly #familyTime = new IntList();
  readonly tokenTerminal = new IntList();
  readonly tokenStart = new IntList();
  readonly tokenEnd = new IntList();
  /** Texts of tokens that a post-lexer has made. */
  readonly tokenText = new Map<number, string>();

  /** Steps of paths: originator's node, its rule, and the label and start of what it completes. */
  readonly stepLeft = new IntList();
  readonly stepRule = new IntList();
  readonly stepLabel = new IntList();
  readonly stepStart = new IntList();
  /** The step after this one, or -1 at the top of a chain. */
  readonly stepNext = new IntList();

  readonly #columnNodes: (end: number) => readonly [number, number];
  readonly #columns = new Map<number, PairTable>();
  readonly #expandColumnOf: (label: number) => boolean;

  /**
   * @param columnNodes first and behind-last number of the nodes that end at an offset
   * @param readsColumn labels whose nodes may be reached without the top of their chain; all paths of their column
   *   are written out before they are read
   */
  constructor(
    columnNodes: (end: number) => readonly [number, number],
    readsColumn: (label: number) => boolean = () => false,
  ) {
    this.#columnNodes = columnNodes;
    this.#expandColumnOf = readsColumn;
  }

  get nodeCount(): number {
    return this.nodeLabel.length;
  }

  get familyCount(): number {
    return this.familyLeft.length;
  }

  addNode(label: number, start: number, end: number): number {
    this.nodeLabel.push(label);
    this.nodeStart.push(start);
    this.nodeEnd.push(end);
    this.#nodeFamilies.push(-1);
    this.#nodePaths.push(0);
    return this.#nodeLast.push(-1);
  }

  addToken(terminal: number, start: number, end: number): number {
    this.tokenTerminal.push(terminal);
    this.tokenStart.push(start);
    return this.tokenEnd.push(end);
  }

  /** @param check look for an equal family first */
  addFamily(node: number, rule: number, left: number, right: number, check: boolean): void {
    if (check && this.#hasFamily(node, left, right)) return;
    this.#append(node, rule, left, right, this.familyLeft.length);
  }

  /** Adds a path: from the completed node `bottom` over the steps from `step` on up to `node`. */
  addPath(node: number, step: number, bottom: number): void {
    this.#append(node, -1, step, bottom, this.familyLeft.length);
    this.#nodePaths.data[node] = 1;
  }

  #hasFamily(node: number, left: number, right: number): boolean {
    const { data: lefts } = this.familyLeft;
    const { data: rights } = this.familyRight;
    const { data: rules } = this.familyRule;
    const { data: next } = this.#familyNext;
    for (let family = this.#nodeFamilies.data[node]!; family >= 0; family = next[family]!) {
      if (lefts[family] === left && rights[family] === right && rules[family]! >= 0) return true;
    }
    return false;
  }

  #append(node: number, rule: number, left: number, right: number, time: number): void {
    this.familyLeft.push(left);
    this.familyRight.push(right);
    this.familyRule.push(rule);
    this.#familyTime.push(time);
    const family = this.#familyNext.push(-1);
    const last = this.#nodeLast.data[node]!;
    if (last < 0) this.#nodeFamilies.data[node] = family;
    else this.#familyNext.data[last] = family;
    this.#nodeLast.data[node] = family;
  }

  /** The family of a node that has just one, else -1. */
  onlyFamily(node: number): number {
    if (this.#nodePaths.data[node] === 1 || this.#expandColumnOf(this.nodeLabel.data[node]!)) return -1;
    const family = this.#nodeFamilies.data[node]!;
    return family === this.#nodeLast.data[node] ? family : -1;
  }

  /** Families of a node in the order in which they were found, paths written out. */
  families(node: number): number[] {
    if (this.#expandColumnOf(this.nodeLabel.data[node]!)) {
      const [first, end] = this.#columnNodes(this.nodeEnd.data[node]!);
      for (let other = first; other < end; other++) this.#expand(other);
    }
    this.#expand(node);
    const out: number[] = [];
    const times = this.#familyTime.data;
    let sorted = true;
    for (let family = this.#nodeFamilies.data[node]!; family >= 0; family = this.#familyNext.data[family]!) {
      if (this.familyRule.data[family]! < 0) continue;
      if (out.length > 0 && times[out[out.length - 1]!]! > times[family]!) sorted = false;
      out.push(family);
    }
    if (!sorted) out.sort((a, b) => times[a]! - times[b]! || a - b);
    return out;
  }

  #expand(node: number): void {
    if (this.#nodePaths.data[node] === 0) return;
    this.#nodePaths.data[node] = 0;
    const end = this.nodeEnd.data[node]!;
    const column = this.#column(end);
    const paths: number[] = [];
    for (let family = this.#nodeFamilies.data[node]!; family >= 0; family = this.#familyNext.data[family]!) {
      if (this.familyRule.data[family]! < 0) paths.push(family);
    }
    for (const path of paths) {
      const time = this.#familyTime.data[path]!;
      let below = this.familyRight.data[path]!;
      for (let step = this.familyLeft.data[path]!; step >= 0; step = this.stepNext.data[step]!) {
        const label = this.stepLabel.data[step]!;
        const start = this.stepStart.data[step]!;
        let target = column.get(label, start);
        if (target < 0) {
          target = this.addNode(label, start, end);
          column.set(label, start, target);
        }
        const left = this.stepLeft.data[step]!;
        // A chain that is joined from below has been written out from here on.
        if (this.#hasFamily(target, left, below)) break;
        this.#append(target, this.stepRule.data[step]!, left, below, time);
        below = target;
      }
    }
  }

  /** Nodes that end at an offset, by label and start. */
  #column(end: number): PairTable {
    let table = this.#columns.get(end);
    if (table === undefined) {
      table = new PairTable(16);
      const [first, last] = this.#columnNodes(end);
      for (let node = first; node < last; node++) {
        const label = this.nodeLabel.data[node]!;
        const start = this.nodeStart.data[node]!;
        if (table.get(label, start) < 0) table.set(label, start, node);
      }
      this.#columns.set(end, table);
    }
    return table;
  }
}
