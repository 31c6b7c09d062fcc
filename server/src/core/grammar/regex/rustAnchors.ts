import type { Span } from '../../text/span';
import { children, type RegexNode, type RepeatNode } from './tree';

/** `regex-syntax` refuses more levels of brackets, repeats, alternatives and sequences than this. */
const NEST_LIMIT = 250;

/** The first node beyond the nesting that `regex-syntax` allows. */
export function nestedTooDeeply(root: RegexNode): Span | undefined {
  const stack: [RegexNode, number][] = [[root, 0]];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [node, depth] = entry;
    const parts = children(node);
    const own =
      node.kind === 'group' || node.kind === 'repeat' || node.kind === 'alternation' || node.kind === 'sequence';
    const inside = own || (node.kind === 'set' && node.written === 'class') ? depth + 1 : depth;
    if (inside > NEST_LIMIT) return node.span;
    for (let i = parts.length - 1; i >= 0; i--) stack.push([parts[i]!, inside]);
  }
  return undefined;
}

/**
 * The expression without the anchors that llguidance drops: starts at its left end, ends at its right end, also
 * through groups and alternatives there. What matches nothing outside of capturing groups does not count.
 */
export function dropOuterAnchors(root: RegexNode, dropped: (span: Span) => void): RegexNode {
  return strip(root, true, true, dropped);
}

function strip(node: RegexNode, left: boolean, right: boolean, dropped: (span: Span) => void): RegexNode {
  if (!left && !right) return node;
  switch (node.kind) {
    case 'anchor': {
      if (!(left && node.type === 'start') && !(right && node.type === 'end')) return node;
      dropped(node.span);
      return { kind: 'empty', span: node.span };
    }
    case 'group':
      return { ...node, body: strip(node.body, left, right, dropped) };
    case 'alternation':
      return { ...node, items: node.items.map((item) => strip(item, left, right, dropped)) };
    case 'repeat':
      if (node.max === 0) return { kind: 'empty', span: node.span };
      return isOnce(node) ? strip(node.body, left, right, dropped) : node;
    case 'sequence':
      return { ...node, items: stripItems(node.items, left, right, dropped) };
    default:
      return node;
  }
}

function stripItems(
  items: readonly RegexNode[],
  left: boolean,
  right: boolean,
  dropped: (span: Span) => void,
): readonly RegexNode[] {
  const out = items.map((item) =>
    isNothing(item) ? { kind: 'empty' as const, span: item.span } : item,
  ) as RegexNode[];
  let first = 0;
  let last = out.length - 1;
  const skip = (node: RegexNode, type: 'start' | 'end') => isNothing(node) || bareAnchor(node) === type;
  if (left) while (first <= last && skip(out[first]!, 'start')) first++;
  if (right) while (last >= first && skip(out[last]!, 'end')) last--;
  for (let i = 0; i < out.length; i++) {
    const edge = { left: left && i <= first, right: right && i >= last };
    if (i < first) edge.right = false;
    if (i > last) edge.left = false;
    out[i] = strip(out[i]!, edge.left, edge.right, dropped);
  }
  return out;
}

/** An anchor in nothing but plain brackets. */
export function bareAnchor(node: RegexNode): 'start' | 'end' | undefined {
  let inner = node;
  for (;;) {
    if (inner.kind === 'group' && inner.capture === undefined) inner = inner.body;
    else if (inner.kind === 'repeat' && isOnce(inner)) inner = inner.body;
    else break;
  }
  if (inner.kind === 'sequence') {
    const kinds = new Set(inner.items.filter((item) => !isNothing(item)).map(bareAnchor));
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }
  return inner.kind === 'anchor' && (inner.type === 'start' || inner.type === 'end') ? inner.type : undefined;
}

/** Matches the empty text only and captures nothing. */
export function isNothing(node: RegexNode): boolean {
  if (node.kind === 'empty') return true;
  if (node.kind === 'repeat') return node.max === 0 || (isOnce(node) && isNothing(node.body));
  if (node.kind === 'group') return node.capture === undefined && isNothing(node.body);
  return node.kind === 'sequence' && node.items.every(isNothing);
}

/** A repeat that the engine takes for the thing itself: `{1}`, and any repeat of what has no width but may not lack. */
export function isOnce(node: RepeatNode): boolean {
  return (node.min === 1 && node.max === 1) || (node.min > 0 && hasNoWidth(node.body));
}

function hasNoWidth(node: RegexNode): boolean {
  if (node.kind === 'set') return false;
  if (node.kind === 'repeat' && node.max === 0) return true;
  return children(node).every(hasNoWidth);
}

/** The first anchor that is left, in text order. */
export function innerAnchor(root: RegexNode): Span | undefined {
  const stack: RegexNode[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.kind === 'anchor') return node.span;
    if (node.kind === 'repeat' && node.max === 0) continue;
    const parts = children(node);
    for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i]!);
  }
  return undefined;
}
