import { type CheckReport, type FileReport, fails, type ReportFinding, type UnreadFile } from './model';
import { attribute, content } from './xml';

/**
 * JUnit XML: a suite per file, a case per finding, and one case that passes for a file without findings. A case fails
 * exactly where the finding makes the command exit with 1; what else was found stands in its output.
 */
export function junitReport(report: CheckReport): string {
  const suites = report.files.map((file) => fileSuite(file, report));
  const unread = report.unread.map(unreadSuite);
  const all = [...suites, ...unread];
  const total = (key: 'tests' | 'failures' | 'errors'): number => all.reduce((sum, suite) => sum + suite[key], 0);
  const counts = `tests="${total('tests')}" failures="${total('failures')}" errors="${total('errors')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="toolspec" ${counts}>`,
    ...all.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly xml: string;
}

function fileSuite({ file, findings }: FileReport, report: CheckReport): Suite {
  const failures = findings.filter(({ level }) => fails(level, report)).length;
  const cases =
    findings.length === 0
      ? [`    <testcase classname="${attribute(file)}" name="no findings"/>`]
      : findings.map((finding) => findingCase(finding, fails(finding.level, report)));
  return suite(file, cases, failures, 0);
}

function findingCase(finding: ReportFinding, failed: boolean): string {
  const { file, rule, level, message, range } = finding;
  const place = `${range.start.line}:${range.start.column}`;
  const head = `    <testcase classname="${attribute(file)}" name="${attribute(`${rule} at ${place}`)}">`;
  const text = content(`${file}:${place} ${level} ${message} [${rule}]`);
  const body = failed
    ? `      <failure type="${attribute(rule)}" message="${attribute(message)}">${text}</failure>`
    : `      <system-out>${text}</system-out>`;
  return `${head}\n${body}\n    </testcase>`;
}

function unreadSuite({ file, failure }: UnreadFile): Suite {
  const message = `${file} ${failure}.`;
  const error = `      <error type="unreadable" message="${attribute(message)}"/>`;
  const xml = `    <testcase classname="${attribute(file)}" name="readable">\n${error}\n    </testcase>`;
  return suite(file, [xml], 0, 1);
}

function suite(file: string, cases: readonly string[], failures: number, errors: number): Suite {
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="0"`;
  const xml = `  <testsuite name="${attribute(file)}" ${counts}>\n${cases.join('\n')}\n  </testsuite>`;
  return { tests: cases.length, failures, errors, xml };
}
