import { count, LEVEL_PAINT, plain, type Style } from '../style';
import type { CheckReport, ReportFinding } from './model';

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

/** The last line for people: `2 errors, 5 warnings in 10 tools of 1 file.` */
export function summaryLine({ summary, unread }: CheckReport, hiddenHints: boolean): string {
  const { files, tools, errors, warnings, infos, hints } = summary;
  const parts = [
    errors > 0 ? count(errors, 'error') : '',
    warnings > 0 ? count(warnings, 'warning') : '',
    infos > 0 ? count(infos, 'note') : '',
    hints > 0 ? `${count(hints, 'hint')}${hiddenHints ? ' (--hints shows them)' : ''}` : '',
  ].filter((part) => part !== '');
  const found = parts.length === 0 ? 'No findings' : parts.join(', ');
  const skipped = unread.length === 0 ? '' : ` ${count(unread.length, 'path')} could not be read.`;
  return `${found} in ${count(tools, 'tool')} of ${count(files, 'file')}.${skipped}`;
}
