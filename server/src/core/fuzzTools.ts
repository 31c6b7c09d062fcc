import { builtinParser } from './calls/builtin/registry';
import { unsuitedBuiltin } from './calls/builtinFit';
import { grammarOfRegex, type LarkReading, larkReading } from './calls/contractLark';
import { loadDefinitions } from './calls/definitions';
import { GrammarInputs } from './calls/drift/grammarInputs';
import { driftJudge } from './calls/drift/judges';
import type { DriftJudge, DriftProgress, DriftReport, InputSource } from './calls/drift/model';
import type { DriftTool } from './calls/drift/sample';
import { SchemaInputs } from './calls/drift/schemaInputs';
import { findDrift } from './calls/drift/search';
import { UnionInputs } from './calls/drift/unionInputs';
import type { CancelSignal } from './calls/handler';
import { type ConfiguredHandlers, handlerOf } from './calls/handlerOf';
import type { HandlerEntry, SampleFile } from './calls/model';
import { readSamples } from './calls/read';
import type { CallTool, ToolTable } from './calls/toolTable';
import type { ProviderGrammar } from './grammar/provider';
import { type CodexProfile, codexProfile, DEFAULT_CODEX_PROFILE } from './profiles/codex';
import type { RunEnvironment, SamplesInput } from './runSamples';
import { compileSchema } from './schema/compile';
import { parseJson } from './text/json';
import { type Message, t } from './text/message';
import { compileOptions } from './wire/compileOptions';

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
  readonly missing: readonly { readonly path: string; readonly failure: string }[];
}

/** Why a tool without a handler is not searched. */
export const UNHANDLED: Message = t('No handler is named for it.');

/** Inputs of one batch for builtin handlers, and for those that need a process. */
const BATCH = 64;
const PROCESS_BATCH = 16;

/** Texts that the provider's engine makes at the beginning. */
const ENGINE_TEXTS = 30;
const ENGINE_BYTES = 300;
const ENGINE_MILLISECONDS = 20_000;

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
  const made = kind === 'function' ? schemaSource(work) : await grammarSource(work, grammar);
  if ('skipped' in made) return skip(made.skipped);
  const { source, remarks, reading } = made;
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
  const silent = spec.kind === 'builtin' ? undefined : await silence(judge, kind, work.seeds);
  if (silent !== undefined) return skip(silent);
  const report = await findDrift(source, kind === 'function', judge, options.seed, {
    runs: options.runs,
    batch: spec.kind === 'builtin' ? BATCH : PROCESS_BATCH,
    signal: options.signal,
    seeds: work.seeds,
    onProgress: (progress) => options.onProgress?.(target.given, progress),
    pause: environment.pause,
  });
  const mute = report.answered === 0 && report.runs > 0 && !report.canceled;
  const muteWords = t('The handler answered none of these inputs, so it is the handler that has to be mended first.');
  return { target, tool, skipped: undefined, remarks: mute ? [...remarks, muteWords] : remarks, report };
}

/** Inputs that a handler is asked first, and that it may not all leave unanswered. */
const PROBES = 3;

/**
 * Why a handler is not worth a search: it cannot be started, or answers none of some plain inputs in time. Each input
 * of a search would wait as long.
 */
