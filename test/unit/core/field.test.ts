import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../server/src/core/check';
import type { Target } from '../../../server/src/core/profiles/targets';
import type { Finding } from '../../../server/src/core/text/finding';
import { readJson } from '../tidy/sources';
import { describeFinding } from './rules/helper';

interface Verdict {
  severity: string;
  rule: string;
  at: string;
  targets: string[];
}

interface FieldCase {
  id: string;
  category: string;
  symptom: string;
  input: unknown;
  verdict: Verdict[];
}

const { cases } = readJson<{ cases: FieldCase[] }>('test/fixtures/field/definitions.json');

const tokens = (pointer: string): string[] => pointer.split('/').slice(1);

/** Whether a place is the wanted one, or one step above or below it. */
function isNear(pointer: string | undefined, wanted: string): boolean {
  if (pointer === undefined) return false;
  const [short, long] = [tokens(pointer), tokens(wanted)].sort((a, b) => a.length - b.length) as [string[], string[]];
  return long.length - short.length <= 1 && short.every((token, index) => token === long[index]);
}

/** The findings of one run with exactly these targets. */
function run(input: unknown, targets: string[]): readonly Finding[] {
  const text = JSON.stringify(input, null, 2);
  return createChecker().check({ uri: 'file:///w/t.tools.json', text }, { targets: targets as Target[], syntax: true })
    .findings;
}

/** What one run says against a verdict; empty when it agrees. */
function against({ severity, rule, at }: Verdict, findings: readonly Finding[]): string[] {
  const here = findings.filter((finding) => isNear(finding.pointer, at) && (rule === '' || finding.rule === rule));
  if (severity !== 'none')
    return here.some(({ level }) => level === severity) ? [] : [`${severity} ${rule} is missing at ${at}`];
  const loud = rule === '' ? here.filter(({ level }) => level === 'warning' || level === 'error') : here;
  return loud.map((finding) => `unwanted: ${describeFinding(finding)}`);
}

describe('definitions from public bug reports', () => {
  for (const each of cases) {
    test(`${each.id} ${each.category}: ${each.symptom}`, () => {
      const named = new Set(each.verdict.map(({ rule }) => rule));
      const sets = [...new Set(each.verdict.map(({ targets }) => JSON.stringify(targets)))];
      const faults = sets.flatMap((key) => {
        const findings = run(each.input, JSON.parse(key) as string[]);
        const verdicts = each.verdict.filter(({ targets }) => JSON.stringify(targets) === key);
        const unnamed = findings.filter(({ level, rule }) => level === 'error' && !named.has(rule));
        return [
          ...verdicts.flatMap((verdict) => against(verdict, findings)),
          ...unnamed.map((f) => `unnamed error: ${describeFinding(f)}`),
        ];
      });
      expect(faults).toEqual([]);
    });
  }
});
