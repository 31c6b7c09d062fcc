import { type Hover, HoverRequest, MarkupKind, type Position } from 'vscode-languageserver';
import { type ExplainedTool, type Explanation, explainPlace } from '../../core/budget/explain';
import type { FilePlace } from '../../core/grammar/resolve';
import { visible } from '../../core/grammar/service/characters';
import { grammarHover } from '../../core/grammar/service/hover';
import { placeAt } from '../../core/text/jsonTree';
import type { Span } from '../../core/text/span';
import type { ServerContext } from '../context';
import { linkText, linkTo, plain, toRange } from '../convert';
import { feature } from '../feature';
import type { FileState } from '../files';
import { hoverSample } from '../sampleAssist';
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
    if (context.samples.isFile(uri)) return hoverSample(uri, position, context);
    const grammar = await grammarHovers(uri, position, context);
    if (grammar !== undefined) return grammar;
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

/** What stands at a place of a grammar; `undefined` outside of grammars, and `null` where there is nothing to tell. */
async function grammarHovers(
  uri: string,
  position: Position,
  context: ServerContext,
): Promise<Hover | null | undefined> {
  const found = await context.grammars.at(uri, position);
  if (found === undefined) return undefined;
  if (!(await context.files.sources.settings(uri)).hover) return null;
  const { text, offset, links, world } = found;
  const show = (name: string, place: FilePlace): string => {
    const target = world.text(place.file);
    return target === undefined
      ? name
      : `[${linkText(name)}](${linkTo(target.uri, target.lines, target.span(place.span))})`;
  };
  const hover = grammarHover(links, text.id, offset, show);
  if (hover === undefined) return null;
  const source = hover.source === undefined ? [] : [fenced(hover.source, 'lark')];
  const rows = hover.rows.map(({ label, text: about }) => `${plain(label)}: ${plain(about)}`).join('  \n');
  const texts =
    hover.texts.length === 0 ? [] : [plain(hover.textsTitle), fenced(hover.texts.map(visible).join('\n'), 'text')];
  const value = [plain(hover.title), ...source, ...(rows === '' ? [] : [rows]), ...texts].join('\n\n');
  return { contents: { kind: MarkupKind.Markdown, value }, range: text.range(hover.span) };
}

/** Text as it is, in a block of code that no backtick in it ends. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

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
  // A label stays on one line, however narrow the hover is.
  const table = rows.map(
    ({ label, text }) => `| ${cell(plain(label)).replaceAll(' ', '&nbsp;')}&ensp; | ${cell(plain(text))} |`,
  );
  const head = table.length === 0 ? [] : ['| | |', '|:--|:--|'];
  return [plain(title), [...head, ...table].join('\n')].filter((part) => part !== '').join('\n\n');
}
