import { allFindings, type CheckReport } from './model';

/** The JSON report, version 1: compact, with the keys in the documented order. */
export function jsonReport(report: CheckReport): string {
  const findings = allFindings(report).map((finding) => ({
    file: finding.file,
    rule: finding.rule,
    level: finding.level,
    message: finding.message,
    targets: finding.targets,
    tool: finding.tool ?? null,
    pointer: finding.pointer ?? null,
    range: finding.range,
    related: finding.related,
    fixes: finding.fixes.map(({ title }) => title),
  }));
  return `${JSON.stringify({ version: 1, findings, summary: report.summary })}\n`;
}
