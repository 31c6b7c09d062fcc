import type { CancellationToken } from 'vscode-languageserver';
import { exposureOf } from '../../core/budget/lens';
import { syntaxFault } from '../../core/text/json';
import { keySpan, nodeSpan } from '../../core/text/jsonTree';
import { formatNumber, sentences, t } from '../../core/text/message';
import type { ToolDefinition } from '../../core/tools/model';
import {
  type EmptyPage,
  PANEL_PAGES,
  type PanelAnswer,
  type PanelGenerateParams,
  type PanelGenerateResult,
  type PanelModel,
  type PanelPage,
  type PanelPageName,
  type PanelParams,
  type PanelRunParams,
  type PanelRunResult,
  type PanelSaveResult,
  type PanelTextParams,
  type PanelTextResult,
  type PanelToolGroup,
  type PanelToolKey,
} from '../../panelProtocol';
import type { FileState } from '../files';
import { say } from '../language';
import { keyOf, keysOf } from '../toolAt';
import { baseName } from '../uris';
import { grammarTexts } from '../wireText';
import { type CallParts, PanelCalls } from './callsPage';
import { compilePage } from './compilePage';
import { generateInput, grammarFileModel } from './grammarFile';
import { grammarPage } from './grammarPage';
import { type GrammarParts, grammarOfFile, grammarOfTool } from './grammarSource';
import type { PageContext } from './pageContext';
import { placeIn } from './place';
import { searchPage } from './searchPage';
import { WantedTools } from './wantedTool';
import { DEFAULT_WIRE, exactWire, wirePage } from './wirePage';

/** What the pages ask of the host, as far as it can give it, and of the rest of the server. */
export interface PanelHost extends GrammarParts, CallParts {
  /** o200k tokens of a text; `undefined` where they cannot be counted. */
  countTokens(): Promise<((text: string) => number) | undefined>;
  /** Uris of all files of tools in the workspace. */
  findTools(): Promise<readonly string[]>;
}

/** How each page is made. */
const PAGES: Readonly<Partial<Record<PanelPageName, (context: PageContext) => PanelPage | Promise<PanelPage>>>> = {
  wire: wirePage,
  compile: compilePage,
  search: searchPage,
};

/** Makes what the panel shows about an open file. */
export class Panels {
  readonly #calls: PanelCalls;
  readonly #wanted = new WantedTools();

  constructor(readonly host: PanelHost) {
    this.#calls = new PanelCalls(host);
  }

  /** The page that is asked for; `null` when the file is closed or none of ours. */
  async model(params: PanelParams): Promise<PanelModel | null> {
    if (this.host.grammars.isFile(params.uri)) return grammarFileModel(params, this.host);
    const state = await this.host.files.state(params.uri);
    if (state === undefined || state.kind !== 'tools') return null;
    const page = PANEL_PAGES.find((each) => each === params.page) ?? 'wire';
    const tool = this.#wanted.find(state, params);
    const missing = tool === undefined && params.pinned === true ? (params.tool ?? null) : null;
    const groups = groupsOf(state);
    const stamp = stampOf(groups);
    return {
      uri: params.uri,
      version: state.version,
      page,
      list: params.list === stamp ? { stamp } : { stamp, groups },
      missing,
      tool:
        tool === undefined ? null : { key: keyOf(tool), kind: kindOf(state, tool), place: placeOfTool(state, tool) },
      badges: tool === undefined ? {} : badgesOf(state, tool, this.#calls.badge(state, tool)),
      broken: brokenOf(state),
      content:
        tool !== undefined
          ? await this.#page(page, state, tool, params)
          : missing === null
            ? emptyFile(state)
            : missingTool(state, missing),
    };
  }

  /** The exact text behind the page Wire. */
  async text({ uri, tool: key, wire }: PanelTextParams): Promise<PanelTextResult | null> {
    const state = await this.host.files.state(uri);
    if (state === undefined || state.kind !== 'tools') return null;
    // The text of another tool would be taken for that of this one.
    const params: PanelParams = { uri, page: 'wire', wire, pinned: true, ...(key === undefined ? {} : { tool: key }) };
    const tool = this.#wanted.find(state, params);
    if (tool === undefined) return null;
    const made = exactWire(await this.#context(state, tool, params), wire);
    return made.refusal === undefined ? { text: made.text } : null;
  }

  async #context(state: FileState, tool: ToolDefinition, params: PanelParams): Promise<PageContext> {
    const grammars = await grammarTexts(state, (uri) => this.host.files.sources.read(uri));
    return { state, tool, params, grammars, countTokens: await this.host.countTokens() };
  }

  /** Runs the call that the page Calls shows. */
  async run(params: PanelRunParams, token: CancellationToken): Promise<PanelRunResult> {
    const found = await this.#found(params);
    if (found === undefined) return { failure: say(t('The tool is not there any more.')) };
    return this.#calls.run(found.state, found.tool, params, token);
  }

  /** What stores the call that the page Calls shows. */
  async save(params: PanelRunParams): Promise<PanelSaveResult | null> {
    const found = await this.#found(params);
    return found === undefined ? null : this.#calls.save(found.state, found.tool, params);
  }

  /** An input for the page Grammar. */
  async generate(params: PanelGenerateParams): Promise<PanelGenerateResult> {
    const { host } = this;
    const gone = { failure: say(t('The grammar is not there any more.')) };
    if (host.grammars.isFile(params.uri)) {
      const grammar = await grammarOfFile(params.uri, host);
      return grammar === undefined ? gone : generateInput(grammar, params.seed, host);
    }
    const found = await this.#found(params);
    const grammar = found === undefined ? undefined : await grammarOfTool(found.state, found.tool, host);
    return grammar === undefined || 'empty' in grammar ? gone : generateInput(grammar.grammar, params.seed, host);
  }

  async #found({
    uri,
    tool: key,
  }: Pick<PanelParams, 'uri' | 'tool'>): Promise<
    { readonly state: FileState; readonly tool: ToolDefinition } | undefined
  > {
    const state = await this.host.files.state(uri);
    if (state === undefined || state.kind !== 'tools') return undefined;
    // What is meant for one tool goes to no other.
    const tool =
      key === undefined
        ? state.result.set.tools[0]
        : this.#wanted.find(state, { uri, page: 'wire', tool: key, pinned: true });
    return tool === undefined ? undefined : { state, tool };
  }

  async #page(page: PanelPageName, state: FileState, tool: ToolDefinition, params: PanelParams): Promise<PanelPage> {
    if (page === 'calls') return this.#calls.page(state, tool, params);
    if (page === 'grammar') {
      const found = await grammarOfTool(state, tool, this.host);
      return 'empty' in found ? { name: 'empty', empty: found.empty } : grammarPage(found.grammar, params, this.host);
    }
    const context = await this.#context(state, tool, { ...params, wire: params.wire ?? DEFAULT_WIRE });
    return (PAGES[page] ?? wirePage)(context);
  }
}

