import { type CharSet, complement, has, intersect, sample, subtract } from './charSet';
import type { Term, Terms } from './terms';

/**
 * The characters before a place, as far back as anything looks: representatives of their classes. Shorter than that
 * only at the start of the text.
 */
export type Context = readonly number[];

/**
 * Derivatives of formulas: what must follow once a character is read (Brzozowski 1964; look-ahead as a condition on
 * all that follows, look-behind by remembering the last characters).
 */
export class Derivatives {
  private readonly frontsOf = new Map<Term, ReadonlySet<CharSet>>();
  private readonly blocksOf = new Map<string, readonly CharSet[]>();

  constructor(private readonly terms: Terms) {}

  /** What may follow `code` where `term` was to be matched. */
  after(term: Term, code: number, context: Context): Term {
    const { terms } = this;
    terms.spend();
    switch (term.kind) {
      case 'or':
        return terms.or(term.parts.map((part) => this.after(part, code, context)));
      case 'and':
        return terms.and(term.parts.map((part) => this.after(part, code, context)));
      case 'not':
        return terms.not(this.after(term.parts[0]!, code, context));
      default:
        return this.consume(term, terms.empty, code, context);
    }
  }

  /** What may follow `code` where `term` takes it and `rest` comes behind. */
  private consume(term: Term, rest: Term, code: number, context: Context): Term {
    const { terms } = this;
    terms.spend();
    switch (term.kind) {
      case 'set':
        return has(term.set, code) ? rest : terms.never;
      case 'or':
        return terms.or(term.parts.map((part) => this.consume(part, rest, code, context)));
      case 'and':
      case 'not':
        return terms.cat(this.after(term, code, context), rest);
      case 'repeat': {
        const [body] = term.parts;
        const more = terms.repeat(body!, Math.max(0, term.min - 1), term.max - 1);
        // A round that must be there may match nothing under a condition of this very place.
        if (term.min > 0 && !body!.plain) return this.consumeParts(body!, more, rest, code, context);
        return this.consume(body!, terms.cat(more, rest), code, context);
      }
      case 'cat':
        return this.consumeSequence(term, rest, code, context);
      default:
        return terms.never;
    }
  }

  private consumeSequence(sequence: Term, rest: Term, code: number, context: Context): Term {
    const { terms } = this;
    const ways: Term[] = [];
    let condition = terms.all;
    let term = sequence;
    while (term.kind === 'cat') {
      const [head, tail] = term.parts as [Term, Term];
      const way = this.consume(head, terms.cat(tail, rest), code, context);
      ways.push(terms.and([way, condition]));
      const skip = this.skipped(head, context);
      if (skip === terms.never) return terms.or(ways);
      if (skip !== terms.all) condition = terms.and([condition, this.after(skip, code, context)]);
      term = tail;
    }
    ways.push(terms.and([this.consume(term, rest, code, context), condition]));
    return terms.or(ways);
  }

  private consumeParts(head: Term, tail: Term, rest: Term, code: number, context: Context): Term {
    const { terms } = this;
    const way = this.consume(head, terms.cat(tail, rest), code, context);
    const skip = this.skipped(head, context);
    if (skip === terms.never) return way;
    return terms.or([way, terms.and([this.consume(tail, rest, code, context), this.after(skip, code, context)])]);
  }

  /** What all following text must be for `term` to match nothing here: `never` for it cannot, `all` for any. */
  private skipped(term: Term, context: Context): Term {
    const { terms } = this;
    terms.spend();
    switch (term.kind) {
      case 'empty':
        return terms.all;
      case 'cat': {
        const conditions: Term[] = [];
        let each = term;
        for (; each.kind === 'cat'; each = each.parts[1]!) {
          const condition = this.skipped(each.parts[0]!, context);
          if (condition === terms.never) return terms.never;
          conditions.push(condition);
        }
        return terms.and([...conditions, this.skipped(each, context)]);
      }
      case 'or':
        return terms.or(term.parts.map((part) => this.skipped(part, context)));
      case 'repeat':
        return term.min === 0 ? terms.all : this.skipped(term.parts[0]!, context);
      case 'ahead': {
        const follows = terms.cat(term.parts[0]!, terms.all);
        return term.negative ? terms.not(follows) : follows;
      }
      case 'behind':
      case 'start':
      case 'and':
      case 'not':
        return this.accepts(term, context) ? terms.all : terms.never;
      default:
        return terms.never;
    }
  }

  /** Whether the text may end here. */
  accepts(term: Term, context: Context): boolean {
    if (!term.looksBack) return term.nullable;
    this.terms.spend();
    switch (term.kind) {
      case 'cat': {
        let each = term;
        for (; each.kind === 'cat'; each = each.parts[1]!) if (!this.accepts(each.parts[0]!, context)) return false;
        return this.accepts(each, context);
      }
      case 'and':
        return term.parts.every((part) => this.accepts(part, context));
      case 'or':
        return term.parts.some((part) => this.accepts(part, context));
      case 'not':
        return !this.accepts(term.parts[0]!, context);
      case 'repeat':
        return term.min === 0 || this.accepts(term.parts[0]!, context);
      case 'ahead':
        return this.accepts(term.parts[0]!, context) !== term.negative;
      case 'start':
        return context.length === 0;
      case 'behind':
        return this.endsWith(term, context) !== term.negative;
      default:
        return false;
    }
  }

