import type { Reference, References } from '../../schema/references';
import type { JsonNode } from '../../text/json';

/** What the references below one schema name in turn is followed through this many schemas at most. */
const MAX_FOLLOWED = 200;

/** The references of a schema in the order of the text, so that those within one place are found by halving. */
interface RefIndex {
  readonly holders: readonly Reference[];
  /** The schemas that references name, in text order. */
  readonly targets: readonly JsonNode[];
  /** The schemas that have a name of their own, in text order. */
  readonly named: readonly JsonNode[];
}

const indexes = new WeakMap<References, RefIndex>();

function indexOf(references: References): RefIndex {
  let index = indexes.get(references);
  if (index === undefined) {
    const targets = new Set(references.list.map(({ target }) => target).filter((target) => target !== undefined));
    const named = references.sites.map(({ node }) => node).filter((node) => NAMES.some((key) => node.has(key)));
    index = {
      holders: [...references.list].sort((a, b) => a.site.node.offset - b.site.node.offset),
      targets: [...targets].sort(byOffset),
      named: named.sort(byOffset),
    };
    indexes.set(references, index);
  }
  return index;
}

const NAMES: readonly string[] = ['$id', '$anchor', '$dynamicAnchor'];

function byOffset(a: JsonNode, b: JsonNode): number {
  return a.offset - b.offset;
}

/** Whether one node is the other or holds it. */
export function contains(outer: JsonNode, inner: JsonNode): boolean {
  return outer.offset <= inner.offset && inner.end <= outer.end;
}

/** The references in the subtree of a node, in text order. */
export function referencesWithin(references: References, node: JsonNode): readonly Reference[] {
  const { holders } = indexOf(references);
  const from = firstAt(holders, ({ site }) => site.node.offset >= node.offset);
  const to = firstAt(holders, ({ site }) => site.node.offset >= node.end);
  return holders.slice(from, to);
}

/** Whether a reference names something inside of a node; the node itself does not count. */
export function hasTargetInside(references: References, node: JsonNode): boolean {
  const { targets } = indexOf(references);
  const next = targets[firstAt(targets, ({ offset }) => offset > node.offset)];
  return next !== undefined && next.offset < node.end;
}

/** Whether a node, or something in it, has a name (`$id`, an anchor) that a copy would have too. */
export function hasNameWithin(references: References, node: JsonNode): boolean {
  const { named } = indexOf(references);
  const next = named[firstAt(named, ({ offset }) => offset >= node.offset)];
  return next !== undefined && next.offset < node.end;
}

/**
 * Whether the references below a schema, followed through whatever they name, lead to one of these nodes or to something
 * around it. Where that is too long to follow, the answer is yes.
 */
export function leadsTo(references: References, from: JsonNode, nodes: readonly JsonNode[]): boolean {
  const seen = new Set<JsonNode>([from]);
  // The set grows while it is walked.
  for (const each of seen) {
    if (seen.size > MAX_FOLLOWED) return true;
    for (const { target } of referencesWithin(references, each)) {
      if (target === undefined) continue;
      if (nodes.some((node) => contains(target, node))) return true;
      seen.add(target);
    }
  }
  return false;
}

/** The index of the first element for which the condition holds; it must hold for all behind that one. */
function firstAt<T>(list: readonly T[], condition: (element: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (condition(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
