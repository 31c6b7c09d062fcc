import { formatNumber, type Message, t } from './message';

/** A change with its sign: `−1,099`, `+12`, `0`. */
export function formatChange(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

/** A number of bytes: `1 byte`, `5,000 bytes`. */
export function bytes(value: number): Message {
  return value === 1 ? t('1 byte') : t('{0} bytes', value);
}

/** `a`, `a and b`, `a, b and c`. Beyond `limit` items the rest is counted: `a, b and 3 more`. */
export function list(items: readonly (string | Message)[], limit = Number.POSITIVE_INFINITY): Message {
  const shown = items.length > limit ? [...items.slice(0, limit), t('{0} more', items.length - limit)] : [...items];
  const last = shown.pop();
  if (last === undefined) return t('nothing');
  if (shown.length === 0) return t('{0}', last);
  const before = { text: shown.map((_, i) => `{${i}}`).join(', '), args: shown };
  return t('{0} and {1}', before, last);
}

/** Text cut to a length in characters, with an ellipsis where something is left out. */
export function shorten(text: string, length: number): string {
  const characters = [...text.slice(0, (length + 1) * 2)];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** The candidate nearest to a word by edit distance, if it is near enough to be a slip; `undefined` else. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let distance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === word || Math.abs(candidate.length - word.length) >= distance) continue;
    const d = editDistance(word.toLowerCase(), candidate.toLowerCase(), distance);
    if (d < distance) {
      distance = d;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbors between two words; stops counting at `limit`. */
export function editDistance(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least >= limit) return limit;
    before = previous;
    previous = row;
  }
  return previous[b.length]!;
}