  private endsWith(term: Term, context: Context): boolean {
    const width = term.min;
    if (context.length < width) return false;
    let rest = term.parts[0]!;
    for (let i = context.length - width; i < context.length; i++) rest = this.after(rest, context[i]!, []);
    return this.accepts(rest, []);
  }

  /** Classes of characters that a formula tells apart at its front; together they are all characters. */
  blocks(term: Term, always: readonly CharSet[]): readonly CharSet[] {
    const sets = new Map<number, CharSet>();
    for (const set of [...always, ...this.fronts(term, 0)]) sets.set(this.terms.setId(set), set);
    const ids = [...sets.keys()].sort((a, b) => a - b);
    const key = ids.join();
    let blocks = this.blocksOf.get(key);
    if (blocks === undefined) {
      blocks = partition(
        ids.map((id) => sets.get(id)!),
        this.terms,
      );
      this.blocksOf.set(key, blocks);
    }
    return blocks;
  }

  private fronts(term: Term, depth: number): ReadonlySet<CharSet> {
    const known = this.frontsOf.get(term);
    if (known !== undefined) return known;
    // Deep formulas are not followed to the end of the stack.
    this.terms.spend(depth > MAX_DEPTH ? Number.POSITIVE_INFINITY : 1);
    if (term.kind === 'cat') return this.sequenceFronts(term, depth);
    const out = new Set<CharSet>();
    if (term.kind === 'set') {
      out.add(term.set);
    } else if (term.kind !== 'behind') {
      this.terms.spend(term.parts.length);
      for (const part of term.parts) for (const set of this.fronts(part, depth + 1)) out.add(set);
    }
    this.frontsOf.set(term, out);
    return out;
  }

  /** From the end of what can be reached, so that all ends of a long sequence share their sets. */
  private sequenceFronts(sequence: Term, depth: number): ReadonlySet<CharSet> {
    const chain: Term[] = [];
    let term = sequence;
    let sets: ReadonlySet<CharSet> | undefined;
    while (term.kind === 'cat' && sets === undefined) {
      chain.push(term);
      if (!mayBeEmpty(term.parts[0]!)) break;
      term = term.parts[1]!;
      sets = this.frontsOf.get(term);
    }
    if (term.kind !== 'cat') sets ??= this.fronts(term, depth + 1);
    let all: ReadonlySet<CharSet> = sets ?? new Set();
    this.terms.spend(chain.length);
    for (let i = chain.length - 1; i >= 0; i--) {
      const own = this.fronts(chain[i]!.parts[0]!, depth + 1);
      if ([...own].some((set) => !all.has(set))) all = new Set([...all, ...own]);
      this.frontsOf.set(chain[i]!, all);
    }
    return all;
  }
}

const MAX_DEPTH = 3000;

/** Whether a formula can match nothing somewhere; may say yes too often. */
function mayBeEmpty(term: Term): boolean {
  switch (term.kind) {
    case 'set':
    case 'never':
      return false;
    case 'cat':
      for (let each = term; ; each = each.parts[1]!) {
        if (each.kind !== 'cat') return mayBeEmpty(each);
        if (!mayBeEmpty(each.parts[0]!)) return false;
      }
    case 'or':
      return term.parts.some(mayBeEmpty);
    case 'repeat':
      return term.min === 0 || mayBeEmpty(term.parts[0]!);
    default:
      return true;
  }
}

/** Splits all characters so that each set is made of whole blocks. The most telling block comes first. */
export function partition(sets: readonly CharSet[], terms: Terms): readonly CharSet[] {
  let blocks: CharSet[] = [[0, 0x10ffff]];
  for (const set of sets) {
    const next: CharSet[] = [];
    const outside = complement(set);
    for (const block of blocks) {
      terms.spend(1 + block.length / 64);
      const inside = intersect(block, set);
      if (inside.length === 0 || subtract(block, set).length === 0) {
        next.push(block);
      } else {
        next.push(inside, intersect(block, outside));
      }
    }
    blocks = next;
  }
  const rank = new Map(blocks.map((block) => [block, telling(sample(block))]));
  return blocks.sort((a, b) => rank.get(a)! - rank.get(b)! || sample(a) - sample(b));
}

/** Letters before digits before other printable characters before the rest. */
function telling(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 0;
  if (code >= 0x30 && code <= 0x39) return 1;
  if (code >= 0x41 && code <= 0x5a) return 2;
  if (code >= 0x20 && code <= 0x7e) return 3;
  return code === 0x0a || code === 0x09 ? 4 : 5;
}
