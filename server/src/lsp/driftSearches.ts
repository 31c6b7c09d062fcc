import type { CancellationToken } from 'vscode-languageserver';
import { emptySamples, withDefinition } from '../core/calls/addCall';
import { toolSpan } from '../core/calls/contractDrift';
import type { Drift, DriftProgress, DriftReport } from '../core/calls/drift/model';
import { sampleFromDrift } from '../core/calls/drift/sample';
import { targetOf } from '../core/calls/places';
import { stopWords } from '../core/calls/verdictWords';
import { type FuzzRun, fuzzTools, type ToolDrift } from '../core/fuzzTools';
import { ruleLink } from '../core/rules/links';
import { applyEdits } from '../core/text/edits';
import { parseJson } from '../core/text/json';
import { nodeSpan } from '../core/text/jsonTree';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type {
  AddSampleResult,
  DriftInfo,
  DriftProgressInfo,
  FindDriftParams,
  FindDriftResult,
  StoreDriftParams,
  ToolDriftInfo,
} from '../samplesProtocol';
import type { Files } from './files';
import { say } from './language';
import { changeOf, type NewSamples, relative } from './newSamples';
import { type SampleRuns, signalOf } from './sampleRuns';
import type { Samples } from './samples';
import { toolFor } from './toolAt';
import { baseName, canonicalUri } from './uris';

/** Searches whose drifts can still be stored. */
const MOST_KEPT = 8;
/** Branches that no accepted input took, and that are named. */
const MOST_MISSING = 10;

/** A file whose tools are searched, as a samples file would name them. */
interface Subject {
  readonly samples: string;
  readonly text: string;
  /** A definition file that the samples file does not name yet. */
  readonly definition: string | undefined;
}

/** Searches for drift between contract and handler, and stores what they find when somebody asks for that. */
export class DriftSearches {
  readonly #kept = new Map<string, { readonly subject: Subject; readonly run: FuzzRun }>();

  constructor(
    readonly parts: {
      readonly files: Files;
      readonly samples: Samples;
      readonly newSamples: NewSamples;
      readonly sampleRuns: SampleRuns;
    },
  ) {}

  /** Searches the tools of a file, one after the other. Never rejects. */
  async find(
    params: FindDriftParams,
    tell: (progress: DriftProgressInfo) => void,
    token: CancellationToken,
  ): Promise<FindDriftResult> {
    const { uri, run: name } = params;
    const { files, sampleRuns } = this.parts;
    const { drift } = await files.sources.settings(uri);
    const { runs = drift.runs, seed = drift.seed } = params;
    const subject = await this.#subject(uri);
    const tool = await this.#toolName(params);
    const none = (failure: string): FindDriftResult => ({ failure, samples: uri, tools: [] });
    if (subject === undefined) return none(say(t('The file cannot be read.')));
    if (tool === null) return none(say(t('There is no tool here whose drift could be looked for.')));
    const options = await sampleRuns.options(subject.samples);
    const run = await sampleRuns.search((environment) =>
      fuzzTools({ uri: subject.samples, text: subject.text }, environment, {
        ...options,
        runs,
        seed,
        tool,
        signal: signalOf(token),
        onProgress: (of, progress) => tell(progressInfo(name, of, progress)),
      }),
    );
    const [missing] = run.missing;
    if (run.tools.length === 0) {
      return none(
        missing === undefined
          ? say(t('There is no tool here whose drift could be looked for.'))
          : say(t('The definition file {0} cannot be used: it {1}.', missing.path, missing.failure)),
      );
    }
    this.#keep(name, { subject, run });
    const lines = new Map<string, LineIndex>();
    for (const { target } of run.tools) {
      const text = lines.has(target.uri) ? undefined : await this.parts.files.sources.read(target.uri);
      if (text !== undefined) lines.set(target.uri, new LineIndex(text));
    }
    const tools = run.tools.map((each): ToolDriftInfo => {
      const untrusted = each.skipped !== undefined && each.skipped === options.withoutHandlers && !sampleRuns.trusted;
      return { ...toolInfo(each, lines.get(each.target.uri)), untrusted };
    });
    return { failure: null, samples: subject.samples, tools };
  }

  /** What storing drifts changes. Nothing is written. Never rejects. */
  async store({ run, tool, drift }: StoreDriftParams): Promise<AddSampleResult> {
    const none = (reason: string): AddSampleResult => ({ kind: 'none', reason });
    const kept = this.#kept.get(run);
    if (kept === undefined) return none(say(t('What this search found is not known any more. Search again.')));
    const { samples, definition } = kept.subject;
    const present = await this.parts.files.sources.read(samples);
    const start = present ?? emptySamples(definition === undefined ? [] : [definition]);
    let text: string | undefined = start;
    if (present !== undefined && definition !== undefined) text = withDefinition(present, definition);
    for (const [index, each] of kept.run.tools.entries()) {
      if (tool !== undefined && tool !== index) continue;
      for (const [place, found] of (each.report?.drifts ?? []).entries()) {
        if (text === undefined || (drift !== undefined && drift !== place)) continue;
        text = applyEdits(text, sampleFromDrift(text, found, each.tool));
      }
    }
    if (text === undefined)
      return none(say(t('{0} is no samples file that a call could be added to.', baseName(samples))));
    if (text === present) return none(say(t('{0} holds this already.', baseName(samples))));
    const last = parseJson(text).root?.value('calls')?.items.at(-1);
    return changeOf(samples, present, text, last === undefined ? { start: 0, end: 0 } : nodeSpan(last));
  }