function groupsOf(state: FileState): PanelToolGroup[] {
  const groups = new Map<string, PanelToolKey[]>();
  for (const key of keysOf(state)) {
    const tools = groups.get(key.namespace);
    if (tools === undefined) groups.set(key.namespace, [key]);
    else tools.push(key);
  }
  return [...groups].map(([namespace, tools]) => ({ namespace, tools }));
}

/** Changes whenever the list does. Two lists with one stamp would be equal in 32 bits of a hash and in their length. */
function stampOf(groups: readonly PanelToolGroup[]): string {
  const text = JSON.stringify(groups);
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length}.${hash >>> 0}`;
}

function placeOfTool(state: FileState, tool: ToolDefinition): ReturnType<typeof placeIn> {
  const property = tool.nameNode?.property;
  return placeIn(state.uri, state.lines, property === undefined ? nodeSpan(tool.node) : keySpan(property));
}

/** What the tool is, how it is exposed, and as whom Codex works: fragments, for the line beside the picker. */
function kindOf(state: FileState, tool: ToolDefinition): string {
  const exposure = exposureOf(tool);
  const kind =
    tool.kind === 'function'
      ? t('function')
      : tool.format?.type === 'grammar'
        ? t('custom tool with a grammar')
        : tool.kind === 'custom'
          ? t('custom tool')
          : t('hosted tool');
  const goes =
    exposure === 'direct'
      ? // Codex leaves tools of MCP servers to tool search where the model has it.
        tool.shape === 'mcp' && tool.local.exposure === undefined
        ? t('sent at start, or found by search')
        : t('sent at start')
      : exposure === 'deferred'
        ? t('found by search')
        : t('hidden from the model');
  return say(t('{0}, {1}, {2}', kind, goes, state.result.profile.id));
}

function badgesOf(
  state: FileState,
  tool: ToolDefinition,
  calls: { readonly passed: number; readonly all: number } | undefined,
): PanelModel['badges'] {
  const size = state.size(tool);
  const passed =
    calls === undefined
      ? {}
      : {
          calls: {
            label: `${calls.passed}/${calls.all}`,
            title: say(t('{0} of {1} calls of the last run passed', calls.passed, calls.all)),
          },
        };
  if (size === undefined || size.refusal !== undefined || size.sourceBytes <= size.budgetBytes) return passed;
  const over = size.sourceBytes - size.budgetBytes;
  return { ...passed, compile: { label: say(t('{0} over', over)), title: say(t('{0} bytes over the budget', over)) } };
}

function brokenOf({ result, lines, uri }: FileState): PanelAnswer | null {
  const problem = syntaxFault(result.document);
  // An empty file is one that is about to be written: the page says that it is empty.
  if (problem === undefined || result.document.root === undefined) return null;
  const place = placeIn(uri, lines, problem.span);
  const title = t('Line {0} is not JSON, so this shows what could be read.', formatNumber(place.line + 1));
  return { icon: 'error', title: say(title), link: { label: place.label, action: { kind: 'place', place } } };
}

function emptyFile(state: FileState): EmptyPage {
  const title = say(t('There is no tool in {0}.', baseName(state.uri)));
  const { root } = state.result.document;
  const blank = root === undefined ? t('The file is empty.') : root.items?.length === 0 ? t('The list is empty.') : '';
  const detail =
    blank === ''
      ? state.result.set.reasons.map(say).join(' ')
      : say(sentences(blank, t('Type `tool` in it, and completion puts one in.')));
  return { name: 'empty', empty: { title, detail } };
}

/** A pinned panel stays with its tool, also while that is gone. */
function missingTool(state: FileState, { name, namespace }: PanelToolKey): EmptyPage {
  const shown = namespace === '' ? name : `${namespace}.${name}`;
  const file = baseName(state.uri);
  const title =
    shown === ''
      ? t('The tool without a name is no longer in {0}.', file)
      : t('`{0}` is no longer in {1}.', shown, file);
  const detail =
    state.result.set.tools.length === 0
      ? t('The panel is pinned to it and shows it again as soon as it is back.')
      : t(
          'The panel is pinned to it and shows it again as soon as it is back. Pick another tool above, or let the panel follow the editor again.',
        );
  const follow = { kind: 'command', command: 'toolspec.togglePanelPin' } as const;
  return {
    name: 'empty',
    empty: { title: say(title), detail: say(detail), link: { label: say(t('Follow the editor')), action: follow } },
  };
}
