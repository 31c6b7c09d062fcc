import { count, LEVEL_PAINT, plain, type Style } from '../style';
import { allFindings, type CheckReport, type ReportFinding, tooManyWarnings } from './model';

/** One line per finding: `path:line:col level message [rule]`. */
export function textReport(findings: readonly ReportFinding[], style: Style): string {
  return findings
    .map(({ file, range, level, message, rule }) => {
      const { line, column } = range.start;
      const place = `${plain(file)}:${line}:${column}`;
      return `${place} ${style(level, LEVEL_PAINT[level])} ${plain(message)} ${style(`[${rule}]`, 'gray')}\n`;
    })
    .join('');
}

/** What the summary says beside its counts. */
export interface SummaryOptions {
  /** Hints were found but not shown. */
  readonly hiddenHints: boolean;
  /** Say how much `--fix` would take away. */
  readonly offerFix: boolean;
}

/** The last lines for people: `2 errors, 5 warnings in 10 tools of 1 file.` */
export function summaryText(report: CheckReport, { hiddenHints, offerFix }: SummaryOptions): string {
  const { summary, unread, maxWarnings } = report;
  const { errors, warnings, infos, hints } = summary;
  const parts = [
    errors > 0 ? count(errors, 'error') : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    infos > 0 ? count(infos, 'note') : '',
    hints > 0 ? `${count(hints, 'hint')}${hiddenHints ? ' (--hints shows them)' : ''}` : '',
  ].filter((part) => part !== '');
  const found = parts.length === 0 ? 'No findings' : parts.join(', ');
  const lines = [`${found} in ${whereText(report)}.`];
  const unwritten = unread.filter((each) => each.unwritten === true).length;
  if (unread.length > unwritten) lines[0] += ` ${count(unread.length - unwritten, 'path')} could not be read.`;
  if (unwritten > 0) lines[0] += ` ${count(unwritten, 'file')} could not be written.`;
  const fixable = !offerFix ? 0 : allFindings(report).filter(({ fixes }) => fixes.some(({ safe }) => safe)).length;
  if (fixable > 0) lines.push(`${count(fixable, 'finding')} can be fixed with --fix.`);
  if (tooManyWarnings(report)) {
    lines.push(
      `${count(warnings, 'warning')} where --max-warnings allows ${(maxWarnings ?? 0).toLocaleString('en-US')}.`,
    );
  }
  return `${lines.join('\n')}\n`;
}

/** `10 tools of 2 files, 3 sample calls and 1 grammar`. */
function whereText({ files, summary }: CheckReport): string {
  const grammars = files.filter(({ tools }) => tools === undefined).length;
  const samples = files.filter(({ calls }) => calls !== undefined);
  const others = files.length - grammars - samples.length;
  const calls = samples.reduce((sum, file) => sum + (file.calls ?? 0), 0);
  const parts = [
    others > 0 || files.length === 0 ? `${count(summary.tools, 'tool')} of ${count(others, 'file')}` : '',
    samples.length > 0 ? `${count(calls, 'sample call')}` : '',
    grammars > 0 ? count(grammars, 'grammar') : '',
  ].filter((part) => part !== '');
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}
