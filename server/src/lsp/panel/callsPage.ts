import { addCall, emptySamples } from '../../core/calls/addCall';
import { unsuitedBuiltin } from '../../core/calls/builtinFit';
import { exampleArguments, exampleInput } from '../../core/calls/example';
import { handlerOf } from '../../core/calls/handlerOf';
import type { HandlerEntry, SampleCall } from '../../core/calls/model';
import { readSamples } from '../../core/calls/read';
import type { CallReport } from '../../core/calls/report';
import { type CallTool, ToolTable } from '../../core/calls/toolTable';
import { contractLabel, handlerLabel } from '../../core/calls/verdictWords';
import { type RunEnvironment, runSamples } from '../../core/runSamples';
import { parseJson } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { type Message, t } from '../../core/text/message';
import { shorten } from '../../core/text/words';
import type { ToolDefinition } from '../../core/tools/model';
import type {
  CallsPage,
  EmptyPage,
  PanelCallRow,
  PanelNotice,
  PanelRunParams,
  PanelRunResult,
  PanelSaveResult,
} from '../../panelProtocol';
import { workspaceOf } from '../attached';
import type { FileState, Files } from '../files';
import { say } from '../language';
import { changeOf, type NewSamples, relative } from '../newSamples';
import type { Outcomes } from '../outcomes';
import { type SampleRuns, signalOf } from '../sampleRuns';
import type { Samples } from '../samples';
import { keyOf } from '../toolAt';
import { canonicalUri, resolveUri } from '../uris';
import { loneCall, withoutHandlers, withPayload } from './callDraft';
import {
  type CallFacts,
  callAnswer,
  callMarks,
  callSteps,
  callVerdicts,
  expectationWords,
  type NotRun,
  needsProcess,
} from './callWords';
import { jsonCode } from './code';
import { placeIn } from './place';
import { configOf, type StoredCall, storedCalls } from './storedCalls';

/** So many runs of texts that stand in no file are remembered. */
const MOST_RUNS = 40;

/** What the page Calls is made with. */
export interface CallParts {
  readonly files: Files;
  readonly samples: Samples;
  readonly newSamples: NewSamples;
  readonly sampleRuns: SampleRuns;
  readonly outcomes: Outcomes;
  /** There can be processes on this host. */
  readonly processes: boolean;
}

type Params = Pick<PanelRunParams, 'calls' | 'drafts'>;

/** The call that the page shows, as a samples file would have it. */
interface Shown {
  readonly of: string;
  readonly stored: StoredCall | undefined;
  readonly kind: 'arguments' | 'input';
  readonly text: string;
  readonly edited: boolean;
  /** The samples file that it is judged and run in, with the call as it is shown. */
  readonly uri: string;
  readonly file: string;
  readonly index: number;
  readonly handler: HandlerEntry | undefined;
}

/** The page about sample calls: shows them, judges what is typed, runs and stores it. */
export class PanelCalls {
  /** By the call and its text: runs of what stands in no file. */
  readonly #runs = new Map<string, CallReport>();
  readonly #running = new Set<string>();

  constructor(readonly parts: CallParts) {}

  async page(state: FileState, tool: ToolDefinition, params: Params): Promise<CallsPage | EmptyPage> {
    if (tool.kind !== 'function' && tool.kind !== 'custom') {
      const detail =
        tool.kind === 'tool-search' && tool.body.value('execution')?.string !== 'server'
          ? t('Codex answers its calls itself, with the tools that a search finds: see the page Search.')
          : t('The provider runs `{0}` itself, so no call of it reaches your code.', tool.name ?? tool.kind);
      return { name: 'empty', empty: { title: say(t('There are no calls to judge.')), detail: say(detail) } };
    }
    const { files, samples, outcomes } = this.parts;
    const all = await storedCalls(state, files, samples);
    // Definitions, grammars and handlers that have changed since make a result worthless.
    for (const { uri } of all.files) await outcomes.settle(uri);
    const shown = await this.#shown(state, tool, params, all.calls);
    const live = await this.#live(shown, state);
    if (live === undefined) {
      const title = say(t('There is no call to show.'));
      return { name: 'empty', empty: { title, detail: say(t('The samples file has changed. The page follows.')) } };
    }
    const run = this.#runOf(shown, live);
    const { text, kind, handler, stored } = shown;
    const facts: CallFacts = {
      live,
      run,
      handler,
      notRun: this.#notRun(shown, stored?.target.tool ?? tool),
      text,
      kind,
    };
    const verdictless = run === undefined || run.handler.verdict === 'none';
    const output = run?.output;
    const none = { notes: [], folded: [] };
    const at = stored === undefined ? null : placeOf(stored);
    const isRunning =
      this.#running.has(shown.of) || (stored !== undefined && outcomes.isRunning(stored.in.uri, stored.call.index));
    return {
      name: 'calls',
      of: shown.of,
      answer: callAnswer(facts),
      notice: this.#notice(shown),
      ...this.#list(all.calls),
      chosen: stored?.key ?? null,
      stored: stored === undefined ? null : { uri: stored.in.uri, index: stored.call.index },
      storedAt: at,
      kind,
      text,
      marks: callMarks(facts),
      edited: shown.edited,
      expectation: stored === undefined ? '' : expectationWords(live),
      verdicts: callVerdicts(facts),
      steps: callSteps(facts),
      feedback: verdictless || run?.handler.feedback === undefined ? null : cutText(run.handler.feedback),
      output: verdictless || output === undefined ? null : { code: jsonCode(output, () => none), exact: output },
      canRun: this.#canRun(shown, stored?.target.tool ?? tool),
      running: isRunning,
    };
  }

