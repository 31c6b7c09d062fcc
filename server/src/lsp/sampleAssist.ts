import {
  type CompletionItem,
  CompletionItemKind,
  type DocumentLink,
  type Hover,
  InsertTextFormat,
  type Location,
  MarkupKind,
  type Position,
} from 'vscode-languageserver';
import { propertiesOf, schemasAt, typeWords } from '../core/calls/argumentSchema';
import { type SampleCompletion, sampleCompletions } from '../core/calls/complete';
import { toolSpan } from '../core/calls/contractDrift';
import { keyword, viewOf } from '../core/calls/drift/schemaView';
import { filePlaces, type SamplePlace, samplePlaceAt } from '../core/calls/places';
import type { CallTool } from '../core/calls/toolTable';
import { emitString } from '../core/text/emit';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type { Span } from '../core/text/span';
import type { ToolDefinition } from '../core/tools/model';
import type { ServerContext } from './context';
import { linkText, linkTo, toEdits } from './convert';
import { say } from './language';
import { relative } from './newSamples';
import type { SamplesState } from './samples';
import { baseName, resolveUri } from './uris';

const KINDS: Readonly<Record<SampleCompletion['kind'], CompletionItemKind>> = {
  tool: CompletionItemKind.Function,
  namespace: CompletionItemKind.Module,
  file: CompletionItemKind.File,
  property: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
};

/** Parameters of a tool that a hover lists. */
const MOST_PARAMETERS = 12;

const START = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** What can stand at the cursor of a samples file: tools, files, and what the schema of the tool says of arguments. */
export async function completeSample(
  uri: string,
  position: Position,
  context: ServerContext,
): Promise<CompletionItem[] | null> {
  const state = await context.samples.state(uri);
  if (state === undefined) return null;
  const { text, lines, result } = state;
  const files = await context.samples.filesAround(uri);
  const found = sampleCompletions(result.file, result.definitions, lines.offset(position), {
    files: {
      definitions: files.definitions.map((each) => relative(uri, each)),
      modules: files.modules.map((each) => relative(uri, each)),
    },
    withoutShape: context.client.options.validatesConfig === true,
  });
  const snippets = context.client.capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
  return found.map((each) => toItem(each, text, state, snippets));
}

function toItem(item: SampleCompletion, text: string, { lines }: SamplesState, snippets: boolean): CompletionItem {
  const { label, kind, snippet, detail, documentation, replace, more, rank } = item;
  const newText = snippet && !snippets ? item.insert.replace(/\$\d/g, '').replace(/\\([\\$}])/g, '$1') : item.insert;
  // Editors compare with what is replaced, the quote at its beginning included.
  const quoted = text[replace.start] === '"' && !label.startsWith('"');
  return {
    label,
    kind: KINDS[kind],
    sortText: String(rank).padStart(4, '0'),
    filterText: quoted ? emitString(label) : label,
    textEdit: { range: lines.range(replace), newText },
    insertTextFormat: snippet && snippets ? InsertTextFormat.Snippet : InsertTextFormat.PlainText,
    ...(detail === undefined ? {} : { detail: say(detail) }),
    ...(documentation === undefined ? {} : { documentation }),
    ...(more.length > 0 ? { additionalTextEdits: toEdits(lines, more) } : {}),
  };
}

/** The tool of a call, or a property of its arguments, in short. */
export async function hoverSample(uri: string, position: Position, context: ServerContext): Promise<Hover | null> {
  const state = await context.samples.state(uri);
  if (state === undefined || !(await context.files.sources.settings(uri)).hover) return null;
  const { file, definitions } = state.result;
  const place = samplePlaceAt(file, definitions, state.lines.offset(position));
  if (place === undefined || place.kind === 'file') return null;
  const value = place.kind === 'tool' ? toolText(place.target, state) : propertyText(place);
  return { contents: { kind: MarkupKind.Markdown, value }, range: state.lines.range(place.span) };
}

function toolText(target: CallTool, state: SamplesState): string {
  const { tool, uri, namespace, given } = target;
  const lines = linesOf(uri, state);
  const name = linkText(namespace === undefined ? given : `${namespace}.${given}`);
  const where = lines === undefined ? name : `[${name}](${linkTo(uri, lines, toolSpan(tool))})`;
  const head = `**${where}** ${linkText(say(t('in {0}', baseName(uri))))}`;
  const parts = [head, ...(tool.description ? [linkText(tool.description)] : [])];
  const root = tool.schemaNode;
  if (root !== undefined && target.payload === 'function') {
    const properties = propertiesOf(schemasAt(root, [], undefined));
    const rows = properties.slice(0, MOST_PARAMETERS).map(({ name: key, node, required }) => {
      const view = viewOf(node, root);
      const words = typeWords([view]);
      const type = required ? say(t('{0}, required', words)) : words;
      return `| \`${key}\`&ensp; | ${cell(type)}&ensp; | ${cell(keyword(view, 'description')[0]?.string ?? '')} |`;
    });
    if (rows.length > 0) parts.push(['| | | |', '|:--|:--|:--|', ...rows].join('\n'));
    const left = properties.length - rows.length;
    if (left > 0) parts.push(say(t('and {0} more', left)));
  }
  if (target.payload === 'custom') parts.push(say(t('Custom tool: it takes raw text, in "input" or "inputFile".')));
  return parts.join('\n\n');
}

