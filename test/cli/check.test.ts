import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PLAIN, responsesTool, run, workspace } from './support';

/** A file with one warning and no error: its property has no type, so Codex empties it. */
const WARNING = responsesTool('warn', { ...PLAIN, properties: { anything: { description: 'What you like.' } } });
const FINE = responsesTool('fine', PLAIN);
const BROKEN = '[{"type":"function",]\n';

const files = (out: string): string[] => [
  ...new Set((JSON.parse(out) as { findings: { file: string }[] }).findings.map(({ file }) => file)),
];

describe('exit codes', () => {
  test('0 without findings, and the summary goes to standard error', async () => {
    const cwd = workspace({ 'a.tools.json': FINE });
    expect(await run(['check'], { cwd })).toEqual({ code: 0, out: '', err: 'No findings in 1 tool of 1 file.\n' });
  });

  test('0 with warnings, 1 when there are more than --max-warnings', async () => {
    const cwd = workspace({ 'a.tools.json': WARNING });
    const { code, out } = await run(['check'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^a\.tools\.json:\d+:\d+ warning .+ \[codex\/schema-emptied\]\n$/);
    expect((await run(['check', '--max-warnings', '1'], { cwd })).code).toBe(0);
    expect((await run(['check', '--max-warnings', '0'], { cwd })).code).toBe(1);
  });

  test('1 with errors', async () => {
    const cwd = workspace({ 'a.tools.json': BROKEN });
    const { code, out } = await run(['check', 'a.tools.json'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('[json/syntax]');
  });

  test('1 for a file that holds no JSON at all, whatever it is for', async () => {
    const names = ['a.tools.json', 'a.samples.json', 'toolspec.config.json'];
    for (const text of ['', '<html></html>\n']) {
      const cwd = workspace(Object.fromEntries(names.map((name) => [name, text])));
      const { code, out } = await run(['check'], { cwd });
      expect(code).toBe(1);
      for (const name of names) expect(out).toMatch(new RegExp(`^${name}:1:1 error .+ \\[json/syntax\\]$`, 'm'));
    }
  });

  test('2 for what cannot be read, and the rest is reported all the same', async () => {
    const cwd = workspace({ 'a.tools.json': BROKEN, 'bin.json': Buffer.from([1, 0, 2]) });
    const { code, out, err } = await run(['check', 'gone.json', 'bin.json', 'a.tools.json'], { cwd });
    expect(code).toBe(2);
    expect(out).toContain('a.tools.json:1:');
    expect(err).toContain('toolspec: gone.json does not exist.\n');
    expect(err).toContain('toolspec: bin.json is a binary file.\n');
    expect(err).toContain('2 paths could not be read.');
  });

  test.each([
    ['UTF-16', Buffer.from('\ufeff[]', 'utf16le'), 'is UTF-16; only UTF-8 is read'],
    ['millions of brackets', Buffer.alloc(7_000_000, '['), 'holds more than 4,000,000 JSON values, which are not read'],
    ['bytes that are not UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), 'is not UTF-8'],
  ])('2 for %s', async (_, bytes, failure) => {
    const cwd = workspace({ 'a.json': bytes });
    const { code, err } = await run(['check', 'a.json'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain(`toolspec: a.json ${failure}.\n`);
  });

  test('a folder without tool files is fine, and says so', async () => {
    const cwd = workspace({ 'readme.md': 'x' });
    const { code, out, err } = await run(['check'], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toBe('toolspec: no tool definition files, no sample calls and no grammars here.\n');
  });
});

describe('which files', () => {
  const check = async (cwd: string, ...paths: string[]): Promise<string[]> =>
    files((await run(['check', '--format', 'json', ...paths], { cwd })).out);

  test('a folder gives the files of the tool patterns, sorted, and no others', async () => {
    const cwd = workspace({
      'z.tool.json': WARNING,
      'sub/tools.json': WARNING,
      'sub/b.tools.jsonc': WARNING,
      'sub/a.tool.jsonc': WARNING,
      'sub/mytools.json': WARNING,
      'other.json': WARNING,
      'node_modules/x/a.tools.json': WARNING,
      '.git/a.tools.json': WARNING,
      '.hidden/a.tools.json': WARNING,
    });
    expect(await check(cwd)).toEqual([
      'z.tool.json',
      '.hidden/a.tools.json',
      'sub/a.tool.jsonc',
      'sub/b.tools.jsonc',
      'sub/tools.json',
    ]);
  });

  test('a named file is read whatever its name, once, also when it is ignored', async () => {
    const cwd = workspace({ '.gitignore': '*', 'other.json': WARNING });
    expect(await check(cwd, 'other.json', './other.json')).toEqual(['other.json']);
    expect(
      JSON.parse((await run(['check', '--format', 'json', 'other.json', 'other.json'], { cwd })).out).summary.files,
    ).toBe(1);
  });

  test('.gitignore counts at every level, from the root of the repository on', async () => {
    const cwd = workspace({
      '.git/HEAD': '',
      '.gitignore': 'dist/\n*.gen.tools.json\n/top.tools.json\n',
      'top.tools.json': WARNING,
      'pkg/.gitignore': '!keep.gen.tools.json\nlocal.tools.json\n',
      'pkg/top.tools.json': WARNING,
      'pkg/local.tools.json': WARNING,
      'pkg/drop.gen.tools.json': WARNING,
      'pkg/keep.gen.tools.json': WARNING,
      'pkg/dist/a.tools.json': WARNING,
    });
    const kept = ['pkg/keep.gen.tools.json', 'pkg/top.tools.json'];
    expect(await check(cwd)).toEqual(kept);
    expect(await check(cwd, 'pkg')).toEqual(kept);
    expect(await check(path.join(cwd, 'pkg'), '.')).toEqual(['keep.gen.tools.json', 'top.tools.json']);
  });

  test('links to files are followed, links to folders are not', async () => {
    const cwd = workspace({ 'real/a.tools.json': WARNING });
    symlinkSync(path.join(cwd, 'real/a.tools.json'), path.join(cwd, 'b.tools.json'));
    symlinkSync(cwd, path.join(cwd, 'loop'));
    symlinkSync(path.join(cwd, 'nowhere'), path.join(cwd, 'c.tools.json'));
    expect(await check(cwd)).toEqual(['b.tools.json', 'real/a.tools.json']);
  });

  test('paths are relative to the working directory', async () => {
    const cwd = workspace({ 'tools/a.tools.json': WARNING, 'here/x': '' });
    expect(await check(path.join(cwd, 'here'), path.join(cwd, 'tools'))).toEqual(['../tools/a.tools.json']);
  });

  test('a manifest is looked at only if it contributes tools', async () => {
    const contributes = {
      languageModelTools: [{ name: 'a b', modelDescription: 'x', inputSchema: { type: 'object' } }],
    };
    const cwd = workspace({
      'package.json': JSON.stringify({ name: 'x', version: '1.0.0' }),
      'ext/package.json': JSON.stringify({ name: 'y', contributes }),
    });
    expect(JSON.parse((await run(['check', '--format', 'json'], { cwd })).out).summary).toMatchObject({
      files: 1,
      tools: 1,
    });
  });

  test('comments are fine in .jsonc files alone', async () => {
    const text = `// Tools.\n${FINE}`;
    const cwd = workspace({ 'a.tools.jsonc': text, 'b.tools.json': text });
    expect(await check(cwd)).toEqual(['b.tools.json']);
  });
});

describe('toolspec.config.json', () => {
  const levels = async (cwd: string, ...args: string[]): Promise<string[]> =>
    (JSON.parse((await run(['check', '--format', 'json', ...args], { cwd })).out) as Report).findings.map(
      ({ file, rule, level }) => `${file} ${rule} ${level}`,
    );
  interface Report {
    findings: { file: string; rule: string; level: string }[];
  }

  test('the nearest one upwards sets levels; one in a deeper folder stands alone', async () => {
    const cwd = workspace({
      'toolspec.config.json': '{"rules":{"codex/schema-emptied":"error"}}\n',
      'a.tools.json': WARNING,
      'b/c/a.tools.json': WARNING,
      'd/toolspec.config.json': '{"rules":{"codex/schema-emptied":"off"}}\n',
      'd/e/a.tools.json': WARNING,
    });
    expect(await levels(cwd)).toEqual([
      'a.tools.json codex/schema-emptied error',
      'b/c/a.tools.json codex/schema-emptied error',
    ]);
    expect((await run(['check', 'b/c/a.tools.json'], { cwd })).code).toBe(1);
  });

  test('the way up ends at the root of the repository', async () => {
    const cwd = workspace({
      'toolspec.config.json': '{"rules":{"codex/schema-emptied":"off"}}\n',
      'repo/.git/HEAD': '',
      'repo/pkg/a.tools.json': WARNING,
    });
    expect(await levels(path.join(cwd, 'repo/pkg'))).toEqual(['a.tools.json codex/schema-emptied warning']);
  });

  test('outside of a repository it ends at the working directory', async () => {
    const cwd = workspace({
      'toolspec.config.json': '{"rules":{"codex/schema-emptied":"off"}}\n',
      'w/a.tools.json': WARNING,
    });
    expect(await levels(path.join(cwd, 'w'))).toEqual(['a.tools.json codex/schema-emptied warning']);
    expect(await levels(cwd)).toEqual([]);
  });

  test('targets hold for its files, --target replaces them', async () => {
    const cwd = workspace({ 'toolspec.config.json': '{"targets":["mcp"]}\n', 'a.tools.json': WARNING });
    expect(await levels(cwd)).not.toContain('a.tools.json codex/schema-emptied warning');
    expect(await levels(cwd, '--target', 'codex', '-t', 'openai')).toContain(
      'a.tools.json codex/schema-emptied warning',
    );
    expect(await levels(cwd, '--target', 'all')).toContain('a.tools.json codex/schema-emptied warning');
  });

  test('include adds files, exclude takes them away, and a named file is read all the same', async () => {
    const config = '{"include":["agents/*.json"],"exclude":["*.old.tools.json"]}\n';
    const cwd = workspace({
      'toolspec.config.json': config,
      'agents/a.json': WARNING,
      'agents/deep/b.json': WARNING,
      'x.old.tools.json': WARNING,
    });
    expect(await levels(cwd)).toEqual(['agents/a.json codex/schema-emptied warning']);
    expect(await levels(cwd, 'x.old.tools.json')).toEqual(['x.old.tools.json codex/schema-emptied warning']);
  });

  test('budget and profile count', async () => {
    const schema = { ...PLAIN, properties: { a: { type: 'array', items: { type: 'string' }, minItems: 1 } } };
    const cwd = workspace({
      'toolspec.config.json': '{"budgetBytes":20,"profile":"codex-0.148"}\n',
      'a.tools.json': responsesTool('a', schema),
    });
    const found = await levels(cwd);
    expect(found).toContain('a.tools.json codex/over-budget warning');
    expect(found).toContain('a.tools.json codex/keyword-dropped hint');
    expect(await levels(cwd, '--profile', 'codex-0.171')).not.toContain('a.tools.json codex/keyword-dropped hint');
  });

  test('its own faults are findings', async () => {
    const cwd = workspace({ 'toolspec.config.json': '{"rules":{"codex/no-such-rule":"off"}}\n' });
    expect(await levels(cwd)).toEqual(['toolspec.config.json config/unknown-rule warning']);
  });

  test.each([['{"rules": ['], ['[]'], ['null'], ['{"targets": "codex", "include": 5, "rules": {"a": 1}}']])(
    'a faulty one stops nothing: %s',
    async (config) => {
      const cwd = workspace({ 'toolspec.config.json': config, 'a.tools.json': WARNING });
      expect(await levels(cwd)).toContain('a.tools.json codex/schema-emptied warning');
    },
  );
});

describe('bad input', () => {
  test('a folder that may not be read is reported', async () => {
    const cwd = workspace({ 'a.tools.json': WARNING });
    const locked = path.join(cwd, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0);
    const { code, out, err } = await run(['check'], { cwd });
    chmodSync(locked, 0o700);
    expect(out).toContain('a.tools.json:');
    // Whoever may read everything, as root may, meets an empty folder.
    const readable = process.getuid?.() === 0;
    expect(code).toBe(readable ? 0 : 2);
    expect(err.includes('locked may not be read')).toBe(!readable);
  });

  test('100,000 levels of nesting are a finding', async () => {
    const deep = `[{"type":"function","name":"deep","parameters":${'{"items":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`;
    const cwd = workspace({ 'a.tools.json': deep });
    const { code, out } = await run(['check', '--target', 'all'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('a.tools.json:1:');
  });

  test('control characters of a file never reach the terminal', async () => {
    const cwd = workspace({ 'a.tools.json': responsesTool('a\u001b[31m b', PLAIN) });
    for (const args of [['check'], ['compile', 'a.tools.json'], ['wire', 'a.tools.json']]) {
      const { out, err } = await run(args, { cwd });
      expect(out + err).not.toContain('\u001b');
    }
  });
});
