import { t } from '../../text/message';
import type { Entry, EntrySet } from './entries';
import { ownTrees, refersOn, Sym, type Tree } from './tree';

/**
 * Puts the trees of terminals where other terminals use them. The trees are shared, so that a later `%extend` reaches
 * them and a later `%override` does not (Lark 1.3.1). Reports rules and unknown names inside terminals, and cycles.
 */
export function resolveTerminals(definitions: EntrySet): void {
  for (const entry of definitions.entries.values()) {
    if (!entry.terminal || entry.tree === undefined) continue;
    for (const tree of ownTrees(entry.tree)) {
      const item = tree.kind === 'value' ? tree.children[0] : undefined;
      if (item instanceof Sym) resolve(definitions, entry, tree, item);
    }
  }
  reportCycles(definitions);
}

function resolve(definitions: EntrySet, entry: Entry, value: Tree, item: Sym): void {
  const place = item.place!;
  const target = definitions.entries.get(item.name);
  if (!item.terminal) {
    const message = t('A terminal is made of literals and terminals; {0} is a rule.', item.name);
    definitions.report('terminal.rule-inside', place, message);
  } else if (target === undefined || !target.terminal) {
    definitions.report('name.undefined', place, t('Terminal {0} is not defined.', item.name));
  } else if (target.tree === undefined) {
    if (target.broken) return;
    const message = t('{0} is only declared: it has no pattern that {1} could use.', item.name, entry.name);
    definitions.report('internal.assertion', place, message);
  } else value.children[0] = target.tree;
}

/** Reports each group of terminals that use each other, at the first of them. */
function reportCycles(definitions: EntrySet): void {
  const entries = [...definitions.entries.values()].filter((entry) => entry.terminal && entry.tree !== undefined);
  const byTree = new Map(entries.map((entry) => [entry.tree!, entry]));
  const uses = new Map<Entry, { target: Entry; value: Tree }[]>();
  for (const entry of entries) {
    const values = ownTrees(entry.tree!).filter(refersOn);
    const known = values.flatMap((value) => {
      const target = byTree.get(value.children[0] as Tree);
      return target === undefined ? [] : [{ target, value }];
    });
    uses.set(entry, known);
  }
  const reported = new Set<Entry>();
  const clear = withoutCycle(uses);
  for (const entry of entries) {
    if (reported.has(entry) || clear.has(entry) || reported.size > 1000) continue;
    const cycle = cycleThrough(entry, uses, clear);
    if (cycle === undefined) continue;
    for (const { target } of cycle) reported.add(target);
    const names = [entry.name, ...cycle.map(({ target }) => target.name)].join(' → ');
    const place = cycle[0]!.value.place!;
    definitions.report('terminal.recursion', place, t('Terminals cannot contain themselves: {0}. A rule can.', names));
  }
}

/** The terminals from which no cycle can be reached. */
function withoutCycle(uses: ReadonlyMap<Entry, readonly { target: Entry }[]>): Set<Entry> {
  const users = new Map<Entry, Entry[]>();
  const open = new Map<Entry, number>();
  const clear = new Set<Entry>();
  for (const [entry, known] of uses) {
    open.set(entry, known.length);
    if (known.length === 0) clear.add(entry);
    for (const { target } of known) {
      const list = users.get(target);
      if (list === undefined) users.set(target, [entry]);
      else list.push(entry);
    }
  }
  for (const entry of clear) {
    for (const user of users.get(entry) ?? []) {
      const left = open.get(user)! - 1;
      open.set(user, left);
      if (left === 0) clear.add(user);
    }
  }
  return clear;
}

/** The uses that lead from a terminal back to it, on a shortest way. */
function cycleThrough(
  start: Entry,
  uses: ReadonlyMap<Entry, readonly { target: Entry; value: Tree }[]>,
  clear: ReadonlySet<Entry>,
): { target: Entry; value: Tree }[] | undefined {
  const reached = new Map<Entry, { from: Entry; target: Entry; value: Tree }>();
  const queue: Entry[] = [start];
  for (let i = 0; i < queue.length; i++) {
    const from = queue[i]!;
    for (const { target, value } of uses.get(from)!) {
      if (clear.has(target) || reached.has(target)) continue;
      reached.set(target, { from, target, value });
      if (target !== start) {
        queue.push(target);
        continue;
      }
      const cycle: { target: Entry; value: Tree }[] = [];
      for (let at = start; ; ) {
        const step = reached.get(at)!;
        cycle.unshift(step);
        at = step.from;
        if (at === start) return cycle;
      }
    }
  }
  return undefined;
}
