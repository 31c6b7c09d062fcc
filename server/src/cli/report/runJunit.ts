import { verdictsLine } from '../../core/calls/verdictWords';
import { render } from '../../core/text/message';
import { type AgainstReport, ownFaults, type PlacedCall, type PlacedComparison, type RunReport } from './runModel';
import { changeWords, reasonText } from './runText';
import { attribute, content } from './xml';

interface Case {
  readonly state: 'passed' | 'failure' | 'error' | 'skipped';
  readonly xml: string;
  readonly seconds: number;
}

/**
 * JUnit XML of a run: a suite per samples file, a case per call. Calls that failed have a `failure`, those that could
 * not be run an `error`. Faults of the file itself are cases of their own.
 */
export function runJunit(report: RunReport): string {
  const suites = report.files.map((each) => {
    const { file, calls } = each;
    const faults = ownFaults(each)
      .filter(({ level }) => level === 'error')
      .map(({ rule, message, range }): Case => {
        const place = `${range.start.line}:${range.start.column}`;
        const head = `    <testcase classname="${attribute(file)}" name="${attribute(`${rule} at ${place}`)}">`;
        const text = content(`${file}:${place} error ${message} [${rule}]`);
        const failure = `      <failure type="${attribute(rule)}" message="${attribute(message)}">${text}</failure>`;
        return { state: 'failure', seconds: 0, xml: `${head}\n${failure}\n    </testcase>` };
      });
    return suite(file, [...faults, ...calls.map((call) => callCase(file, call))]);
  });
  return document([...suites, ...report.unread.map(unreadSuite)]);
}

function callCase(file: string, { report, at, findings }: PlacedCall): Case {
  const seconds = report.durationMs / 1000;
  const head = `    <testcase classname="${attribute(file)}" name="${attribute(report.name)}" time="${seconds.toFixed(3)}"`;
  const { state } = report;
  if (state === 'passed') return { state, seconds, xml: `${head}/>` };
  const reason = reasonText(report);
  if (state === 'skipped') {
    const body = `      <skipped message="${attribute(reason)}"/>`;
    return { state, seconds, xml: `${head}>\n${body}\n    </testcase>` };
  }
  const element = state === 'failed' ? 'failure' : 'error';
  const rule = findings.find(({ finding }) => finding.level === 'error')?.finding.rule;
  const { verdict, reason: why } = report.handler;
  const stopped = state === 'errored' && verdict !== 'none' ? why?.kind : undefined;
  const type = stopped ?? rule ?? (state === 'errored' ? 'not-run' : 'expectation');
  const lines = [
    `${file}:${at.line}:${at.column} ${reason}`,
    render(verdictsLine(report)),
    ...findings.map(
      ({ finding, at: place }) =>
        `${file}:${place.line}:${place.column} ${finding.level} ${render(finding.message)} [${finding.rule}]`,
    ),
    ...(report.handler.feedback === undefined ? [] : [`Feedback: ${report.handler.feedback}`]),
    ...report.handler.notes,
  ];
  const text = content(lines.join('\n'));
  const body = `      <${element} type="${attribute(type)}" message="${attribute(reason)}">${text}</${element}>`;
  return { state: element, seconds, xml: `${head}>\n${body}\n    </testcase>` };
}

/** JUnit XML of a comparison: a call that old callers can no longer make is a failure. */
export function againstJunit(report: AgainstReport): string {
  const suites = report.files.map(({ file, calls }) =>
    suite(
      file,
      calls.map((call) => comparisonCase(file, call)),
    ),
  );
  return document([...suites, ...report.unread.map(unreadSuite)]);
}

function comparisonCase(file: string, { comparison, at }: PlacedComparison): Case {
  const head = `    <testcase classname="${attribute(file)}" name="${attribute(comparison.name)}"`;
  const { change } = comparison;
  const words = changeWords(comparison);
  if (change !== 'broken' && change !== 'removed') return { state: 'passed', seconds: 0, xml: `${head}/>` };
  const reasons = (comparison.after?.findings ?? []).map(
    ({ rule, level, message }) => `${level} ${render(message)} [${rule}]`,
  );
  const text = content([`${file}:${at.line}:${at.column} ${words}`, ...reasons].join('\n'));
  const body = `      <failure type="${change}" message="${attribute(words)}">${text}</failure>`;
  return { state: 'failure', seconds: 0, xml: `${head}>\n${body}\n    </testcase>` };
}

function unreadSuite({ file, failure }: { readonly file: string; readonly failure: string }): string {
  const head = `    <testcase classname="${attribute(file)}" name="readable">`;
  const error = `      <error type="unreadable" message="${attribute(`${file} ${failure}.`)}"/>`;
  return suite(file, [{ state: 'error', seconds: 0, xml: `${head}\n${error}\n    </testcase>` }]);
}

function suite(name: string, cases: readonly Case[]): string {
  const number = (state: Case['state']): number => cases.filter((each) => each.state === state).length;
  const counts = `tests="${cases.length}" failures="${number('failure')}" errors="${number('error')}" skipped="${number('skipped')}"`;
  const seconds = cases.reduce((sum, each) => sum + each.seconds, 0);
  const inner = cases.map(({ xml }) => `\n${xml}`).join('');
  return `  <testsuite name="${attribute(name)}" ${counts} time="${seconds.toFixed(3)}">${inner}\n  </testsuite>`;
}

function document(suites: readonly string[]): string {
  const total = (key: string): number =>
    suites.reduce((sum, xml) => sum + Number(new RegExp(`^  <testsuite [^>]* ${key}="(\\d+)"`).exec(xml)?.[1] ?? 0), 0);
  const counts = `tests="${total('tests')}" failures="${total('failures')}" errors="${total('errors')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="toolspec" ${counts} skipped="${total('skipped')}">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}
