import type { CallComparison } from '../../core/calls/against';
import { contractDrift, toolSpan } from '../../core/calls/contractDrift';
import { callSpan, findingSpan } from '../../core/calls/place';
import type { CallFinding, CallReport } from '../../core/calls/report';
import { unsuitedFinding } from '../../core/rules/sample/configHandlers';
import { unsuitedReport } from '../../core/rules/sample/unsuited';
import type { SamplesRun } from '../../core/runSamples';
import type { Finding, RuleLevel } from '../../core/text/finding';
import type { JsonNode } from '../../core/text/json';
import { pointerOf } from '../../core/text/jsonTree';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import {
  type FileReport,
  type ReportFinding,
  type ReportPoint,
  reportFinding,
  reportRange,
  type UnreadFile,
} from './model';

/** States of calls, in the order in which they are counted. */
export const RUN_STATES = ['passed', 'failed', 'errored', 'skipped'] as const;

/** How many calls ended in each state. */
export type RunSummary = Record<CallReport['state'], number>;

/** A finding about a call with its place in the samples file. */
export interface PlacedFinding {
  readonly finding: CallFinding;
  readonly at: ReportPoint;
}

/** A call that was run, with its place in the samples file. */
export interface PlacedCall {
  readonly report: CallReport;
  readonly at: ReportPoint;
  /** Of the contract, then of the call. */
  readonly findings: readonly PlacedFinding[];
}

/** What came of a samples file. */
export interface RunFile {
  /** Path relative to the working directory, with `/`. */
  readonly file: string;
  readonly calls: readonly PlacedCall[];
  /** What is wrong with the file itself. */
  readonly check: FileReport;
  /** Where handlers differ from the contracts of their tools, at the contracts. */
  readonly contracts: readonly ReportFinding[];
}

/** Everything that `run` found out. */
export interface RunReport {
  readonly files: readonly RunFile[];
  readonly unread: readonly UnreadFile[];
  readonly summary: RunSummary;
}

/** A stored call by old and new contract, with its place in the samples file. */
export interface PlacedComparison {
  readonly comparison: CallComparison;
  readonly at: ReportPoint;
}

/** What changed definitions do to the calls of a samples file. */
export interface AgainstFile {
  readonly file: string;
  readonly calls: readonly PlacedComparison[];
}

/** Everything that `run --against` found out. */
export interface AgainstReport {
  /** What was typed: a file, or `git:REF`. */
  readonly against: string;
  readonly files: readonly AgainstFile[];
  readonly unread: readonly UnreadFile[];
  readonly summary: Record<CallComparison['change'], number>;
}

/** Puts the reports of a file at their places. */
export function placedCalls(reports: readonly CallReport[], text: string): PlacedCall[] {
  const lines = new LineIndex(text);
  const at = (offset: number): ReportPoint => {
    const { line, character } = lines.position(offset);
    return { line: line + 1, column: character + 1, offset };
  };
  return reports.map((report) => ({
    report,
    at: at(callSpan(report.call).start),
    findings: [...report.contract.findings, ...report.findings].map((finding) => ({
      finding,
      at: at(findingSpan(report.call, finding, text).start),
    })),
  }));
}

/**
 * Where handlers differ from contracts, at the definitions of the tools.
 *
 * @param shown how reports name a file
 */
export function contractFindings(
  { reports, definitions }: SamplesRun,
  samples: { readonly file: string; readonly text: string },
  shown: (file: string) => string,
): ReportFinding[] {
  const lines = new LineIndex(samples.text);
  return contractDrift(reports).flatMap(({ uri, tool, first, message, calls }): ReportFinding[] => {
    const loaded = definitions.loaded.find((each) => each.uri === uri);
    if (loaded === undefined) return [];
    const range = reportRange(toolSpan(tool), new LineIndex(loaded.set.document.text));
    const related = calls.map(({ call, finding }) => ({
      file: samples.file,
      range: reportRange(callSpan(call.call), lines),
      message: render(finding.message),
    }));
    const { rule, level } = first;
    const file = shown(uri);
    const pointer = pointerOf(tool.node);
    return [
      { file, rule, level, message: render(message), targets: [], tool: tool.name, pointer, range, related, fixes: [] },
    ];
  });
}

/**
 * Handlers of the config file that can say nothing about the tools that they are named for, at their places there. What
 * samples files and definitions name is told by their own checks.
 *
 * @param level what the config file makes of the rule
 */
export async function configFindings(
  { reports }: SamplesRun,
  config: { readonly file: string; readonly level: RuleLevel | undefined } | undefined,
  read: (file: string) => Promise<string | undefined>,
  shown: (file: string) => string,
): Promise<ReportFinding[]> {
  const found = new Map<JsonNode, Finding>();
  for (const { handler, target } of reports) {
    const { reason } = handler;
    if (target === undefined || reason === undefined || !('message' in reason) || reason.entry === undefined) continue;
    const { entry, message } = reason;
    if (entry.from !== config?.file || found.has(entry.node)) continue;
    const report = { ...unsuitedReport(entry.node, message, target.tool), tool: target.tool.name };
    for (const finding of unsuitedFinding(report, config.level)) found.set(entry.node, finding);
  }
  const text = config === undefined || found.size === 0 ? undefined : await read(config.file);
  if (text === undefined) return [];
  const lines = new LineIndex(text);
  return [...found.values()].map((finding) => reportFinding(shown(config!.file), finding, lines, false));
}

/** Puts comparisons at their places. */
export function placedComparisons(comparisons: readonly CallComparison[], text: string): PlacedComparison[] {
  const lines = new LineIndex(text);
  return comparisons.map((comparison) => {
    const { start } = callSpan(comparison.call);
    const { line, character } = lines.position(start);
    return { comparison, at: { line: line + 1, column: character + 1, offset: start } };
  });
}

/** Rules of the file's check that say of a call what its run says too. */
const TOLD_BY_RUN: ReadonlySet<string> = new Set(['sample/unknown-tool', 'call/wrong-kind']);

/** Faults of the file that no call tells. */
export function ownFaults({ check }: RunFile): readonly ReportFinding[] {
  return check.findings.filter(
    ({ rule, pointer }) => !(TOLD_BY_RUN.has(rule) && pointer?.startsWith('/calls/') === true),
  );
}

/** Counts calls by their states. */
export function summarizeRun(files: readonly RunFile[]): RunSummary {
  const summary: RunSummary = { passed: 0, failed: 0, errored: 0, skipped: 0 };
  for (const { calls } of files) for (const { report } of calls) summary[report.state]++;
  return summary;
}

/** Whether the run is one to fail a build: a call that failed or could not be run, or a fault of a samples file. */
export function runFails({ files, summary }: RunReport): boolean {
  if (summary.failed > 0 || summary.errored > 0) return true;
  return files.some((file) => ownFaults(file).some(({ level }) => level === 'error'));
}

/** Whether old callers break: a call that was accepted is refused now, or its tool is gone. */
export function againstFails({ summary }: AgainstReport): boolean {
  return summary.broken > 0 || summary.removed > 0;
}
