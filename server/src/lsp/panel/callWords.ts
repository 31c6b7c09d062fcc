import { unsuitedBuiltin } from '../../core/calls/builtinFit';
import type { HandlerEntry, HandlerSpec } from '../../core/calls/model';
import type { CallFinding, CallReport, ContractVerdict } from '../../core/calls/report';
import { contractLabel, handlerLabel, stoppedWords, verdictsDiffer } from '../../core/calls/verdictWords';
import { ruleLink } from '../../core/rules/links';
import { emitJson } from '../../core/text/emit';
import { parseJson } from '../../core/text/json';
import { headSpan, nodeSpan, resolvePointer } from '../../core/text/jsonTree';
import { type Message, t } from '../../core/text/message';
import { shorten } from '../../core/text/words';
import {
  BACKTICK,
  type PanelAnswer,
  type PanelLine,
  type PanelMark,
  type PanelStep,
  type PanelVerdict,
  type PanelVerdicts,
  type Rich,
} from '../../panelProtocol';
import { say } from '../language';

/** Why the handler of a call has no verdict yet. */
export type NotRun =
  /** Nobody takes the calls of the tool. */
  | 'no-handler'
  | 'untrusted'
  | 'no-process'
  /** The builtin handler can say nothing about the tool. */
  | 'unsuited'
  /** The text is another one than that of the last run. */
  | 'edited'
  | 'never';

/** What is known about the call that the page shows. */
export interface CallFacts {
  /** Made without a handler, of the text as it is now. */
  readonly live: CallReport;
  /** With the handler, of this very text. */
  readonly run: CallReport | undefined;
  readonly handler: HandlerEntry | undefined;
  readonly notRun: NotRun;
  readonly text: string;
  readonly kind: 'arguments' | 'input';
}

/** A text about the call has no markup: its backticks are those of names, values and decoders. */
const unmarked = (text: string): Rich => text.replaceAll('`', BACKTICK);
const plain = (message: Message): Rich => unmarked(say(message));

/** What a handler is, in the words of its entry. */
export function handlerWords(spec: HandlerSpec | undefined): string {
  switch (spec?.kind) {
    case 'builtin':
      return `\`${spec.name}\``;
    case 'module':
      return `\`${spec.module}${spec.export === undefined ? '' : `#${spec.export}`}\``;
    case 'command':
    case 'mcp':
      return `\`${shorten(spec.command.join(' '), 80)}\``;
    default:
      return '';
  }
}

export function needsProcess(entry: HandlerEntry | undefined): boolean {
  return entry?.spec !== undefined && entry.spec.kind !== 'builtin';
}

