import type { Provider } from '../grammar/provider';
import { emitJson } from '../text/emit';
import type { RuleLevel } from '../text/finding';
import { parseJson } from '../text/json';
import { type Message, render, t } from '../text/message';
import { utf8Length } from '../text/utf8';
import { bytes, list } from '../text/words';
import { unsuitedBuiltin } from './builtinFit';
import { judgeContract } from './contract';
import { judgeHandler } from './contractHandler';
import type { ContractRequest } from './contractModel';
import { judgeResult } from './contractResult';
import { judgeExpectation } from './expectation';
import type { CancelSignal, HandlerOutcome, HandlerRequest, HandlerRunner, HandlerStop } from './handler';
import { type ConfiguredHandlers, handlerOf } from './handlerOf';
import { jsonTextError } from './jsonText';
import type { HandlerEntry, HandlerSpec, SampleCall, SampleFile } from './model';
import { ABORTED, outputItem, outputText } from './output';
import type { CallFinding, CallReport, CallStep, ContractVerdict, HandlerVerdict } from './report';
import { type CallItem, type OutputForm, type Route, routeCall, type SearchQuery } from './route';
import { runBuiltin } from './runBuiltin';
import type { SearchContext } from './toolSearch';
import { type CallTool, dottedName, TOOL_SEARCH } from './toolTable';
import { unknownTool } from './unknownTool';
import { stopWords } from './verdictWords';

/** What the calls of one samples file share. */
export interface CallContext extends SearchContext {
  readonly uri: string;
  readonly file: SampleFile;
  readonly provider: Provider | undefined;
  /** Runs handlers that need a process; `undefined` where none may be started. */
  readonly handlers: HandlerRunner | undefined;
  /** Why none may be started. */
  readonly withoutHandlers: Message;
  readonly config: ConfiguredHandlers | undefined;
  readonly levels: ReadonlyMap<string, RuleLevel>;
  readonly signal: CancelSignal | undefined;
  /** Absolute path of the folder of a file. */
  folderOf(uri: string): string;
  /** Milliseconds of a clock. */
  now(): number;
}

const NO_CONTRACT: ContractVerdict = { verdict: 'accepted', findings: [], judged: false };
const REFUSED: ContractVerdict = { verdict: 'rejected', findings: [] };
const NOT_REACHED: HandlerVerdict = {
  kind: 'none',
  verdict: 'none',
  reason: { kind: 'not-reached', message: t('The call did not get as far as a handler.') },
  notes: [],
};

/** Names the call and its output, the same in every run. */
export function callIdOf(call: SampleCall): string {
  return `call_${call.index + 1}`;
}

/** How the call is named where it has no name: by its tool and its place. */
export function callName(call: SampleCall): string {
  return call.name || `${call.tool || 'call'} #${call.index + 1}`;
}

/** The tool that a call leads to, and its handler. */
export function planCall(
  call: SampleCall,
  { definitions, file, config }: Pick<CallContext, 'definitions' | 'file' | 'config'>,
): { readonly target: CallTool; readonly handler: HandlerEntry | undefined } | undefined {
  if (call.tool === undefined) return undefined;
  const found = definitions.table.find(call.namespace, call.tool);
  if (found.kind !== 'one') return undefined;
  return { target: found.tool, handler: handlerOf(call, found.tool, file, config) };
}

/** Runs one call: route, payload, contract, handler, output item. Never rejects, and gives exactly one report. */
export async function runCall(call: SampleCall, context: CallContext): Promise<CallReport> {
  return new CallRun(call, context).run();
}

/** Why a call cannot be run at all. */
class NotRun {
  constructor(readonly reason: Message) {}
}

class CallRun {
  readonly #steps: CallStep[] = [];
  readonly #findings: CallFinding[] = [];
  readonly #resultFindings: CallFinding[] = [];
  readonly #callId: string;
  readonly #begun: number;
  #contract: ContractVerdict = NO_CONTRACT;
  #handler: HandlerVerdict = NOT_REACHED;
  #target: CallTool | undefined;
  #text: string | undefined;
  #output: string | undefined;
  /** What the model is told by the router. */
  #feedback: string | undefined;
  #stop: HandlerStop | undefined;
  /** The handler would have been needed, but may not be run. */
  #withheld = false;

  constructor(
    readonly call: SampleCall,
    readonly context: CallContext,
  ) {
    this.#callId = callIdOf(call);
    this.#begun = context.now();
  }

