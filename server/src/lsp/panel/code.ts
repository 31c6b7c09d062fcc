import { type JsonNode, parseJson } from '../../core/text/json';
import { walkJson } from '../../core/text/jsonTree';
import { LineIndex } from '../../core/text/lines';
import { t } from '../../core/text/message';
import { prettyJson } from '../../core/text/pretty';
import { utf8Length } from '../../core/text/utf8';
import { bytes, shorten } from '../../core/text/words';
import type { PanelCode, PanelNote, PanelPartAsk } from '../../panelProtocol';
import { say } from '../language';
import { clipped, partOf } from './parts';

/** Something to say about a value of a JSON text. */
export interface CodeNote {
  readonly node: JsonNode;
  readonly label: string;
  readonly marked: boolean;
}

/** Exact JSON laid out for reading. */
interface Layout {
  readonly exact: string;
  readonly text: string;
  readonly root: JsonNode;
  readonly lines: LineIndex;
}

/** The last long texts, the newest first: a page asks for their parts one by one. */
const known: Layout[] = [];

/** Two texts are compared. */
const MOST_KNOWN = 2;

/** Longer texts are laid out once. */
const MOST_AGAIN = 50_000;

function layoutOf(exact: string): Layout | undefined {
  const before = known.find((each) => each.exact === exact);
  if (before !== undefined) return before;
  const compact = parseJson(exact).root;
  const text = compact === undefined ? '' : prettyJson(compact);
  const { root } = parseJson(text);
  if (root === undefined) return undefined;
  const layout = { exact, text, root, lines: new LineIndex(text) };
  if (exact.length > MOST_AGAIN) known.splice(0, known.length, layout, ...known.slice(0, MOST_KNOWN - 1));
  return layout;
}

/** The text as it is laid out. */
export function layoutText(exact: string): string {
  return layoutOf(exact)?.text ?? exact;
}

/** Marked lines of a long text that are told. */
const MOST_MARKED = 12;

/**
 * Exact JSON laid out for reading, and of a long one a part.
 *
 * @param annotate finds notes and folded values in the tree of the text as it is shown
 * @param of names the text, to ask for parts of it
 */
export function jsonCode(
  exact: string,
  annotate: (root: JsonNode) => { readonly notes: readonly CodeNote[]; readonly folded: readonly JsonNode[] },
  of = '',
  ask?: PanelPartAsk,
): PanelCode {
  const layout = layoutOf(exact);
  if (layout === undefined) return { language: 'text', text: exact, notes: [], folded: [] };
  const { text, root, lines } = layout;
  const lineOf = (node: JsonNode): number => lines.position(node.offset).line;
  const found = annotate(root);
  const notes = new Map<number, PanelNote>();
  for (const { node, label, marked } of found.notes) {
    const line = lineOf(node);
    if (!notes.has(line)) notes.set(line, { line, label, marked });
  }
  const all = [...notes.values()].sort((a, b) => a.line - b.line);
  const part = partOf(lines.lineCount, of, ask, text.length);
  if (part === undefined) return { language: 'json', text, notes: all, folded: [...new Set(found.folded.map(lineOf))] };
  const { first, size } = part;
  const shown = text
    .slice(lines.lineStart(first), lines.lineStart(first + size))
    .replace(/\n$/, '')
    .split('\n')
    .map(clipped);
  const marked = all.flatMap(({ line, marked: is }) => (is ? line : [])).slice(0, MOST_MARKED);
  return {
    language: 'json',
    text: shown.map((line) => line.text).join('\n'),
    notes: shown.flatMap(({ more }, index) => {
      const line = first + index;
      const note = notes.get(line);
      if (more === 0) return note ?? [];
      const label =
        note === undefined ? t('{0} more characters', more) : t('{0}, {1} more characters', note.label, more);
      return { line, label: say(label), marked: note?.marked ?? false };
    }),
    // A fold would hide lines that another part has.
    folded: [],
    part: { ...part, marked },
  };
}

/** Longer names would push the sizes behind them out of sight. */
export const MOST_NAME = 60;

/** So many tools of a long list have a line. */
const MOST_TOOLS = 250;

/** The tools in a list or a request, namespaces apart. */
export function toolsIn(root: JsonNode): { readonly node: JsonNode; readonly name: string }[] {
  const found: { readonly node: JsonNode; readonly name: string }[] = [];
  walkJson(root, (node) => {
    const name = node.value('name')?.string ?? node.value('function')?.value('name')?.string;
    if (node.parent?.kind !== 'array' || node.kind !== 'object' || name === undefined) return true;
    if (node.value('tools')?.kind === 'array') return true;
    found.push({ node, name });
    return false;
  });
  return found;
}

/** A long list or request without what stands in its tools: a line for each, with its name and size. */
export function cutCode(exact: string): PanelCode {
  const { root } = parseJson(exact);
  if (root === undefined) return { language: 'text', text: exact, notes: [], folded: [] };
  const tools = toolsIn(root);
  const parts: string[] = [];
  const labels: string[] = [];
  let at = 0;
  for (const [index, { node, name }] of tools.entries()) {
    if (index > MOST_TOOLS) {
      // The comma in front goes too.
      const comma = exact.lastIndexOf(',', node.offset);
      parts.push(exact.slice(at, comma > at ? comma : node.offset));
      at = node.end;
      continue;
    }
    parts.push(exact.slice(at, node.offset), '{}');
    at = node.end;
    const size = say(bytes(utf8Length(exact.slice(node.offset, node.end))));
    const left = tools.length - MOST_TOOLS;
    labels.push(index < MOST_TOOLS ? `${shorten(name, MOST_NAME)}, ${size}` : say(t('{0} more tools', left)));
  }
  parts.push(exact.slice(at));
  const short = parseJson(parts.join('')).root;
  const text = short === undefined ? exact : prettyJson(short);
  const notes: PanelNote[] = [];
  const cut: number[] = [];
  let tool = 0;
  const lines = text.split('\n').map((line, index) => {
    // An object of a tool never is empty, and of what stands around tools only their places were emptied.
    const empty = /^(\s*)\{\}(,?)$/.exec(line);
    if (empty === null || tool >= labels.length) return line;
    notes.push({ line: index, label: labels[tool++]!, marked: false });
    cut.push(index);
    return `${empty[1]}{…}${empty[2]}`;
  });
  return { language: 'json', text: lines.join('\n'), notes, folded: [], cut };
}
