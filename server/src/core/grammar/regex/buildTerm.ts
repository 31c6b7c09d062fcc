import { ANY_CHAR, single } from './charSet';
import { OverBudget, type Term, type Terms } from './terms';
import { children, type RegexNode, type RegexTree, type RepeatNode, unwrap } from './tree';
import { Widths } from './width';

/** Signals a construct outside of the regular languages. It never leaves the automata. */
export class NotRegular extends Error {}

export interface BuiltTerm {
  readonly term: Term;
  /** How many characters back something looks. */
  readonly lookBack: number;
}

/**
 * The language of an expression or a part of it: the texts that it matches from end to end with nothing around them. Back-references
 * and conditions have none here, nor have atomic parts whose way depends on what follows.
 */
export function buildTerm(tree: RegexTree, part: RegexNode, terms: Terms): BuiltTerm {
  if (tree.marks.some((mark) => mark.code === 'unknown-set')) throw new NotRegular();
  const builder = new Builder(tree, terms);
  return { term: builder.build(part), lookBack: builder.lookBack };
}

class Builder {
  lookBack = 0;
  private readonly widths: Widths;

  constructor(
    tree: RegexTree,
    private readonly terms: Terms,
  ) {
    this.widths = new Widths(tree.groups);
  }

  build(node: RegexNode): Term {
    const { terms } = this;
    terms.spend();
    switch (node.kind) {
      case 'empty':
        return terms.empty;
      case 'set':
        return terms.set(node.set);
      case 'sequence':
        return terms.sequence(node.items.map((item) => this.build(item)));
      case 'alternation':
        return terms.or(node.items.map((item) => this.build(item)));
      case 'group': {
        if (node.atomic) {
          const { min, max } = this.widths.of(node.body);
          // Whichever way it matches, it takes the same text.
          if (min !== max) throw new NotRegular();
        }
        return this.build(node.body);
      }
      case 'repeat':
        return this.repeat(node);
      case 'look':
        return node.ahead ? terms.ahead(this.build(node.body), node.negative) : this.behind(node.body, node.negative);
      case 'anchor':
        return this.anchor(node.type, () => terms.set(node.word));
      default:
        throw new NotRegular();
    }
  }

  private repeat(node: RepeatNode): Term {
    const { terms } = this;
    const { min, max } = node;
    const body = this.build(node.body);
    if (node.mode !== 'possessive' || min === max) return terms.repeat(body, min, max);
    if (unwrap(node.body).kind !== 'set') throw new NotRegular();
    // It goes on as long as it can: less than the most only where no further character fits.
    const stopped = terms.ahead(body, true);
    const most = max === Number.POSITIVE_INFINITY ? max : max - 1;
    const less = terms.cat(terms.repeat(body, min, most), stopped);
    return max === Number.POSITIVE_INFINITY ? less : terms.or([terms.repeat(body, max, max), less]);
  }

  private behind(body: RegexNode, negative: boolean): Term {
    const { min, max } = this.widths.of(body);
    if (min !== max || looks(body)) throw new NotRegular();
    if (min > MAX_LOOK_BACK) throw new OverBudget();
    return this.lookingBack(this.build(body), min, negative);
  }

  private lookingBack(term: Term, width: number, negative: boolean): Term {
    this.lookBack = Math.max(this.lookBack, width, 1);
    return this.terms.behind(term, width, negative);
  }

  private start(): Term {
    this.lookBack = Math.max(this.lookBack, 1);
    return this.terms.start;
  }

  private anchor(type: Extract<RegexNode, { kind: 'anchor' }>['type'], wordSet: () => Term): Term {
    const { terms } = this;
    const feed = terms.set(single(0x0a));
    const end = terms.ahead(terms.any, true);
    switch (type) {
      case 'start':
        return this.start();
      case 'end':
        return end;
      case 'line-start':
        return terms.or([this.start(), this.lookingBack(feed, 1, false)]);
      case 'line-end':
        return terms.or([end, terms.ahead(feed, false)]);
      case 'before-last-line-end':
        return terms.ahead(terms.cat(terms.repeat(feed, 0, 1), end), false);
      case 'boundary': {
        const word = wordSet();
        return terms.or([
          terms.cat(this.lookingBack(word, 1, false), terms.ahead(word, true)),
          terms.cat(this.lookingBack(word, 1, true), terms.ahead(word, false)),
        ]);
      }
      case 'no-boundary': {
        const word = wordSet();
        const any = terms.set(ANY_CHAR);
        const somewhere = terms.or([this.lookingBack(any, 1, false), terms.ahead(any, false)]);
        return terms.or([
          terms.cat(this.lookingBack(word, 1, false), terms.ahead(word, false)),
          terms.sequence([this.lookingBack(word, 1, true), terms.ahead(word, true), somewhere]),
        ]);
      }
    }
  }
}

/** States multiply with each character that is looked back at. */
const MAX_LOOK_BACK = 6;

function looks(node: RegexNode): boolean {
  return node.kind === 'look' || node.kind === 'anchor' || children(node).some(looks);
}
