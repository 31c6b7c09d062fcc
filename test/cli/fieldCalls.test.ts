import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, run, workspace } from './support';

interface Verdict {
  severity: string;
  rule: string;
  target: string;
  at: string;
  say: string;
}

interface FieldCase {
  id: string;
  category: string;
  symptom: string;
  input: {
    inputSchema?: object;
    arguments_text?: string;
    grammar?: string;
    input?: string;
    tool?: { name: string };
  };
  verdict: Verdict[];
}

interface Found {
  rule: string;
  level: string;
  message: string;
  pointer: string | null;
  offset: number | null;
  line: number | null;
  column: number | null;
}

const file = path.join(root, 'test/fixtures/field/calls.json');
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { cases: FieldCase[] };
const calls = cases.filter(({ input }) => input.arguments_text !== undefined || input.input !== undefined);

/** The tool of a case, and the samples file with its one call. */
function filesOf({ input }: FieldCase): { tool: unknown; samples: object } {
  const definitions = ['./t.tools.json'];
  if (input.arguments_text !== undefined) {
    const tool = { name: 't', description: 'Does it.', inputSchema: input.inputSchema };
    return { tool, samples: { definitions, calls: [{ tool: 't', arguments: input.arguments_text }] } };
  }
  if (input.tool !== undefined) {
    return { tool: input.tool, samples: { definitions, calls: [{ tool: input.tool.name, input: input.input }] } };
  }
  const format = { type: 'grammar', syntax: 'lark', definition: input.grammar };
  const handlers = { apply_patch: { builtin: 'apply_patch' } };
  return {
    tool: { type: 'custom', name: 'apply_patch', description: 'Changes files.', format },
    samples: { definitions, handlers, calls: [{ tool: 'apply_patch', input: input.input }] },
  };
}

function stands({ pointer, offset, line, column }: Found, at: string): boolean {
  if (at === 'root') return pointer === '';
  if (at.startsWith('offset ')) return offset === Number.parseInt(at.slice(7), 10);
  const place = /^(\d+):(\d+)/.exec(at);
  return place === null ? pointer === at : line === Number(place[1]) && column === Number(place[2]);
}

/** What is wrong with the findings of a case. */
function against(verdicts: readonly Verdict[], found: readonly Found[], hasHandler: boolean): string[] {
  const show = ({ level, rule, pointer, offset }: Found): string => `${level} ${rule} ${pointer} ${offset}`;
  const faults: string[] = [];
  for (const { severity, rule, at, target } of verdicts) {
    if (target === 'handler parser' && !hasHandler) continue;
    if (severity === 'none') {
      const loud = found.filter(
        ({ level, rule: id }) => level !== 'hint' && level !== 'info' && !id.startsWith('call/parser'),
      );
      faults.push(...loud.map((each) => `unwanted: ${show(each)}`));
    } else if (!found.some((each) => each.rule === rule && each.level === severity && stands(each, at))) {
      faults.push(`${severity} ${rule} is missing at ${at} among ${found.map(show).join('; ')}`);
    }
  }
  const named = new Set(verdicts.map(({ rule }) => rule));
  const unnamed = found.filter(({ level, rule }) => level === 'error' && !named.has(rule));
  return [...faults, ...unnamed.map((each) => `unnamed error: ${show(each)}`)];
}

/** Parts of the messages that people need. */
const WORDS: Readonly<Record<string, string>> = {
  F58: '{}',
  F59: 'trailing comma',
  F60: 'the "[" at offset 9 and the "{" at offset 0',
  F61: 'holds the JSON text of an object',
  F62: 'encoded twice',
  F64: 'The text within the quotes would be an integer',
  F67: 'Did you mean "topic"?',
  F70: 'NaN, Infinity or -Infinity',
  F72: 'Expected a line end',
  F73: 'change',
  F76: 'takes raw text',
};

describe('calls from public bug reports', () => {
  for (const each of calls) {
    test(`${each.id} ${each.category}: ${each.symptom}`, async () => {
      const { tool, samples } = filesOf(each);
      const cwd = workspace({
        't.tools.json': JSON.stringify([tool]),
        't.samples.json': JSON.stringify(samples),
      });
      const { out, err } = await run(['run', 't.samples.json', '--format', 'json'], { cwd });
      expect(err).toBe('');
      const report = JSON.parse(out) as {
        files: { calls: { contract: { findings: Found[] }; findings: Found[] }[] }[];
      };
      const [call] = report.files[0]!.calls;
      const found = [...call!.contract.findings, ...call!.findings];
      expect(against(each.verdict, found, 'handlers' in samples)).toEqual([]);
      expect(found.some(({ message }) => message.includes(WORDS[each.id]!))).toBe(true);
    });
  }
});