  #keep(name: string, kept: { readonly subject: Subject; readonly run: FuzzRun }): void {
    this.#kept.set(name, kept);
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
  }

  async #subject(uri: string): Promise<Subject | undefined> {
    const { files, samples, newSamples } = this.parts;
    const text = await files.sources.read(uri);
    if (text === undefined) return undefined;
    if (samples.isFile(uri)) return { samples: uri, text, definition: undefined };
    const beside = await newSamples.fileFor(uri);
    const path = relative(beside, uri);
    const state = await samples.state(beside);
    const named = state?.result.definitions.loaded.some((each) => canonicalUri(each.uri) === canonicalUri(uri));
    if (state !== undefined && named === true) return { samples: beside, text: state.text, definition: undefined };
    return { samples: beside, text: emptySamples([path]), definition: path };
  }

  /** The tool that is meant; `undefined` for all, `null` where a place has none. */
  async #toolName({ uri, tool, pointer, offset }: FindDriftParams): Promise<string | undefined | null> {
    if (tool !== undefined || (pointer === undefined && offset === undefined)) return tool;
    if (this.parts.samples.isFile(uri)) return this.#toolOfCall(uri, offset);
    const state = await this.parts.files.state(uri);
    if (state === undefined) return undefined;
    const found = toolFor(state, offset === undefined ? { tool: pointer ?? '' } : { offset });
    if (found?.name === undefined) return null;
    return found.namespace?.name === undefined ? found.name : `${found.namespace.name}.${found.name}`;
  }

  /** The tool of the call at a place of a samples file; all tools where no call stands. */
  async #toolOfCall(uri: string, offset: number | undefined): Promise<string | undefined> {
    const state = await this.parts.samples.state(uri);
    if (state === undefined || offset === undefined) return undefined;
    const { file, definitions } = state.result;
    const call = file.calls.find(({ node }) => node.offset <= offset && offset <= node.end);
    const target = call === undefined ? undefined : targetOf(call, definitions);
    if (target === undefined) return undefined;
    return target.namespace === undefined ? target.name : `${target.namespace}.${target.name}`;
  }
}

function progressInfo(run: string, tool: string, { phase, runs, of, drifts }: DriftProgress): DriftProgressInfo {
  const message =
    phase === 'search'
      ? t('{0}: {1} of {2} inputs, {3} kinds of drift', tool, runs, of, drifts)
      : t('{0}: making inputs smaller, {1} of {2}, {3} kinds of drift', tool, runs, of, drifts);
  return { run, tool, message: say(message), share: of === 0 ? 1 : Math.min(1, runs / of) };
}

function toolInfo(
  { target, tool, skipped, remarks, report }: ToolDrift,
  lines: LineIndex | undefined,
): Omit<ToolDriftInfo, 'untrusted'> {
  const start = { line: 0, character: 0 };
  return {
    tool: tool.tool,
    namespace: target.namespace ?? null,
    skipped: skipped === undefined ? null : say(skipped),
    drifts: (report?.drifts ?? []).map(driftInfo),
    log: report === undefined ? [] : [...logOf(report), ...remarks.map(say)],
    uri: target.uri,
    range: lines?.range(toolSpan(target.tool)) ?? { start, end: start },
  };
}

function driftInfo(drift: Drift): DriftInfo {
  const { kind, input, handler, count } = drift;
  const rule = kind === 'contract-accepts' ? 'call/parser-rejects' : 'call/parser-accepts';
  return { kind, input, feedback: feedbackOf(drift), verdict: handler.verdict, count, rule, href: ruleLink(rule) };
}

/** The words of the side that refuses. Those of a handler stay as they are: they are what the model would read. */
function feedbackOf({ kind, contract, handler, feedback }: Drift): string {
  if (kind === 'handler-accepts') return contract.words === undefined ? feedback : say(contract.words);
  const { verdict, stop } = handler;
  if (stop === undefined || verdict === 'accepted' || verdict === 'rejected') return feedback;
  return say(stopWords(verdict, stop, feedback));
}

function logOf({ runs, accepted, taken, open, drifts, unlisted, coverage, canceled }: DriftReport): string[] {
  const log = [
    canceled ? t('Canceled after {0} inputs.', runs) : t('{0} inputs were judged.', runs),
    t('The contract accepts {0} of the search, the handler accepts {1}.', accepted, taken),
    t('{0} kinds of drift.', drifts.length + unlisted),
  ];
  if (coverage.total > 0) {
    log.push(t('Inputs that are allowed take {0} of {1} branches of the contract.', coverage.covered, coverage.total));
  }
  if (open > 0) log.push(t('The contract could not judge {0} inputs.', open));
  for (const missing of coverage.missing.slice(0, MOST_MISSING)) log.push(t('Not covered: {0}', missing));
  return log.map(say);
}
