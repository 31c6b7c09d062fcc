import { type Hover, HoverRequest, MarkupKind } from 'vscode-languageserver';
import { type ExplainedTool, type Explanation, explainPlace } from '../../core/budget/explain';
import { placeAt } from '../../core/text/jsonTree';
import type { Span } from '../../core/text/span';
import { linkText, linkTo, plain, toRange } from '../convert';
import { feature } from '../feature';
import type { FileState } from '../files';
import { toolAt } from '../toolAt';
import { wireNameOf } from '../wireText';

/** What happens to the place under the pointer, and why. */
export const hovers = feature({
  type: HoverRequest.type,
  announce: (capabilities) => {
    capabilities.hoverProvider = true;
  },
  empty: null,
  about: ({ textDocument }) => textDocument.uri,
  async handle({ textDocument: { uri }, position }, context): Promise<Hover | null> {
    const state = await context.files.state(uri);
    if (state === undefined || !state.settings.hover) return null;
    const explanation = explain(state, state.lines.offset(position));
    if (explanation === undefined) return null;
    return {
      contents: { kind: MarkupKind.Markdown, value: toMarkdown(explanation) },
      range: toRange(state.lines, explanation.span),
    };
  },
});

function explain(state: FileState, offset: number): Explanation | undefined {
  const { root } = state.result.document;
  const place = root === undefined ? undefined : placeAt(root, offset);
  const tool = toolAt(state, offset);
  if (place === undefined || tool === undefined) return undefined;
  const about: ExplainedTool = {
    tool,
    codex: state.codex,
    compiled: state.compile(tool),
    wireName: () => (state.codex ? wireNameOf(state, tool) : undefined),
  };
  const show = (text: string, span: Span): string => `[${linkText(text)}](${linkTo(state.uri, state.lines, span)})`;
  return explainPlace(place, about, show);
}

/** The answer, then a table without a head: labels on the left. */
function toMarkdown({ title, rows }: Explanation): string {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const table = rows.map(({ label, text }) => `| ${cell(plain(label))}&ensp; | ${cell(plain(text))} |`);
  const head = table.length === 0 ? [] : ['| | |', '|:--|:--|'];
  return [plain(title), [...head, ...table].join('\n')].filter((part) => part !== '').join('\n\n');
}
