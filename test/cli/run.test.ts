import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileSchema } from '../unit/schemas/support';
import { run, workspace } from './support';

const PLAN = {
  type: 'function',
  name: 'update_plan',
  description: 'Keeps a plan.',
  parameters: {
    type: 'object',
    properties: {
      plan: {
        type: 'array',
        items: {
          type: 'object',
          properties: { step: { type: 'string' }, status: { type: 'string' } },
          required: ['step', 'status'],
        },
      },
    },
    required: ['plan'],
  },
};
const plan = (...steps: object[]): object => ({ plan: steps });
const STEP = { step: 'a', status: 'pending' };
/** A handler in Node that takes numbers up to ten. */
const HANDLER = `
export function parse(text) {
  const { n } = JSON.parse(text);
  if (n > 10) throw new Error('n must be at most 10, got ' + n);
  return { n };
}`;

const samples = (calls: readonly object[], more: object = {}): string =>
  `${JSON.stringify({ definitions: ['./t.tools.json'], handlers: { update_plan: { builtin: 'update_plan' } }, calls, ...more }, undefined, 2)}\n`;

const tools = (...list: object[]): string => JSON.stringify(list);

describe('toolspec run', () => {
  test('what passes is listed, and the end is quiet', async () => {
    const cwd = workspace({
      't.tools.json': tools(PLAN),
      't.samples.json': samples([
        { name: 'one step', tool: 'update_plan', arguments: plan(STEP), expect: { value: plan({ step: 'a' }) } },
        { name: 'cut off', tool: 'update_plan', arguments: '{"plan":[{"st', expect: { feedback: 'line 1' } },
      ]),
    });
    const { code, out, err } = await run(['run'], { cwd });
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toBe('t.samples.json');
    expect(lines[1]).toMatch(/^ {2}✓ one step update_plan Accepted · Accepted +<?\d+ ms$/);
    expect(lines[2]).toMatch(/^ {2}✓ cut off {2}update_plan Rejected · Rejected +<?\d+ ms$/);
    expect(err).toBe('2 passed of 2 calls in 1 file.\n');
  });

  test('a difference is told with its place in the samples file, and fails', async () => {
    const text = samples([{ name: 'extra', tool: 'update_plan', arguments: { plan: [], note: 'x' } }]);
    const cwd = workspace({ 't.tools.json': tools(PLAN), 't.samples.json': text });
    const { code, out, err } = await run(['run', '.'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/✗ extra update_plan Accepted ≠ Rejected/);
    const line = text.split('\n').findIndex((each) => each.includes('"note"')) + 1;
    expect(out).toMatch(new RegExp(`^t\\.samples\\.json:${line}:\\d+ error .*\\[call/parser-rejects\\]$`, 'm'));
    expect(out).toMatch(
      /^t\.tools\.json:\d+:\d+ error The handler refuses what this contract accepts, in the sample calls: extra\. \[call\/parser-rejects\]$/m,
    );
    expect(err).toBe('1 failed of 1 call in 1 file.\n');
    const json = JSON.parse((await run(['run', '--format', 'json'], { cwd })).out) as { findings: object[] };
    expect(json.findings).toMatchObject([
      { file: 't.tools.json', rule: 'call/parser-rejects', tool: 'update_plan', related: [{ file: 't.samples.json' }] },
    ]);
  });

  test('a value that is not the expected one shows both', async () => {
    const calls = [{ name: 'v', tool: 'update_plan', arguments: plan(STEP), expect: { value: plan({ step: 'b' }) } }];
    const cwd = workspace({ 't.tools.json': tools(PLAN), 't.samples.json': samples(calls) });
    const { out } = await run(['run'], { cwd });
    expect(out).toContain('The value at /plan/0/step is "a"; "b" was expected.');
    expect(out).toMatch(/^ +expected +"b"\n +actual +"a"$/m);
  });

  test('of many calls only those that did not pass are listed', async () => {
    const calls = Array.from({ length: 120 }, (_, i) => ({
      name: `call ${i}`,
      tool: 'update_plan',
      arguments: plan(STEP),
      ...(i === 7 ? { expect: { outcome: 'rejected' } } : {}),
    }));
    const cwd = workspace({ 't.tools.json': tools(PLAN), 't.samples.json': samples(calls) });
    const { out, err } = await run(['run'], { cwd });
    expect(out.split('\n').slice(0, 3)).toEqual([
      't.samples.json',
      '  ✓ 119 calls passed',
      expect.stringMatching(/^ {2}✗ call 7/),
    ]);
    expect(err).toBe('119 passed, 1 failed of 120 calls in 1 file.\n');
  });

  test('an expected rejection with another feedback says only that', async () => {
    const calls = [{ tool: 'update_plan', arguments: '{"plan":', expect: { feedback: 'line 2' } }];
    const cwd = workspace({ 't.tools.json': tools(PLAN), 't.samples.json': samples(calls) });
    const { out } = await run(['run'], { cwd });
    expect(out.match(/ error /g)).toHaveLength(1);
    expect(out).toContain('does not hold "line 2"');
  });

  test('the JSON report has the documented form', async () => {
    const calls = [
      { name: 'ok', tool: 'update_plan', arguments: plan(STEP) },
      { tool: 'update_pan', arguments: {} },
      { tool: 'update_plan', input: 'x' },
      { tool: 'update_plan', arguments: '' },
      { tool: 'tool_search', arguments: { query: 'quay' } },
    ];
    const quay = { ...PLAN, name: 'quay', defer_loading: true };
    const cwd = workspace({ 't.tools.json': tools(PLAN, quay), 't.samples.json': samples(calls) });
    const { code, out, err } = await run(['run', '--format', 'json'], { cwd });
    expect([code, err]).toEqual([1, '']);
    const report = JSON.parse(out) as Record<string, unknown>;
    const validate = compileSchema('report-run.schema.json');
    validate(report);
    expect(validate.errors ?? []).toEqual([]);
    expect(report).toMatchObject({
      version: 1,
      files: [
        {
          file: 't.samples.json',
          calls: [
            {
              name: 'ok',
              tool: 'update_plan',
              namespace: null,
              state: 'passed',
              contract: { verdict: 'accepted', findings: [] },
              handler: { kind: 'builtin', verdict: 'accepted', value: { plan: [STEP] } },
              output: { type: 'function_call_output', call_id: 'call_1' },
            },
            { name: 'update_pan #2', state: 'failed', output: { output: 'unsupported call: update_pan' } },
            { state: 'failed', findings: [{ rule: 'call/wrong-kind' }] },
            { state: 'failed', contract: { findings: [{ rule: 'call/empty-arguments', offset: 0 }] } },
            {
              state: 'passed',
              handler: { kind: 'builtin', verdict: 'accepted', value: [{ name: 'functions' }] },
              output: { type: 'tool_search_output', tools: [{ name: 'functions', tools: [{ name: 'quay' }] }] },
            },
          ],
        },
      ],
      findings: [{ rule: 'sample/unknown-tool' }, { rule: 'call/wrong-kind' }],
      summary: { passed: 2, failed: 3, errored: 0, skipped: 0 },
    });
    const keys = (value: unknown): string[] => Object.keys(value as object);
    expect(keys(report)).toEqual(['version', 'files', 'findings', 'summary']);
    const [first] = (report['files'] as { calls: object[] }[])[0]!.calls;
    expect(keys(first)).toEqual([
      'name',
      'tool',
      'namespace',
      'state',
      'contract',
      'handler',
      'findings',
      'output',
      'durationMs',
    ]);
  });

  describe('a call without a verdict of its handler says which', () => {
    const tool = (name: string): object => ({
      type: 'function',
      name,
      description: 'd',
      parameters: { type: 'object', properties: {} },
    });
    const node = (code: string): string[] => [process.execPath, '-e', code];
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'begin: "x"\n' };
    const custom = { type: 'custom', name: 'odd', description: 'd', format: grammar };
    const calls = ['exits', 'late', 'missing', 'alone', 'killed', 'cut', 'wrong']
      .map((name): object => ({ name, tool: name, arguments: name === 'cut' ? '{"a' : {} }))
      .concat([
        { name: 'odd', tool: 'odd', input: 'x' },
        { name: 'nobody', tool: 'nobody' },
      ]);
    const files = {
      't.tools.json': tools(...['exits', 'late', 'missing', 'alone', 'killed', 'cut', 'wrong'].map(tool), custom),
      't.samples.json': samples(calls, {
        handlers: {
          exits: { command: node('console.error("out of luck"); process.exit(3)') },
          late: { command: node('setInterval(() => {}, 1000)'), timeoutMs: 100 },
          missing: { command: ['no-such-program-here'] },
          killed: { command: node('process.kill(process.pid, "SIGKILL")') },
          wrong: { command: node('console.log(JSON.stringify({ ok: true })); setInterval(() => {}, 1000)') },
        },
      }),
    };

    test('in the table', async () => {
      const { code, out } = await run(['run'], { cwd: workspace(files) });
      expect(code).toBe(1);
      const rows = out.split('\n').filter((line) => /^ {2}[✓✗!-] /.test(line));
      expect(rows.map((row) => row.replace(/^ {2}(.) (\w+) +\w+ +(.*?) +[<\d][\d.,]* m?s$/, '$1 $2: $3'))).toEqual([
        '! exits: Accepted · Crashed',
        '! late: Accepted · Timed out',
        '! missing: Accepted · Not started',
        '✓ alone: Accepted · No handler',
        '! killed: Accepted · Crashed',
        '✗ cut: Rejected · No handler',
        '! wrong: Accepted · Crashed',
        '! odd: Not judged · No handler',
        '! nobody: Not judged · Not run',
      ]);
    });

    test('in JSON', async () => {
      const { out } = await run(['run', '--format', 'json'], { cwd: workspace(files) });
      const report = JSON.parse(out) as { files: { calls: { contract: object; handler: object }[] }[] };
      const validate = compileSchema('report-run.schema.json');
      validate(report);
      expect(validate.errors ?? []).toEqual([]);
      const all = report.files[0]!.calls;
      expect(all.map(({ handler }) => handler)).toEqual([
        {
          kind: 'command',
          verdict: 'crashed',
          reason: {
            kind: 'exited',
            message: 'The handler ended with exit code 3 before it answered.',
            exitCode: 3,
            notes: ['out of luck'],
          },
        },
        {
          kind: 'command',
          verdict: 'timed-out',
          reason: {
            kind: 'timeout',
            message: 'The handler gave no answer within 100 ms, so it was ended.',
            limitMs: 100,
          },
        },
        {
          kind: 'command',
          verdict: 'crashed',
          reason: { kind: 'not-started', message: expect.stringContaining('there is no such program') },
        },
        { kind: 'none', verdict: 'none', reason: { kind: 'no-handler', message: expect.any(String) } },
        {
          kind: 'command',
          verdict: 'crashed',
          reason: {
            kind: 'signal',
            message: 'The handler was ended by the signal SIGKILL before it answered.',
            signal: 'SIGKILL',
          },
        },
        { kind: 'none', verdict: 'none', reason: { kind: 'no-handler', message: expect.any(String) } },
        {
          kind: 'command',
          verdict: 'crashed',
          reason: { kind: 'bad-answer', message: 'The handler answered with no id where "call_7" was asked.' },
        },
        { kind: 'none', verdict: 'none', reason: { kind: 'no-handler', message: expect.any(String) } },
        { kind: 'none', verdict: 'none', reason: { kind: 'not-reached', message: expect.any(String) } },
      ]);
      expect(all.map(({ contract }) => 'judged' in contract)).toEqual([...Array(7).fill(false), true, true]);
    });

    test('in a sentence', async () => {
      const { out } = await run(['run'], { cwd: workspace(files) });
      const reasons = [...out.matchAll(/^t\.samples\.json:\d+:\d+ error (The handler .*)$/gm)].map(
        ([, words]) => words,
      );
      expect(reasons).toEqual([
        'The handler ended with exit code 3 before it answered.',
        'The handler gave no answer within 100 ms, so it was ended.',
        'The handler "no-such-program-here" could not be started: there is no such program in the search path.',
        'The handler was ended by the signal SIGKILL before it answered.',
        'The handler answered with no id where "call_7" was asked.',
      ]);
    });

    test('in JUnit', async () => {
      const { out } = await run(['run', '--format', 'junit'], { cwd: workspace(files) });
      const types = [...out.matchAll(/<(error|failure) type="([^"]+)"/g)].map(
        ([, element, type]) => `${element} ${type}`,
      );
      // What the file's own check says comes first.
      expect(types.slice(-8)).toEqual([
        'error exited',
        'error timeout',
        'error not-started',
        'error signal',
        'failure call/truncated-json',
        'error bad-answer',
        'error grammar/provider-refuses',
        'error not-run',
      ]);
      expect(out).toContain('Contract: Accepted. Handler: Timed out.');
      expect(out).toContain('Contract: Not judged. Handler: No handler.');
    });
  });

  test('JUnit has a case for every call, and each failure its reason', async () => {
    const calls = [
      { name: 'ok', tool: 'update_plan', arguments: plan(STEP) },
      { name: 'a < "b"\u0001', tool: 'update_plan', arguments: plan({ step: 'a' }) },
    ];
    const cwd = workspace({ 't.tools.json': tools(PLAN), 't.samples.json': samples(calls) });
    const { code, out } = await run(['run', '--format', 'junit'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('<testsuites name="toolspec" tests="2" failures="1" errors="0" skipped="0">');
    expect(out).toMatch(/<testcase classname="t\.samples\.json" name="ok" time="[\d.]+"\/>/);
    expect(out).toMatch(/name="a &lt; &quot;b&quot;\ufffd" time="[\d.]+">\n {6}<failure type="call\//);
  });

  test('handlers run in processes, and not with --no-handlers', async () => {
    const tool = {
      type: 'function',
      name: 'n',
      description: 'd',
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    };
    const cwd = workspace({
      't.tools.json': tools(tool),
      'n.mjs': HANDLER,
      't.samples.json': samples(
        [
          { name: 'small', tool: 'n', arguments: { n: 3 }, expect: { value: { n: 3 } } },
          { name: 'large', tool: 'n', arguments: { n: 30 } },
        ],
        {
          handlers: { n: { module: './n.mjs', export: 'parse' } },
        },
      ),
    });
    const { code, out, err } = await run(['run', '-j', '2'], { cwd });
    expect(out).toMatch(/✓ small n Accepted · Accepted/);
    expect(out).toMatch(/✗ large n Accepted ≠ Rejected/);
    expect(out).toContain('n must be at most 10, got 30');
    expect([code, err]).toEqual([1, '1 passed, 1 failed of 2 calls in 1 file.\n']);
    const without = await run(['run', '--no-handlers'], { cwd });
    expect([without.code, without.err]).toEqual([0, '2 skipped of 2 calls in 1 file.\n']);
    expect(without.out).toContain('--no-handlers was given, so the handler was not run.');
  });

  test('a handler out of the config file starts in its folder', async () => {
    const tool = {
      type: 'function',
      name: 'n',
      description: 'd',
      parameters: { type: 'object', properties: { n: { type: 'integer' } } },
    };
    const cwd = workspace({
      'toolspec.config.json': JSON.stringify({ handlers: { n: { module: './n.mjs' } } }),
      'n.mjs': HANDLER,
      'deep/t.tools.json': tools(tool),
      'deep/t.samples.json': samples([{ tool: 'n', arguments: { n: 3 }, expect: { value: { n: 3 } } }]),
    });
    expect((await run(['run', 'deep'], { cwd })).code).toBe(0);
  });

  test('a builtin handler of the config file that is none for the tool is told at its place', async () => {
    const config = '{ "handlers": { "update_plan": { "builtin": "grammar" } } }';
    const cwd = workspace({
      'toolspec.config.json': config,
      'deep/t.tools.json': tools(PLAN),
      'deep/t.samples.json': samples([{ name: 'p', tool: 'update_plan', arguments: plan(STEP) }], { handlers: {} }),
    });
    const { code, out } = await run(['run', 'deep'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}! p update_plan Accepted · Not run /m);
    const column = config.indexOf('"grammar"') + 1;
    expect(out).toMatch(
      new RegExp(`^toolspec\\.config\\.json:1:${column} error .* \\[handler/unsuited-builtin\\]$`, 'm'),
    );
    const json = JSON.parse((await run(['run', 'deep', '--format', 'json'], { cwd })).out) as { findings: object[] };
    expect(json.findings).toMatchObject([
      { file: 'toolspec.config.json', pointer: '/handlers/update_plan/builtin', tool: 'update_plan' },
    ]);
  });

  test('a builtin handler of a definition that is none for it is told at its place', async () => {
    const own = { ...PLAN, 'x-toolspec': { handler: { builtin: 'grammar' } } };
    const cwd = workspace({ 't.tools.json': tools(own) });
    const { code, out } = await run(['check', '--format', 'json'], { cwd });
    expect(code).toBe(1);
    const { findings } = JSON.parse(out) as { findings: { rule: string }[] };
    expect(findings.filter(({ rule }) => rule === 'handler/unsuited-builtin')).toMatchObject([
      { file: 't.tools.json', pointer: '/0/x-toolspec/handler/builtin', fixes: ['Change it to "json-schema"'] },
    ]);
  });

  test('--tool chooses calls, and guesses', async () => {
    const calls = [
      { tool: 'update_plan', arguments: plan(STEP) },
      { tool: 'other', arguments: {} },
    ];
    const cwd = workspace({
      't.tools.json': tools(PLAN, { ...PLAN, name: 'other' }),
      't.samples.json': samples(calls),
    });
    expect((await run(['run', '--tool', 'update_plan'], { cwd })).err).toBe('1 passed of 1 call in 1 file.\n');
    expect(await run(['run', '--tool', 'update_pla'], { cwd })).toMatchObject({
      code: 2,
      err: 'toolspec: No sample call is for a tool named update_pla. Did you mean update_plan?\n',
    });
  });

  test('--tool leaves out files without such calls, in every format, and keeps those that may have some', async () => {
    const update = { tool: 'update_plan', arguments: plan(STEP) };
    const other = { tool: 'other', arguments: {} };
    const cwd = workspace({
      't.tools.json': tools(PLAN, { ...PLAN, name: 'other' }),
      'a.samples.json': samples([update]),
      'b.samples.json': samples([other]),
      'c.samples.json': samples([other, update]),
      'd.samples.json': samples([]),
    });
    const chosen = ['a.samples.json', 'c.samples.json'];
    const { out, err } = await run(['run', '--tool', 'update_plan'], { cwd });
    expect(out.match(/^\S+\.samples\.json$/gm)).toEqual(chosen);
    expect(err).toBe('2 passed of 2 calls in 2 files.\n');
    const files = async (...args: string[]): Promise<string[]> => {
      const ran = await run(['run', '--tool', 'update_plan', '--format', 'json', ...args], { cwd });
      return (JSON.parse(ran.out) as { files: { file: string }[] }).files.map(({ file }) => file);
    };
    expect(await files()).toEqual(chosen);
    expect(await files('--against', 't.tools.json')).toEqual(chosen);
    const junit = await run(['run', '--tool', 'update_plan', '--format', 'junit'], { cwd });
    expect(junit.out).not.toContain('b.samples.json');
    expect(junit.out).not.toContain('d.samples.json');
    writeFileSync(path.join(cwd, 'd.samples.json'), '{"version": 1, "calls": [');
    expect(await run(['run', '--tool', 'update_plan'], { cwd })).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^d\.samples\.json:\S+ error .+ \[json\/syntax\]$/m),
    });
  });

  test('a samples file that holds no JSON at all is an error', async () => {
    for (const text of ['', '<html></html>\n']) {
      const { code, out } = await run(['run'], { cwd: workspace({ 't.samples.json': text }) });
      expect(code).toBe(1);
      expect(out).toMatch(/^t\.samples\.json:1:1 error .+ \[json\/syntax\]\n/);
    }
  });

  test.each<[args: string[], code: number, err: RegExp]>([
    [['nowhere'], 2, /nowhere does not exist/],
    [['.'], 0, /no sample calls \(\*\.samples\.json\) here\./],
    [['--jobs', '0'], 2, /--jobs takes a whole number above zero/],
    [['--format', 'xml'], 2, /--format takes/],
    [['--against', 'no.json', 'a.json'], 2, /no\.json does not exist/],
  ])('run %s', async (args, code, err) => {
    const cwd = workspace({ 'a.json': samples([]) });
    const ran = await run(['run', ...args], { cwd });
    expect(ran.code).toBe(code);
    expect(ran.err).toMatch(err);
  });

  test('a samples file without definitions knows no tools', async () => {
    const text = samples([{ name: 'p', tool: 'update_plan', arguments: {} }], { definitions: undefined });
    const { code, out } = await run(['run'], { cwd: workspace({ 't.samples.json': text }) });
    expect(code).toBe(1);
    expect(out).toMatch(/^ {2}! p update_plan Not judged · Not run /m);
    expect(out).toContain('The samples file names no definition files, so no tool is known.');
  });

  test('a missing definition file is a fault of the file and of its calls', async () => {
    const cwd = workspace({ 't.samples.json': samples([{ tool: 'update_plan', arguments: {} }]) });
    const { code, out, err } = await run(['run'], { cwd });
    expect(out).toContain('Not judged · Not run');
    expect([code, err]).toEqual([1, '1 errored of 1 call in 1 file.\n']);
    expect(out).toContain('[sample/unknown-definitions]');
  });
});

