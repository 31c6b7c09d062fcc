import { describe, expect, test } from 'vitest';
import type { CallFinding } from '../../../server/src/core/calls/report';
import { CALL_RULES } from '../../../server/src/core/rules/calls/rules';
import { runSamples } from '../../../server/src/core/runSamples';
import { environmentOf, SAMPLES_URI } from '../core/calls/support';
import { read } from '../tidy/sources';

/** The tool and the call, or the samples file, under a heading of a page. */
function example(page: string, heading: string): { tool: unknown; samples: { definitions: string[] } } {
  const section = new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`, 'm').exec(page)![1]!;
  const [tool, sent] = [...section.matchAll(/^```json\n([\s\S]*?)\n```$/gm)].map(
    (match) => JSON.parse(match[1]!) as object,
  );
  const samples = 'calls' in sent! ? sent : { calls: [sent] };
  return { tool, samples: { definitions: ['./t.tools.json'], ...samples } };
}

async function findings(page: string, heading: string): Promise<readonly CallFinding[]> {
  const { tool, samples } = example(page, heading);
  const environment = environmentOf({ 't.tools.json': [tool] });
  const { reports } = await runSamples({ uri: SAMPLES_URI, text: JSON.stringify(samples) }, environment);
  return reports.flatMap((report) => [...report.contract.findings, ...report.findings]);
}

/** Their examples need a process, or the provider's engine. */
const NEEDS_MORE = new Set(['handler/drops-unknown', 'handler/coerces', 'grammar/engines-differ']);

describe('pages of the rules about calls', () => {
  for (const { id, levels } of CALL_RULES) {
    test(id, async () => {
      const page = read(`docs/rules/${id}.md`);
      for (const part of ['Why', 'Bad', 'Good', 'Fix']) expect(page).toContain(`\n## ${part}\n`);
      expect(page).toMatch(/^Source: \S/m);
      if (NEEDS_MORE.has(id)) return;
      const bad = await findings(page, 'Bad');
      expect(bad.filter(({ rule }) => rule === id).map(({ level }) => level)).toContain(levels.all);
      expect(await findings(page, 'Good')).toEqual([]);
    });
  }
});
