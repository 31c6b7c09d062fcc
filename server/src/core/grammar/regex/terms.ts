import { ANY_CHAR, type CharSet, EMPTY_SET, intersect, union } from './charSet';

/** Signals that a question needs more work than allowed. It never leaves the automata. */
export class OverBudget extends Error {}

export type TermKind =
  | 'never'
  | 'empty'
  | 'set'
  | 'cat'
  | 'or'
  | 'and'
  | 'not'
  | 'repeat'
  | 'ahead'
  | 'behind'
  | 'start';

/** A language as a formula. Equal formulas are one object, so that they can be compared and remembered by `id`. */
export interface Term {
  readonly id: number;
  readonly kind: TermKind;
  /** `set`: the characters. */
  readonly set: CharSet;
  /** `cat`: head (never a `cat`) and tail. `or`, `and`: operands. The one operand of the others. */
  readonly parts: readonly Term[];
  /** `repeat`: bounds. `behind`: `min` is the width. */
  readonly min: number;
  readonly max: number;
  /** `ahead`, `behind`: must not match. */
  readonly negative: boolean;
  /** Depends on what stands before it. */
  readonly looksBack: boolean;
  /** Built of sets, sequences, unions and repeats alone: then it is empty only as `never`. */
  readonly plain: boolean;
  /** Matches the empty text where nothing follows and nothing that looks back decides. */
  readonly nullable: boolean;
}

/** Where formulas are made. Every new formula costs a step of the budget. */
export class Terms {
  private readonly known = new Map<string, Term>();
  private readonly setIds = new WeakMap<CharSet, number>();
  private readonly setKeys = new Map<string, number>();
  private count = 0;
  /** Steps left for the question at hand. */
  budget = Number.POSITIVE_INFINITY;

  readonly never = this.make('never', [], {});
  readonly empty = this.make('empty', [], {});
  readonly any = this.set(ANY_CHAR);
  readonly all = this.repeat(this.any, 0, Number.POSITIVE_INFINITY);
  readonly start = this.make('start', [], {});

  get size(): number {
    return this.count;
  }

  spend(steps = 1): void {
    this.budget -= steps;
    if (this.budget < 0) throw new OverBudget();
  }

  /** How many characters the longest text of a plain formula has; none for `never`. */
  longest(term: Term): number {
    this.spend();
    switch (term.kind) {
      case 'set':
        return 1;
      case 'cat': {
        let length = 0;
        let rest = term;
        for (; rest.kind === 'cat'; rest = rest.parts[1]!) length += this.longest(rest.parts[0]!);
        return length + this.longest(rest);
      }
      case 'or':
        return Math.max(...term.parts.map((part) => this.longest(part)));
      case 'repeat': {
        const length = this.longest(term.parts[0]!);
        return length === 0 ? 0 : length * term.max;
      }
      default:
        return 0;
    }
  }

  setId(set: CharSet): number {
    let id = this.setIds.get(set);
    if (id === undefined) {
      const key = set.join();
      id = this.setKeys.get(key) ?? this.setKeys.size;
      this.setKeys.set(key, id);
      this.setIds.set(set, id);
    }
    return id;
  }

