import { diffLines } from 'diff';
import type { PanelDiffLine } from '../../panelProtocol';

/** So many equal lines stay around a change. */
const CONTEXT = 2;

/** Beyond so many changed lines a comparison is no longer minimal; its lines are still right. */
const MAX_EDITS = 4000;

/** Two texts line by line, long equal parts cut out. */
export function compareLines(before: string, after: string): PanelDiffLine[] {
  const changes = diffLines(before, after, { maxEditLength: MAX_EDITS }) ?? [
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
