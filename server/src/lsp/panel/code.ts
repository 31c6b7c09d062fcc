import { type JsonNode, parseJson } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { prettyJson } from '../../core/text/pretty';
import type { PanelCode, PanelNote } from '../../panelProtocol';

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
