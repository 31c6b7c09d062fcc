import { type CallComparison, compareCall } from './calls/against';
import { type Definitions, loadDefinitions } from './calls/definitions';
import type { CancelSignal, HandlerRunner } from './calls/handler';
import type { ConfiguredHandlers } from './calls/handlerOf';
import type { SampleCall, SampleFile } from './calls/model';
import { readSamples } from './calls/read';
import type { CallReport } from './calls/report';
import { type CallContext, planCall, runCall } from './calls/runCall';
import type { SampleWorkspace } from './calls/workspace';
import type { Provider } from './grammar/provider';
import { codexProfile, DEFAULT_CODEX_PROFILE } from './profiles/codex';
import type { RuleLevel } from './text/finding';
import { parseJson } from './text/json';
import { type Message, t } from './text/message';
import type { WireProvider } from './wire/options';

/** A samples file to run. */
export interface SamplesInput {
  /** Names the file; its own paths start in its folder. */
  readonly uri: string;
  readonly text: string;
}

/** What a run needs of its host. */
export interface RunEnvironment {
  readonly workspace: SampleWorkspace;
  /** The provider's grammar engine, for custom tools. */
  readonly provider?: Provider | undefined;
  /** Runs handlers that need a process; without it their calls are skipped. */
  readonly handlers?: HandlerRunner | undefined;
  /** Absolute path of the folder of a file, for the processes of handlers. */
  folderOf(uri: string): string;
  /** Milliseconds of a clock. */
  now(): number;
  /** Lets other work of the host go on; called between calls. */
  pause?(): Promise<void>;
}

export interface RunOptions {
  /** Id of the Codex profile; an unknown one counts as the default. */
  readonly profile?: string | undefined;
  /** Instead of the profile's budget. */
  readonly budgetBytes?: number | undefined;
  /** Handlers of the config file. */
  readonly config?: ConfiguredHandlers | undefined;
  /** Levels of single rules. */
  readonly levels?: ReadonlyMap<string, RuleLevel> | undefined;
  /** Runs only these calls. */
  readonly only?: ((call: SampleCall) => boolean) | undefined;
  /** What the model's provider supports; both without it. */
  readonly modelProvider?: WireProvider | undefined;
  /** So many handlers run at once; 1 without it. */
  readonly parallel?: number | undefined;
  /** Why handlers that need a process are not run, where the environment has no runner. */
  readonly withoutHandlers?: Message | undefined;
  readonly signal?: CancelSignal | undefined;
  readonly onStart?: ((call: SampleCall) => void) | undefined;
  readonly onReport?: ((report: CallReport) => void) | undefined;
}

/** What came of the calls of a samples file. */
export interface SamplesRun {
  readonly file: SampleFile;
  readonly definitions: Definitions;
  /** In file order; calls that a cancel left out have none. */
  readonly reports: readonly CallReport[];
}

/**
 * Runs the calls of a samples file. Calls of one handler go one after the other in file order; different handlers work
 * side by side. Never rejects: whatever goes wrong stands in the report of its call.
 */
export async function runSamples(
  input: SamplesInput,
  environment: RunEnvironment,
  options: RunOptions = {},
): Promise<SamplesRun> {
  const { signal, only } = options;
  const context = await prepare(input, environment, options);
  const { file, definitions } = context;
  const reports: CallReport[] = [];
  const runQueue = async (queue: readonly SampleCall[]): Promise<void> => {
    for (const call of queue) {
      if (signal?.aborted === true) return;
      options.onStart?.(call);
      const report = await runCall(call, context);
      reports.push(report);
      options.onReport?.(report);
      await environment.pause?.();
    }
  };
  const chosen = only === undefined ? file.calls : file.calls.filter(only);
  const queues = queuesOf(chosen, context);
  const workers = Math.max(1, Math.min(options.parallel ?? 1, queues.length));
  let next = 0;
  const work = async (): Promise<void> => {
    for (let queue = queues[next++]; queue !== undefined; queue = queues[next++]) await runQueue(queue);
  };
  await Promise.all(Array.from({ length: workers }, work));
  reports.sort((a, b) => a.call.index - b.call.index);
  return { file, definitions, reports };
}

/** Judges every stored call by the definitions as they were and as they are. Runs no handler. Never rejects. */
export async function compareSamples(
  input: SamplesInput,
  before: RunEnvironment,
  after: RunEnvironment,
  options: RunOptions = {},
): Promise<{ readonly file: SampleFile; readonly comparisons: readonly CallComparison[] }> {
  const [old, now] = await Promise.all([prepare(input, before, options), prepare(input, after, options)]);
  const comparisons: CallComparison[] = [];
  for (const call of now.file.calls) {
    if (options.signal?.aborted === true) break;
    if (options.only?.(call) === false) continue;
    comparisons.push(await compareCall(call, old, now));
    await after.pause?.();
  }
  return { file: now.file, comparisons };
}

async function prepare(input: SamplesInput, environment: RunEnvironment, options: RunOptions): Promise<CallContext> {
  const { profile: id = DEFAULT_CODEX_PROFILE.id, budgetBytes, config, signal } = options;
  const profile = codexProfile(id, budgetBytes) ?? codexProfile(DEFAULT_CODEX_PROFILE.id, budgetBytes)!;
  const workspace = remembering(environment.workspace);
  const file = readSamples(parseJson(input.text), input.uri);
  const definitions = await loadDefinitions(file, input.uri, workspace, profile);
  return {
    uri: input.uri,
    file,
    definitions,
    workspace,
    profile,
    provider: environment.provider,
    modelProvider: options.modelProvider,
    handlers: environment.handlers,
    withoutHandlers: options.withoutHandlers ?? t('Handlers that need a process are not run here.'),
    config,
    levels: options.levels ?? new Map(),
    signal,
    folderOf: (uri) => environment.folderOf(uri),
    now: () => environment.now(),
  };
}

/** The calls by their handlers; those without a process of their own wait for nobody and share a queue. */
function queuesOf(calls: readonly SampleCall[], context: CallContext): SampleCall[][] {
  const queues = new Map<string, SampleCall[]>();
  for (const call of calls) {
    const handler = planCall(call, context)?.handler;
    const { spec, from } = handler ?? {};
    const needsProcess = spec !== undefined && spec.kind !== 'builtin';
    const key = needsProcess ? JSON.stringify([from, { ...spec, env: [...spec.env] }]) : '';
    const queue = queues.get(key);
    if (queue === undefined) queues.set(key, [call]);
    else queue.push(call);
  }
  return [...queues.values()];
}

/** Reads each file once, so that a run judges all its calls by the same definitions. */
function remembering(workspace: SampleWorkspace): SampleWorkspace {
  const known = new Map<string, ReturnType<SampleWorkspace['read']>>();
  return {
    read(path, from) {
      const key = JSON.stringify([from, path]);
      let read = known.get(key);
      if (read === undefined) {
        read = workspace.read(path, from);
        known.set(key, read);
      }
      return read;
    },
  };
}
