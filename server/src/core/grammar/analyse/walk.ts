import type { Alternative, Alternatives, Definition, Expression, GrammarItem, IgnoreItem } from '../ast';

/** What contains alternatives: a definition or an `%ignore`. */
export type Owner = Definition | IgnoreItem;

/** The owners among items, those in `%lark { … }` left out. */
export function owners(items: readonly GrammarItem[]): Owner[] {
  return items.filter((item): item is Owner => item.kind === 'definition' || item.kind === 'ignore');
}

/** Parts of an expression that are written in it. */
export function parts(expression: Expression): readonly (Expression | Alternatives)[] {
  switch (expression.kind) {
    case 'group':
    case 'optional':
      return [expression.body];
    case 'repeat':
    case 'negation':
      return [expression.item];
    case 'intersection':
      return expression.operands.flatMap((operand) => operand.items);
    case 'template':
      return expression.arguments;
    case 'range':
      return [expression.from, expression.to];
    default:
      return [];
  }
}

const walked = new WeakMap<Alternatives, readonly Expression[]>();

/** All expressions of a body in text order, each before its parts. Many rules ask for them, so they are kept. */
export function expressions(body: Alternatives): readonly Expression[] {
  let found = walked.get(body);
  if (found === undefined) {
    found = walk(body);
    walked.set(body, found);
  }
  return found;
}

function walk(body: Alternatives): Expression[] {
  const found: Expression[] = [];
  const open: (Expression | Alternatives)[] = [body];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind !== 'alternatives') {
      found.push(next);
      pushReversed(open, parts(next));
      continue;
    }
    for (let i = next.items.length - 1; i >= 0; i--) pushReversed(open, next.items[i]!.items);
  }
  return found;
}

function pushReversed<T>(onto: T[], items: readonly T[]): void {
  for (let i = items.length - 1; i >= 0; i--) onto.push(items[i]!);
}

/** An alternative, and in how many brackets it stands. */
export interface PlacedAlternative {
  readonly alternative: Alternative;
  readonly depth: number;
}

const walkedAlternatives = new WeakMap<Alternatives, readonly PlacedAlternative[]>();

/** All alternatives of a body in text order, with their depth: 0 for those of the body itself. They are kept as well. */
export function alternatives(body: Alternatives): readonly PlacedAlternative[] {
  let found = walkedAlternatives.get(body);
  if (found === undefined) {
    found = walkAlternatives(body);
    walkedAlternatives.set(body, found);
  }
  return found;
}

function walkAlternatives(body: Alternatives): PlacedAlternative[] {
  const found: PlacedAlternative[] = [];
  const open: { node: Expression | Alternatives; depth: number }[] = [{ node: body, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const inner: { node: Expression | Alternatives; depth: number }[] = [];
    if (node.kind === 'alternatives') {
      for (const alternative of node.items) {
        found.push({ alternative, depth });
        // Most items are names and literals, in which no alternatives are.
        for (const item of alternative.items)
          if (item.kind !== 'reference' && item.kind !== 'string') inner.push({ node: item, depth: depth + 1 });
      }
    } else for (const part of parts(node)) inner.push({ node: part, depth });
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i]!);
  }
  return found;
}