describe('toolspec run --against', () => {
  const before = {
    type: 'function',
    name: 'n',
    description: 'd',
    parameters: { type: 'object', properties: { n: { type: 'string' } } },
  };
  const after = { ...before, parameters: { type: 'object', properties: { n: { type: 'integer' } } } };
  const calls = [
    { name: 'text', tool: 'n', arguments: { n: 'x' } },
    { name: 'number', tool: 'n', arguments: { n: 1 } },
    { name: 'none', tool: 'n', arguments: {} },
  ];
  const git = (cwd: string, ...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'ignore' });
  };

  test('a file with the old definitions', async () => {
    const cwd = workspace({
      't.tools.json': tools(after),
      'old.json': tools(before),
      't.samples.json': samples(calls),
    });
    const { code, out, err } = await run(['run', 't.samples.json', '--against', 'old.json'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^t\.samples\.json:\d+:\d+ error "text": The old contract accepts this call, the new one refuses it\. \[broken\]$/m,
    );
    expect(out).toMatch(/^t\.samples\.json:\d+:\d+ info "number": .* \[repaired\]$/m);
    expect(out).not.toContain('"none"');
    expect(err).toBe('1 broken, 1 repaired in 3 calls against old.json.\n');
  });

  test('what cannot be read is open, not gone', async () => {
    const cwd = workspace({ 'old.json': tools(before), 't.samples.json': samples(calls) });
    const { code, out, err } = await run(['run', 't.samples.json', '--against', 'old.json'], { cwd });
    expect([code, out, err]).toEqual([0, '', '3 unclear in 3 calls against old.json.\n']);
  });

  test('a commit, for definitions and grammars', async () => {
    const patch = {
      type: 'custom',
      name: 'c',
      description: 'd',
      format: { type: 'grammar', syntax: 'lark', definition: { $file: './g/c.lark' } },
    };
    const list = [...calls, { name: 'input', tool: 'c', input: 'a' }, { name: 'gone', tool: 'gone', arguments: {} }];
    const cwd = workspace({
      'sub/t.tools.json': tools(before, patch, { ...before, name: 'gone' }),
      'sub/g/c.lark': 'start: "a"\n',
      'sub/t.samples.json': samples(list),
    });
    git(cwd, 'init', '-q');
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-q', '-m', 'x');
    const same = await run(['run', '--against', 'git:HEAD'], { cwd });
    expect(same).toMatchObject({ code: 0, out: '', err: 'No differences in 5 calls against git:HEAD.\n' });
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${cwd}/sub/t.tools.json`, tools(after, patch));
    writeFileSync(`${cwd}/sub/g/c.lark`, 'start: "b"\n');
    const { code, out } = await run(['run', '--against', 'git:HEAD', '--format', 'json'], { cwd });
    expect(code).toBe(1);
    const report = JSON.parse(out) as { files: { calls: { name: string; change: string }[] }[] };
    const validate = compileSchema('report-against.schema.json');
    validate(report);
    expect(validate.errors ?? []).toEqual([]);
    expect(report.files[0]!.calls.map(({ name, change }) => [name, change])).toEqual([
      ['text', 'broken'],
      ['number', 'repaired'],
      ['none', 'same'],
      ['input', 'broken'],
      ['gone', 'removed'],
    ]);
    const junit = await run(['run', '--against', 'git:HEAD', '--format', 'junit'], { cwd });
    expect(junit.out).toContain('tests="5" failures="3" errors="0"');
  });

  test.each([
    ['git:nope', 'The repository has no commit "nope".'],
    ['git:--output=x', '"--output=x" is no name of a commit.'],
    ['git:', '"" is no name of a commit.'],
  ])('%s is wrong use', async (against, words) => {
    const cwd = workspace({ 't.tools.json': tools(after), 't.samples.json': samples(calls) });
    git(cwd, 'init', '-q');
    expect(await run(['run', '--against', against], { cwd })).toMatchObject({ code: 2, err: `toolspec: ${words}\n` });
  });

  test('outside of a repository', async () => {
    const cwd = workspace({ 't.tools.json': tools(after), 't.samples.json': samples(calls) });
    const { code, err } = await run(['run', '--against', 'git:HEAD'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('is in no git repository.');
  });
});
