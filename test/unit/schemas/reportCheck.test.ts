import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonReport } from '../../../server/src/cli/report/json';
import { fileReport, summarize } from '../../../server/src/cli/report/model';
import { createChecker } from '../../../server/src/core/check';
import { TARGETS } from '../../../server/src/core/profiles/targets';
import { compileSchema } from './support';

const validate = compileSchema('report-check.schema.json');
const folder = path.resolve(import.meta.dirname, '../../fixtures/tools');

interface Report {
  version: number;
  findings: Record<string, unknown>[];
  summary: Record<string, number>;
}

/** The report over every fixture, with every target switched on. */
function report(): Report {
  const checker = createChecker();
  const files = readdirSync(folder).map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const { set, findings } = checker.check({ uri: file, text }, { targets: TARGETS, syntax: true });
    return fileReport(file, { text, tools: set.tools.length, findings }, false);
  });
  return JSON.parse(jsonReport({ files, unread: [], summary: summarize(files), maxWarnings: undefined })) as Report;
}

describe('the schema of the report', () => {
  const whole = report();

  test('takes what the command line prints', () => {
    expect(whole.findings.length).toBeGreaterThan(20);
    expect(whole.summary['tools']).toBeGreaterThan(50);
    validate(whole);
    expect(validate.errors ?? []).toEqual([]);
  });

  test.each<[about: string, change: (report: Report) => void]>([
    ['another version', (each) => (each.version = 2)],
    ['a missing count', (each) => delete each.summary['hints']],
    ['a key too many', (each) => Object.assign(each, { tools: [] })],
    ['a missing key of a finding', (each) => delete each.findings[0]!['pointer']],
    ['an unknown level', (each) => (each.findings[0]!['level'] = 'fatal')],
    ['a line 0', (each) => ((each.findings[0]!['range'] as { start: { line: number } }).start.line = 0)],
    ['a pointer that is none', (each) => (each.findings[0]!['pointer'] = 'a/b')],
    ['an unknown target', (each) => (each.findings[0]!['targets'] = ['all'])],
  ])('refuses %s', (_about, change) => {
    const copy = structuredClone(whole);
    change(copy);
    expect(validate(copy)).toBe(false);
  });
});
