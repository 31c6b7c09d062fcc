import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../unit/schemas/support';
import { root, run, workspace } from './support';

interface Report {
  readonly version: number;
  readonly runs: number;
  readonly seed: number;
  readonly drifts: readonly {
    readonly tool: string;
    readonly kind: string;
    readonly input: string;
    readonly feedback: string;
    readonly shrunkFrom: string;
    readonly contract: { readonly lost: boolean };
  }[];
  readonly tools: readonly { readonly coverage: { readonly covered: number; readonly total: number } }[];
}

const validate = compileSchema('report-fuzz.schema.json');

async function fuzz(args: readonly string[], cwd = root): Promise<{ report: Report; code: number; err: string }> {
  const { out, code, err } = await run(['fuzz', ...args, '--format', 'json'], { cwd });
  const report = JSON.parse(out) as Report;
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  return { report, code, err };
}

test('every text behind the patches that the grammar accepts and the parser rejects is found, and kept apart', async () => {
  const { report, code } = await fuzz(['samples/apply_patch.tool.json', '--runs', '20000', '--seed', '1']);
  expect(code).toBe(1);
  expect(report.runs).toBeLessThanOrEqual(20_000);
  const found = report.drifts.filter(({ kind }) => kind === 'contract-accepts');
  for (const words of [
    "Update file hunk for path 'a' is empty",
    'Update hunk does not contain any lines',
    "Unexpected line found in update hunk: '@@",
    'is not a valid hunk header',
    'Expected update hunk to start with a @@ context marker',
    'environment_id cannot be empty',
    'multiple operations target a',
  ]) {
    expect(found.filter(({ feedback }) => feedback.includes(words)).length, words).toBe(1);
  }
  expect(found.length).toBe(7);
  for (const { input } of found) expect(input.split('\n').length).toBeLessThanOrEqual(6);
  expect(report.drifts.some(({ kind }) => kind === 'handler-accepts')).toBe(true);
  expect(report.tools[0]!.coverage).toMatchObject({ missing: [], covered: report.tools[0]!.coverage.total });
});

test('a plan: what the Rust types take beside the schema', async () => {
  const { report } = await fuzz(['samples/update_plan.samples.json', '--runs', '3000']);
  expect(report.drifts.every(({ kind }) => kind === 'handler-accepts')).toBe(true);
  const inputs = report.drifts.map(({ input }) => input).join('\n');
  expect(inputs).toContain(':{"pending":null}');
  expect(inputs).toContain('[]]');
  expect(report.tools[0]!.coverage).toMatchObject({ missing: [] });
});

const DEFINITION = JSON.stringify({
  type: 'function',
  name: 'greet',
  description: 'Greets somebody.',
  strict: true,
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', minLength: 2 } },
    required: ['name'],
    additionalProperties: false,
  },
});

const PYTHON = `import json, sys
for line in sys.stdin:
    call = json.loads(line)
    answer = {"id": call["id"], "ok": True, "value": None}
    try:
        name = json.loads(call["arguments"])["name"]
        if not isinstance(name, str) or len(name) < 2:
            answer = {"id": call["id"], "ok": False, "feedback": "name: at least 2 characters"}
    except Exception as fault:
        answer = {"id": call["id"], "ok": False, "feedback": type(fault).__name__}
    print(json.dumps(answer), flush=True)
`;

const NODE = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, arguments: text } = JSON.parse(line);
  let feedback;
  try {
    const { name } = JSON.parse(text);
    if (typeof name !== 'string' || name.length < 2) feedback = 'name: at least 2 characters';
  } catch (error) {
    feedback = error.name;
  }
  console.log(JSON.stringify(feedback === undefined ? { id, ok: true, value: null } : { id, ok: false, feedback }));
});
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.each([
  { language: 'JavaScript', command: [process.execPath, 'greet.mjs'], there: true },
  { language: 'Python', command: ['python3', 'greet.py'], there: hasPython },
])('a handler in $language', ({ command, there }) => {
  // Another language is shown where it is installed; nothing but Node is needed for the rest.
  test.skipIf(!there)('shows that the compiled schema lost minLength', async () => {
    const cwd = workspace({
      'greet.tool.json': DEFINITION,
      'greet.py': PYTHON,
      'greet.mjs': NODE,
      'greet.samples.json': JSON.stringify({
        definitions: ['./greet.tool.json'],
        handlers: { greet: { command } },
        calls: [],
      }),
    });
    const { report, code } = await fuzz(['greet.tool.json', '--runs', '300'], cwd);
    expect(code).toBe(1);
    const lost = report.drifts.find(({ contract }) => contract.lost)!;
    expect(lost).toMatchObject({
      kind: 'contract-accepts',
      input: '{"name":""}',
      feedback: 'name: at least 2 characters',
    });
  });
});

