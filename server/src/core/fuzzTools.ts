import { builtinParser } from './calls/builtin/registry';
import { unsuitedBuiltin } from './calls/builtinFit';
import { loadDefinitions } from './calls/definitions';
import { grammarSource, schemaSource } from './calls/drift/inputSources';
import { driftJudge } from './calls/drift/judges';
import type { DriftProgress, DriftReport } from './calls/drift/model';
import type { DriftTool } from './calls/drift/sample';
import { findDrift } from './calls/drift/search';
import { silence } from './calls/drift/silence';
import type { CancelSignal } from './calls/handler';
import { type ConfiguredHandlers, handlerOf } from './calls/handlerOf';
import type { HandlerEntry, SampleFile } from './calls/model';
import { readSamples } from './calls/read';
import type { CallTool, ToolTable } from './calls/toolTable';
import type { ProviderGrammar } from './grammar/provider';
import { type CodexProfile, codexProfile, DEFAULT_CODEX_PROFILE } from './profiles/codex';
import type { RunEnvironment, SamplesInput } from './runSamples';
import { parseJson } from './text/json';
import { type Message, t } from './text/message';

export interface FuzzOptions {
  /** Inputs to judge for each tool. */
  readonly runs: number;
  readonly seed: number;
  /** Only tools with this name, alone or behind that of their namespace. */
  readonly tool?: string | undefined;
  readonly profile?: string | undefined;
  readonly budgetBytes?: number | undefined;
  readonly config?: ConfiguredHandlers | undefined;
  /** Why handlers that need a process are not run, where the environment has no runner. */
  readonly withoutHandlers?: Message | undefined;
  readonly signal?: CancelSignal | undefined;
  onProgress?(tool: string, progress: DriftProgress): void;
}

/** What came of the search for one tool. */
export interface ToolDrift {
  readonly target: CallTool;
  /** How a stored call names it. */
  readonly tool: DriftTool;
  /** Why nothing was searched. */
  readonly skipped: Message | undefined;
  /** What can be covered and what cannot, and by whose word, where that is not the whole contract. */
  readonly remarks: readonly Message[];
  readonly report: DriftReport | undefined;
}

export interface FuzzRun {
  readonly tools: readonly ToolDrift[];
  /** Definition files that cannot be read, as the samples file names them, with a part of a sentence each. */
  readonly missing: readonly { readonly path: string; readonly failure: Message }[];
}

/** Why a tool without a handler is not searched. */
export const UNHANDLED: Message = t('No handler is named for it.');

/** Inputs of one batch for builtin handlers, and for those that need a process. */
const BATCH = 64;
const PROCESS_BATCH = 16;

/**
 * Looks for drift between the contract and the handler of each tool that a samples file defines. Deterministic for a
 * seed, as far as handlers are. Never rejects.
 */
export async function fuzzTools(
  input: SamplesInput,
  environment: RunEnvironment,
  options: FuzzOptions,
): Promise<FuzzRun> {
  const file = readSamples(parseJson(input.text), input.uri);
  const { profile: id = DEFAULT_CODEX_PROFILE.id, budgetBytes } = options;
  const profile = codexProfile(id, budgetBytes) ?? codexProfile(DEFAULT_CODEX_PROFILE.id, budgetBytes)!;
  const definitions = await loadDefinitions(file, input.uri, environment.workspace, profile);
  const tools: ToolDrift[] = [];
  for (const target of definitions.table.tools) {
    if (target.payload === 'tool-search' || !isWanted(target, options.tool)) continue;
    const handler = handlerOf({ tool: target.given }, target, file, options.config);
    const alone = definitions.table.find(undefined, target.given).kind === 'one';
    const tool: DriftTool = {
      tool: target.given,
      namespace: alone ? undefined : target.namespace,
      kind: target.payload,
    };
    const seeds = await storedInputs(file, input.uri, definitions.table, target, environment);
    const work: Work = { target, tool, handler, profile, environment, options, seeds };
    tools.push(await fuzzTool(work, target.payload));
    await environment.pause?.();
  }
  return { tools, missing: definitions.missing.map(({ reference, failure }) => ({ path: reference.path, failure })) };
}

