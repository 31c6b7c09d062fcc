import { lensStatus } from '../core/budget/lens';
import { passNumber } from '../core/budget/reasons';
import { passTakes } from '../core/budget/sizes';
import { sourceInWireOrder } from '../core/budget/sourceView';
import type { CompileResult, Stage } from '../core/schema/compile';
import { syntaxFault } from '../core/text/json';
import { formatNumber, type Message, t } from '../core/text/message';
import { prettyText } from '../core/text/pretty';
import { bytes, formatChange, list } from '../core/text/words';
import type { ToolDefinition } from '../core/tools/model';
import type { PanelToolKey } from '../panelProtocol';
import { DOCUMENT_SCHEME, type StageInfo, type ViewParams, type ViewResult, type WireMode } from '../protocol';
import type { FileState, Files } from './files';
import { say } from './language';
import { findTool, keyOf, toolFor } from './toolAt';
import { baseName } from './uris';
import { type Grammars, grammarTexts, jsonOf, wireOf } from './wireText';

/** What the address of a read-only document says. */
interface Address {
  readonly source: string;
  readonly view: ViewParams['view'];
  readonly mode: WireMode;
  readonly tool: PanelToolKey | undefined;
  readonly stage: string | undefined;
}

const MODES: readonly WireMode[] = ['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'];

/** So many addresses are remembered for refreshing. Documents are small, but nobody tells when they are closed. */
const MAX_ADDRESSES = 200;

/** The read-only documents about open files. Each has an address, and its text is made when it is asked for. */
export class Views {
  /** The last good text by address. */
  readonly #texts = new Map<string, string>();

  constructor(readonly files: Files) {}