  async run(): Promise<CallReport> {
    try {
      await this.#go();
    } catch (error) {
      if (error instanceof NotRun) return this.#report({ state: 'errored', reason: error.reason });
      const reason = t('This is a fault of ToolSpec itself: {0}', String(error));
      return this.#report({ state: 'errored', reason });
    }
    return this.#finish();
  }

  async #go(): Promise<void> {
    const { call } = this;
    if (call.tool === undefined) throw new NotRun(t('The call names no tool.'));
    if (call.payload === undefined) {
      if (call.result === undefined) throw new NotRun(t('It is open what the call sends.'));
      this.#step('payload', 'skipped', t('The call sends nothing: it holds only a stored result.'));
      const plan = planCall(call, this.context);
      if (plan === undefined) throw new NotRun(this.#unknown(call.tool));
      this.#target = plan.target;
      await this.#judgeStored(plan.target);
      this.#answer(formOf(plan.target), outputText(accepted(resultText(call)), true));
      return;
    }
    const item = await this.#item(call.tool);
    const route = routeCall(item, this.context.definitions.table);
    if (route.kind === 'tool') await this.#toTool(route, item);
    else if (route.kind === 'search') await this.#search(route.search, item, undefined);
    else if (route.kind === 'feedback' && route.reason === 'search-arguments') await this.#undecoded(route.text, item);
    else this.#toNobody(route, item);
  }

