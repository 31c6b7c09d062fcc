import type { Finding, Level, TextEdit } from '../../core/text/finding';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import type { Span } from '../../core/text/span';

/** A place as reports give it: line and column from 1, offset from 0, in UTF-16 units. A byte order mark is not counted. */
export interface ReportPoint {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

/** A part of a text; `end` lies behind its last character. */
export interface ReportRange {
  readonly start: ReportPoint;
  readonly end: ReportPoint;
}

/** A change that a fix makes. */
export interface ReportEdit {
  readonly range: ReportRange;
  readonly newText: string;
}

/** A fix; its edits are made only for the formats that show them. */
export interface ReportFix {
  readonly title: string;
  /** Keeps the meaning, so `--fix` applies it. */
  readonly safe: boolean;
  readonly edits: readonly ReportEdit[];
}

/** A finding with its texts rendered and its places counted. */
export interface ReportFinding {
  /** Path relative to the working directory, with `/`. */
  readonly file: string;
  readonly rule: string;
  readonly level: Level;
  readonly message: string;
  readonly targets: readonly string[];
  readonly tool: string | undefined;
  readonly pointer: string | undefined;
  readonly range: ReportRange;
  readonly related: readonly { readonly file: string; readonly range: ReportRange; readonly message: string }[];
  readonly fixes: readonly ReportFix[];
}

/** A checked file as its report needs it. */
export interface CheckedFile {
  readonly text: string;
  /** How many tools it has; `undefined` for a grammar. */
  readonly tools: number | undefined;
  /** How many calls a samples file has; absent for other files. */
  readonly calls?: number;
  readonly findings: readonly Finding[];
}

/** What was found in one file. It holds no part of the file's tree, so that memory stays small over many files. */
export interface FileReport {
  readonly file: string;
  /** `undefined` for a grammar. */
  readonly tools: number | undefined;
  /** Absent for files that hold no sample calls. */
  readonly calls?: number;
  readonly findings: readonly ReportFinding[];
}

/** A path that could not be read, and why: "does not exist". */
export interface UnreadFile {
  readonly file: string;
  readonly failure: string;
  /** It could be read, and what was to be changed in it could not be written. */
  readonly unwritten?: boolean;
}

/** Counts over all files, under the names of the JSON report. */
export interface Summary {
  files: number;
  tools: number;
  errors: number;
  warnings: number;
  infos: number;
  hints: number;
}

/** Everything that `check` found out. */
export interface CheckReport {
  readonly files: readonly FileReport[];
  readonly unread: readonly UnreadFile[];
  readonly summary: Summary;
  /** How many warnings are fine; `undefined` for any number. */
  readonly maxWarnings: number | undefined;
}

const COUNTERS = { error: 'errors', warning: 'warnings', info: 'infos', hint: 'hints' } as const;

/** The report of one checked file. `withEdits` also makes the edits of each fix, which costs time. */
export function fileReport(file: string, checked: CheckedFile, withEdits: boolean): FileReport {
  const lines = new LineIndex(checked.text);
  return {
    file,
    tools: checked.tools,
    ...(checked.calls === undefined ? {} : { calls: checked.calls }),
    findings: checked.findings.map((finding) => reportFinding(file, finding, lines, withEdits)),
  };
}

/** A finding in a file as reports have it. `withEdits` also makes the edits of each fix. */
export function reportFinding(file: string, finding: Finding, lines: LineIndex, withEdits: boolean): ReportFinding {
  const { rule, level, message, targets, tool, pointer, span, related, fixes } = finding;
  return {
    file,
    rule,
    level,
    message: render(message),
    targets,
    tool,
    pointer,
    range: reportRange(span, lines),
    related: related.map((place) => ({ file, range: reportRange(place.span, lines), message: render(place.message) })),
    fixes: fixes.map((fix) => ({
      title: render(fix.title),
      safe: fix.safe,
      edits: withEdits ? fix.edits().map((edit) => reportEdit(edit, lines)) : [],
    })),
  };
}

function reportEdit({ span, newText }: TextEdit, lines: LineIndex): ReportEdit {
  return { range: reportRange(span, lines), newText };
}

/** A span as reports have it. */
export function reportRange({ start, end }: Span, lines: LineIndex): ReportRange {
  return { start: reportPoint(start, lines), end: reportPoint(end, lines) };
}

function reportPoint(offset: number, lines: LineIndex): ReportPoint {
  const { line, character } = lines.position(offset);
  return { line: line + 1, column: character + 1, offset };
}

/** Counts files, tools and findings per level. */
export function summarize(files: readonly FileReport[]): Summary {
  const summary: Summary = { files: files.length, tools: 0, errors: 0, warnings: 0, infos: 0, hints: 0 };
  for (const { tools, findings } of files) {
    summary.tools += tools ?? 0;
    for (const { level } of findings) summary[COUNTERS[level]]++;
  }
  return summary;
}

/** Whether the warnings are too many. */
export function tooManyWarnings({ summary, maxWarnings }: CheckReport): boolean {
  return maxWarnings !== undefined && summary.warnings > maxWarnings;
}

/** Whether a finding of this level makes the check fail. */
export function fails(level: Level, report: CheckReport): boolean {
  return level === 'error' || (level === 'warning' && tooManyWarnings(report));
}

/** Every finding, in the order of the files. */
export function allFindings(report: CheckReport): ReportFinding[] {
  return report.files.flatMap(({ findings }) => findings);
}