test('the same seed gives the same report, in every format', async () => {
  const args = ['samples/update_plan.tool.json', '--runs', '400', '--seed', '9'];
  const text = await run(['fuzz', ...args]);
  expect(await run(['fuzz', ...args])).toEqual(text);
  expect(text.out).toMatch(
    /^update_plan #1 warning The contract refuses this, the handler accepts it\. \[call\/parser-accepts\]$/m,
  );
  expect(text.out).toMatch(/^update_plan: \d+ drifts? in \d+ runs\.$/m);
  expect(text.err).toBe('');
  const { out } = await run(['fuzz', ...args, '--format', 'junit']);
  expect(out).toContain('<testsuite name="update_plan"');
  expect(out).toContain('<failure type="call/parser-accepts"');
});

test('--save stores what was found, once, and leaves the rest of the file as it is', async () => {
  const samples = `{
  // Mine.
  "definitions": ["./greet.tool.json"],
  "handlers": { "greet": { "builtin": "json-schema" } },
  "calls": [
    { "name": "fine", "tool": "greet", "arguments": { "name": "Ada" } }
  ]
}
`;
  const cwd = workspace({ 'greet.tool.json': DEFINITION, 'greet.samples.json': samples });
  const file = path.join(cwd, 'greet.samples.json');
  const args = ['fuzz', 'greet.samples.json', '--runs', '200', '--save'];
  const first = await run(args, { cwd });
  expect(first.code).toBe(1);
  expect(first.err).toMatch(/^\d+ stored as sample calls? in greet\.samples\.json\.\n$/);
  const text = readFileSync(file, 'utf8');
  expect(text.startsWith(samples.slice(0, samples.indexOf('\n  ]')))).toBe(true);
  expect(text).toContain('"outcome": "rejected"');
  const again = await run(args, { cwd });
  expect(again.err).toBe('greet.samples.json holds all of them already.\n');
  expect(readFileSync(file, 'utf8')).toBe(text);
  // What was stored is a regression test from now on.
  expect((await run(['run', 'greet.samples.json', '--format', 'json'], { cwd })).out).toContain('"failed":0');
});

test('without a handler, a tool or a file there is nothing to search', async () => {
  const cwd = workspace({ 'greet.tool.json': DEFINITION });
  const none = await run(['fuzz', 'greet.tool.json'], { cwd });
  expect(none.code).toBe(2);
  expect(none.err).toContain('No handler is named for it.');
  expect(none.err).toContain('A handler is named in a samples file');
  expect((await run(['fuzz', 'greet.tool.json', '--tool', 'great'], { cwd })).err).toContain('no tool named great');
  expect((await run(['fuzz', 'none.tool.json'], { cwd })).err).toContain('none.tool.json does not exist');
  expect((await run(['fuzz', 'greet.tool.json', '--runs', '0'], { cwd })).code).toBe(2);
});

/** Takes what has an odd number of characters. */
const ODD = `import json, sys
for line in sys.stdin:
    call = json.loads(line)
    text = call["input"]
    if len(text) % 2:
        print(json.dumps({"id": call["id"], "ok": True, "value": text}), flush=True)
    else:
        print(json.dumps({"id": call["id"], "ok": False, "feedback": "even"}), flush=True)
`;

function customTool(definition: string, syntax = 'lark', handler: object = { command: ['python3', 'odd.py'] }): string {
  return workspace({
    't.tools.json': JSON.stringify([
      { type: 'custom', name: 't', description: 'd', format: { type: 'grammar', syntax, definition } },
    ]),
    'odd.py': ODD,
    't.samples.json': JSON.stringify({ definitions: ['./t.tools.json'], handlers: { t: handler }, calls: [] }),
  });
}

