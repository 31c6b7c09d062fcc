import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, run, workspace } from './support';

const SQL = 'start: "SELECT " COL (", " COL)* " FROM " NAME\nCOL: NAME | "*"\nNAME: /[a-zä]+/\n';
const lines = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
const request = (id: unknown, grammar: string, inputs: readonly string[], more: object = {}): string =>
  `${JSON.stringify({ id, grammar, options: { engine: 'llguidance', ...more }, inputs })}\n`;

test('the batch form gives each line to its engine, in order', async () => {
  const { code, out } = await run(['grammar', 'parse', '--jsonl'], {
    input: [
      request(1, 'start: "a"+', ['aa', 'ab', 'ä']),
      '{"id":2,"grammar":"start: \\"a\\"","inputs":["a"]}\n',
      'nonsense\n',
      request('three', 'start: x', []),
      request(4, '[0-9]{2}', ['12', '123'], { syntax: 'regex' }),
    ],
  });
  expect(code).toBe(0);
  expect(lines(out)).toEqual([
    {
      id: 1,
      loadError: null,
      results: [
        { accepted: true, prefix: 2 },
        { accepted: false, prefix: 1 },
        { accepted: false, prefix: 0 },
      ],
    },
    { id: 2, loadError: null, results: [{ accepted: true, tree: expect.anything() }] },
    { id: null, ok: false, error: expect.any(String) },
    {
      id: 'three',
      loadError: {
        code: 'llguidance.refused',
        line: 1,
        column: 8,
        message: 'at 1(8): unknown name: "x"',
        text: expect.stringContaining('1 | start: x'),
      },
      results: [],
    },
    {
      id: 4,
      loadError: null,
      results: [
        { accepted: true, prefix: 2 },
        { accepted: false, prefix: 2 },
      ],
    },
  ]);
});

test('every recorded grammar with its texts, as one batch', async () => {
  interface Vector {
    id: string;
    grammar?: string;
    grammars?: unknown;
    loads: boolean;
    error: string | null;
    inputs: { text?: string; repeat?: [string, number][]; accepted: boolean; prefix: number }[];
  }
  const { vectors } = JSON.parse(
    readFileSync(new URL('../vectors/llguidance/vectors.json', import.meta.url), 'utf8'),
  ) as { vectors: Vector[] };
  const chosen = vectors.filter(
    ({ grammar, grammars, inputs }) =>
      grammar !== undefined &&
      grammars === undefined &&
      inputs.every(({ text, repeat }) => (text ?? repeat) !== undefined),
  );
  const textOf = ({ text, repeat }: Vector['inputs'][number]): string =>
    text ?? repeat!.map(([part, times]) => part.repeat(times)).join('');
  const { out } = await run(['grammar', 'parse', '--jsonl'], {
    input: chosen.map(({ id, grammar, inputs }) => request(id, grammar!, inputs.map(textOf))),
  });
  const given = lines(out).map((line) => {
    const { id, loadError, results } = line as { id: string; loadError: unknown; results: unknown };
    return { id, loads: loadError === null, results };
  });
  expect(given).toEqual(
    chosen.map(({ id, loads, inputs }) => ({
      id,
      loads,
      results: inputs.map(({ accepted, prefix }) => ({ accepted, prefix })),
    })),
  );
  expect(chosen.length).toBe(638);
});

test('a walk shows choices, runs without a choice, and the end', async () => {
  const cwd = workspace({ 'sql.lark': SQL });
  const { code, out } = await run(['grammar', 'walk', 'sql.lark', '--input', 'SELECT a FROM ä'], { cwd });
  expect(out).toBe(
    `${[
      'place  text       may come next',
      '1:1    "SELECT "  must be "SELECT " 7 bytes',
      '1:8    "a"        * a–z characters beyond ASCII',
      '1:9    " "        space , a–z characters beyond ASCII',
      '1:10   "FROM "    must be "FROM " 5 bytes',
      '1:15   "ä"        a–z characters beyond ASCII',
      '1:16   end        a–z characters beyond ASCII or the end',
      '',
      'The text is accepted.',
    ].join('\n')}\n`,
  );
  expect(code).toBe(0);
});

test('a walk without a text shows the beginning and complains about nothing', async () => {
  const cwd = workspace({ 'sql.lark': SQL, 'bad.lark': 'start: x' });
  const { code, out } = await run(['grammar', 'walk', 'sql.lark'], { cwd });
  expect(out).toContain('must be "SELECT " 7 bytes');
  expect(code).toBe(0);
  expect((await run(['grammar', 'walk', 'sql.lark', '--input', ''], { cwd })).code).toBe(1);
  expect((await run(['grammar', 'walk', 'bad.lark'], { cwd })).code).toBe(1);
});

test('a walk says where a text is refused', async () => {
  const cwd = workspace({ 'sql.lark': SQL, 'query.txt': 'SELECT 1' });
  const { code, out } = await run(['grammar', 'walk', 'sql.lark', 'query.txt'], { cwd });
  expect(out).toContain('1:8    "1"        refused, * a–z characters beyond ASCII\n');
  expect(out).toContain('The text is refused at 1:8, after 7 bytes.\n');
  expect(code).toBe(1);
});

