import { MAX_WIDTH } from '../compiled';
import type { GroupNode, RegexNode, RegexTree } from './tree';

export interface Width {
  readonly min: number;
  readonly max: number;
}

/** Python 3.11.7 counts up to here; Lark's terminals up to `MAX_WIDTH`. */
const UNBOUNDED = 2 ** 64;

/**
 * Least and greatest number of characters that an expression matches, as Python 3.11's parser counts them: nothing
 * for anchors and look-around, the group's own width for a back-reference, `MAX_WIDTH` for no bound. Lark orders
 * terminals by these figures.
 */
export function regexWidth(tree: RegexTree): Width {
  const { min, max } = new Widths(tree.groups).of(tree.root);
  return { min: Math.min(min, MAX_WIDTH), max: Math.min(max, MAX_WIDTH) };
}

/** Widths of the nodes of one tree, each counted once. */
export class Widths {
  private readonly known = new Map<RegexNode, Width>();

  constructor(private readonly groups: readonly (GroupNode | undefined)[]) {}

  of(node: RegexNode): Width {
    let width = this.known.get(node);
    if (width === undefined) {
      const { min, max } = this.count(node);
      width = { min: Math.min(min, UNBOUNDED), max: Math.min(max, UNBOUNDED) };
      this.known.set(node, width);
    }
    return width;
  }

  private count(node: RegexNode): Width {
    switch (node.kind) {
      case 'empty':
      case 'anchor':
      case 'look':
        return { min: 0, max: 0 };
      case 'set':
        return { min: 1, max: 1 };
      case 'group':
        return this.of(node.body);
      case 'sequence': {
        let min = 0;
        let max = 0;
        for (const item of node.items) {
          const width = this.of(item);
          min += width.min;
          max += width.max;
        }
        return { min, max };
      }
      case 'alternation': {
        let min = UNBOUNDED;
        let max = 0;
        for (const item of node.items) {
          const width = this.of(item);
          min = Math.min(min, width.min);
          max = Math.max(max, width.max);
        }
        return { min, max };
      }
      case 'repeat': {
        const { min, max } = this.of(node.body);
        const most = node.max === Infinity ? (max > 0 ? UNBOUNDED : 0) : max * node.max;
        return { min: min * node.min, max: most };
      }
      case 'reference': {
        const group = this.groups[node.group];
        return group === undefined ? { min: 0, max: 0 } : this.of(group.body);
      }
      case 'conditional': {
        const yes = this.of(node.yes);
        if (node.no === undefined) return { min: 0, max: yes.max };
        const no = this.of(node.no);
        return { min: Math.min(yes.min, no.min), max: Math.max(yes.max, no.max) };
      }
    }
  }
}
