import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../server/src/core/check';
import { TARGETS } from '../../../server/src/core/profiles/targets';
import { RULES } from '../../../server/src/core/rules/registry';
import { applyFix, check } from '../core/rules/helper';
import { read, root } from '../tidy/sources';

/** The JSON examples under a heading of a page. */
function examples(page: string, heading: string): string[] {
  const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page)?.[1] ?? '';
  return [...section.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map((match) => match[1]!);
}

/** Whether a rule speaks about a text, with every target on. */
function speaks(rule: string, text: string): boolean {
  const { findings } = createChecker().check(
    { uri: 'file:///w/t.tools.json', text },
    { targets: TARGETS, syntax: true },
  );
  return findings.some((finding) => finding.rule === rule);
}

describe('documentation of the rules', () => {
  test('the index is up to date, each rule has a page, and each page a rule', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  for (const { id } of RULES.filter(({ section }) => section === 'file' || section === 'openai')) {
    test(`${id}: the bad example has the fault and the good one has not`, () => {
      const page = read(`docs/rules/${id}.md`);
      for (const part of ['Why', 'Bad', 'Good', 'Fix']) expect(page).toContain(`\n## ${part}\n`);
      expect(page).toMatch(/^Source: \S/m);
      expect(examples(page, 'Bad').filter((text) => !speaks(id, text))).toEqual([]);
      expect(examples(page, 'Good').filter((text) => speaks(id, text))).toEqual([]);
    });

    test(`${id}: each fix of the bad example takes the finding away and makes no error`, () => {
      for (const text of examples(read(`docs/rules/${id}.md`), 'Bad')) {
        const checked = check(text, { rule: id, targets: TARGETS });
        for (const finding of checked.findings) {
          expect(finding.fixes.filter((fix) => fix.preferred).length).toBeLessThanOrEqual(1);
          for (const index of finding.fixes.keys()) applyFix(checked, finding, index);
        }
      }
    });
  }
});