test('a walk as JSON has a step for each byte', async () => {
  const cwd = workspace({ 'a.lark': 'start: "é" "b"?\n' });
  const { code, out } = await run(['grammar', 'walk', 'a.lark', '--input', 'éb', '--format', 'json'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    version: 1,
    accepted: true,
    prefix: 3,
    offset: 2,
    steps: [
      { at: 0, byte: 0xc3, taken: true, forced: 2, forcedText: 'é', end: false },
      { at: 1, byte: 0xa9, taken: true, forced: 1, end: false },
      { at: 2, byte: 0x62, taken: true, allowed: [[0x62, 0x62]], forced: 0, end: true },
      { at: 3, byte: null, taken: false, allowed: [], end: true },
    ],
  });
});

test('a walk of a tool with a regular expression', async () => {
  const tool = { type: 'custom', name: 'pin', format: { type: 'grammar', syntax: 'regex', definition: '[0-9]{4}' } };
  const cwd = workspace({ 'pin.tool.json': JSON.stringify(tool) });
  const { code, out } = await run(['grammar', 'walk', 'pin.tool.json', '--input', '12'], { cwd });
  expect(out).toContain('1:3    end   0–9\n');
  expect(code).toBe(1);
});

test('a refused grammar has its place in the file of the tool', async () => {
  const tool = { type: 'custom', name: 't', format: { type: 'grammar', syntax: 'lark', definition: 'start: a\na: b' } };
  const text = JSON.stringify(tool);
  const cwd = workspace({ 't.tool.json': text });
  const { code, out } = await run(['grammar', 'walk', 't.tool.json', '--input', ''], { cwd });
  // The engine names the start of the list of alternatives.
  const column = text.indexOf(' b"') + 2;
  expect(out).toContain(`t.tool.json:1:${column} error The provider's engine refuses the grammar: unknown name: "b"`);
  expect(code).toBe(1);
});

test('a text that is too much for Lark’s side is not refused by it', async () => {
  // A budget ends the parse: texts of this grammar have readings without number. The engine takes no priorities.
  const cwd = workspace({ 'g.lark': 'start: e\ne.2: e e | "a" | "b"\n', 'long.txt': `${'ab'.repeat(1500)}c` });
  const { out } = await run(['grammar', 'parse', 'g.lark', 'long.txt', '--engine', 'llguidance'], { cwd });
  expect(out).toContain('There is no verdict for Lark: the text is too complex to parse with this grammar.\n');
});

test("parse with the provider's engine shows both verdicts", async () => {
  const cwd = workspace({ 'sql.lark': SQL });
  const args = ['grammar', 'parse', 'sql.lark', '--engine', 'llguidance', '--input', 'SELECT a;'];
  const text = await run(args, { cwd });
  expect(text.out).toBe(
    `${[
      '<input>:1:9 error llguidance refuses the text after 8 bytes.',
      '  SELECT a;',
      '          ^',
      '  may come next: space , a–z ä',
      '  terminals: COL, ", ", " FROM "',
      'Lark refuses the text at 1:9.',
    ].join('\n')}\n`,
  );
  expect(text.code).toBe(1);
  const json = await run([...args, '--format', 'json'], { cwd });
  expect(JSON.parse(json.out)).toMatchObject({
    accepted: false,
    prefix: 8,
    line: 1,
    column: 9,
    mayEnd: false,
    next: { end: false },
    lark: { loads: true, accepted: false, line: 1, column: 9 },
  });
});

test('parse accepts what the provider accepts and Lark does not load', async () => {
  const cwd = workspace({ 'dash.lark': 'start: a-b\na-b: "x"\n' });
  const { code, out } = await run(['grammar', 'parse', 'dash.lark', '--engine', 'llguidance', '--input', 'x'], { cwd });
  expect(out).toBe(
    'llguidance accepts the text.\nLark refuses the grammar; "toolspec grammar parse" without --engine says why.\n',
  );
  expect(code).toBe(0);
});

describe('the bundle', () => {
  const cli = (args: readonly string[], input = ''): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, [path.join(root, 'dist/cli.js'), ...args], { cwd: root, input, timeout: 50_000 });

  test('finds engine and worker beside itself, and ends when it is done', () => {
    const { status, stdout, stderr } = cli(['grammar', 'walk', 'samples/query.lark', '--input', 'orders']);
    expect([status, `${stderr}`]).toEqual([0, '']);
    expect(`${stdout}`).toContain('The text is accepted.');
  });

  test('a runaway line is answered with an error, and the next one is answered', () => {
    const input =
      request(1, 'start: s\ns: s s s | s s | "a" | ', ['a', 'a'.repeat(20_000)]) + request(2, 'start: "a"', ['a']);
    const { status, stdout } = cli(['grammar', 'parse', '--jsonl'], input);
    expect(status).toBe(0);
    expect(lines(`${stdout}`)).toEqual([
      {
        id: 1,
        ok: false,
        error: 'The engine was stopped after 10 s, at input 2 of 2.',
        results: [{ accepted: true, prefix: 1 }],
      },
      { id: 2, loadError: null, results: [{ accepted: true, prefix: 1 }] },
    ]);
  });
});
