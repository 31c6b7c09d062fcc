import { diffLines } from 'diff';
import type { PanelDiff, PanelDiffLine, PanelPartAsk } from '../../panelProtocol';
import { clipped, partOf } from './parts';

/** So many equal lines stay around a change. */
const CONTEXT = 2;

/** Beyond so many changed lines a comparison is no longer minimal; its lines are still right. */
const MAX_EDITS = 4000;

/** Lines times changed lines that are looked at: a comparison of long texts is minimal for fewer changes only. */
const MAX_STEPS = 20_000_000;

/** The last comparison: a page asks for its parts one by one, and again with every key stroke elsewhere. */
let last: { readonly before: string; readonly after: string; readonly lines: readonly PanelDiffLine[] } | undefined;

/** So many lines ahead a line is looked for that both texts have: near ones first. */
const AHEAD = [16, 256] as const;

/** A line that stands anywhere: brackets alone. */
const COMMON = /^[\s\][{},]*$/;

/** Lines of both texts, or of one alone, as `diffLines` has them. */
interface Change {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}

/**
 * What differs between two long texts: from one difference to the next line that both have, without a search for the
 * fewest changes.
 */
export function roughChanges(before: readonly string[], after: readonly string[]): Change[] {
  const changes: Change[] = [];
  const push = (lines: readonly string[], from: number, to: number, added: boolean, removed: boolean): void => {
    if (to > from) changes.push({ value: lines.slice(from, to).join('\n'), added, removed });
  };
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const start = i;
    while (i < before.length && j < after.length && before[i] === after[j]) {
      i++;
      j++;
    }
    push(before, start, i, false, false);
    let [x, y] = nextShared(before, i, after, j);
    while (x > i && y > j && before[x - 1] === after[y - 1]) {
      x--;
      y--;
    }
    push(before, i, x, false, true);
    push(after, j, y, true, false);
    i = x;
    j = y;
  }
  return changes;
}

/** Where both texts go on alike, or the end of what is looked at. */
function nextShared(before: readonly string[], i: number, after: readonly string[], j: number): [number, number] {
  for (const ahead of AHEAD) {
    const places = new Map<string, number>();
    for (let y = Math.min(after.length, j + ahead) - 1; y >= j; y--) {
      if (!COMMON.test(after[y]!)) places.set(after[y]!, y);
    }
    let best: [number, number] | undefined;
    for (let x = i; x < Math.min(before.length, i + ahead); x++) {
      const y = places.get(before[x]!);
      if (y !== undefined && (best === undefined || x + y < best[0] + best[1])) best = [x, y];
    }
    if (best !== undefined) return best;
  }
  const most = AHEAD[AHEAD.length - 1]!;
  return [Math.min(before.length, i + most), Math.min(after.length, j + most)];
}

/**
 * Two texts line by line, long equal parts cut out, and of many lines a part.
 *
 * @param of names the comparison
 */
export function compareTexts(
  before: string,
  after: string,
  of: string,
  ask: PanelPartAsk | undefined,
): Omit<PanelDiff, 'summary'> {
  if (last?.before !== before || last.after !== after) last = { before, after, lines: compareLines(before, after) };
  const { lines } = last;
  const part = partOf(lines.length, of, ask);
  const shown = part === undefined ? lines : lines.slice(part.first, part.first + part.size);
  return {
    lines: shown.map((line) => {
      const { text, more } = clipped(line.text);
      return more === 0 ? line : { ...line, text, more };
    }),
    ...(part === undefined ? {} : { part: { ...part, marked: [] } }),
  };
}

function compareLines(before: string, after: string): PanelDiffLine[] {
  const length = Math.max(1, (before.length + after.length) / 20);
  const maxEditLength = Math.min(MAX_EDITS, Math.ceil(MAX_STEPS / length));
  const changes = diffLines(before, after, { maxEditLength }) ?? roughChanges(before.split('\n'), after.split('\n'));
  const result: PanelDiffLine[] = [];
  changes.forEach(({ value, added, removed }, index) => {
    const lines = value.replace(/\n$/, '').split('\n');
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    if (kind !== 'same') {
      for (const text of lines) result.push({ kind, text });
      return;
    }
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === changes.length - 1 ? 0 : CONTEXT;
    const skipped = lines.length - head - tail;
    if (skipped <= 1) {
      for (const text of lines) result.push({ kind, text });
      return;
    }
    for (const text of lines.slice(0, head)) result.push({ kind, text });
    result.push({ kind: 'skipped', text: '', skipped });
    for (const text of lines.slice(lines.length - tail)) result.push({ kind, text });
  });
  return result;
}
