import { type JsonNode, parseJson } from '../../core/text/json';
import { walkJson } from '../../core/text/jsonTree';
import { LineIndex } from '../../core/text/lines';
import { t } from '../../core/text/message';
import { prettyJson } from '../../core/text/pretty';
import { utf8Length } from '../../core/text/utf8';
import { bytes } from '../../core/text/words';
import type { PanelCode, PanelNote } from '../../panelProtocol';
import { say } from '../language';

/** Something to say about a value of a JSON text. */
export interface CodeNote {
  readonly node: JsonNode;
  readonly label: string;
  readonly marked: boolean;
}

/**
 * Exact JSON laid out for reading.
 *
 * @param annotate finds notes and folded values in the tree of the text as it is shown
 */
export function jsonCode(
  exact: string,
  annotate: (root: JsonNode) => { readonly notes: readonly CodeNote[]; readonly folded: readonly JsonNode[] },
): PanelCode {
  const compact = parseJson(exact).root;
  if (compact === undefined) return { language: 'text', text: exact, notes: [], folded: [] };
  const text = prettyJson(compact);
  const root = parseJson(text).root;
  if (root === undefined) return { language: 'text', text, notes: [], folded: [] };
  const lines = new LineIndex(text);
  const lineOf = (node: JsonNode): number => lines.position(node.offset).line;
  const found = annotate(root);
  const notes = new Map<number, PanelNote>();
  for (const { node, label, marked } of found.notes) {
    const line = lineOf(node);
    if (!notes.has(line)) notes.set(line, { line, label, marked });
  }
  const folded = [...new Set(found.folded.map(lineOf))];
  return { language: 'json', text, notes: [...notes.values()].sort((a, b) => a.line - b.line), folded };
}

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
    labels.push(index < MOST_TOOLS ? `${name}, ${size}` : say(t('{0} more tools', left)));
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