test.each<[about: string, grammar: string, syntax: string, coverage: object, remarks: readonly RegExp[]]>([
  ['that both engines take', 'start: A | B\nA: "a"\nB: "b"\n', 'lark', { covered: 2, total: 2, missing: [] }, []],
  [
    'whose terminals can be empty',
    'start: A B\nA: "a"\nB: /b*/\n',
    'lark',
    { covered: 3, total: 3, missing: [] },
    [/^Lark refuses the grammar\. Its terminals that can be empty are read as optional/],
  ],
  [
    'that Lark refuses',
    'start: A\nA: /a{1,3}/ & /aa*/\n',
    'lark',
    { covered: 0, total: 0, missing: [] },
    [
      /^Branches cannot be told: Lark refuses the grammar, and the provider's engine .* \d+ texts that the engine made, 0 stored/,
    ],
  ],
  [
    "that the provider's engine refuses",
    'start: A | B\nA: /a(?=b)b/\nB: "b"\n',
    'lark',
    { covered: 2, total: 2, missing: [] },
    [
      /^The provider's engine refuses the grammar, so the API refuses the tool\. Verdicts and branches are Lark's\. The engine says: /,
    ],
  ],
  [
    'that is a regular expression',
    '[ab]{1,3}',
    'regex',
    { covered: 1, total: 1 },
    [/^A regular expression is one branch/],
  ],
])('a grammar %s: what can be covered is said', async (_about, grammar, syntax, coverage, remarks) => {
  const cwd = customTool(grammar, syntax);
  const { report } = await fuzz(['t.samples.json', '--runs', '300'], cwd);
  const [tool] = report.tools as unknown as { coverage: object; remarks: string[]; open: number }[];
  expect(tool).toMatchObject({ coverage, open: 0 });
  expect(tool!.remarks).toEqual(remarks.map((each) => expect.stringMatching(each)));
  const { out } = await run(['fuzz', 't.samples.json', '--runs', '300'], { cwd });
  for (const remark of tool!.remarks) expect(out).toContain(`\n  ${remark}\n`);
  const junit = await run(['fuzz', 't.samples.json', '--runs', '300', '--format', 'junit'], { cwd });
  expect(junit.out.includes('<system-out>')).toBe(remarks.length > 0);
});

test.each<[about: string, cwd: () => string, words: RegExp]>([
  ['that no engine takes', () => customTool('begin: "x"\n'), /No engine accepts its grammar, .* Lark says: /],
  [
    'that Lark refuses, for the builtin handler',
    () => customTool('start: A B\nA: "a"\nB: /b*/\n', 'lark', { builtin: 'grammar' }),
    /"grammar" reads as Lark does, and Lark refuses the grammar: /,
  ],
])('a grammar %s has nothing to search', async (_about, cwd, words) => {
  const { code, err } = await run(['fuzz', 't.samples.json', '--runs', '50'], { cwd: cwd() });
  expect(code).toBe(2);
  expect(err).toMatch(words);
});

const node = (code: string): string[] => [process.execPath, '-e', code];

test.each<[about: string, handler: object, words: RegExp]>([
  [
    'cannot be started',
    { command: ['no-such-program'] },
    /Its handler could not be started, so nothing was searched: .*no such program/,
  ],
  [
    'never answers',
    { command: node('setInterval(() => {}, 1000)'), timeoutMs: 60 },
    /Its handler answered none of 3 inputs in time, so nothing was searched: .* within 60 ms/,
  ],
])('a handler that %s is not searched', async (_about, handler, words) => {
  const cwd = customTool('start: "a" | "b"\n', 'lark', handler);
  const { code, out, err } = await run(['fuzz', 't.samples.json'], { cwd });
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(words);
  expect(err).not.toContain('A handler is named in');
});

