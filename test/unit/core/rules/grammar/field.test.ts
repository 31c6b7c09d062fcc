import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import type { Target } from '../../../../../server/src/core/profiles/targets';
import type { Finding } from '../../../../../server/src/core/text/finding';
import { LineIndex } from '../../../../../server/src/core/text/lines';
import { render } from '../../../../../server/src/core/text/message';
import { readJson } from '../../../tidy/sources';

interface Verdict {
  readonly severity: string;
  readonly rule: string;
  readonly at: string;
  readonly targets: readonly Target[];
}

interface FieldCase {
  readonly id: string;
  readonly symptom: string;
  readonly input: { readonly grammar?: string };
  readonly verdict: readonly Verdict[];
}

const { cases } = readJson<{ cases: readonly FieldCase[] }>('test/fixtures/field/grammars.json');

function run(input: FieldCase['input'], targets: readonly Target[]): { finding: Finding; place: string }[] {
  if (input.grammar !== undefined) {
    const lines = new LineIndex(input.grammar);
    return checkGrammar(input.grammar, { targets }).map((finding) => {
      const { line, character } = lines.position(finding.span.start);
      return { finding, place: `${line + 1}:${character + 1}` };
    });
  }
  const text = JSON.stringify(input, null, 2);
  const { findings } = createChecker().check({ uri: 'file:///w/t.tools.json', text }, { targets, syntax: true });
  return findings.map((finding) => ({ finding, place: finding.pointer ?? '' }));
}

describe('grammars from public bug reports', () => {
  for (const { id, symptom, input, verdict } of cases) {
    test(`${id}: ${symptom}`, () => {
      const named = new Set(verdict.map(({ rule }) => rule));
      const faults: string[] = [];
      for (const key of new Set(verdict.map(({ targets }) => JSON.stringify(targets)))) {
        const found = run(input, JSON.parse(key) as Target[]);
        for (const { severity, rule, at } of verdict.filter(({ targets }) => JSON.stringify(targets) === key)) {
          const place = at.split(' ')[0]!;
          const here = found.filter((each) => each.place === place && each.finding.rule === rule);
          const fits = severity === 'none' ? here.length === 0 : here.some(({ finding }) => finding.level === severity);
          if (!fits) {
            const all = found.map((each) => `${each.place} ${each.finding.level} ${each.finding.rule}`);
            faults.push(`${severity} ${rule} at ${place} for ${key}; found: ${all.join(', ')}`);
          }
        }
        for (const { finding, place } of found) {
          if (finding.level === 'error' && !named.has(finding.rule))
            faults.push(`unnamed ${finding.rule} at ${place}: ${render(finding.message)}`);
        }
      }
      expect(faults).toEqual([]);
    });
  }
});