  private make(
    kind: TermKind,
    parts: readonly Term[],
    more: { set?: CharSet; min?: number; max?: number; negative?: boolean },
  ): Term {
    const { set = EMPTY_SET, min = 0, max = 0, negative = false } = more;
    const ids = parts.map((part) => part.id).join();
    const key = `${kind}:${kind === 'set' ? this.setId(set) : ids}:${min}:${max}:${negative ? 1 : 0}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.spend(1 + parts.length / 8);
    const looksBack = kind === 'behind' || kind === 'start' || parts.some((part) => part.looksBack);
    const simple = kind === 'empty' || kind === 'set' || kind === 'cat' || kind === 'or' || kind === 'repeat';
    const plain = simple && parts.every((part) => part.plain);
    const nullable = isNullable(kind, parts, min, negative);
    const term = { id: this.count++, kind, set, parts, min, max, negative, looksBack, plain, nullable };
    this.known.set(key, term);
    return term;
  }

  set(set: CharSet): Term {
    return set.length === 0 ? this.never : this.make('set', [], { set });
  }

  cat(head: Term, tail: Term): Term {
    if (head === this.never || tail === this.never) return this.never;
    if (head === this.empty) return tail;
    if (tail === this.empty) return head;
    if (head.kind !== 'cat') return this.make('cat', [head, tail], {});
    const heads: Term[] = [];
    let rest = head;
    for (; rest.kind === 'cat'; rest = rest.parts[1]!) heads.push(rest.parts[0]!);
    let out = this.make('cat', [rest, tail], {});
    for (let i = heads.length - 1; i >= 0; i--) out = this.make('cat', [heads[i]!, out], {});
    return out;
  }

  /** A sequence of any length. */
  sequence(items: readonly Term[]): Term {
    let out = this.empty;
    for (let i = items.length - 1; i >= 0; i--) out = this.cat(items[i]!, out);
    return out;
  }

  or(items: readonly Term[]): Term {
    const flat = new Set<Term>();
    let characters: CharSet = EMPTY_SET;
    for (const item of items) {
      for (const each of item.kind === 'or' ? item.parts : [item]) {
        if (each === this.all) return this.all;
        if (each.kind === 'set') characters = union(characters, each.set);
        else if (each !== this.never) flat.add(each);
      }
    }
    if (characters.length > 0) flat.add(this.set(characters));
    // The empty text is in every operand that may be empty, whatever follows.
    if (flat.has(this.empty) && [...flat].some((each) => each !== this.empty && each.nullable && each.plain)) {
      flat.delete(this.empty);
    }
    return this.joined('or', this.mergeHeads(this.mergeCounts(flat)), this.never);
  }

  /** `ab | ac` is `a(b | c)`: lists of words become trees. */
  private mergeHeads(items: ReadonlySet<Term>): ReadonlySet<Term> {
    if (items.size < 2) return items;
    const byHead = new Map<Term, Term[]>();
    for (const item of items) {
      const head = item.kind === 'cat' ? item.parts[0]! : item;
      if (head.kind !== 'set') continue;
      const group = byHead.get(head);
      if (group === undefined) byHead.set(head, [item]);
      else group.push(item);
    }
    let out: Set<Term> | undefined;
    for (const [head, group] of byHead) {
      if (group.length < 2) continue;
      out ??= new Set(items);
      for (const item of group) out.delete(item);
      out.add(this.cat(head, this.or(group.map((item) => (item === head ? this.empty : item.parts[1]!)))));
    }
    return out ?? items;
  }

  /** `a{0,3}b | a{1,5}b` is `a{0,5}b`: repeats of one thing before one rest, with counts that touch, are one repeat. */
  private mergeCounts(items: ReadonlySet<Term>): ReadonlySet<Term> {
    let groups: Map<string, { body: Term; rest: Term; bounds: [number, number][] }> | undefined;
    let merges = false;
    for (const item of items) {
      const head = item.kind === 'cat' ? item.parts[0]! : item;
      if (head.kind !== 'repeat') continue;
      const body = head.parts[0]!;
      const rest = item.kind === 'cat' ? item.parts[1]! : this.empty;
      groups ??= new Map();
      const key = `${body.id}:${rest.id}`;
      const group = groups.get(key);
      if (group === undefined) {
        const bounds: [number, number][] = [[head.min, head.max]];
        if (items.has(rest)) {
          bounds.push([0, 0]);
          merges = true;
        }
        groups.set(key, { body, rest, bounds });
      } else {
        group.bounds.push([head.min, head.max]);
        merges = true;
      }
    }
    if (groups === undefined || !merges) return items;
    const out = new Set(items);
    for (const { body, rest, bounds } of groups.values()) {
      if (bounds.length < 2) continue;
      for (const [min, max] of bounds) out.delete(this.cat(this.repeat(body, min, max), rest));
      for (const [min, max] of touching(bounds)) {
        const merged = this.cat(this.repeat(body, min, max), rest);
        for (const each of merged.kind === 'or' ? merged.parts : [merged]) out.add(each);
      }
    }
    return out;
  }

  and(items: readonly Term[]): Term {
    const flat = new Set<Term>();
    for (const item of items) {
      for (const each of item.kind === 'and' ? item.parts : [item]) {
        if (each === this.never) return this.never;
        if (each !== this.all) flat.add(each);
      }
    }
    if (!this.mergeFronts(flat)) return this.never;
    for (const each of flat) {
      if (each.kind === 'not' && flat.has(each.parts[0]!)) return this.never;
      if (each === this.empty && [...flat].every((other) => !other.looksBack)) {
        return [...flat].every((other) => other.nullable) ? this.empty : this.never;
      }
    }
    return this.joined('and', flat, this.all);
  }

  /** `[ab]x & [bc]y` is `b(x & y)`. False where no character is in all of them. */
  private mergeFronts(items: Set<Term>): boolean {
    const fronts = [...items].filter(
      (item) => item.kind === 'set' || (item.kind === 'cat' && item.parts[0]!.kind === 'set'),
    );
    if (fronts.length < 2) return true;
    let set: CharSet | undefined;
    for (const item of fronts) {
      const own = item.kind === 'set' ? item.set : item.parts[0]!.set;
      set = set === undefined ? own : intersect(set, own);
      items.delete(item);
    }
    const rest = this.and(fronts.map((item) => (item.kind === 'set' ? this.empty : item.parts[1]!)));
    const merged = this.cat(this.set(set!), rest);
    if (merged === this.never) return false;
    items.add(merged);
    return true;
  }

  private joined(kind: 'or' | 'and', items: ReadonlySet<Term>, none: Term): Term {
    if (items.size === 0) return none;
    const sorted = [...items].sort((a, b) => a.id - b.id);
    return sorted.length === 1 ? sorted[0]! : this.make(kind, sorted, {});
  }

  not(term: Term): Term {
    if (term.kind === 'not') return term.parts[0]!;
    if (term === this.never) return this.all;
    if (term === this.all) return this.never;
    return this.make('not', [term], {});
  }

  repeat(body: Term, least: number, max: number): Term {
    if (max === 0 || body === this.empty) return this.empty;
    if (body === this.never) return least === 0 ? this.empty : this.never;
    const min = body.nullable && body.plain ? 0 : least;
    if (min === 1 && max === 1) return body;
    if (body.kind === 'repeat' && body.min <= 1) {
      const inner = body.parts[0]!;
      if (body.max === Number.POSITIVE_INFINITY) return this.repeat(inner, body.min * min, Number.POSITIVE_INFINITY);
      if (body.min === 0 && body.max === 1) return this.repeat(inner, 0, max);
    }
    return this.make('repeat', [body], { min, max });
  }

  /** Nothing here, but what follows must (or must not) start with a match. */
  ahead(body: Term, negative: boolean): Term {
    if (body === this.never) return negative ? this.empty : this.never;
    return this.make('ahead', [body], { negative });
  }

  /** Nothing here, but what stands before must (or must not) end with a match, which is `width` characters long. */
  behind(body: Term, width: number, negative: boolean): Term {
    return this.make('behind', [body], { min: width, negative });
  }
}

/** Ranges with those that overlap or follow each other put together. */
function touching(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const out: [number, number][] = [];
  for (const [min, max] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = out.at(-1);
    if (last !== undefined && min <= last[1] + 1) last[1] = Math.max(last[1], max);
    else out.push([min, max]);
  }
  return out;
}

function isNullable(kind: TermKind, parts: readonly Term[], min: number, negative: boolean): boolean {
  switch (kind) {
    case 'empty':
      return true;
    case 'cat':
    case 'and':
      return parts.every((part) => part.nullable);
    case 'or':
      return parts.some((part) => part.nullable);
    case 'not':
      return !parts[0]!.nullable;
    case 'repeat':
      return min === 0 || parts[0]!.nullable;
    case 'ahead':
      return parts[0]!.nullable !== negative;
    default:
      return false;
  }
}