  /** Addresses that have been read. */
  all(): string[] {
    return [...this.#texts.keys()];
  }

  /** Those about one file. */
  of(source: string): string[] {
    return this.all().filter((uri) => parseAddress(uri)?.source === source);
  }

  /** The document that a client asks for, or `null` when the file is none of ours or has no such tool. */
  async find(params: ViewParams): Promise<ViewResult | null> {
    const state = await this.files.state(params.uri);
    if (state === undefined || state.kind !== 'tools') return null;
    const wholeFile = params.view === 'request' || (params.tool === undefined && params.offset === undefined);
    const tool = wholeFile ? undefined : toolFor(state, params);
    if (tool === undefined && (!wholeFile || state.result.set.tools.length === 0)) return null;
    const key = tool === undefined ? undefined : keyOf(tool);
    const mode = MODES.find((each) => each === params.mode) ?? 'responses';
    const address = { source: params.uri, view: params.view, mode, tool: key, stage: params.stage };
    const compiled = tool === undefined ? undefined : state.result.compile(tool);
    return {
      uri: formatAddress(address),
      name: tool === undefined ? baseName(params.uri) : (tool.name ?? key!.pointer),
      stages: compiled === undefined ? [] : stageInfos(compiled),
    };
  }

  /**
   * The text of a document. While the file is broken by half-typed text the last good text stays, because what is
   * missing for a moment is not gone.
   */
  async text(uri: string): Promise<string> {
    const address = parseAddress(uri);
    if (address === undefined) return '';
    const known = this.#texts.get(uri);
    const state = await this.files.state(address.source);
    const broken = state !== undefined && syntaxFault(state.result.document) !== undefined;
    if (state === undefined || (broken && known !== undefined)) return known ?? '';
    const text = compose(address, state, await grammarTexts(state, (uri) => this.files.sources.read(uri)));
    if (text === undefined) return known ?? '';
    this.#texts.delete(uri);
    this.#texts.set(uri, text);
    if (this.#texts.size > MAX_ADDRESSES) this.#texts.delete(this.#texts.keys().next().value!);
    return text;
  }
}

function compose({ view, mode, tool: key, stage }: Address, state: FileState, grammars: Grammars): string | undefined {
  if (view === 'request') return pretty(jsonOf(wireOf(state, mode, grammars).request()));
  if (key === undefined) return view === 'wire' ? pretty(jsonOf(wireOf(state, mode, grammars).set())) : undefined;
  const tool = findTool(state, key);
  if (tool === undefined) return undefined;
  if (view === 'wire') return pretty(jsonOf(wireOf(state, mode, grammars).tool(tool)));
  if (view === 'source') return `${sourceInWireOrder(tool, state.result.profile)}\n`;
  const compiled = state.result.compile(tool);
  if (compiled === undefined) return undefined;
  if (view === 'stages') return stagesText(tool, compiled, state);
  const found = compiled.stages.find(({ name }) => name === stage) ?? compiled.stages[compiled.stages.length - 1];
  return found === undefined ? undefined : pretty(found.text());
}

/** Exact JSON laid out for reading. */
function pretty(text: string): string {
  return `${prettyText(text)}\n`;
}

/** Labels of the stages, with what each takes away. */
export function stageInfos({ stages }: CompileResult): StageInfo[] {
  return stages.map((stage, index) => ({
    name: stage.name,
    label: say(stageTitle(stage, stages[index - 1])),
    bytes: stage.bytes,
  }));
}

function stageName(stage: Stage, previous: Stage | undefined): Message {
  const took = previous !== undefined && stage.bytes !== previous.bytes;
  if (stage.name === 'lowered') return t('Lowered');
  if (stage.name === 'pruned') return took ? t('Unused definitions pruned') : t('No unused definitions');
  const number = passNumber(stage.name);
  const takes = passTakes(stage.name);
  return took ? t('Pass {0}, {1} go', number, takes) : t('Pass {0} finds no {1}', number, takes);
}

function stageTitle(stage: Stage, previous: Stage | undefined): Message {
  const name = stageName(stage, previous);
  const size = bytes(stage.bytes);
  if (previous === undefined || stage.bytes === previous.bytes) return t('{0}: {1}', name, size);
  return t('{0}: {1}, {2}', name, formatChange(stage.bytes - previous.bytes), size);
}

/** All stages in one document: a table of sizes, then a list with the schema after each stage, JSON with comments. */
function stagesText(tool: ToolDefinition, compiled: CompileResult, state: FileState): string {
  const heading = [`${tool.name ?? ''}: ${say(lensStatus(tool, state.size(tool)))}`];
  if (compiled.refusal !== undefined) {
    const { message, pointer } = compiled.refusal;
    return `${comments([...heading, message, say(t('At {0} of the schema.', pointer === '' ? '/' : pointer))])}\n[]\n`;
  }
  const { profile, stages, unreachable } = compiled;
  const rows = stages.map((stage, index) => {
    const change = index === 0 ? '' : formatChange(stage.bytes - stages[index - 1]!.bytes);
    const over = stage.bytes - profile.budgetBytes;
    const note = over > 0 && stage.name !== 'lowered' ? say(t('{0} over the budget', over)) : '';
    return [say(stageName(stage, stages[index - 1])), formatNumber(stage.bytes), change, note] as const;
  });
  if (unreachable.length > 0) {
    heading.push(say(t('Unused: {0}', list(unreachable.map(({ pointer }) => pointer)))));
  }
  const parts: string[] = [];
  stages.forEach((stage, index) => {
    parts.push(comments([`${index + 1}. ${say(stageTitle(stage, stages[index - 1]))}`]));
    // A stage that changes nothing is a comment alone.
    if (index === 0 || stage.text() !== stages[index - 1]!.text()) parts.push(`${pretty(stage.text()).trimEnd()},`);
  });
  const body = parts.join('\n').replace(/^/gm, '  ');
  return `${comments([...heading, '', ...aligned(rows)])}\n[\n${withoutTrailingComma(body)}\n]\n`;
}

/** The last element of the list has no comma behind it, also where comments follow. */
function withoutTrailingComma(body: string): string {
  return body.replace(/,((?:\n *\/\/[^\n]*)*)$/, '$1');
}

/** Rows of a table with the first column to the left and numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]!.length));
  const [name, size, change] = [width(0), width(1), width(2)];
  return rows.map((row) =>
    `  ${row[0]!.padEnd(name)}  ${row[1]!.padStart(size)}  ${row[2]!.padStart(change)}  ${row[3]}`.trimEnd(),
  );
}

function comments(lines: readonly string[]): string {
  return lines.map((line) => `// ${comment(line)}`.trimEnd()).join('\n');
}

function comment(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ');
}

/** Documents get a path for the eye and for the language, and the facts in the query. */
function formatAddress({ source, view, mode, tool, stage }: Address): string {
  const name = (tool?.name ?? '') === '' ? baseName(source).replace(/\.jsonc?$/, '') : tool!.name;
  const label =
    view === 'wire' ? mode : view === 'request' ? `request.${mode}` : view === 'stage' ? (stage ?? '') : view;
  const file = `${name.replace(/[/\\?#]|\p{Surrogate}/gu, '_')}.${label}.${view === 'stages' ? 'jsonc' : 'json'}`;
  const query = JSON.stringify({ source, view, mode, tool, stage });
  return `${DOCUMENT_SCHEME}:/${encodeURIComponent(file)}?${encodeURIComponent(query)}`;
}

function parseAddress(uri: string): Address | undefined {
  const at = uri.indexOf('?');
  if (at < 0 || !uri.startsWith(`${DOCUMENT_SCHEME}:`)) return undefined;
  try {
    const value = JSON.parse(decodeURIComponent(uri.slice(at + 1).replace(/#.*$/, ''))) as Partial<Address>;
    if (typeof value.source !== 'string' || typeof value.view !== 'string') return undefined;
    const mode = MODES.find((each) => each === value.mode) ?? 'responses';
    return { source: value.source, view: value.view, mode, tool: value.tool, stage: value.stage };
  } catch {
    return undefined;
  }
}