/** The answer of the page: whether contract and handler agree, and what differs. */
export function callAnswer({ live, run, notRun, handler }: CallFacts): PanelAnswer {
  const report = run ?? live;
  const unjudged = report.contract.judged === false ? report.contract.findings[0] : undefined;
  if (unjudged !== undefined) {
    const title =
      run?.handler.verdict === 'accepted'
        ? t('The handler accepts this call. The contract gives no verdict.')
        : run?.handler.verdict === 'rejected'
          ? t('The handler refuses this call. The contract gives no verdict.')
          : t('The contract gives no verdict on this call.');
    return { icon: 'error', title: say(title), detail: plain(unjudged.message) };
  }
  if (report.state === 'errored' && report.handler.verdict === 'none') {
    return { icon: 'error', title: say(t('The call cannot be run.')), detail: plain(report.reason ?? t('')) };
  }
  const takes = report.contract.verdict === 'accepted';
  const verdict = run?.handler.verdict ?? 'none';
  const first = [...report.findings, ...report.contract.findings].find(({ level }) => level !== 'hint');
  const detail = first === undefined ? {} : { detail: plain(first.message) };
  switch (verdict) {
    case 'accepted':
    case 'rejected': {
      if (run !== undefined && verdictsDiffer(report.contract, run.handler)) {
        const title = takes
          ? t('Drift: the contract lets this call through, the handler refuses it.')
          : t('Drift: the contract refuses this call, the handler accepts it.');
        return { icon: 'warning', title: say(title), ...detail };
      }
      if (!takes && report.contract.compiled === 'accepted') {
        const title = t('The model can send this: Codex drops the limit that refuses it. The handler refuses it too.');
        const lost = report.contract.findings.find(({ rule }) => rule === 'call/lost-constraint');
        return {
          icon: 'warning',
          title: say(title),
          ...(lost === undefined ? detail : { detail: plain(lost.message) }),
        };
      }
      if (run?.state === 'failed') {
        const why = run.reason === undefined ? {} : { detail: plain(run.reason) };
        return { icon: 'error', title: say(t('This is not what the sample expects.')), ...why };
      }
      if (takes && report.contract.compiled === 'rejected') {
        const title = t('Contract and handler accept this call. What Codex shows the model does not allow it.');
        return { icon: 'warning', title: say(title), ...detail };
      }
      const title = takes ? t('Contract and handler accept this call.') : t('Contract and handler refuse this call.');
      const told = run?.handler.feedback;
      const why = takes || told === undefined ? detail : { detail: unmarked(shorten(told.split('\n')[0] ?? '', 200)) };
      return { icon: 'fine', title: say(title), ...why };
    }
    case 'crashed':
    case 'timed-out':
    case 'aborted': {
      const title =
        verdict === 'crashed'
          ? run?.handler.reason?.kind === 'not-started'
            ? t('The handler could not be started.')
            : t('The handler crashed.')
          : verdict === 'timed-out'
            ? t('The handler gave no answer in time.')
            : t('The run was stopped.');
      const why = run === undefined ? undefined : stoppedWords(run.handler);
      const bad = run?.state !== 'passed';
      const icon = bad && verdict !== 'aborted' ? 'error' : 'info';
      return { icon, title: say(title), ...(why === undefined ? {} : { detail: plain(why) }) };
    }
    case 'none': {
      const title =
        notRun === 'no-handler'
          ? takes
            ? t('The contract accepts this call. No handler is named for it.')
            : t('The contract refuses this call. No handler is named for it.')
          : takes
            ? t('The contract accepts this call. The handler has not run.')
            : t('The contract refuses this call. The handler has not run.');
      const way =
        notRun === 'untrusted'
          ? t('Trust the folder to see the second verdict.')
          : notRun === 'unsuited'
            ? unsuitedWords(live, handler)
            : notRun === 'no-handler'
              ? t('Name one under `handlers` of the samples file to see the second verdict.')
              : undefined;
      const cause = takes && report.contract.compiled !== 'rejected' ? undefined : first?.message;
      const text = [cause && plain(cause), way && say(way)].filter((part) => part !== undefined).join(' ');
      const bad = report.contract.findings.some(({ level }) => level === 'error');
      return {
        icon: bad ? 'error' : 'info',
        title: say(title),
        ...(cause === undefined && way === undefined ? {} : { detail: text }),
      };
    }
  }
}

/** Both verdicts side by side. */
export function callVerdicts(facts: CallFacts): PanelVerdicts {
  const { contract } = facts.live;
  const left: PanelVerdict = {
    title: say(t('Contract, what the model may send')),
    verdict: contract.judged === false ? 'not-run' : contract.verdict,
    label: say(contractLabel(contract)),
    lines: contractLines(contract),
  };
  const right = handlerVerdict(facts);
  if (left.verdict === 'not-run') return { left, right };
  if (right.verdict !== 'accepted' && right.verdict !== 'rejected') return { left, right };
  const agree = right.verdict === left.verdict;
  const relation = agree
    ? ({ kind: 'agree', label: say(t('Agree')) } as const)
    : ({ kind: 'differ', label: say(t('Drift')) } as const);
  return { left, right, relation };
}

function contractLines(contract: ContractVerdict): PanelLine[] {
  const lines = contract.findings
    .filter(({ level }) => level !== 'hint')
    .slice(0, 5)
    .map((finding) => lineOf(finding));
  if (lines.length > 0) return lines;
  const fine = contract.verdict === 'accepted';
  return [
    {
      text: say(fine ? t('The model could have generated this.') : t('The model could not have generated this.')),
      dim: true,
    },
  ];
}

function lineOf({ rule, message }: CallFinding): PanelLine {
  const link = { label: rule, action: { kind: 'rule', rule, href: ruleLink(rule) } } as const;
  return { text: plain(message), dim: false, link };
}

const NO_HANDLER = { kind: 'no-handler', message: t('No handler is named for this tool.') } as const;

/** Why a builtin handler is none for the tool of the call. */
function unsuitedWords({ target }: CallReport, handler: HandlerEntry | undefined): Message | undefined {
  return target === undefined ? undefined : unsuitedBuiltin(handler?.spec, target.tool);
}

