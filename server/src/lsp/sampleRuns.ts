import type { CancellationToken } from 'vscode-languageserver';
import type { CancelSignal, HandlerRunner } from '../core/calls/handler';
import { findingSpan } from '../core/calls/place';
import type { CallReport } from '../core/calls/report';
import { stoppedWords, verdictsDiffer, verdictsLine } from '../core/calls/verdictWords';
import type { Provider } from '../core/grammar/provider';
import { ruleLink } from '../core/rules/links';
import { type RunEnvironment, type RunOptions, runSamples } from '../core/runSamples';
import { emitString } from '../core/text/emit';
import { parseJson } from '../core/text/json';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import { prettyJson } from '../core/text/pretty';
import type {
  CallFindingInfo,
  CallProgress,
  CallResultInfo,
  RunSamplesParams,
  RunSamplesResult,
} from '../samplesProtocol';
import { workspaceOf } from './attached';
import type { Files } from './files';
import { say } from './language';
import type { Outcomes } from './outcomes';
import { checkOptions } from './settings';

/** What runs ask of the world. */
export interface RunHost {
  /** Runs handlers in processes of their own; `undefined` where there can be none. */
  handlers(): Promise<RunnableHandlers | undefined>;
  readonly engine: Provider | undefined;
  /** The folder on disk of a file, for its handlers. */
  folderOf(uri: string): string;
  now(): number;
  pause(): Promise<void>;
}

/** Handlers whose processes can be started anew, so that a run sees what has been saved. */
export interface RunnableHandlers extends HandlerRunner {
  restart(): Promise<void>;
}

/** Runs sample calls for an editor. */
export class SampleRuns {
  /** Code of the workspace may run. */
  trusted = false;
  #searches = 0;

  constructor(
    readonly files: Files,
    readonly host: RunHost,
    /** Keeps what stored calls come to. */
    readonly outcomes: Outcomes,
  ) {}

  /** Runs calls of a file and tells of each as it begins and ends. Never rejects. */
  async run(
    { uri, calls, run }: RunSamplesParams,
    tell: (progress: CallProgress) => void,
    token: CancellationToken,
  ): Promise<RunSamplesResult> {
    const text = await this.files.sources.read(uri);
    if (text === undefined) return { failure: say(t('The file cannot be read.')), untrusted: 0 };
    const lines = new LineIndex(text);
    const wanted = calls === undefined ? undefined : new Set(calls);
    let untrusted = 0;
    const log = await this.outcomes.begin(uri);
    const environment = await this.environment();
    await runSamples({ uri, text }, environment, {
      ...(await this.options(uri)),
      signal: signalOf(token),
      ...(wanted === undefined ? {} : { only: ({ index }) => wanted.has(index) }),
      parallel: 4,
      onStart: ({ index }) => {
        log.begin(index);
        tell({ run, uri, index, result: null });
      },
      onReport: (report) => {
        log.end(report, text);
        if (!this.trusted && report.state === 'skipped' && report.handler.kind !== 'builtin') untrusted++;
        tell({ run, uri, index: report.call.index, result: resultOf(report, text, lines) });
      },
    });
    log.close();
    return { failure: null, untrusted };
  }

  /** What runs need, with the processes of handlers where they may run. They start anew, so that they see saved files. */
  async environment(): Promise<RunEnvironment> {
    const handlers = this.trusted ? await this.host.handlers() : undefined;
    // A search would take the end of its process for a crash of the handler.
    if (this.#searches === 0) await handlers?.restart();
    return {
      workspace: workspaceOf(this.files),
      provider: this.host.engine,
      handlers,
      folderOf: (uri) => this.host.folderOf(uri),
      now: () => this.host.now(),
      pause: () => this.host.pause(),
    };
  }

  /** Lets a search work with handlers that no run starts anew meanwhile. */
  async search<T>(work: (environment: RunEnvironment) => Promise<T>): Promise<T> {
    const environment = await this.environment();
    this.#searches++;
    try {
      return await work(environment);
    } finally {
      this.#searches--;
    }
  }

  /** What settings and config say of runs of a file. */
  async options(uri: string): Promise<RunOptions> {
    const { sources } = this.files;
    const [settings, config] = await Promise.all([
      sources.settings(uri),
      sources.configs.configFor(uri, sources.workspaceFolder(uri)),
    ]);
    const { profile, budgetBytes, levels } = checkOptions(settings, config?.config);
    return {
      profile,
      budgetBytes,
      levels,
      modelProvider: config?.config.provider,
      config: config === undefined ? undefined : { from: config.uri, handlers: config.config.handlers },
      withoutHandlers: this.trusted
        ? t('Handlers need a process, and there can be none here: use the desktop or a remote host.')
        : t('The workspace is not trusted, so its code does not run. Trust it to run the handler.'),
    };
  }
}

/** A token of the protocol as calls take it. */
export function signalOf(token: CancellationToken): CancelSignal {
  const listeners = new Map<() => void, { dispose(): void }>();
  return {
    get aborted() {
      return token.isCancellationRequested;
    },
    addEventListener(_type, listener) {
      listeners.set(listener, token.onCancellationRequested(listener));
    },
    removeEventListener(_type, listener) {
      listeners.get(listener)?.dispose();
      listeners.delete(listener);
    },
  };
}

function resultOf(report: CallReport, text: string, lines: LineIndex): CallResultInfo {
  const { contract, handler } = report;
  const findings = [...contract.findings, ...report.findings].map((finding): CallFindingInfo => {
    const { rule, level, message } = finding;
    const range = lines.range(findingSpan(report.call, finding, text));
    return { rule, level, message: say(message), href: ruleLink(rule), range };
  });
  return {
    index: report.call.index,
    state: report.state,
    reason: report.reason === undefined ? null : say(report.reason),
    contract: contract.verdict,
    handler: handler.verdict,
    verdicts: say(verdictsLine(report)),
    drift: verdictsDiffer(contract, handler),
    expected: expectedText(report),
    actual: actualText(report),
    findings,
    log: [...report.steps.map(({ message }) => say(message)), ...handler.notes],
    durationMs: report.durationMs,
  };
}

/** What was expected, laid out as what came is, so that both can stand side by side. */
function expectedText({ call, expected }: CallReport): string | null {
  if (expected === undefined) return null;
  const { feedback, value } = call.expect ?? {};
  return object([
    ['outcome', emitString(expected)],
    ['feedback', feedback === undefined ? undefined : emitString(feedback)],
    ['value', value === undefined ? undefined : prettyJson(value)],
  ]);
}

function actualText({ outcome, handler, call, contract }: CallReport): string | null {
  if (outcome === undefined) return null;
  const { root } = parseJson(handler.value ?? '');
  // A value that nobody asked for would hide what differs.
  const asked = call.expect?.value !== undefined;
  const words = stoppedWords(handler);
  const told = handler.feedback ?? (words === undefined ? undefined : say(words));
  const first =
    handler.verdict === 'none' && contract.findings[0] !== undefined ? say(contract.findings[0].message) : undefined;
  const feedback = told ?? (outcome === 'accepted' ? undefined : first);
  return object([
    ['outcome', emitString(outcome)],
    ['feedback', feedback === undefined ? undefined : emitString(feedback)],
    ['value', asked && root !== undefined ? prettyJson(root) : undefined],
  ]);
}

function object(members: readonly (readonly [string, string | undefined])[]): string {
  const lines = members
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  "${key}": ${value!.replaceAll('\n', '\n  ')}`);
  return `{\n${lines.join(',\n')}\n}`;
}