  /** Runs the call as it is shown. Never rejects. */
  async run(
    state: FileState,
    tool: ToolDefinition,
    params: Params,
    token: Parameters<typeof signalOf>[0],
  ): Promise<PanelRunResult> {
    const { files, samples, sampleRuns, outcomes } = this.parts;
    const shown = await this.#shown(state, tool, params, (await storedCalls(state, files, samples)).calls);
    if (!this.#canRun(shown, shown.stored?.target.tool ?? tool))
      return { failure: say(t('The handler cannot run here.')) };
    this.#running.add(shown.of);
    try {
      const asStored = shown.stored !== undefined && !shown.edited;
      const log = asStored ? await outcomes.begin(shown.uri) : undefined;
      const environment = await sampleRuns.environment();
      const { reports } = await runSamples({ uri: shown.uri, text: shown.file }, environment, {
        ...(await sampleRuns.options(shown.uri)),
        signal: signalOf(token),
        only: ({ index }) => index === shown.index,
      });
      const [report] = reports;
      if (report === undefined) return { failure: null };
      if (log === undefined) this.#remember(shown, report);
      else log.end(report, shown.file);
      return { failure: null };
    } finally {
      this.#running.delete(shown.of);
    }
  }

  /** What stores the call as it is shown, behind those that are stored already. Changes nothing itself. */
  async save(state: FileState, tool: ToolDefinition, params: Params): Promise<PanelSaveResult | null> {
    const { files, samples, newSamples } = this.parts;
    const shown = await this.#shown(state, tool, params, (await storedCalls(state, files, samples)).calls);
    const uri = shown.stored?.in.uri ?? (await newSamples.fileFor(state.uri));
    const present = await files.sources.read(uri);
    const path = relative(uri, state.uri);
    const loaded = present === undefined ? [] : ((await samples.state(uri))?.result.definitions.loaded ?? []);
    const known = loaded.some((each) => canonicalUri(each.uri) === canonicalUri(state.uri));
    const live = await this.#live(shown, state);
    const target = shown.stored?.target ?? callTool(state, tool);
    const call = {
      name: shown.stored === undefined ? say(t('example')) : say(t('{0}, changed', shorten(shown.stored.name, 60))),
      tool: target?.given ?? tool.name ?? '',
      namespace: target?.namespace,
      kind: shown.kind === 'arguments' ? 'function' : 'custom',
      payload: shown.text,
      outcome: live === undefined ? undefined : this.#cameTo(shown, live),
    } as const;
    const added = addCall(present ?? emptySamples([path]), call, present === undefined || known ? undefined : path);
    if (added === undefined) return null;
    const change = changeOf(uri, present, added.text, added.payload);
    const count = parseJson(added.text).root?.value('calls')?.items.length ?? 1;
    const sample = `${canonicalUri(uri)}#${count - 1}`;
    if (change.kind === 'new') return { uri, create: change.text, edits: [], sample };
    return change.kind === 'edit' ? { uri, create: null, edits: [change.edit], sample } : null;
  }

  /** How many of the last runs about a tool passed, for its tab. */
  badge(state: FileState, tool: ToolDefinition): { readonly passed: number; readonly all: number } | undefined {
    const own = keyOf(tool);
    const reports = this.parts.outcomes.about(state.uri).filter(({ target, state: came }) => {
      if (target === undefined || came === 'skipped') return false;
      return target.tool.name === own.name && (target.tool.namespace?.name ?? '') === own.namespace;
    });
    if (reports.length === 0) return undefined;
    return { passed: reports.filter(({ state: came }) => came === 'passed').length, all: reports.length };
  }

  async #shown(
    state: FileState,
    tool: ToolDefinition,
    { calls, drafts }: Params,
    all: readonly StoredCall[],
  ): Promise<Shown> {
    const own = all.filter(({ target }) => isSame(target.tool, tool));
    const stored = own.find(({ key }) => key === calls?.sample) ?? own[0];
    const of = stored === undefined ? `call ${canonicalUri(state.uri)} ${keyText(tool)}` : `call ${stored.key}`;
    const draft = drafts?.find((each) => each.of === of)?.text;
    const kind = tool.kind === 'custom' ? 'input' : 'arguments';
    if (stored !== undefined) {
      const written = await this.#payload(stored);
      const edited = draft !== undefined && draft !== written;
      const text = draft ?? written;
      const file = edited ? withPayload(stored.in.text, stored.call, text) : stored.in.text;
      const { uri } = stored.in;
      return { of, stored, kind, text, edited, uri, file, index: stored.call.index, handler: stored.handler };
    }
    const uri = await this.parts.newSamples.fileFor(state.uri);
    const text = draft ?? (await this.#example(state, tool));
    const target = callTool(state, tool);
    const call = { tool: target?.given ?? tool.name ?? '', namespace: target?.namespace, kind, text } as const;
    const file = loneCall(relative(uri, state.uri), call);
    const read = readSamples(parseJson(file), uri);
    const handler = target === undefined ? undefined : handlerOf(call, target, read, configOf(state));
    return { of, stored, kind, text, edited: true, uri, file, index: 0, handler };
  }

  /** The text that a stored call sends. */
  async #payload({ call, in: { uri } }: StoredCall): Promise<string> {
    const { payload } = call;
    if (payload === undefined) return '';
    if (payload.kind !== 'input-file') return payload.text;
    const read = await workspaceOf(this.parts.files).read(payload.path, uri);
    return 'failure' in read ? '' : read.text;
  }