async function silence(
  judge: DriftJudge,
  kind: 'function' | 'custom',
  seeds: readonly string[],
): Promise<Message | undefined> {
  const plain = kind === 'function' ? ['{}', 'null', ''] : ['', 'x', '{}'];
  let late = 0;
  for (const text of [...new Set([...seeds, ...plain])].slice(0, PROBES)) {
    const [side] = await judge.handler([text]);
    if (side?.stop?.kind === 'not-started') {
      return t('Its handler could not be started, so nothing was searched: {0}', side.feedback);
    }
    if (side?.verdict !== 'timed-out') return undefined;
    if (++late === PROBES) {
      return t('Its handler answered none of {0} inputs in time, so nothing was searched: {1}', PROBES, side.feedback);
    }
  }
  return undefined;
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

/** Where inputs come from, and what has to be known of that. */
type Made =
  | {
      readonly source: InputSource;
      readonly remarks: readonly Message[];
      /** The grammar as Lark reads it. */
      readonly reading: LarkReading | undefined;
    }
  | { readonly skipped: Message };

/** Inputs out of the source schema and the compiled one. */
function schemaSource({ target, profile, options: { seed } }: Work): Made {
  const { schemaNode } = target.tool;
  if (schemaNode === undefined) return { skipped: t('It has no schema that inputs could be made of.') };
  const source = new SchemaInputs(schemaNode, seed);
  const compilation = compileSchema(schemaNode, compileOptions(target.tool, profile));
  if (compilation.refusal !== undefined) {
    const refused = t(
      'Codex refuses the schema ({0}), so the source schema alone is the contract, and its branches are covered.',
      compilation.refusal.message,
    );
    return { source, remarks: [refused], reading: undefined };
  }
  const compiled = parseJson(compilation.text).root;
  const both = compiled === undefined ? source : new UnionInputs(source, new SchemaInputs(compiled, seed + 1));
  return { source: both, remarks: [], reading: undefined };
}

/**
 * Inputs out of a grammar. Which branches a text takes is known from Lark's reading alone; whether the grammar allows
 * it is for the provider's engine to say.
 */
async function grammarSource(work: Work, grammar: ProviderGrammar | undefined): Promise<Made> {
  if (grammar === undefined) return { skipped: t('It takes any text, so there is no grammar to make inputs of.') };
  const { environment, options, handler } = work;
  const { seed } = options;
  const reading = larkReading(grammar.syntax === 'regex' ? grammarOfRegex(grammar.text) : grammar.text);
  const { parser, lenient, refusal = t('The grammar cannot be loaded.') } = reading;
  const { spec } = handler ?? {};
  if (spec?.kind === 'builtin' && spec.name === 'grammar' && parser === undefined) {
    return {
      skipped: t('The builtin handler "grammar" reads as Lark does, and Lark refuses the grammar: {0}', refusal),
    };
  }
  const job = { kind: 'generate', grammar, seed, count: ENGINE_TEXTS, mostBytes: ENGINE_BYTES } as const;
  const answer = await environment.provider?.ask(job, { milliseconds: ENGINE_MILLISECONDS });
  const texts = answer?.texts ?? [];
  const refused = answer?.load?.ok === false ? answer.load.refusal.firstLine : undefined;
  const isThere = answer !== undefined && answer.end.state !== 'unavailable';
  const remarks: Message[] = [];
  if (lenient === undefined) {
    if (refused !== undefined) {
      return {
        skipped: t(
          "No engine takes its grammar, so nothing can be covered. The provider's engine says: {0} Lark says: {1}",
          sentence(refused),
          refusal,
        ),
      };
    }
    if (!isThere) {
      return {
        skipped: t(
          "Lark refuses its grammar, and the provider's engine is not available here, so nothing can be covered. Lark says: {0}",
          refusal,
        ),
      };
    }
    if (texts.length === 0 && work.seeds.length === 0) {
      return {
        skipped: t(
          "Lark refuses its grammar, and the provider's engine made no text of it, so there is nothing to start with. Store a call to start with. Lark says: {0}",
          refusal,
        ),
      };
    }
    remarks.push(
      t(
        "Branches cannot be told: Lark refuses the grammar, and the provider's engine does not say which branches a text takes. Inputs are {0} texts that the engine made, {1} stored ones, and changes of them. Lark says: {2}",
        texts.length,
        work.seeds.length,
        refusal,
      ),
    );
  } else if (refused !== undefined) {
    remarks.push(
      t(
        "The provider's engine refuses the grammar, so the API refuses the tool. Verdicts and branches are Lark's. The engine says: {0}",
        sentence(refused),
      ),
    );
  } else if (!isThere) {
    remarks.push(t("The provider's engine is not available here, so verdicts and branches are Lark's."));
  }
  if (lenient !== undefined && parser === undefined) {
    remarks.push(
      t(
        "Lark refuses the grammar. Its terminals that can be empty are read as optional, as the provider's engine does, so its branches are known all the same. Lark says: {0}",
        refusal,
      ),
    );
  }
  if (lenient !== undefined && grammar.syntax === 'regex') {
    remarks.push(t('A regular expression is one branch, whatever it chooses between.'));
  }
  return { source: new GrammarInputs(lenient, texts, seed), remarks, reading };
}

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