/** What the stored calls of a tool send. */
async function storedInputs(
  { calls }: SampleFile,
  uri: string,
  table: ToolTable,
  target: CallTool,
  { workspace }: RunEnvironment,
): Promise<string[]> {
  const inputs: string[] = [];
  for (const { tool, namespace, payload } of calls) {
    const found = tool === undefined ? undefined : table.find(namespace, tool);
    if (found?.kind !== 'one' || found.tool !== target || payload === undefined) continue;
    if (payload.kind !== 'input-file') inputs.push(payload.text);
    else {
      const read = await workspace.read(payload.path, uri);
      if (!('failure' in read)) inputs.push(read.text);
    }
  }
  return inputs;
}

function isWanted({ name, given, namespace }: CallTool, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return [name, given].some((each) => wanted === each || wanted === `${namespace}.${each}`);
}

interface Work {
  readonly target: CallTool;
  readonly tool: DriftTool;
  readonly handler: HandlerEntry | undefined;
  readonly profile: CodexProfile;
  readonly environment: RunEnvironment;
  readonly options: FuzzOptions;
  readonly seeds: readonly string[];
}

async function fuzzTool(work: Work, kind: 'function' | 'custom'): Promise<ToolDrift> {
  const { target, tool, handler, profile, environment, options } = work;
  const skip = (skipped: Message): ToolDrift => ({ target, tool, skipped, remarks: [], report: undefined });
  if (handler === undefined) return skip(UNHANDLED);
  const { spec } = handler;
  if (spec === undefined) return skip(t('The handler "{0}" is no handler.', handler.tool));
  if (spec.kind === 'builtin' && builtinParser(spec.name) === undefined && !CONTRACT_BUILTINS.has(spec.name)) {
    return skip(t('There is no builtin handler "{0}".', spec.name));
  }
  const unsuited = unsuitedBuiltin(spec, target.tool);
  if (unsuited !== undefined) return skip(unsuited);
  if (spec.kind !== 'builtin' && environment.handlers === undefined) {
    return skip(options.withoutHandlers ?? t('Handlers that need a process are not run here.'));
  }
  const grammar = kind === 'custom' ? await grammarOf(target, environment) : undefined;
  if (grammar === 'missing') return skip(t('Its grammar cannot be read.'));
  const { seeds } = work;
  const from = { tool: target.tool, spec, profile, provider: environment.provider, seed: options.seed, seeds };
  const made = kind === 'function' ? schemaSource(from) : await grammarSource(from, grammar);
  if ('skipped' in made) return skip(made.skipped);
  const { source, remarks, reading, nothing } = made;
  const judge = driftJudge({
    tool: target.tool,
    kind,
    profile,
    grammar,
    reading,
    provider: environment.provider,
    spec,
    folder: environment.folderOf(handler.from),
    handlers: environment.handlers,
    signal: options.signal,
  });
  const silent = spec.kind === 'builtin' ? undefined : await silence(judge, kind, seeds);
  if (silent !== undefined) return skip(silent);
  const report = await findDrift(source, kind === 'function', judge, options.seed, {
    runs: options.runs,
    batch: spec.kind === 'builtin' ? BATCH : PROCESS_BATCH,
    signal: options.signal,
    seeds,
    onProgress: (progress) => options.onProgress?.(target.given, progress),
    pause: environment.pause,
  });
  if (report.runs === 0 && !report.canceled) return skip(nothing);
  const mute = report.answered === 0 && report.runs > 0 && !report.canceled;
  const muteWords = t('The handler answered none of these inputs, so it is the handler that has to be mended first.');
  return { target, tool, skipped: undefined, remarks: mute ? [...remarks, muteWords] : remarks, report };
}

/** Builtin handlers that say what the contract says: they find what compiling a schema lost, or where engines differ. */
const CONTRACT_BUILTINS = new Set(['json-schema', 'grammar']);

async function grammarOf(
  { tool, uri }: CallTool,
  { workspace }: RunEnvironment,
): Promise<ProviderGrammar | undefined | 'missing'> {
  const { format } = tool;
  if (format?.type !== 'grammar') return undefined;
  const syntax = format.syntax === 'regex' ? 'regex' : 'lark';
  if (format.file === undefined) {
    const text = format.definitionNode?.string;
    return text === undefined ? 'missing' : { syntax, text };
  }
  const read = await workspace.read(format.file, uri);
  return 'failure' in read ? 'missing' : { syntax, text: read.text };
}