  async #example(state: FileState, tool: ToolDefinition): Promise<string> {
    if (tool.kind !== 'custom') return exampleArguments(tool.schemaNode);
    const { format } = tool;
    if (format?.type !== 'grammar' || format.syntax === 'regex') return '';
    if (format.file === undefined) return exampleInput(format.definitionNode?.string);
    const file = resolveUri(state.uri, format.file);
    return file === undefined ? '' : exampleInput(await this.parts.files.sources.read(file));
  }

  /** The call without its handler: routed, and judged by the contract. */
  async #live({ uri, file, index }: Shown, state: FileState): Promise<CallReport | undefined> {
    const { files, sampleRuns } = this.parts;
    const environment: RunEnvironment = {
      workspace: workspaceOf(files),
      provider: sampleRuns.host.engine,
      handlers: undefined,
      folderOf: () => '',
      now: () => sampleRuns.host.now(),
    };
    const { config: _config, ...options } = await sampleRuns.options(state.uri);
    const { reports } = await runSamples({ uri, text: withoutHandlers(file) }, environment, {
      ...options,
      only: (call: SampleCall) => call.index === index,
    });
    return reports[0];
  }

  #lastRun({ of, text, edited, stored }: Shown): CallReport | undefined {
    if (stored !== undefined && !edited) {
      return this.parts.outcomes.last(stored.in.uri, stored.call, stored.in.text);
    }
    return this.#runs.get(`${of}\n${text}`);
  }

  /** The last run of the call, as long as it holds. */
  #runOf(shown: Shown, live: CallReport): CallReport | undefined {
    const last = this.#lastRun(shown);
    // A run of a text that is stored nowhere knows nothing of what it was judged by.
    return last?.contract.verdict === live.contract.verdict ? last : undefined;
  }

  /**
   * The verdict of the handler, or of the contract where no handler is named. What gave none is nothing to expect: a call
   * without an expectation passes when both accept it.
   */
  #cameTo(shown: Shown, live: CallReport): 'accepted' | 'rejected' | undefined {
    if (shown.handler === undefined) return live.contract.judged === false ? undefined : live.contract.verdict;
    const verdict = this.#runOf(shown, live)?.handler.verdict;
    return verdict === 'accepted' || verdict === 'rejected' ? verdict : undefined;
  }

  #remember({ of, text }: Shown, report: CallReport): void {
    const key = `${of}\n${text}`;
    this.#runs.delete(key);
    this.#runs.set(key, report);
    if (this.#runs.size > MOST_RUNS) this.#runs.delete(this.#runs.keys().next().value!);
  }

  #canRun({ handler, text, stored }: Shown, tool: ToolDefinition): boolean {
    if (handler?.spec === undefined || (stored !== undefined && stored.call.payload === undefined && text === ''))
      return false;
    if (unsuitedBuiltin(handler.spec, tool) !== undefined) return false;
    return !needsProcess(handler) || (this.parts.sampleRuns.trusted && this.parts.processes);
  }

  #notRun({ of, handler, edited, stored }: Shown, tool: ToolDefinition): NotRun {
    if (handler === undefined) return 'no-handler';
    if (unsuitedBuiltin(handler.spec, tool) !== undefined) return 'unsuited';
    if (needsProcess(handler)) {
      if (!this.parts.sampleRuns.trusted) return 'untrusted';
      if (!this.parts.processes) return 'no-process';
    }
    const before = stored === undefined ? [...this.#runs.keys()].some((key) => key.startsWith(`${of}\n`)) : edited;
    return before ? 'edited' : 'never';
  }

  #notice({ handler }: Shown): PanelNotice | null {
    if (!needsProcess(handler)) return null;
    if (!this.parts.sampleRuns.trusted) {
      return {
        title: say(t('Handlers are off in this untrusted workspace.')),
        detail: say(t('A handler is code from this folder. Contract verdicts work without it.')),
        link: {
          label: say(t('Manage Workspace Trust')),
          action: { kind: 'command', command: 'workbench.trust.manage' },
        },
      };
    }
    if (this.parts.processes) return null;
    return {
      title: say(t('Handlers are off here: they need a process, and the browser has none.')),
      detail: say(t('Open the folder on the desktop or on a remote host. Contract verdicts work without it.')),
    };
  }

  #list(all: readonly StoredCall[]): Pick<CallsPage, 'groups' | 'summary' | 'files'> {
    const groups = new Map<string, PanelCallRow[]>();
    const files = new Map<string, number[]>();
    let passed = 0;
    let ran = 0;
    for (const stored of all) {
      const row = this.#row(stored);
      if (row.state === 'passed') passed++;
      if (row.state !== 'none' && row.state !== 'running') ran++;
      const tool = [stored.target.namespace, stored.target.name].filter((part) => part !== undefined).join('.');
      groups.set(tool, [...(groups.get(tool) ?? []), row]);
      files.set(stored.in.uri, [...(files.get(stored.in.uri) ?? []), stored.call.index]);
    }
    const summary =
      all.length === 0
        ? t('none stored')
        : ran === 0
          ? t('{0}, not run', all.length)
          : ran < all.length
            ? t('{0} of {1} pass, {2} not run', passed, ran, all.length - ran)
            : t('{0} of {1} pass', passed, ran);
    return {
      groups: [...groups].map(([tool, calls]) => ({ tool, calls })),
      summary: say(summary),
      files: [...files].map(([uri, calls]) => ({ uri, calls })),
    };
  }

  #row({ key, name, call, in: { uri, text }, target }: StoredCall): PanelCallRow {
    const { outcomes } = this.parts;
    const base = { key, name, tool: keyOf(target.tool) };
    if (outcomes.isRunning(uri, call.index)) return { ...base, state: 'running', note: say(t('running')) };
    const report = outcomes.last(uri, call, text);
    if (report === undefined) return { ...base, state: 'none', note: '' };
    if (report.state === 'errored' && report.handler.verdict === 'timed-out') {
      return { ...base, state: 'timed-out', note: say(t('timed out')) };
    }
    const note =
      report.state === 'skipped'
        ? t('not run')
        : report.state === 'errored'
          ? erroredNote(report)
          : t('{0} ms', Math.round(report.durationMs));
    return { ...base, state: report.state, note: say(note) };
  }
}

