import { contractDrift, isDrift, toolSpan } from '../core/calls/contractDrift';
import type { SampleCall } from '../core/calls/model';
import { callSpan, findingSpan } from '../core/calls/place';
import type { CallFinding, CallReport } from '../core/calls/report';
import type { Finding, RelatedPlace } from '../core/text/finding';
import { nodeSpan, pointerOf } from '../core/text/jsonTree';
import { LineIndex } from '../core/text/lines';
import { t } from '../core/text/message';
import type { Span } from '../core/text/span';
import type { ToolDefinition } from '../core/tools/model';
import type { FileState, Files } from './files';
import { dependenciesOf, type Samples, type SamplesState } from './samples';
import { canonicalUri } from './uris';

/** What the last run of a call came to. */
export interface Outcome {
  /** The call as it stood in the file. */
  readonly text: string;
  readonly name: string;
  readonly state: CallReport['state'];
  readonly findings: readonly CallFinding[];
  readonly target: CallReport['target'];
}

interface Known {
  readonly uri: string;
  /** Everything that the run read, by uri. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
  /** Definitions and handlers, as the samples file names them. */
  readonly head: string;
  readonly calls: Map<number, Outcome>;
}

/** Findings about a document, with what is needed to show their places in other documents. */
export interface FindingsElsewhere {
  readonly findings: readonly Finding[];
  /** Lines of other documents that the findings speak of. */
  readonly others: ReadonlyMap<string, LineIndex>;
}

const NOTHING: FindingsElsewhere = { findings: [], others: new Map() };

/**
 * What runs of stored calls came to, for lenses and findings. It holds until something changes that the run has read:
 * the call, the definitions, grammars, inputs, or the files of handlers.
 */
export class Outcomes {
  readonly #files = new Map<string, Known>();

  constructor(
    readonly files: Files,
    readonly samples: Samples,
  ) {}

  /** A run of a file begins. Gives what has to be told of each report. */
  async begin(uri: string): Promise<(report: CallReport, text: string) => void> {
    const state = await this.samples.state(uri);
    if (state === undefined) return () => {};
    const inputs = await this.#inputsOf(state);
    const known = this.#files.get(canonicalUri(uri));
    const kept = known !== undefined && known.head === headOf(state) && same(known.inputs, inputs) ? known.calls : [];
    const calls = new Map(kept);
    this.#files.set(canonicalUri(uri), { uri, inputs, head: headOf(state), calls });
    return (report, text) => {
      const { call, name, state: end, findings, target } = report;
      const own = text.slice(call.node.offset, call.node.end);
      calls.set(call.index, { text: own, name, state: end, findings, target });
    };
  }

