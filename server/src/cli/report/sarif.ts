import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ruleById } from '../../core/rules/registry';
import type { Level } from '../../core/text/finding';
import { allFindings, type CheckReport, type ReportFinding, type ReportRange } from './model';

/** SARIF knows three levels that count. What editors call info and hint are notes; the exact level is in `properties`. */
const LEVELS: Readonly<Record<Level, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Paths start at the working directory. Where that is on this machine is nobody else's business. */
const BASE = '%SRCROOT%';

/** What the SARIF report needs to know beside the findings. */
export interface SarifContext {
  readonly version: string;
  readonly cwd: string;
  /** The exit code that the command will have. */
  readonly exitCode: number;
  /** The page of documentation of a rule. */
  link(rule: string): string;
}

/** The report as a SARIF 2.1.0 log with one run. */
export function sarifReport(report: CheckReport, context: SarifContext): string {
  const findings = allFindings(report);
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const ruleIndex = new Map(rules.map((rule, index) => [rule, index]));
  const fingerprints = new Map<string, number>();
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'ToolSpec',
            version: context.version,
            semanticVersion: context.version,
            rules: rules.map((rule) => descriptor(rule, context)),
          },
        },
        invocations: [
          {
            executionSuccessful: report.unread.length === 0,
            exitCode: context.exitCode,
            ...(report.unread.length === 0 ? {} : { toolExecutionNotifications: notifications(report, context.cwd) }),
          },
        ],
        originalUriBaseIds: { [BASE]: { description: { text: 'The working directory of the run.' } } },
        artifacts: report.files.map(({ file }) => ({ location: location(file, context.cwd) })),
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: ruleIndex.get(finding.rule),
          level: LEVELS[finding.level],
          message: { text: finding.message },
          locations: [
            {
              physicalLocation: physicalLocation(finding.file, finding.range, context.cwd),
              ...(finding.tool === undefined ? {} : { logicalLocations: [{ name: finding.tool, kind: 'function' }] }),
            },
          ],
          ...relatedLocations(finding, context.cwd),
          partialFingerprints: { 'toolspecFinding/v1': fingerprint(finding, fingerprints) },
          ...fixes(finding, context.cwd),
          properties: {
            level: finding.level,
            targets: finding.targets,
            ...(finding.pointer === undefined ? {} : { pointer: finding.pointer }),
          },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function descriptor(id: string, context: SarifContext): object {
  const summary = ruleById(id)?.summary;
  return {
    id,
    ...(summary === undefined ? {} : { shortDescription: { text: `${summary}.` } }),
    helpUri: context.link(id),
  };
}

function notifications(report: CheckReport, cwd: string): object[] {
  return report.unread.map(({ file, failure }) => ({
    level: 'error',
    message: { text: `${file} ${failure}.` },
    locations: [{ physicalLocation: { artifactLocation: location(file, cwd) } }],
  }));
}

function relatedLocations(finding: ReportFinding, cwd: string): object {
  if (finding.related.length === 0) return {};
  return {
    relatedLocations: finding.related.map(({ file, range, message }, id) => ({
      id,
      physicalLocation: physicalLocation(file, range, cwd),
      message: { text: message },
    })),
  };
}

function fixes(finding: ReportFinding, cwd: string): object {
  const usable = finding.fixes.filter(({ edits }) => edits.length > 0);
  if (usable.length === 0) return {};
  return {
    fixes: usable.map(({ title, edits }) => ({
      description: { text: title },
      artifactChanges: [
        {
          artifactLocation: location(finding.file, cwd),
          replacements: edits.map(({ range, newText }) => ({
            deletedRegion: region(range),
            ...(newText === '' ? {} : { insertedContent: { text: newText } }),
          })),
        },
      ],
    })),
  };
}

function physicalLocation(file: string, range: ReportRange, cwd: string): object {
  return { artifactLocation: location(file, cwd), region: region(range) };
}

/** A file below the working directory gets a path relative to it, any other one its absolute place. */
function location(file: string, cwd: string): object {
  const outside = file === '..' || file.startsWith('../') || path.isAbsolute(file);
  if (outside) return { uri: pathToFileURL(path.resolve(cwd, file)).href };
  return { uri: file.split('/').map(encodeURIComponent).join('/'), uriBaseId: BASE };
}

function region({ start, end }: ReportRange): object {
  return {
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
    charOffset: start.offset,
    charLength: end.offset - start.offset,
  };
}

/**
 * Stays the same while lines move, so that a service recognizes a finding in the next run: made of the rule, the file and
 * the place in the tree. Repeats are numbered.
 */
function fingerprint({ rule, file, tool, pointer }: ReportFinding, seen: Map<string, number>): string {
  const inTool = tool === undefined ? pointer : pointer?.replace(/^(?:\/[a-zA-Z]+)?\/\d+(?=\/|$)/, '');
  const key = JSON.stringify([rule, file, tool, inTool]);
  const repeat = seen.get(key) ?? 0;
  seen.set(key, repeat + 1);
  return `${createHash('sha256').update(key).digest('hex').slice(0, 32)}:${repeat}`;
}