/** What kept a call from a verdict. */
function erroredNote({ contract, handler }: CallReport): Message {
  if (handler.verdict !== 'none') return handlerLabel(handler);
  return contract.judged === false ? contractLabel(contract) : handlerLabel(handler);
}

function isSame(a: ToolDefinition, b: ToolDefinition): boolean {
  return a.name === b.name && a.namespace?.name === b.namespace?.name && a.kind === b.kind;
}

/** Longer texts to the model are cut. */
const MOST_FEEDBACK = 20_000;

function cutText(text: string): string {
  if (text.length <= MOST_FEEDBACK) return text;
  return `${text.slice(0, MOST_FEEDBACK)}…\n${say(t('{0} more characters', text.length - MOST_FEEDBACK))}`;
}

function keyText(tool: ToolDefinition): string {
  const { name, namespace } = keyOf(tool);
  return `${namespace}.${name}`;
}

/** The tool as calls find it. */
function callTool({ uri, result }: FileState, tool: ToolDefinition): CallTool | undefined {
  let table = tables.get(result);
  if (table === undefined) {
    table = new ToolTable([{ uri, set: result.set }], result.profile);
    tables.set(result, table);
  }
  return table.tools.find((each) => each.tool === tool);
}

/** Tables of the tools of single files, made once for each version. */
const tables = new WeakMap<FileState['result'], ToolTable>();

function placeOf({ call, in: { uri, text } }: StoredCall): CallsPage['storedAt'] {
  const node = call.nameNode ?? call.toolNode ?? call.node;
  return placeIn(uri, new LineIndex(text), { start: node.offset, end: node.end });
}
