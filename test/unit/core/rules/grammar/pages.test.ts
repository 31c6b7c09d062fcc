import { afterAll, describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import { askOpinion } from '../../../../../server/src/core/grammar/providerOpinion';
import type { Target } from '../../../../../server/src/core/profiles/targets';
import { GRAMMAR_RULES } from '../../../../../server/src/core/rules/grammar/rules';
import type { Finding } from '../../../../../server/src/core/text/finding';
import { startEngine } from '../../../../engineFiles';
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

const engine = startEngine();
afterAll(() => engine.close());

/** Findings as the editor has them, the engine's verdict included. */
async function findings({ language, text }: { language: string; text: string }): Promise<readonly Finding[]> {
  if (language === 'lark') {
    const provider = await askOpinion(engine, { syntax: 'lark', text }, { milliseconds: 20_000 });
    return checkGrammar(text, { targets: TARGETS, provider });
  }
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

    test(`${id}: the bad example has the fault and the good one has not`, async () => {
      for (const part of ['Why', 'Bad', 'Good', 'Fix']) expect(page).toContain(`\n## ${part}\n`);
      expect(page).toMatch(/^Source: \S/m);
      const [bad, good] = [examples(page, 'Bad'), examples(page, 'Good')];
      expect(bad.length + good.length).toBe(2);
      for (const [each, has] of [
        ...bad.map((each) => [each, true] as const),
        ...good.map((each) => [each, false] as const),
      ]) {
        expect((await findings(each)).some(({ rule }) => rule === id)).toBe(has);
      }
    });

    test(`${id}: the preferred fix of the bad example takes the finding away`, async () => {
      for (const example of examples(page, 'Bad')) {
        const before = (await findings(example)).filter(({ rule }) => rule === id);
        const finding = before[0]!;
        expect(finding.fixes.filter(({ preferred }) => preferred).length).toBeLessThanOrEqual(1);
        for (const [index, fix] of finding.fixes.entries()) {
          const text = applied(example.text, finding, index);
          expect(text).not.toBe(example.text);
          const after = (await findings({ ...example, text })).filter(({ rule }) => rule === id);
          if (fix.preferred) expect(after.length).toBeLessThan(before.length);
        }
      }
    });
  }
});
