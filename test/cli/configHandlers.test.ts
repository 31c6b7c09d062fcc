import { describe, expect, test } from 'vitest';
import { HANDLER_CASES, HANDLER_FILES } from '../handlerCases';
import { run, workspace } from './support';

const RULE = 'handler/unsuited-builtin';
const CONFIG = 'toolspec.config.json';
const MESSAGE =
  'The builtin handler "grammar" reads the input of a custom tool by its grammar. "plan" is a function, so it can say nothing about its calls.';
const FUNCTION = { type: 'function', name: 'plan', description: 'Plans.', parameters: { type: 'object' } };
const TEXT = '{\n  "handlers": { "plan": { "builtin": "grammar" } }\n}\n';
const PLACE = { line: 2, column: TEXT.split('\n')[1]!.indexOf('"grammar"') + 1 };

interface Told {
  readonly rule: string;
  readonly file: string;
  readonly level: string;
  readonly pointer: string;
  readonly fixes: readonly string[];
  readonly range: { readonly start: { readonly offset: number }; readonly end: { readonly offset: number } };
}

/** What is told of handlers, of all findings. */
async function told(cwd: string, ...args: string[]): Promise<Told[]> {
  const { out } = await run(['check', '--format', 'json', ...args], { cwd });
  return (JSON.parse(out) as { findings: Told[] }).findings.filter(({ rule }) => rule === RULE);
}

/** A folder with a config file that names the wrong handler for a tool, as its definition and sample calls have it. */
function wrong(more: Record<string, string> = {}): string {
  return workspace({
    [CONFIG]: TEXT,
    'deep/t.tools.json': JSON.stringify([FUNCTION]),
    'deep/t.samples.json': JSON.stringify({
      definitions: ['./t.tools.json'],
      calls: [{ tool: 'plan', arguments: {} }],
    }),
    ...more,
  });
}

describe('handlers of a config file that are none for their tools', () => {
  test.each(HANDLER_CASES)('%s', async (_name, handlers, files, expected) => {
    const text = JSON.stringify({ handlers });
    const cwd = workspace({ ...HANDLER_FILES, ...files, [CONFIG]: text });
    const found = await told(cwd);
    expect(found.map(({ range: { start, end } }) => text.slice(start.offset, end.offset))).toEqual(expected);
    expect(found.every(({ file }) => file === CONFIG)).toBe(true);
  });

  test('are told once, with what would be right, whatever paths are typed', async () => {
    const cwd = wrong();
    const expected = [
      { file: CONFIG, level: 'error', pointer: '/handlers/plan/builtin', fixes: ['Change it to "json-schema"'] },
    ];
    expect(await told(cwd)).toMatchObject(expected);
    expect(await told(cwd, 'deep', CONFIG, '.')).toMatchObject(expected);
    expect(await told(cwd, CONFIG)).toMatchObject(expected);
    // The config file is not among these.
    expect(await told(cwd, 'deep')).toEqual([]);
    expect((await run(['check'], { cwd })).code).toBe(1);
  });

  test('are told by check as run tells them', async () => {
    const cwd = wrong();
    const { out } = await run(['run', '--format', 'json'], { cwd });
    const { findings } = JSON.parse(out) as { findings: Told[] };
    expect(findings).toEqual(await told(cwd));
  });

  test('stand in every format at their place', async () => {
    const cwd = wrong();
    const shown = async (format: string): Promise<string> => (await run(['check', '--format', format], { cwd })).out;
    const { line, column } = PLACE;
    expect(await shown('text')).toContain(`${CONFIG}:${line}:${column} error ${MESSAGE} [${RULE}]\n`);
    const github = `::error file=${CONFIG},line=${line},endLine=${line},col=${column},endColumn=${column + 9},title=${RULE}::`;
    expect(await shown('github')).toContain(`${github}${MESSAGE}`);
    const { runs } = JSON.parse(await shown('sarif')) as { runs: { results: { ruleId: string }[] }[] };
    expect(runs[0]!.results.filter(({ ruleId }) => ruleId === RULE)).toMatchObject([
      {
        ruleId: RULE,
        message: { text: MESSAGE },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: CONFIG },
              region: { startLine: line, startColumn: column, endColumn: column + 9 },
            },
          },
        ],
      },
    ]);
    const junit = (await shown('junit')).split('<testcase ').filter((each) => each.includes(RULE));
    expect(junit).toHaveLength(1);
    expect(junit[0]).toContain(`${CONFIG}:${line}:${column}`);
  });

  test.each(['info', 'warning', 'off'])('at the level %s of the config file, also by run', async (level) => {
    const config = { handlers: { plan: { builtin: 'grammar' } }, rules: { [RULE]: level } };
    const cwd = wrong({ [CONFIG]: JSON.stringify(config) });
    const levels = level === 'off' ? [] : [level];
    expect((await told(cwd)).map((each) => each.level)).toEqual(levels);
    const { out } = await run(['run', '--format', 'json'], { cwd });
    expect((JSON.parse(out) as { findings: Told[] }).findings.map((each) => each.level)).toEqual(levels);
  });

  test('of tools in included files count, those in excluded, ignored and installed files do not', async () => {
    const names = ['included', 'excluded', 'ignored', 'installed'];
    const handlers = Object.fromEntries(names.map((name) => [name, { builtin: 'grammar' }]));
    const tool = (name: string): string => JSON.stringify([{ ...FUNCTION, name }]);
    const cwd = workspace({
      [CONFIG]: JSON.stringify({ include: ['defs/*.json'], exclude: ['old/'], handlers }),
      '.gitignore': 'built/',
      'defs/i.json': tool('included'),
      'old/e.tools.json': tool('excluded'),
      'built/g.tools.json': tool('ignored'),
      'node_modules/p/n.tools.json': tool('installed'),
    });
    expect(await told(cwd)).toMatchObject([{ pointer: '/handlers/included/builtin' }]);
  });

  test('a check of grammars alone does not speak of them', async () => {
    const cwd = wrong();
    expect((await run(['grammar', 'check', CONFIG], { cwd })).out).not.toContain(RULE);
  });
});
