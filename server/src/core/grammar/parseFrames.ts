import type { Span } from '../text/span';
import type { Alternative, Alternatives, Expression, Intersection, Name } from './ast';
import type { Token } from './lex';
import { spanOf } from './parseCursor';

/** An alternative while it is read. */
export interface Building {
  readonly bar: Token | undefined;
  readonly start: number;
  items: Expression[];
  readonly operands: { span: Span; items: Expression[] }[];
  readonly negations: Token[];
  /** The last item has its operator. */
  repeated: boolean;
  alias: Name | undefined;
  arrow: Token | undefined;
  condition: Token | undefined;
}

/** An open bracket, or the body itself. */
export interface Frame {
  readonly kind: 'body' | 'group' | 'optional' | 'arguments';
  readonly open: Token | undefined;
  readonly start: number;
  readonly alternatives: Alternative[];
  current: Building;
  /** Of `arguments`: the template. */
  readonly template: Name | undefined;
}

/** A new alternative. `start` is where it can begin. */
export function building(bar: Token | undefined, start: number): Building {
  return {
    bar,
    start,
    items: [],
    operands: [],
    negations: [],
    repeated: false,
    alias: undefined,
    arrow: undefined,
    condition: undefined,
  };
}

/** A new bracket, or the body itself. */
export function frame(kind: Frame['kind'], open: Token | undefined, start: number, template?: Name): Frame {
  return { kind, open, start, alternatives: [], current: building(undefined, start), template };
}

/** What is read of an alternative as a side of `&`. */
export function operand(current: Building, at: number): { span: Span; items: Expression[] } {
  const { items } = current;
  const start = items[0]?.span.start ?? at;
  return { span: { start, end: items.at(-1)?.span.end ?? start }, items };
}

/** An alternative as read so far; `at` is where an empty one stands. */
export function alternative(current: Building, at: number): Alternative {
  let items: readonly Expression[] = current.items;
  if (current.operands.length > 0) {
    const operands = [...current.operands, operand(current, at)];
    const span = { start: operands[0]!.span.start, end: operands.at(-1)!.span.end };
    const both: Intersection = { kind: 'intersection', span, operands };
    items = [both];
  }
  const start = items[0]?.span.start ?? current.arrow?.start ?? current.start;
  const end = Math.max(
    start,
    items.at(-1)?.span.end ?? 0,
    current.alias?.span.end ?? current.arrow?.end ?? 0,
    current.condition?.end ?? 0,
  );
  return {
    kind: 'alternative',
    span: { start, end },
    items,
    alias: current.alias,
    arrow: current.arrow && spanOf(current.arrow),
    condition: current.condition && spanOf(current.condition),
    bar: current.bar && spanOf(current.bar),
  };
}

/** Where a body ends: behind the last thing in it. */
export function lastEnd(body: Frame, from: number): number {
  const { current } = body;
  const last = alternative(current, from);
  return Math.max(from, last.span.end, current.bar?.end ?? 0);
}

/** Closes a bracket or the body. */
export function finish(done: Frame, end: number): Alternatives {
  done.alternatives.push(alternative(done.current, end));
  return {
    kind: 'alternatives',
    span: { start: done.start, end: Math.max(done.start, end) },
    items: done.alternatives,
  };
}
