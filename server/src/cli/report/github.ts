import type { Level } from '../../core/text/finding';
import type { ReportFinding } from './model';

const COMMANDS: Readonly<Record<Level, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** Workflow commands of GitHub Actions, which show findings at their lines in a change. */
export function githubReport(findings: readonly ReportFinding[]): string {
  return findings
    .map(({ file, rule, level, message, range: { start, end } }) => {
      // GitHub takes columns only when the range lies in one line.
      const columns = start.line === end.line ? `,col=${start.column},endColumn=${end.column}` : '';
      const place = `file=${escapeProperty(file)},line=${start.line},endLine=${end.line}${columns}`;
      return `::${COMMANDS[level]} ${place},title=${escapeProperty(rule)}::${escapeData(message)}\n`;
    })
    .join('');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