  /** Forgets what does not hold any more. Gives whether there was something. */
  async settle(uri: string): Promise<boolean> {
    const key = canonicalUri(uri);
    if (!this.#files.has(key)) return false;
    const state = await this.samples.state(uri);
    return state === undefined ? this.#files.delete(key) : (await this.#valid(state)) === undefined;
  }

  /** Whether anything is known of a samples file. */
  has(uri: string): boolean {
    return this.#files.has(canonicalUri(uri));
  }

  /** What the calls of a samples file came to, by their places in it now. */
  async of(state: SamplesState): Promise<ReadonlyMap<number, Outcome>> {
    const known = await this.#valid(state);
    const found = new Map<number, Outcome>();
    for (const call of known === undefined ? [] : state.result.file.calls) {
      const outcome = outcomeOf(known!, call, state.text);
      if (outcome !== undefined) found.set(call.index, outcome);
    }
    return found;
  }

  /** Where the handler and the contract of a samples file's calls differ, and what their results lack. */
  async inSamples(uri: string): Promise<FindingsElsewhere> {
    if (!this.#files.has(canonicalUri(uri))) return NOTHING;
    const state = await this.samples.state(uri);
    if (state === undefined) return NOTHING;
    const outcomes = await this.of(state);
    const others = new Map<string, LineIndex>();
    const findings = state.result.file.calls.flatMap((call) => {
      const { findings: said = [], target, state: end } = outcomes.get(call.index) ?? {};
      const place = target === undefined ? undefined : this.#definitionOf(target, state, others);
      return said.map(
        (each): Finding => ({
          ...finding(each, call.tool),
          // Whoever wrote down that the two differ here knows it.
          level: isDrift(each) && end === 'passed' ? 'info' : each.level,
          span: findingSpan(call, each, state.text),
          pointer: pointerOf(call.node),
          related: isDrift(each) && place !== undefined ? [place] : [],
        }),
      );
    });
    return { findings, others };
  }

  /** The same at the tools of an open definition file: one finding for each tool and kind of difference. */
  async inDefinitions(file: FileState): Promise<FindingsElsewhere> {
    const own = canonicalUri(file.uri);
    const others = new Map<string, LineIndex>();
    const calls: (Outcome & { readonly uri: string; readonly span: Span })[] = [];
    for (const { uri } of [...this.#files.values()]) {
      const state = await this.samples.state(uri);
      if (state === undefined) continue;
      const outcomes = await this.of(state);
      for (const call of state.result.file.calls) {
        const outcome = outcomes.get(call.index);
        if (outcome?.target === undefined || canonicalUri(outcome.target.uri) !== own) continue;
        others.set(uri, state.lines);
        calls.push({ ...outcome, uri, span: callSpan(call) });
      }
    }
    const findings = contractDrift(calls).flatMap(({ tool, first, message, calls: found }): Finding[] => {
      const now = file.result.set.tools.find((each) => isSame(each, tool));
      if (now === undefined) return [];
      const related = found.map(({ call: { uri, span }, finding: { message: said } }) => ({
        uri,
        span,
        message: said,
      }));
      return [{ ...finding(first, now.name), message, span: toolSpan(now), pointer: pointerOf(now.node), related }];
    });
    return { findings, others };
  }

  #definitionOf(
    { uri, tool }: NonNullable<CallReport['target']>,
    { result }: SamplesState,
    others: Map<string, LineIndex>,
  ): RelatedPlace | undefined {
    const loaded = result.definitions.loaded.find((each) => canonicalUri(each.uri) === canonicalUri(uri));
    const now = loaded?.set.tools.find((each) => isSame(each, tool));
    if (loaded === undefined || now === undefined) return undefined;
    if (!others.has(loaded.uri)) others.set(loaded.uri, new LineIndex(loaded.set.document.text));
    return { uri: loaded.uri, span: toolSpan(now), message: t('The contract stands here.') };
  }

  /** What is known of a file, as long as nothing has changed that its runs have read. */
  async #valid(state: SamplesState): Promise<Known | undefined> {
    const key = canonicalUri(state.uri);
    const known = this.#files.get(key);
    if (known === undefined) return undefined;
    if (known.head === headOf(state) && same(known.inputs, await this.#inputsOf(state))) return known;
    if (this.#files.get(key) === known) this.#files.delete(key);
    return undefined;
  }

  async #inputsOf(state: SamplesState): Promise<ReadonlyMap<string, string | undefined>> {
    const { sources } = this.files;
    const config = await sources.configs.configFor(state.uri, sources.workspaceFolder(state.uri));
    const uris = [...dependenciesOf(state), ...(config === undefined ? [] : [config.uri])];
    return new Map(await Promise.all(uris.map(async (uri) => [uri, await sources.read(uri)] as const)));
  }
}

function outcomeOf({ calls }: Known, { node, index }: SampleCall, text: string): Outcome | undefined {
  const own = text.slice(node.offset, node.end);
  const there = calls.get(index);
  // Calls before it may have come or gone.
  return there?.text === own ? there : [...calls.values()].find((each) => each.text === own);
}

function headOf({ result, text }: SamplesState): string {
  const { root } = result.file.document;
  const parts = [root?.value('definitions'), root?.value('handlers')].map((node) => {
    if (node === undefined) return '';
    const { start, end } = nodeSpan(node);
    return text.slice(start, end);
  });
  return JSON.stringify(parts);
}

function same(a: ReadonlyMap<string, string | undefined>, b: ReadonlyMap<string, string | undefined>): boolean {
  return a.size === b.size && [...a].every(([uri, text]) => b.has(uri) && b.get(uri) === text);
}

function isSame(a: ToolDefinition, b: ToolDefinition): boolean {
  return a.name === b.name && a.namespace?.name === b.namespace?.name;
}

function finding(
  { rule, level, message }: CallFinding,
  tool: string | undefined,
): Omit<Finding, 'span' | 'pointer' | 'related'> {
  return { rule, level, message, targets: [], tool, fixes: [], unnecessary: false };
}
