import type { CallComparison } from '../../core/calls/against';
import type { CallReport } from '../../core/calls/report';
import { contractLabel, handlerLabel, verdictsDiffer } from '../../core/calls/verdictWords';
import { emitJson } from '../../core/text/emit';
import { render } from '../../core/text/message';
import { shorten } from '../../core/text/words';
import { count, LEVEL_PAINT, type Paint, plain, type Style } from '../style';
import {
  type AgainstReport,
  ownFaults,
  type PlacedCall,
  type PlacedComparison,
  RUN_STATES,
  type RunReport,
} from './runModel';
import { textReport } from './text';

const MARKS: Readonly<Record<CallReport['state'], { readonly mark: string; readonly paint: Paint }>> = {
  passed: { mark: '✓', paint: 'green' },
  failed: { mark: '✗', paint: 'red' },
  errored: { mark: '!', paint: 'red' },
  skipped: { mark: '-', paint: 'gray' },
};

/** Why a call did not pass, as one text. */
export function reasonText({ reason }: CallReport): string {
  return reason === undefined ? '' : render(reason);
}

/** Reasons that have words of their own, whatever the runner says. */
const SAID: ReadonlySet<string> = new Set(['exited', 'signal', 'timeout', 'start-timeout', 'canceled']);

/** Names of calls and tools get at most so much room in a table. */
const WIDEST = 60;
const NAMES = 28;

/** In files with more calls those that passed are only counted. */
const MOST_ROWS = 100;

/** The report of a run for people: a table per file, and below each call that did not pass what there is to say. */
export function runText({ files }: RunReport, style: Style): string {
  const blocks = files.map((each) => {
    const { file, calls, contracts } = each;
    const faults = textReport(
      ownFaults(each).filter(({ level }) => level === 'error' || level === 'warning'),
      style,
    );
    const names = widthOf(calls.map(({ report }) => report.name));
    const tools = widthOf(
      calls.map(({ report }) => toolWords(report)),
      NAMES,
    );
    const listed = calls.length <= MOST_ROWS ? calls : calls.filter(({ report }) => report.state !== 'passed');
    const unlisted = calls.length - listed.length;
    const rows = listed.map((call) => callText(file, call, { names, tools }, style));
    const rest = unlisted === 0 ? '' : `  ${style(MARKS.passed.mark, 'green')} ${count(unlisted, 'call')} passed\n`;
    return `${faults}${style(plain(file), 'bold')}\n${rest}${rows.join('')}${textReport(contracts, style)}`;
  });
  return blocks.join('\n');
}

interface Widths {
  readonly names: number;
  readonly tools: number;
}

function callText(file: string, call: PlacedCall, { names, tools }: Widths, style: Style): string {
  const { report } = call;
  const { mark, paint } = MARKS[report.state];
  const row = [
    `  ${style(mark, paint)}`,
    padded(report.name, names),
    style(padded(toolWords(report), tools), 'gray'),
    padded(verdicts(report), 24),
    style(duration(report.durationMs).padStart(8), 'gray'),
  ].join(' ');
  return `${row}\n${details(file, call, style)}`;
}

/** The tool as the call names it. */
function toolWords({ call, tool }: CallReport): string {
  return call.namespace ? `${call.namespace}.${tool}` : tool;
}

/** Contract and handler with a sign between: a dot, or the sign for a difference. */
function verdicts({ contract, handler }: CallReport): string {
  const sign = verdictsDiffer(contract, handler) ? '≠' : '·';
  return `${render(contractLabel(contract))} ${sign} ${render(handlerLabel(handler))}`;
}

/** What there is to say of a call: why it did not pass, findings with their places, feedback, values. */
function details(file: string, { report, at, findings }: PlacedCall, style: Style): string {
  const { state, handler, difference } = report;
  const lines: string[] = [];
  const line = (label: string, text: string, paint?: Paint): void => {
    lines.push(
      `      ${style(label.padEnd(10), 'gray')}${paint === undefined ? plain(text) : style(plain(text), paint)}`,
    );
  };
  const failed = state === 'failed' || state === 'errored';
  // That the contract refuses a call is no news where a rejection was expected.
  const expected: readonly unknown[] = report.expected === 'rejected' ? report.contract.findings : [];
  const worth = findings.filter(({ finding }) =>
    failed ? finding.level !== 'hint' && !expected.includes(finding) : finding.level === 'warning',
  );
  if (failed && !worth.some(({ finding }) => render(finding.message) === reasonText(report))) {
    const place = `${plain(file)}:${at.line}:${at.column}`;
    lines.push(`${place} ${style('error', 'red')} ${plain(reasonText(report))}`);
  } else if (state === 'skipped') line('skipped', reasonText(report));
  for (const { finding, at: place } of worth) {
    const { level, rule, message } = finding;
    const where = payloadPlace(finding);
    lines.push(
      `${plain(file)}:${place.line}:${place.column} ${style(level, LEVEL_PAINT[level])} ${plain(render(message))}${where} ${style(`[${rule}]`, 'gray')}`,
    );
  }
  if (failed) {
    if (difference !== undefined) {
      line('expected', shorten(emitJson(difference.expected), 200), 'green');
      line('actual', difference.actual === undefined ? 'nothing' : shorten(emitJson(difference.actual), 200), 'red');
    }
    if (handler.feedback !== undefined && !reasonText(report).includes(handler.feedback))
      line('feedback', shorten(handler.feedback, 400));
    const told = handler.reason !== undefined && SAID.has(handler.reason.kind);
    if (handler.detail !== undefined && !told && !reasonText(report).includes(handler.detail))
      line('handler', shorten(handler.detail, 400));
    for (const note of handler.notes.slice(-5)) line('note', shorten(note, 200));
  }
  return lines.map((text) => `${text}\n`).join('');
}

