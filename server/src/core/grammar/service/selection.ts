import { type Span, touches } from '../../text/span';
import type { Alternatives, Expression, GrammarDocument, GrammarItem } from '../ast';

type Node = GrammarItem | Alternatives | Expression;

/**
 * What an editor selects step by step from an offset outwards: a name or token, its expression, its sequence, the
 * alternative, the brackets or the body, the definition, the text. Each part holds the one before and is larger.
 */
export function selectionSteps({ text, tokens, items }: GrammarDocument, offset: number): Span[] {
  const steps: Span[] = [];
  const add = (span: Span): void => {
    const part = text.slice(span.start, span.end);
    const start = span.start + (part.length - part.trimStart().length);
    if (touches({ start, end: span.end }, offset) && span.end > start) steps.push({ start, end: span.end });
  };
  const token = tokens
    .filter((each) => !/^(?:space|newline|lineBreak|end)$/.test(each.kind))
    .find((each) => touches(each, offset));
  // Of two tokens that meet at the offset, the one behind is where typing goes on.
  const next = tokens.find(
    (each) => each.start === offset && /^(?:rule|terminal|string|regexp|number)$/.test(each.kind),
  );
  const inner = next ?? token;
  if (inner !== undefined) {
    add(inner);
    if ((inner.kind === 'string' || inner.kind === 'regexp') && offset > inner.start && offset < inner.end) {
      const close = text.lastIndexOf(inner.kind === 'string' ? '"' : '/', inner.end - 1);
      add({ start: inner.start + 1, end: close });
    }
  }
  const open: Node[] = [...items];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { span } = node;
    if (!touches(span, offset)) continue;
    add(span);
    open.push(...partsOf(node, add));
  }
  if (text.length > 0) steps.push({ start: 0, end: text.length });
  return outwards(steps);
}

/** The nodes inside of a node; `add` gets parts that are no nodes. */
function partsOf(node: Node, add: (span: Span) => void): Node[] {
  switch (node.kind) {
    case 'definition':
      add(node.name.span);
      return [node.body];
    case 'ignore':
      return [node.body];
    case 'import':
    case 'declare':
      for (const name of node.names ?? []) add(name.span);
      return [];
    case 'alternatives':
      return node.items.flatMap(({ span, items, alias }) => {
        const [first, last] = [items[0], items.at(-1)];
        if (first !== undefined && last !== undefined) add({ start: first.span.start, end: last.span.end });
        add(span);
        if (alias !== undefined) add({ start: span.start, end: Math.max(span.end, alias.span.end) });
        return items;
      });
    case 'group':
    case 'optional':
      return [node.body];
    case 'repeat':
    case 'negation':
      return [node.item];
    case 'range':
      return [node.from, node.to];
    case 'template':
      return [...node.arguments];
    case 'intersection':
      for (const { span } of node.operands) add(span);
      return node.operands.flatMap(({ items }) => items);
    case 'regexp':
      add(node.bodySpan);
      return [];
    case 'json':
    case 'structuredRegex':
    case 'header':
      add(node.valueSpan);
      return [];
    case 'nested':
      return [...node.items];
    default:
      return [];
  }
}

/** From the smallest to the largest; what does not hold the one before is left out. */
function outwards(steps: readonly Span[]): Span[] {
  const sorted = [...steps].sort((a, b) => a.end - a.start - (b.end - b.start));
  const kept: Span[] = [];
  for (const span of sorted) {
    const last = kept.at(-1);
    if (
      last === undefined ||
      (span.start <= last.start && span.end >= last.end && span.end - span.start > last.end - last.start)
    )
      kept.push(span);
  }
  return kept;
}
