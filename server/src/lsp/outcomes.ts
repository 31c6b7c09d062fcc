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
interface Outcome {
  /** The call as it stood in the file. */
  readonly text: string;
  readonly report: CallReport;
}

interface Known {
  readonly uri: string;
  /** Everything that the run read, by uri. */
  readonly inputs: ReadonlyMap<string, string | undefined>;
  /** Definitions and handlers, as the samples file names them. */
  readonly head: string;
  readonly calls: Map<number, Outcome>;
  /** The calls that the file holds, as they stand there. */
  present: ReadonlySet<string>;
}

/** One run of calls of a file, as it goes on. */
export interface RunLog {
  /** A call begins. */
  begin(index: number): void;
  /** A call has ended. `text` is that of the file. */
  end(report: CallReport, text: string): void;
  /** The run is over: calls that have begun and not ended do not run any more. */
  close(): void;
}

/** Findings about a document, with what is needed to show their places in other documents. */
export interface FindingsElsewhere {
  readonly findings: readonly Finding[];
  /** Lines of other documents that the findings speak of. */
  readonly others: ReadonlyMap<string, LineIndex>;
}

const NOTHING: FindingsElsewhere = { findings: [], others: new Map() };

/** A call that names no tool. */
const UNKNOWN = 'call/unknown-tool';

/**
 * What the last runs of stored calls came to, whoever asked for them, for lenses, findings and the panel. It holds until
 * something changes that the run has read: the call, the definitions, grammars, inputs, or the files of handlers.
 */
export class Outcomes {
  readonly #files = new Map<string, Known>();
  /** How often a call runs at the moment. */
  readonly #running = new Map<string, number>();

  constructor(
    readonly files: Files,
    readonly samples: Samples,
  ) {}

  /** A run of a file begins. */
  async begin(uri: string): Promise<RunLog> {
    const state = await this.samples.state(uri);
    const calls = state === undefined ? new Map<number, Outcome>() : await this.#callsFor(state);
    const open: number[] = [];
    return {
      begin: (index) => {
        open.push(index);
        this.#count(uri, index, 1);
      },
      end: (report, text) => {
        const { node, index } = report.call;
        calls.set(index, { text: text.slice(node.offset, node.end), report });
        const at = open.indexOf(index);
        if (at < 0) return;
        open.splice(at, 1);
        this.#count(uri, index, -1);
      },
      close: () => {
        for (const index of open.splice(0)) this.#count(uri, index, -1);
      },
    };
  }

  /** Where the outcomes of a run go, with those of before that still hold. */
  async #callsFor(state: SamplesState): Promise<Known['calls']> {
    const key = canonicalUri(state.uri);
    const inputs = await this.#inputsOf(state);
    const head = headOf(state);
    const known = this.#files.get(key);
    const calls = new Map(known !== undefined && known.head === head && same(known.inputs, inputs) ? known.calls : []);
    this.#files.set(key, { uri: state.uri, inputs, head, calls, present: presentIn(state) });
    return calls;
  }

  #count(uri: string, index: number, change: number): void {
    const key = callKey(uri, index);
    const count = (this.#running.get(key) ?? 0) + change;
    if (count > 0) this.#running.set(key, count);
    else this.#running.delete(key);
  }

  isRunning(uri: string, index: number): boolean {
    return this.#running.has(callKey(uri, index));
  }

  /** Forgets what does not hold any more. Gives whether there was something. */
  async settle(uri: string): Promise<boolean> {
    const key = canonicalUri(uri);
    if (!this.#files.has(key)) return false;
    const state = await this.samples.state(uri);
    return state === undefined ? this.#files.delete(key) : (await this.#valid(state)) === undefined;
  }

  /** What the calls of a samples file came to, by their places in it now. */
  async of(state: SamplesState): Promise<ReadonlyMap<number, CallReport>> {
    const known = await this.#valid(state);
    const found = new Map<number, CallReport>();
    for (const call of known === undefined ? [] : state.result.file.calls) {
      const report = reportOf(known!, call, state.text);
      if (report !== undefined) found.set(call.index, report);
    }
    return found;
  }

  /** What became of one call of a text of a samples file, as far as that was known when it was last settled. */
  last(uri: string, call: SampleCall, text: string): CallReport | undefined {
    const known = this.#files.get(canonicalUri(uri));
    return known === undefined ? undefined : reportOf(known, call, text);
  }

  /** The reports about tools of a definition file, as far as they held when the samples files were last settled. */
  about(uri: string): CallReport[] {
    const own = canonicalUri(uri);
    return [...this.#files.values()].flatMap(({ calls, present }) =>
      [...calls.values()].flatMap(({ text, report }) =>
        present.has(text) && report.target !== undefined && canonicalUri(report.target.uri) === own ? report : [],
      ),
    );
  }

  /**
   * Where the handler and the contract of a samples file's calls differ, and what their results lack. Whoever wrote down
   * that the two differ in a call, or that it reaches no tool, knows it: if the call passes, that is no fault.
   */
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
          level: end === 'passed' && (isDrift(each) || each.rule === UNKNOWN) ? 'info' : each.level,
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
    const calls: (CallReport & { readonly uri: string; readonly span: Span })[] = [];
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
    if (known.head === headOf(state) && same(known.inputs, await this.#inputsOf(state))) {
      known.present = presentIn(state);
      return known;
    }
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

function reportOf({ calls }: Known, { node, index }: SampleCall, text: string): CallReport | undefined {
  const own = text.slice(node.offset, node.end);
  const there = calls.get(index);
  // Calls before it may have come or gone.
  return (there?.text === own ? there : [...calls.values()].find((each) => each.text === own))?.report;
}

function presentIn({ result, text }: SamplesState): ReadonlySet<string> {
  return new Set(result.file.calls.map(({ node }) => text.slice(node.offset, node.end)));
}

const callKey = (uri: string, index: number): string => `${canonicalUri(uri)}#${index}`;

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