  /** The response item of the model. */
  async #item(tool: string): Promise<CallItem> {
    const { namespace, payload } = this.call;
    if (payload === undefined) throw new NotRun(t('It is open what the call sends.'));
    let text: string;
    if (payload.kind === 'input-file') {
      const read = await this.context.workspace.read(payload.path, this.context.uri);
      if ('failure' in read) throw new NotRun(t('The input file "{0}" {1}.', payload.path, read.failure));
      text = read.text;
    } else text = payload.text;
    this.#text = text;
    return { name: tool, namespace, kind: payload.kind === 'arguments' ? 'arguments' : 'input', text };
  }

  /** Calls that reach no tool. */
  #toNobody(route: Exclude<Route, { kind: 'tool' | 'search' }>, item: CallItem): void {
    switch (route.kind) {
      case 'ignored':
        this.#target = route.target;
        throw new NotRun(t('The provider runs this search itself, so the client never sees the call.'));
      case 'ambiguous': {
        const names = route.tools.map((tool) => `"${dottedName(tool.namespace, tool.name)}"`);
        throw new NotRun(t('Several tools have this name: {0}. "namespace" says which is meant.', list(names)));
      }
      case 'fatal': {
        this.#target = route.target;
        this.#contract = REFUSED;
        this.#feedback = route.text;
        const message =
          route.target.payload === 'custom'
            ? t(
                '"{0}" is a custom tool and takes raw text, so a call with arguments ends the turn. Use "input".',
                item.name,
              )
            : t('"{0}" is a function, so a call with raw input ends the turn. Use "arguments".', item.name);
        this.#find('call/wrong-kind', message);
        this.#step('route', 'passed', this.#reached(route.target));
        this.#step('payload', 'failed', t('The tool takes no such payload, and the turn ends: {0}.', route.text));
        // The history of the next turn pairs the call with this.
        this.#answer(route.form, ABORTED);
        return;
      }
      default: {
        if (this.context.definitions.missing.length > 0) throw new NotRun(this.#unknown(item.name));
        if (this.context.file.definitions.length === 0) {
          throw new NotRun(t('The samples file names no definition files, so no tool is known.'));
        }
        this.#contract = REFUSED;
        this.#feedback = route.text;
        this.#find('call/unknown-tool', this.#unknown(item.name));
        this.#step('route', 'failed', t('No tool has this name. The model is told: {0}', route.text));
        this.#answer(route.form, route.text);
      }
    }
  }

  /** A call of tool search, which Codex itself answers: with the deferred tools that it finds. */
  async #search(search: SearchQuery, item: CallItem, target: CallTool | undefined): Promise<void> {
    const { searchTools } = await import('./toolSearch');
    if (target === undefined) this.#step('route', 'passed', t('The call is a search for tools.'));
    this.#step('payload', 'passed', t('The query is "{0}".', search.query));
    const request = await this.#judgeSearch(item, target);
    const { outcome, tools, message } = await searchTools(search, this.context);
    if (outcome === undefined) {
      this.#handler = { kind: 'none', verdict: 'none', reason: { kind: 'not-reached', message }, notes: [] };
      this.#step('handler', 'skipped', message);
    } else {
      this.#handler = { kind: 'builtin', ...outcome };
      this.#step('handler', outcome.verdict === 'accepted' ? 'passed' : 'failed', message);
      this.#findings.push(...this.#levels(await judgeHandler({ ...request, contract: this.#contract, outcome })));
    }
    this.#answer('tool-search', tools);
  }

  /** A search whose arguments Codex cannot decode: the model is told as if it had called a function. */
  async #undecoded(feedback: string, item: CallItem): Promise<void> {
    const found = this.context.definitions.table.find(item.namespace, TOOL_SEARCH);
    this.#step('route', 'passed', t('The call is a search for tools.'));
    this.#step('payload', 'failed', t('Its arguments cannot be decoded. The model is told: {0}', feedback));
    const request = await this.#judgeSearch(item, found.kind === 'one' ? found.tool : undefined);
    const outcome: HandlerOutcome = { verdict: 'rejected', feedback, notes: [] };
    this.#handler = { kind: 'builtin', ...outcome };
    this.#findings.push(...this.#levels(await judgeHandler({ ...request, contract: this.#contract, outcome })));
    this.#answer('function', feedback, '');
  }

  /** The contract of a search: of the definition file that has tool search, else the one of Codex. */
  async #judgeSearch(item: CallItem, target: CallTool | undefined): Promise<ContractRequest> {
    const { searchDefinition } = await import('./toolSearch');
    this.#target = target;
    const request: ContractRequest = {
      tool: target?.tool ?? searchDefinition(),
      kind: 'function',
      text: item.text,
      profile: this.context.profile,
    };
    await this.#judge(request);
    return request;
  }

  async #judge(request: ContractRequest): Promise<void> {
    this.#contract = this.#leveled(await judgeContract(request));
    const { verdict, judged, findings } = this.#contract;
    const agrees = verdict === 'accepted';
    this.#step(
      'contract',
      judged === false ? 'skipped' : agrees ? 'passed' : 'failed',
      findings.find(({ level }) => level === 'error' || level === 'warning')?.message ??
        (agrees ? t('The model could have generated this.') : t('The model could not have generated this.')),
    );
  }

  async #toTool(route: Extract<Route, { kind: 'tool' }>, item: CallItem): Promise<void> {
    const { target, form } = route;
    this.#target = target;
    this.#step('route', 'passed', this.#reached(target));
    if (route.search !== undefined) return this.#search(route.search, item, target);
    const taken =
      form === 'custom'
        ? t('Raw text for a custom tool: {0}.', bytes(utf8Length(item.text)))
        : t('Arguments of a function: {0}.', bytes(utf8Length(item.text)));
    this.#step('payload', 'passed', taken);
    const request: ContractRequest = {
      tool: target.tool,
      kind: form === 'custom' ? 'custom' : 'function',
      text: item.text,
      profile: this.context.profile,
      provider: this.context.provider,
      grammar: (path) => this.#grammar(path, target),
    };
    await this.#judge(request);
    await this.#handle(request, target, form);
    await this.#judgeStored(target);
  }

  async #grammar(path: string, target: CallTool): Promise<string | undefined> {
    const read = await this.context.workspace.read(path, target.uri);
    return 'failure' in read ? undefined : read.text;
  }

  async #handle(request: ContractRequest, target: CallTool, form: OutputForm): Promise<void> {
    const entry = handlerOf(this.call, target, this.context.file, this.context.config);
    if (entry === undefined) {
      const message = t('No handler is named for this tool, so the contract alone is judged.');
      this.#handler = { kind: 'none', verdict: 'none', reason: { kind: 'no-handler', message }, notes: [] };
      this.#step('handler', 'skipped', message);
      this.#answer(form, outputText(accepted(resultText(this.call)), true));
      return;
    }
    const { spec } = entry;
    if (spec === undefined) throw new NotRun(t('The handler "{0}" is no handler.', entry.tool));
    const unsuited = unsuitedBuiltin(spec, target.tool);
    if (unsuited !== undefined) {
      const reason = { kind: 'unsuited', message: unsuited, entry } as const;
      this.#handler = { kind: spec.kind, verdict: 'none', reason, notes: [] };
      this.#step('handler', 'skipped', unsuited);
      this.#answer(form, ABORTED);
      throw new NotRun(unsuited);
    }
    const asked: HandlerRequest = {
      id: this.#callId,
      tool: target.given,
      namespace: target.namespace,
      kind: request.kind,
      text: request.text,
    };
    const outcome = await this.#outcome(spec, entry, asked);
    if (outcome === undefined) {
      this.#withheld = true;
      const message = this.context.withoutHandlers;
      this.#handler = { kind: spec.kind, verdict: 'none', reason: { kind: 'withheld', message }, notes: [] };
      this.#step('handler', 'skipped', message);
      this.#answer(form, ABORTED);
      return;
    }
    this.#handler = verdictOf(spec, outcome);
    this.#stop = 'stop' in outcome ? outcome.stop : undefined;
    this.#step('handler', outcome.verdict === 'accepted' ? 'passed' : 'failed', words(outcome));
    const mcp = spec.kind === 'mcp';
    this.#answer(form, outputText(outcome, mcp));
    const drift = await judgeHandler({ ...request, contract: this.#contract, outcome });
    this.#findings.push(...this.#levels(drift));
    if (mcp && outcome.verdict === 'accepted' && outcome.value !== undefined) {
      const { root } = parseJson(outcome.value);
      if (root !== undefined) this.#resultFindings.push(...this.#levels(await judgeResult(target.tool, root)));
    }
  }

  /** What came of the handler; `undefined` when it would need a process and none may be started. */
  async #outcome(spec: HandlerSpec, entry: HandlerEntry, request: HandlerRequest): Promise<HandlerOutcome | undefined> {
    if (spec.kind === 'builtin') {
      const outcome = runBuiltin(spec.name, request, this.#contract);
      if (outcome === undefined) throw new NotRun(t('There is no builtin handler "{0}".', spec.name));
      return outcome;
    }
    if (this.context.handlers === undefined) return undefined;
    let sent = request;
    if (spec.kind === 'mcp') {
      // Blank arguments are none at all; what is no JSON never reaches the server (Codex 0.171.0, as read in its source).
      const text = request.text.trim() === '' ? '' : request.text;
      const error = text === '' ? undefined : jsonTextError(text);
      if (error !== undefined) return { verdict: 'rejected', feedback: `err: ${error}`, notes: [] };
      sent = { ...request, text };
    }
    return this.context.handlers.call(spec, this.context.folderOf(entry.from), sent, this.context.signal);
  }

  async #judgeStored(target: CallTool): Promise<void> {
    const { result } = this.call;
    if (result !== undefined) this.#resultFindings.push(...this.#levels(await judgeResult(target.tool, result)));
  }

  #finish(): CallReport {
    const ran = this.#handler.verdict === 'none' ? undefined : this.#handler;
    if (ran === undefined && this.#contract.judged === false && this.call.payload !== undefined && !this.#withheld) {
      return this.#report({ state: 'errored', reason: this.#contract.findings[0]?.message });
    }
    const refused = this.#feedback === undefined ? undefined : ('rejected' as const);
    const outcome = ran?.verdict ?? refused ?? this.#contract.verdict;
    const judged = judgeExpectation(this.call.expect, {
      outcome: outcome === 'none' ? this.#contract.verdict : outcome,
      value: ran?.value,
      feedback: ran?.feedback ?? this.#feedback ?? this.#contractWords(),
      detail: ran?.detail,
      stop: this.#stop,
      handled: ran !== undefined,
      canceled: this.context.signal?.aborted ?? false,
      findings: [...this.#contract.findings, ...this.#findings],
      resultFindings: this.#resultFindings,
    });
    if (
      !this.#withheld ||
      (judged.state === 'failed' && this.#contract.verdict === 'rejected' && judged.expected !== 'rejected')
    ) {
      return this.#report(judged);
    }
    return this.#report({ state: 'skipped', reason: this.context.withoutHandlers });
  }

  /** Without a handler the contract's words are what a feedback is looked for in. */
  #contractWords(): string | undefined {
    if (this.#contract.verdict === 'accepted') return undefined;
    return this.#contract.findings.map(({ message }) => render(message)).join('\n');
  }

  #report(judged: Pick<CallReport, 'state' | 'reason'> & Partial<CallReport>): CallReport {
    const { call } = this;
    const verdict = this.#handler.verdict;
    const outcome = verdict !== 'none' ? verdict : this.#feedback === undefined ? this.#contract.verdict : 'rejected';
    return {
      call,
      callId: this.#callId,
      name: callName(call),
      tool: call.tool ?? '',
      namespace: call.namespace ?? this.#target?.namespace,
      expected: judged.expected,
      outcome: judged.state === 'errored' && verdict === 'none' ? undefined : outcome,
      difference: judged.difference,
      text: this.#text,
      target: this.#target && { uri: this.#target.uri, tool: this.#target.tool },
      state: judged.state,
      reason: judged.reason,
      contract: this.#contract,
      handler: this.#handler,
      findings: [...this.#findings, ...this.#resultFindings],
      steps: this.#steps,
      output: this.#output,
      durationMs: Math.max(0, this.context.now() - this.#begun),
    };
  }

  #answer(form: OutputForm, text: string, callId = this.#callId): void {
    this.#output = outputItem(form, callId, text);
    const message =
      form === 'tool-search'
        ? text === '[]'
          ? t('The answer is an empty list of tools.')
          : t('The answer is a list of tools: {0}.', bytes(utf8Length(this.#output)))
        : t('One output for {0}: {1}.', callId === '' ? '""' : callId, bytes(utf8Length(this.#output)));
    this.#step('output', 'passed', message);
  }

  #step(step: CallStep['step'], state: CallStep['state'], message: Message): void {
    this.#steps.push({ step, state, message });
  }

  /** A finding about the whole call. */
  #find(rule: string, message: Message): void {
    const finding: CallFinding = {
      rule,
      level: 'error',
      message,
      pointer: undefined,
      offset: undefined,
      line: undefined,
      column: undefined,
    };
    this.#findings.push(...this.#levels([finding]));
  }

  #leveled(contract: ContractVerdict): ContractVerdict {
    return { ...contract, findings: this.#levels(contract.findings) };
  }

  /** Findings with the levels that config and settings give them. */
  #levels(findings: readonly CallFinding[]): CallFinding[] {
    return findings.flatMap((finding) => {
      const level = this.context.levels.get(finding.rule);
      if (level === 'off') return [];
      return level === undefined ? finding : { ...finding, level };
    });
  }

  #reached(target: CallTool): Message {
    const name = dottedName(target.namespace, target.name);
    return target.namespace === undefined
      ? t('The name leads to the tool "{0}".', name)
      : t('The name leads to the tool "{0}" in the namespace "{1}".', target.name, target.namespace);
  }

  #unknown(name: string): Message {
    const { table, missing } = this.context.definitions;
    if (missing.length > 0) {
      const [first] = missing;
      return t(
        'The definition file "{0}" {1}, so the tool "{2}" is not known.',
        first!.reference.path,
        first!.failure,
        name,
      );
    }
    return unknownTool(table, this.call.namespace, name).message;
  }
}

function formOf(target: CallTool): OutputForm {
  return target.payload === 'custom' ? 'custom' : target.payload === 'function' ? 'function' : 'tool-search';
}

/** The stored result as JSON text. */
function resultText({ result }: SampleCall): string | undefined {
  return result === undefined ? undefined : emitJson(result);
}

function accepted(value: string | undefined): HandlerOutcome {
  return { verdict: 'accepted', value, notes: [] };
}

function verdictOf({ kind }: HandlerSpec, outcome: HandlerOutcome): HandlerVerdict {
  const { verdict, notes } = outcome;
  const base = { kind, verdict, notes };
  if (verdict === 'accepted') return { ...base, ...(outcome.value === undefined ? {} : { value: outcome.value }) };
  if (verdict !== 'rejected') {
    return { ...base, detail: outcome.detail, reason: outcome.stop ?? { kind: UNTOLD[verdict] } };
  }
  const { feedback, value, offset } = outcome;
  return {
    ...base,
    feedback,
    ...(value === undefined ? {} : { value }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** What stopped a handler whose runner does not tell. */
const UNTOLD = { crashed: 'fault', 'timed-out': 'timeout', aborted: 'canceled' } as const;

function words(outcome: HandlerOutcome): Message {
  if (outcome.verdict === 'accepted') return t('The handler accepts the call.');
  if (outcome.verdict === 'rejected') return t('The handler refuses the call: {0}', outcome.feedback);
  return stopWords(outcome.verdict, outcome.stop, outcome.detail);
}
