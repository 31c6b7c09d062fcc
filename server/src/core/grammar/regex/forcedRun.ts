import type { RegexNode, RegexTree } from './tree';

/** Bytes of UTF-8 in rows where nothing can be chosen. */
interface Runs {
  /** The row at the beginning, and the one at the end. */
  readonly lead: number;
  readonly tail: number;
  /** The longest one behind a choice. */
  readonly later: number;
  /** There is no choice anywhere, so all is one row. */
  readonly fixed: boolean;
}

const NOTHING: Runs = { lead: 0, tail: 0, later: 0, fixed: true };
const CHOICE: Runs = { lead: 0, tail: 0, later: 0, fixed: false };

/** Rows of bytes that every text of an expression must have, where they are known; rows are at least that long. */
export interface ForcedRuns {
  /** At the beginning of the text. */
  readonly lead: number;
  /** The longest behind a choice. */
  readonly later: number;
}

/** How many bytes in a row leave no choice. A reader of expressions bounds how deep they are. */
export function forcedRuns(tree: RegexTree): ForcedRuns {
  return runsOf(tree.root);
}

function runsOf(node: RegexNode): Runs {
  switch (node.kind) {
    case 'empty':
    case 'anchor':
      return NOTHING;
    case 'set': {
      const [first, last, ...more] = node.set;
      if (first === undefined || first !== last || more.length > 0) return CHOICE;
      const bytes = first < 0x80 ? 1 : first < 0x800 ? 2 : first < 0x10000 ? 3 : 4;
      return { lead: bytes, tail: bytes, later: 0, fixed: true };
    }
    case 'group':
      return runsOf(node.body);
    case 'sequence':
      return node.items.map(runsOf).reduce(joined, NOTHING);
    case 'alternation':
      // The first character tells which of them it is; what that one has further on is behind a choice.
      return { ...CHOICE, later: Math.max(...node.items.map(runsOf).flatMap(({ lead, later }) => [lead - 4, later])) };
    case 'repeat': {
      const body = runsOf(node.body);
      if (node.min === 0) return { ...CHOICE, later: Math.max(body.later, body.lead - 4) };
      if (body.fixed) {
        const bytes = body.lead * node.min;
        return node.min === node.max ? { lead: bytes, tail: bytes, later: 0, fixed: true } : { ...CHOICE, lead: bytes };
      }
      const between = node.min > 1 ? body.tail + body.lead : 0;
      return { ...body, tail: node.min === node.max ? body.tail : 0, later: Math.max(body.later, between) };
    }
    default:
      return CHOICE;
  }
}

function joined(before: Runs, behind: Runs): Runs {
  if (before.fixed) {
    const lead = before.lead + behind.lead;
    return { ...behind, lead, tail: behind.fixed ? lead : behind.tail };
  }
  return {
    lead: before.lead,
    tail: behind.fixed ? before.tail + behind.lead : behind.tail,
    later: Math.max(before.later, behind.later, before.tail + behind.lead),
    fixed: false,
  };
}