function handlerVerdict({ live, run, handler, notRun }: CallFacts): PanelVerdict {
  const title = say(t('Handler, what your code takes'));
  const name = handlerWords(handler?.spec);
  const verdict = run?.handler.verdict ?? 'none';
  if (run === undefined || verdict === 'none' || verdict === 'aborted') {
    const reason: Message =
      verdict === 'aborted'
        ? t('The run was stopped before there was an answer.')
        : notRun === 'no-handler'
          ? NO_HANDLER.message
          : notRun === 'unsuited'
            ? (unsuitedWords(live, handler) ?? t(''))
            : notRun === 'untrusted'
              ? t('{0} needs a trusted workspace.', name)
              : notRun === 'no-process'
                ? t('{0} needs a process, and there can be none here.', name)
                : notRun === 'edited'
                  ? t('The text has changed since {0} ran.', name)
                  : t('{0} has not run yet.', name);
    const label =
      run?.handler.verdict === 'aborted'
        ? handlerLabel(run.handler)
        : handlerLabel({ verdict: 'none', reason: notRun === 'no-handler' ? NO_HANDLER : undefined });
    return { title, verdict: 'not-run', label: say(label), lines: [{ text: say(reason), dim: true }] };
  }
  const { feedback = '' } = run.handler;
  const stopped = stoppedWords(run.handler);
  const lines: PanelLine[] = [];
  if (feedback !== '') {
    lines.push({ text: `\`${unmarked(shorten(feedback.split('\n')[0] ?? '', 240))}\``, dim: false });
  } else if (stopped !== undefined) lines.push({ text: plain(stopped), dim: false });
  if (verdict === 'accepted' && run.handler.value !== undefined) {
    lines.push({ text: `\`${unmarked(shorten(run.handler.value, 160))}\``, dim: false });
  }
  const drift = run.findings.find(({ level }) => level !== 'hint');
  const link =
    drift === undefined
      ? {}
      : {
          link: { label: drift.rule, action: { kind: 'rule', rule: drift.rule, href: ruleLink(drift.rule) } } as const,
        };
  lines.push({ text: say(t('{0}, {1} ms.', name, Math.round(run.durationMs))), dim: true, ...link });
  return { title, verdict, label: say(handlerLabel(run.handler)), lines };
}

/** The way of the call, as far as it has gone. */
export function callSteps({ run, live }: CallFacts): PanelStep[] {
  const names = {
    route: t('Route'),
    payload: t('Payload'),
    contract: t('Contract'),
    handler: t('Handler'),
    output: t('Output'),
  };
  const steps = run?.steps ?? live.steps.filter(({ step }) => step !== 'handler' && step !== 'output');
  return steps.map(({ step, state, message }) => ({
    name: say(names[step]),
    state: step === 'output' ? 'sent' : state,
    text: plain(message),
    time: step === 'handler' && run !== undefined ? say(t('{0} ms', Math.round(run.durationMs))) : '',
  }));
}

/** Places in the text that findings are about. */
export function callMarks({ run, live, text, kind }: CallFacts): PanelMark[] {
  const { root } = kind === 'arguments' ? parseJson(text) : { root: undefined };
  const report = run ?? live;
  const marks: PanelMark[] = [];
  for (const { level, pointer, offset, message } of [...report.contract.findings, ...report.findings]) {
    if (level === 'hint' || pointer?.startsWith('/result') === true) continue;
    const node = root === undefined || pointer === undefined ? undefined : resolvePointer(root, pointer);
    const span =
      node !== undefined && pointer !== ''
        ? node.kind === 'object' || node.kind === 'array'
          ? headSpan(node)
          : nodeSpan(node)
        : offset === undefined
          ? undefined
          : { start: Math.min(offset, Math.max(0, text.length - 1)), end: Math.min(offset + 1, text.length) };
    if (span === undefined || span.end <= span.start) continue;
    if (marks.some((each) => each.start === span.start)) continue;
    marks.push({ ...span, kind: level === 'error' ? 'error' : 'warning', title: say(message) });
  }
  return marks.sort((a, b) => a.start - b.start);
}

/** What the sample expects, in a line. */
export function expectationWords({ call }: CallReport): string {
  const { expect } = call;
  if (expect === undefined) return '';
  const outcome = expect.outcome ?? (expect.feedback === undefined ? 'accepted' : 'rejected');
  const words = {
    accepted: t('accepted'),
    rejected: t('rejected'),
    crashed: t('crashed'),
    'timed-out': t('timed out'),
    aborted: t('aborted'),
  };
  const about =
    expect.feedback !== undefined
      ? `\`${unmarked(shorten(expect.feedback, 60))}\``
      : expect.value === undefined
        ? undefined
        : `\`${unmarked(shorten(emitJson(expect.value), 60))}\``;
  return say(
    about === undefined
      ? t('Stored expectation: {0}', words[outcome])
      : t('Stored expectation: {0}, {1}', words[outcome], about),
  );
}
