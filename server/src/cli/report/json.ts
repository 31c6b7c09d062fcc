import { allFindings, type CheckReport, type ReportFinding } from './model';

/** The JSON report, version 1: compact, with the keys in the documented order. */
export function jsonReport(report: CheckReport): string {
  return `${JSON.stringify({ version: 1, findings: allFindings(report).map(findingJson), summary: report.summary })}\n`;
}

/** A finding as JSON reports hold it. */
export function findingJson(finding: ReportFinding): object {
  return {
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
  };
}
