import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root, run } from './support';

const QUERY = 'samples/query.lark';

test('the sample grammar is fine for every target, well laid out, and reads its own example', async () => {
  expect(await run(['grammar', 'check', QUERY, '--hints', '--target', 'all'])).toEqual({
    code: 0,
    out: '',
    err: 'No findings in 1 grammar.\n',
  });
  expect((await run(['grammar', 'format', QUERY, '--check'])).code).toBe(0);
  const [, example] = readFileSync(path.join(root, QUERY), 'utf8').split('\n');
  const text = example!.replace(/^\/\/ +/, '');
  const { code, out } = await run(['grammar', 'parse', QUERY, '--input', text]);
  expect(code).toBe(0);
  expect(out).toContain('number_test\n      FIELD "total"');
  // Whichever parser reads it.
  expect((await run(['grammar', 'parse', QUERY, '--input', text, '--parser', 'lalr'])).out).toBe(out);
});

test('the sample tools show the mistake that the guide shows', async () => {
  const { code, out } = await run(['check', 'samples/archive.tools.json']);
  expect(code).toBe(1);
  const guide = readFileSync(path.join(root, 'docs/grammars.md'), 'utf8');
  const shown = /^samples\/archive.*$/m.exec(guide)![0];
  const [head, tail] = shown.split(' … ');
  expect(out.startsWith(head!)).toBe(true);
  expect(out.trimEnd().endsWith(tail!)).toBe(true);
  const query = await run([
    'grammar',
    'parse',
    'samples/archive.tools.json',
    '--tool',
    'search_orders',
    '--input',
    'orders',
  ]);
  expect(query).toEqual({ code: 0, out: 'start\n', err: '' });
});

test('the refusal in the docs is what is printed', async () => {
  const { out } = await run(['grammar', 'parse', QUERY, '--input', 'orders where total > many']);
  for (const file of ['README.md', 'docs/cli.md']) expect(readFileSync(path.join(root, file), 'utf8')).toContain(out);
});

const CALLS = [
  'apply_patch.drift.samples.json',
  'apply_patch.samples.json',
  'calendar.samples.json',
  'query.samples.json',
  'read_note.samples.json',
  'update_plan.samples.json',
];

test('toolspec run: every sample call passes, with rejections that are meant, and the docs name each file', async () => {
  const { code, out } = await run(['run', 'samples', '--format', 'json']);
  const report = JSON.parse(out) as {
    files: { file: string; calls: { state: string; contract: { verdict: string }; handler: { verdict: string } }[] }[];
    summary: Record<string, number>;
  };
  expect(code).toBe(0);
  expect(report.files.map(({ file }) => file)).toEqual(CALLS.map((file) => `samples/${file}`));
  expect(report.summary).toEqual({ passed: 22, failed: 0, errored: 0, skipped: 0 });
  for (const { file, calls } of report.files) {
    const verdicts = calls.map(({ contract, handler }) => `${contract.verdict} ${handler.verdict}`);
    if (!file.includes('drift')) expect(verdicts).toContain('accepted accepted');
    expect(verdicts.some((each) => each.includes('rejected'))).toBe(true);
  }
  const guide = readFileSync(path.join(root, 'docs/drift.md'), 'utf8');
  for (const file of CALLS) expect(guide).toContain(`\`${file}\``);
});

test('the sample tools have no errors but those that are shown on purpose', async () => {
  const files = [
    'update_plan.tool.json',
    'apply_patch.tool.json',
    'read_note.tool.json',
    'calendar.tools.json',
    'query.tool.json',
  ];
  const { code, out } = await run(['check', ...files.map((file) => `samples/${file}`), '--format', 'json']);
  const { summary } = JSON.parse(out) as { summary: { errors: number } };
  expect({ code, errors: summary.errors }).toEqual({ code: 0, errors: 0 });
});
