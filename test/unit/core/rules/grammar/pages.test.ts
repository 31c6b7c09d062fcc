import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import type { Target } from '../../../../../server/src/core/profiles/targets';
import { GRAMMAR_RULES } from '../../../../../server/src/core/rules/grammar/rules';
import type { Finding } from '../../../../../server/src/core/text/finding';
import { read } from '../../../tidy/sources';

const TARGETS: readonly Target[] = ['llguidance', 'openai', 'lark'];

/** The examples under a heading of a page, with the language of each. */
function examples(page: string, heading: string): { language: string; text: string }[] {
  const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page)?.[1] ?? '';
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
  }));
}

function findings({ language, text }: { language: string; text: string }): readonly Finding[] {
  if (language === 'lark') return checkGrammar(text, { targets: TARGETS });
  return createChecker().check({ uri: 'file:///w/t.tools.json', text }, { targets: TARGETS }).findings;
}

function applied(text: string, { fixes }: Finding, index: number): string {
  let result = text;
  for (const { span, newText } of [...fixes[index]!.edits()].reverse()) {
    result = result.slice(0, span.start) + newText + result.slice(span.end);
  }
  return result;
}

describe('pages of the rules about grammars', () => {
  for (const { id } of GRAMMAR_RULES) {
    const page = read(`docs/rules/${id}.md`);

    test(`${id}: the bad example has the fault and the good one has not`, () => {
      for (const part of ['Why', 'Bad', 'Good', 'Fix']) expect(page).toContain(`\n## ${part}\n`);
      expect(page).toMatch(/^Source: \S/m);
      const [bad, good] = [examples(page, 'Bad'), examples(page, 'Good')];
      expect(bad.length + good.length).toBe(2);
      expect(bad.filter((each) => !findings(each).some(({ rule }) => rule === id))).toEqual([]);
      expect(good.filter((each) => findings(each).some(({ rule }) => rule === id))).toEqual([]);
    });

    test(`${id}: the preferred fix of the bad example takes the finding away`, () => {
      for (const example of examples(page, 'Bad')) {
        const before = findings(example).filter(({ rule }) => rule === id);
        const finding = before[0]!;
        expect(finding.fixes.filter(({ preferred }) => preferred).length).toBeLessThanOrEqual(1);
        finding.fixes.forEach((fix, index) => {
          const text = applied(example.text, finding, index);
          expect(text).not.toBe(example.text);
          const after = findings({ ...example, text }).filter(({ rule }) => rule === id);
          if (fix.preferred) expect(after.length).toBeLessThan(before.length);
        });
      }
    });
  }
});
