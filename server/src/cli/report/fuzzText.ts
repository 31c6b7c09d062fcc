import type { Drift } from '../../core/calls/drift/model';
import { render } from '../../core/text/message';
import { count, plain, type Style } from '../style';
import { driftWords, type FuzzReport, type SearchedTool, searched, skippedWords, toolName } from './fuzzModel';

/** Lines of an input, and characters of a line, that are shown. */
const MOST_LINES = 12;
const MOST_WIDTH = 160;
/** Uncovered branches that are named. */
const MOST_MISSING = 10;

/** The report of `fuzz` for people: each drift with its smallest input and both verdicts, then what was covered. */
export function fuzzText(report: FuzzReport, style: Style): string {
  const blocks: string[] = [];
  for (const tool of searched(report)) {
    tool.report.drifts.forEach((drift, i) => {
      blocks.push(driftText(tool, drift, i + 1, style));
    });
    blocks.push(toolText(tool, style));
  }
  for (const tool of report.run.tools) {
    if (tool.skipped !== undefined)
      blocks.push(`${style(plain(toolName(tool)), 'bold')} was not searched: ${skippedWords(tool)}`);
  }
  return blocks.map((block) => `${block}\n`).join('\n');
}

function driftText(tool: SearchedTool, drift: Drift, number: number, style: Style): string {
  const { kind, input, contract, handler } = drift;
  const level = kind === 'contract-accepts' ? style('error', 'red') : style('warning', 'yellow');
  const rule = kind === 'contract-accepts' ? 'call/parser-rejects' : 'call/parser-accepts';
  const lines = [`${style(plain(toolName(tool)), 'bold')} #${number} ${level} ${driftWords(drift)} [${rule}]`];
  lines.push(...inputLines(input, style));
  const says = (feedback: string): string => (feedback === '' ? '' : `: ${plain(feedback)}`);
  const side = contract.accepted ? `accepted${contract.lost ? ' by the compiled schema alone' : ''}` : 'rejected';
  lines.push(`  contract  ${side}${says(contract.feedback)}`);
  lines.push(`  handler   ${handler.verdict}${says(handler.feedback)}`);
  return lines.join('\n');
}

function inputLines(input: string, style: Style): string[] {
  if (input === '') return [`  ${style('(the empty text)', 'gray')}`];
  const lines = input.split('\n');
  const shown = lines.slice(0, MOST_LINES).map((line, i) => {
    const end = i < lines.length - 1 ? '↵' : '';
    const text = visible(line);
    const cut = text.length > MOST_WIDTH ? `${text.slice(0, MOST_WIDTH - 1)}…` : text;
    return `  ${style('│', 'gray')} ${cut}${style(end, 'gray')}`;
  });
  if (lines.length > MOST_LINES) shown.push(`  ${style(`… ${count(lines.length - MOST_LINES, 'line')} more`, 'gray')}`);
  return shown;
}

/** A line with what nobody would see in it: blanks at its end, other white space, control characters. */
function visible(line: string): string {
  return plain(line.replaceAll('\r', '␍').replaceAll('\t', '→')).replace(/[ \u00a0]+$/, (blanks) =>
    '·'.repeat(blanks.length),
  );
}

function toolText(tool: SearchedTool, style: Style): string {
  const { runs, accepted, taken, open, drifts, unlisted, coverage, canceled } = tool.report;
  const found = drifts.length === 0 ? 'no drift' : count(drifts.length + unlisted, 'drift');
  const lines = [
    `${style(plain(toolName(tool)), 'bold')}: ${found} in ${count(runs, 'run')}${canceled ? ', canceled' : ''}.`,
    `  The contract accepts ${count(accepted, 'input')} of the search, the handler ${taken.toLocaleString('en-US')}.`,
  ];
  if (unlisted > 0) lines.push(`  ${count(unlisted, 'drift')} more than are listed.`);
  if (open > 0) lines.push(`  The contract could not judge ${count(open, 'input')}.`);
  if (coverage.total > 0) {
    const percent = Math.floor((coverage.covered / coverage.total) * 100);
    const share = `${coverage.covered.toLocaleString('en-US')} of ${count(coverage.total, 'branch', 'branches')}`;
    lines.push(`  Accepted inputs cover ${share} (${percent} %).`);
    for (const missing of coverage.missing.slice(0, MOST_MISSING))
      lines.push(`    not covered: ${plain(render(missing))}`);
    const more = coverage.missing.length - MOST_MISSING;
    if (more > 0) lines.push(`    and ${more.toLocaleString('en-US')} more`);
  }
  for (const remark of tool.remarks) lines.push(`  ${plain(render(remark))}`);
  return lines.join('\n');
}
