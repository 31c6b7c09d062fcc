import type { LarkReading } from '../../core/calls/contractLark';
import type { GrammarParser } from '../../core/grammar/engine';
import { whatComesNext } from '../../core/grammar/next';
import type { ParseChild } from '../../core/grammar/tree';
import { t } from '../../core/text/message';
import { shorten } from '../../core/text/words';
import type { GrammarPage, PanelTreeRow } from '../../panelProtocol';
import { say } from '../language';

/** So many nodes of a tree are sent. */
const MOST_ROWS = 1500;

/** Texts longer than this are not completed for the sake of a tree. */
const MOST_COMPLETED = 4_000;

/** So many beginnings are looked at on the way to a complete text, and so many characters in all of them. */
const MOST_STEPS = 200;
const MOST_READ = 40_000;

/** Characters of a token that are shown. */
const SHOWN = 60;

/** The tree of an input, or of its part that fits, completed in the shortest way that is found. */
export function treePart(reading: LarkReading, input: string, stop: number, accepted: boolean): GrammarPage['tree'] {
  const { parser } = reading;
  const title = say(accepted ? t('') : t('of the part that fits'));
  if (parser === undefined) {
    return { title: '', rows: [], note: say(t('Lark refuses the grammar, and only Lark makes a tree.')) };
  }
  const whole = accepted ? input : completed(parser, input.slice(0, stop));
  const result = whole === undefined ? undefined : parser.parse(whole);
  if (result === undefined || !result.accepted) {
    const note = accepted ? t('The text is too complex for a tree.') : t('The tree appears when the whole input fits.');
    return { title: '', rows: [], note: say(note) };
  }
  const rows = rowsOf(result.tree, accepted ? input.length : stop, accepted);
  const cut = rows.length > MOST_ROWS;
  const note = cut ? t('The first {0} nodes are shown.', MOST_ROWS) : t('');
  return { title, rows: rows.slice(0, MOST_ROWS), note: say(note) };
}

/** A sentence that begins like this, if one is found by a few steps: the shortest next terminals first. */
function completed(parser: GrammarParser, beginning: string): string | undefined {
  if (beginning.length > MOST_COMPLETED) return undefined;
  const queue = [beginning];
  const seen = new Set(queue);
  let read = 0;
  for (let step = 0; step < MOST_STEPS && read < MOST_READ; step++) {
    const text = queue.shift();
    read += text?.length ?? 0;
    if (text === undefined) return undefined;
    const { complete, terminals } = whatComesNext(parser, text);
    if (complete) return text;
    for (const { rest, ignored } of terminals) {
      if (ignored || rest === undefined || rest === '' || seen.has(text + rest)) continue;
      seen.add(text + rest);
      queue.push(text + rest);
    }
    queue.sort((a, b) => a.length - b.length);
  }
  return undefined;
}

/** The nodes of a tree line by line, with the parts of the text that they stand for. */
function rowsOf(tree: ParseChild, stop: number, whole: boolean): PanelTreeRow[] {
  interface Open {
    readonly node: ParseChild;
    readonly depth: number;
    readonly parent: number;
  }
  type Row = { -readonly [key in keyof PanelTreeRow]: PanelTreeRow[key] };
  const rows: Row[] = [];
  const parents: number[] = [];
  const stack: Open[] = [{ node: tree, depth: 0, parent: -1 }];
  for (let next = stack.pop(); next !== undefined && rows.length <= MOST_ROWS; next = stack.pop()) {
    const { node, depth, parent } = next;
    if (node === null) continue;
    const index = rows.length;
    parents.push(parent);
    if (node.kind === 'token') {
      const { type, value, start, end } = node;
      const name = type.startsWith('__') ? '' : type;
      rows.push({ depth, name, text: JSON.stringify(shorten(value, SHOWN)), start, end, open: start >= stop });
      continue;
    }
    rows.push({ depth, name: node.name, start: Number.POSITIVE_INFINITY, end: -1, open: false });
    for (let i = node.children.length - 1; i >= 0; i--) {
      stack.push({ node: node.children[i]!, depth: depth + 1, parent: index });
    }
  }
  // Children stand behind their parents, so that each is done when its parent is looked at.
  for (let i = rows.length - 1; i >= 0; i--) {
    const row = rows[i]!;
    const parent = rows[parents[i]!];
    if (parent === undefined || row.end < row.start) continue;
    parent.start = Math.min(parent.start, row.start);
    parent.end = Math.max(parent.end, row.end);
  }
  const lastTaken = rows.findLastIndex(({ text, start }) => text !== undefined && start < stop);
  let at = 0;
  rows.forEach((row, index) => {
    // A node whose tokens the tree does not keep has no place that could be pointed at. Behind all that is there it
    // is what completes the text.
    if (row.end < row.start) {
      row.start = at;
      row.end = at;
      row.open = !whole && index > lastTaken && at > 0;
    } else {
      row.open = row.start >= stop;
      if (row.text !== undefined) at = row.end;
    }
  });
  return rows.map((row) => (row.end > stop && row.start < stop ? { ...row, end: stop } : row));
}
