import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
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

const HANDLER = `import json, sys
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

test('a handler in Python shows that the compiled schema lost minLength', async () => {
  const cwd = workspace({
    'greet.tool.json': DEFINITION,
    'greet.py': HANDLER,
    'greet.samples.json': JSON.stringify({
      definitions: ['./greet.tool.json'],
      handlers: { greet: { command: ['python3', 'greet.py'] } },
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