function propertyText({ name, required, views }: Extract<SamplePlace, { kind: 'property' }>): string {
  const words = typeWords(views);
  const type = required ? say(t('{0}, required', words)) : words;
  const description = views.flatMap((view) => keyword(view, 'description'))[0]?.string;
  return [`\`${name}\`: ${linkText(type)}`, ...(description ? [linkText(description)] : [])].join('\n\n');
}

function cell(text: string): string {
  return linkText(text.length > 120 ? `${text.slice(0, 119)}…` : text);
}

/** Where the tool of a call, a property of its arguments or a file is defined. */
export async function sampleDefinition(
  uri: string,
  position: Position,
  context: ServerContext,
): Promise<{ readonly location: Location; readonly origin: Span; readonly lines: LineIndex } | undefined> {
  const state = await context.samples.state(uri);
  if (state === undefined) return undefined;
  const { file, definitions } = state.result;
  const place = samplePlaceAt(file, definitions, state.lines.offset(position));
  if (place === undefined) return undefined;
  const found = (location: Location) => ({ location, origin: place.span, lines: state.lines });
  if (place.kind === 'file') {
    const target = resolveUri(uri, place.path);
    return target === undefined ? undefined : found({ uri: target, range: START });
  }
  const lines = linesOf(place.target.uri, state);
  if (lines === undefined) return undefined;
  const { schema } = place.kind === 'property' ? place : { schema: undefined };
  const key = schema?.property;
  const span = key === undefined ? toolSpan(place.target.tool) : { start: key.keyStart, end: key.keyEnd };
  return found({ uri: place.target.uri, range: lines.range(span) });
}

/** Paths in a samples file open their files. */
export async function sampleLinks(uri: string, context: ServerContext): Promise<DocumentLink[]> {
  const state = await context.samples.state(uri);
  if (state === undefined) return [];
  return filePlaces(state.result.file).flatMap(({ span, path }) => {
    const target = resolveUri(uri, path);
    return target === undefined ? [] : [{ range: state.lines.range(span), target }];
  });
}

/**
 * The calls of the tool at a place: of the tool of a call in a samples file, or of the tool whose name stands there in a
 * file of definitions. `undefined` where no tool is named.
 */
export async function sampleReferences(
  uri: string,
  position: Position,
  withDefinition: boolean,
  context: ServerContext,
): Promise<Location[] | undefined> {
  const named = context.samples.isFile(uri)
    ? await toolInSamples(uri, position, context)
    : await toolInDefinitions(uri, position, context);
  if (named === undefined) return undefined;
  const locations: Location[] = withDefinition ? [named.location] : [];
  for (const { uri: file, span, lines } of await context.samples.callsOf(named.uri, named.tool)) {
    locations.push({ uri: file, range: lines.range(span) });
  }
  return locations;
}

interface NamedTool {
  readonly uri: string;
  readonly tool: ToolDefinition;
  readonly location: Location;
}

async function toolInSamples(uri: string, position: Position, context: ServerContext): Promise<NamedTool | undefined> {
  const state = await context.samples.state(uri);
  if (state === undefined) return undefined;
  const { file, definitions } = state.result;
  const place = samplePlaceAt(file, definitions, state.lines.offset(position));
  if (place?.kind !== 'tool') return undefined;
  const { tool, uri: from } = place.target;
  const lines = linesOf(from, state);
  return lines === undefined
    ? undefined
    : { uri: from, tool, location: { uri: from, range: lines.range(toolSpan(tool)) } };
}

async function toolInDefinitions(
  uri: string,
  position: Position,
  context: ServerContext,
): Promise<NamedTool | undefined> {
  const state = await context.files.state(uri);
  if (state === undefined) return undefined;
  const offset = state.lines.offset(position);
  const tool = state.result.set.tools.find(
    ({ nameNode }) => nameNode !== undefined && nameNode.offset <= offset && offset <= nameNode.end,
  );
  return tool && { uri, tool, location: { uri, range: state.lines.range(toolSpan(tool)) } };
}

function linesOf(uri: string, { result }: SamplesState): LineIndex | undefined {
  const found = result.definitions.loaded.find((each) => each.uri === uri);
  return found === undefined ? undefined : new LineIndex(found.set.document.text);
}
