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
  const changes = diffLines(before, after, { maxEditLength }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
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