describe('schemas without a finite value', () => {
  const tools = (parameters: object): string =>
    workspace({
      't.tools.json': JSON.stringify([
        { type: 'function', name: 't', parameters, 'x-toolspec': { handler: { builtin: 'json-schema' } } },
      ]),
    });
  const root = { $ref: '#' };
  const needs = (schema: object) => ({ type: 'object', properties: { a: schema }, required: ['a'] });

  test.each([
    ['itself', needs(root)],
    ['itself in either arm', { anyOf: [needs(root), needs(needs(root))] }],
    ['a definition that needs itself', { ...needs({ $ref: '#/$defs/b' }), $defs: { b: needs({ $ref: '#/$defs/b' }) } }],
  ])('one that needs %s is not searched, and the reason is said', async (_, schema) => {
    const { code, err } = await run(['fuzz', 't.tools.json', '--runs', '50', '--format', 'json'], {
      cwd: tools(schema),
    });
    expect(code).toBe(2);
    expect(err).toContain('No value that comes to an end fits its schema, so nothing can be sent that does.');
  });

  test('near misses are searched, and it is said that they are', async () => {
    const cwd = tools(needs({ type: 'array', items: root, minItems: 1 }));
    const { out } = await run(['fuzz', 't.tools.json', '--runs', '50'], { cwd });
    expect(out).toContain('No value that comes to an end fits the source schema.');
    expect(out).toMatch(/in [1-9]\d* runs?\./);
  });

  test('one whose values are too large to be made is another matter', async () => {
    const cwd = tools(needs({ type: 'array', minItems: 100_000 }));
    const { code, err } = await run(['fuzz', 't.tools.json', '--runs', '50'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('those that fit are too large, or nested too deeply.');
    expect(err).not.toContain('comes to an end');
  });
});

test('a handler that answers nothing has to be mended first', async () => {
  const cwd = customTool('start: "a" | "b"\n', 'lark', { command: node('process.exit(3)') });
  const { report, code } = await fuzz(['t.samples.json', '--runs', '20'], cwd);
  expect(code).toBe(1);
  const [tool] = report.tools as unknown as { remarks: string[] }[];
  expect(tool!.remarks).toEqual([expect.stringContaining('answered none of these inputs')]);
});

test('tools with nothing to search all have their reasons, and definitions that are missing are told', async () => {
  const definition = (name: string): object => ({ type: 'custom', name, description: 'd' });
  const cwd = workspace({
    't.tools.json': JSON.stringify([definition('a'), definition('b')]),
    't.samples.json': JSON.stringify({
      definitions: ['./t.tools.json', './no.json'],
      handlers: { a: { command: ['x'] } },
      calls: [],
    }),
    'u.tools.json': DEFINITION,
    'u.samples.json': JSON.stringify({
      definitions: ['./u.tools.json', './no.json'],
      handlers: { greet: { builtin: 'json-schema' } },
      calls: [],
    }),
  });
  const none = await run(['fuzz', 't.samples.json'], { cwd });
  expect(none).toMatchObject({ code: 2, out: '' });
  expect(none.err.split('\n')).toEqual([
    'toolspec: t.samples.json has nothing to search.',
    'a: It takes any text, so there is no grammar to make inputs of.',
    'b: No handler is named for it.',
    expect.stringContaining('A handler is named in a samples file'),
    '',
  ]);
  const some = await run(['fuzz', 'u.samples.json', '--runs', '20'], { cwd });
  expect(some.err).toBe('toolspec: the definition file ./no.json does not exist, so its tools were not searched.\n');
});

test('a refusal by the compiled schema alone has words', async () => {
  const cwd = workspace({
    't.tools.json': JSON.stringify([{ type: 'function', name: 't', description: 'd', parameters: true }]),
    'all.mjs': 'export function parse() {}',
    't.samples.json': JSON.stringify({
      definitions: ['./t.tools.json'],
      handlers: { t: { module: './all.mjs' } },
      calls: [],
    }),
  });
  const { report } = await fuzz(['t.samples.json', '--runs', '100'], cwd);
  expect(report.drifts.map(({ feedback }) => feedback)).not.toContain('');
  expect(report.drifts.map(({ feedback }) => feedback)).toContainEqual(
    expect.stringContaining('refuses what the source schema accepts'),
  );
});
