import { describe, expect, test } from 'vitest';
import { run, workspace } from './support';

/** The engine remarks on the schema, and no rule of ours does. */
const REMARKED =
  'start: a\na: %json {"type": "array", "items": {"type": "string"}, "x-guidance": {"lenient": true}, "uniqueItems": true}\n';

/** Too much work for the engine's lexer, which no rule foresees. */
const BIG = `start: a\na: "x" | %regex {"substring_chars": "${Array.from({ length: 20_000 }, (_, i) => `${i} `).join('')}"}\n`;

const tool = (definition: unknown): string =>
  JSON.stringify({
    type: 'custom',
    name: 't',
    description: 'x',
    format: { type: 'grammar', syntax: 'lark', definition },
  });

interface Reported {
  readonly file: string;
  readonly rule: string;
  readonly level: string;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly column: number } };
}

async function findings(args: readonly string[], cwd: string): Promise<{ code: number; found: Reported[] }> {
  const { code, out } = await run([...args, '--format', 'json'], { cwd });
  const { findings: all } = JSON.parse(out) as { findings: Reported[] };
  return { code, found: all.filter(({ rule }) => rule.startsWith('grammar/provider-')) };
}

describe("what the provider's engine says, on the command line", () => {
  test.each([['check'], ['grammar', 'check']])(
    '%s %s: in a file, in JSON and in a file that a tool names',
    async (...args) => {
      const cwd = workspace({
        'a.lark': REMARKED,
        'b.tool.json': tool(REMARKED),
        'c.tool.json': tool({ $file: './c.grammar' }),
        'c.grammar': REMARKED,
      });
      const { found } = await findings([...args, 'a.lark', 'b.tool.json', 'c.tool.json'], cwd);
      expect(found.map(({ file, rule, level }) => [file, rule, level])).toEqual(
        ['a.lark', 'b.tool.json', 'c.grammar'].map((file) => [file, 'grammar/provider-warns', 'warning']),
      );
      expect(new Set(found.map(({ message }) => message)).size).toBe(1);
      expect(found[0]!.range.start).toMatchObject({ line: 2, column: 90 });
    },
  );

  test('a refusal that no rule foresees is an error and decides about the exit code', async () => {
    const cwd = workspace({ 'a.lark': BIG });
    const { code, found } = await findings(['check', 'a.lark'], cwd);
    expect(code).toBe(1);
    expect(found).toMatchObject([{ rule: 'grammar/provider-refuses', level: 'error' }]);
    expect(found[0]!.range.start).toMatchObject({ line: 2, column: 10 });
    expect((await findings(['check', 'a.lark', '--target', 'lark'], cwd)).found).toEqual([]);
  });

  test('after a fix it is about the fixed text', async () => {
    const cwd = workspace({ 'a.lark': `${REMARKED}?!b: "x"\n` });
    const { out } = await run(['check', 'a.lark', '--fix', '--format', 'json'], { cwd });
    const { findings: all } = JSON.parse(out) as { findings: Reported[] };
    expect(all.map(({ rule }) => rule)).toContain('grammar/provider-warns');
  });
});
