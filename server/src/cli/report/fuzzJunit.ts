import { render } from '../../core/text/message';
import { driftWords, type FuzzReport, type SearchedTool, searched, skippedWords, toolName } from './fuzzModel';
import { attribute, content } from './xml';

/** JUnit XML of a search: a suite per tool, a failure per drift, and one case that passes for a tool without drift. */
export function fuzzJunit(report: FuzzReport): string {
  const tools = searched(report);
  const suites = tools.map((tool) => suite(report.file, tool));
  const skipped = report.run.tools.filter((tool) => tool.skipped !== undefined);
  if (skipped.length > 0) {
    const cases = skipped.map((tool) => {
      const body = `      <skipped message="${attribute(skippedWords(tool))}"/>`;
      return `    <testcase classname="${attribute(report.file)}" name="${attribute(toolName(tool))}">\n${body}\n    </testcase>`;
    });
    const counts = `tests="${cases.length}" failures="0" errors="0" skipped="${cases.length}"`;
    suites.push(`  <testsuite name="not searched" ${counts}>\n${cases.join('\n')}\n  </testsuite>`);
  }
  const failures = tools.reduce((sum, tool) => sum + tool.report.drifts.length, 0);
  const tests = tools.reduce((sum, tool) => sum + Math.max(1, tool.report.drifts.length), skipped.length);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="toolspec fuzz" tests="${tests}" failures="${failures}" errors="0">`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(file: string, tool: SearchedTool): string {
  const { drifts } = tool.report;
  const head = (name: string): string => `    <testcase classname="${attribute(file)}" name="${attribute(name)}"`;
  const cases = drifts.map((drift, i) => {
    const rule = drift.kind === 'contract-accepts' ? 'call/parser-rejects' : 'call/parser-accepts';
    const text = content(`${driftWords(drift)}\nInput: ${JSON.stringify(drift.input)}\n${drift.feedback}`);
    const failure = `      <failure type="${rule}" message="${attribute(drift.feedback)}">${text}</failure>`;
    return `${head(`drift ${i + 1}: ${drift.signature}`)}>\n${failure}\n    </testcase>`;
  });
  if (cases.length === 0) cases.push(`${head('no drift')}/>`);
  const counts = `tests="${cases.length}" failures="${drifts.length}" errors="0" skipped="0"`;
  if (tool.remarks.length > 0) {
    cases.push(`    <system-out>${content(tool.remarks.map((each) => render(each)).join('\n'))}</system-out>`);
  }
  return `  <testsuite name="${attribute(toolName(tool))}" ${counts}>\n${cases.join('\n')}\n  </testsuite>`;
}