/** Where in the payload: ` (at /days)`, or line and column of a text of several lines. */
function payloadPlace({ pointer, line, column }: PlacedCall['findings'][number]['finding']): string {
  if (pointer !== undefined && pointer !== '') return ` (at ${plain(pointer)})`;
  return line === undefined || column === undefined ? '' : ` (at ${line}:${column} of the text)`;
}

/** The last line for people: `7 passed, 1 failed of 8 calls.` */
export function runSummary({ files, unread, summary }: RunReport): string {
  const calls = files.reduce((sum, file) => sum + file.calls.length, 0);
  const parts = RUN_STATES.filter((state) => summary[state] > 0).map(
    (state) => `${count(summary[state], state, state)}`,
  );
  const what = parts.length === 0 ? 'No calls were run' : `${parts.join(', ')} of ${count(calls, 'call')}`;
  const where = ` in ${count(files.length, 'file')}.`;
  return `${what}${where}${unread.length > 0 ? ` ${count(unread.length, 'path')} could not be read.` : ''}\n`;
}

/** What a changed definition does to a call, as a sentence. */
export function changeWords({ change, before, after }: CallComparison): string {
  switch (change) {
    case 'broken':
      return 'The old contract accepts this call, the new one refuses it.';
    case 'repaired':
      return 'The old contract refuses this call, the new one accepts it.';
    case 'added':
      return 'The old definitions have no tool that takes this call.';
    case 'removed':
      return 'The new definitions have no tool that takes this call.';
    case 'unclear':
      return before === undefined && after === undefined
        ? 'Neither the old nor the new definitions have a tool that takes this call.'
        : 'One of the contracts cannot be judged, so it is open what changed for this call.';
    default:
      return before?.verdict === 'accepted' && after?.verdict === 'accepted'
        ? 'Both contracts accept this call.'
        : 'Both contracts refuse this call.';
  }
}

/** The report of a comparison for people: every call that the two contracts judge differently. */
export function againstText({ files }: AgainstReport, style: Style): string {
  return files
    .flatMap(({ file, calls }) => calls.map((call) => comparisonText(file, call, style)))
    .filter((text) => text !== '')
    .join('');
}

function comparisonText(file: string, { comparison, at }: PlacedComparison, style: Style): string {
  const { change, name, after, before } = comparison;
  if (change === 'same' || change === 'unclear') return '';
  const bad = change === 'broken' || change === 'removed';
  const level = bad ? 'error' : 'info';
  const place = `${plain(file)}:${at.line}:${at.column}`;
  const head = `${place} ${style(level, LEVEL_PAINT[level])} ${plain(`"${name}"`)}: ${changeWords(comparison)} ${style(`[${change}]`, 'gray')}\n`;
  const reasons = (change === 'broken' ? after : change === 'repaired' ? before : undefined)?.findings ?? [];
  return `${head}${reasons
    .filter(({ level }) => level === 'error')
    .map((finding) => {
      const where = payloadPlace(finding);
      return `      ${plain(render(finding.message))}${where} ${style(`[${finding.rule}]`, 'gray')}\n`;
    })
    .join('')}`;
}

/** `1 broken, 2 repaired of 12 calls against git:main.` */
export function againstSummary({ against, files, summary }: AgainstReport): string {
  const calls = files.reduce((sum, file) => sum + file.calls.length, 0);
  const parts = (['broken', 'removed', 'repaired', 'added', 'unclear'] as const)
    .filter((change) => summary[change] > 0)
    .map((change) => count(summary[change], change, change));
  const what = parts.length === 0 ? 'No differences' : parts.join(', ');
  return `${what} in ${count(calls, 'call')} against ${plain(against)}.\n`;
}

function widthOf(texts: readonly string[], most = WIDEST): number {
  return Math.min(most, Math.max(1, ...texts.map((text) => [...plain(text)].length)));
}

function padded(text: string, width: number): string {
  const shown = shorten(plain(text), width);
  return shown + ' '.repeat(Math.max(0, width - [...shown].length));
}

function duration(milliseconds: number): string {
  if (milliseconds >= 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds < 1 ? '<1 ms' : `${Math.round(milliseconds).toLocaleString('en-US')} ms`;
}
