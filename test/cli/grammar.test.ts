import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { run, workspace } from './support';

const LIST = 'start: item ("," item)*\nitem: WORD | "[" item "]" -> nested\nWORD: /[a-z]+/\n%ignore " "\n';
const LOOSE = 'start:   item\n\n\n\nitem:"x"   // why\n';
const NEAT = 'start: item\n\nitem: "x"  // why\n';

function tool(name: string, definition: unknown): object {
  return { type: 'custom', name, description: 'Takes text.', format: { type: 'grammar', syntax: 'lark', definition } };
}

describe('grammar check', () => {
  test('finds the faults of a grammar, with level and rule', async () => {
    const cwd = workspace({ 'g.lark': 'start: word gone\nword: /[a-z]{1,9}/\n' });
    const { code, out, err } = await run(['grammar', 'check', 'g.lark'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/^g\.lark:1:13 error .* \[grammar\/undefined-name\]$/m);
    expect(err).toMatch(/^1 error.* in 1 grammar\.\n/);
  });

  test('a grammar from which others import needs no start', async () => {
    const cwd = workspace({
      'main.lark': '%import .parts.words.word\nstart: word\n',
      'parts/words.lark': '%import .letters.LETTERS\nword: LETTERS\n',
      'parts/letters.lark': 'LETTERS: /[a-z]{1,9}/\n',
      'parts/alone.lark': 'word: /[a-z]{1,9}/\n',
      'a.tools.json': JSON.stringify([tool('a', '%import .inline.x\nstart: x')]),
      'inline.lark': 'x: "x"\n',
    });
    const rules = async (...args: string[]): Promise<string[]> => {
      const { out } = await run(['check', '--target', 'lark', '--format', 'json', ...args], { cwd });
      const { findings } = JSON.parse(out) as { findings: { file: string; rule: string; level: string }[] };
      return findings.flatMap(({ file, rule, level }) => (level === 'error' ? [`${file} ${rule}`] : []));
    };
    expect(await rules('.')).toEqual(['parts/alone.lark grammar/start-undefined']);
    expect(await rules('parts/words.lark', 'parts/letters.lark')).toEqual([]);
    expect(await rules('parts/alone.lark')).toEqual(['parts/alone.lark grammar/start-undefined']);
    // Who imports it is known here by the file of tools alone.
    expect(await rules('inline.lark', 'a.tools.json')).toEqual([]);
    expect(await rules('inline.lark')).toEqual(['inline.lark grammar/start-undefined']);
  });

  test('the engine has no word on a grammar from which others import', async () => {
    const cwd = workspace({
      'main.lark': '%import .words.word\nstart: word\n',
      'words.lark': 'word: "w"\n',
    });
    const { out } = await run(['check', '--target', 'llguidance', 'words.lark'], { cwd });
    expect(out).toBe('');
  });

  test('a name other than *.lark is a grammar too, unless it holds JSON', async () => {
    const cwd = workspace({ 'g.txt': 'start: gone\n', 'tools.txt': JSON.stringify([tool('a', 'start: gone')]) });
    expect((await run(['grammar', 'check', 'g.txt'], { cwd })).out).toContain('g.txt:1:8 error');
    expect((await run(['grammar', 'check', 'tools.txt'], { cwd })).err).toContain('in 1 tool of 1 file.');
  });

  test('of a file of tools it checks the grammars alone, those in files too', async () => {
    const function_ = { type: 'function', name: 'f', description: '', parameters: { type: 'array' } };
    const cwd = workspace({
      'a.tools.json': JSON.stringify([function_, tool('a', { $file: './sub/g.lark' })]),
      'sub/g.lark': 'start: gone\n',
    });
    const { code, out, err } = await run(['grammar', 'check', 'a.tools.json'], { cwd });
    expect(code).toBe(1);
    expect(out.split('\n').filter((line) => line !== '' && !line.includes('[grammar/'))).toEqual([]);
    expect(out).toContain('sub/g.lark:1:8 error');
    expect(err).toContain('in 2 tools of 1 file and 1 grammar.');
  });

  test('broken JSON is no file without findings', async () => {
    const cwd = workspace({ 'a.tools.json': '[{]' });
    const { code, out } = await run(['grammar', 'check', 'a.tools.json'], { cwd });
    expect({ code, found: out.includes('[json/syntax]') }).toEqual({ code: 1, found: true });
  });

  test('--target decides which engine is asked', async () => {
    const cwd = workspace({ 'g.lark': 'start: /a(?=b)/ /b/\n' });
    const rules = async (target: string) => {
      const { out } = await run(['grammar', 'check', 'g.lark', '--target', target, '--format', 'json'], { cwd });
      const { findings } = JSON.parse(out) as { findings: { rule: string; level: string }[] };
      return findings.filter(({ level }) => level === 'error').map(({ rule }) => rule);
    };
    expect(await rules('llguidance')).toEqual(['grammar/lookaround']);
    expect(await rules('lark')).toEqual([]);
  });

  test('imports of files are read', async () => {
    const cwd = workspace({ 'g.lark': '%import .part.WORD\nstart: WORD\n', 'part.lark': 'WORD: /[a-z]{1,9}/\n' });
    const good = await run(['grammar', 'check', 'g.lark', '--target', 'lark'], { cwd });
    expect(good.code).toBe(0);
    const cwd2 = workspace({ 'g.lark': '%import .part.WORD\nstart: WORD\n' });
    const bad = await run(['grammar', 'check', 'g.lark', '--target', 'lark'], { cwd: cwd2 });
    expect({ code: bad.code, found: bad.out.includes('[grammar/import]') }).toEqual({ code: 1, found: true });
  });
});

describe('check', () => {
  test('a folder gives its grammars; what a tool names is checked once', async () => {
    const cwd = workspace({
      'a.tools.json': JSON.stringify([tool('a', { $file: './g.lark' }), tool('b', { $file: './other.txt' })]),
      'g.lark': 'start: gone\n',
      'other.txt': 'start: "x" lost\n',
      'node_modules/x/n.lark': 'start: gone\n',
    });
    const { code, out, err } = await run(['check'], { cwd });
    expect(code).toBe(1);
    expect(out.match(/^g\.lark:1:8 error/gm)).toHaveLength(1);
    expect(out.match(/^other\.txt:1:12 error/gm)).toHaveLength(1);
    expect(err).toContain('in 2 tools of 1 file and 2 grammars.');
  });

  test('a grammar file that is missing is said with its tool', async () => {
    const cwd = workspace({ 'a.tools.json': JSON.stringify([tool('a', { $file: './gone.lark' })]) });
    const { code, out } = await run(['check'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(
      /^a\.tools\.json:1:\d+ error There is no file `\.\/gone\.lark` here.* \[grammar\/missing-file\]$/m,
    );
  });

  test('a grammar of a similar name is offered, and a fix writes it', async () => {
    const cwd = workspace({
      'a.tools.json': JSON.stringify([tool('a', { $file: 'grammars/pach.lark' })]),
      'grammars/patch.lark': 'start: "x"\n',
    });
    const { code, out } = await run(['check'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('Did you mean `grammars/patch.lark`?');
  });

  test('a grammar in a string imports files beside the file of tools', async () => {
    const cwd = workspace({
      'a.tools.json': JSON.stringify([
        tool('a', '%import .words.WORD\nstart: WORD\n'),
        tool('b', '%import .gone.X\nstart: X\n'),
      ]),
      'words.lark': 'WORD: /[a-z]+/\n',
    });
    const { out } = await run(['check', '--target', 'lark'], { cwd });
    expect(out.match(/^a\.tools\.json:.* error .*$/gm)).toEqual([
      expect.stringMatching(/ There is no grammar gone\.lark\. \[grammar\/import\]$/),
    ]);
  });

  test('levels, excludes and targets of the config file hold for grammars', async () => {
    const cwd = workspace({
      'toolspec.config.json': JSON.stringify({ rules: { 'grammar/undefined-name': 'hint' }, exclude: ['old.lark'] }),
      'g.lark': 'start: "x" gone\n',
      'old.lark': 'start: gone\n',
    });
    const { code, out } = await run(['check', '--hints'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^g\.lark:1:12 hint .* \[grammar\/undefined-name\]$/m);
    expect(out).not.toContain('old.lark');
  });

  test('--fix fixes grammars and says so', async () => {
    const cwd = workspace({ 'g.lark': '\ufeffstart: "a"~2..3\r\n' });
    const { code, out, err } = await run(['check', 'g.lark', '--fix', '--target', 'openai'], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(err).toContain('g.lark: 1 fix applied.\n  Write ~2 .. 3\n');
    expect(readFileSync(path.join(cwd, 'g.lark'), 'utf8')).toBe('\ufeffstart: "a"~2 .. 3\r\n');
  });
});

describe('grammar generate', () => {
  test('prints texts that the grammar accepts, and covers every alternative', async () => {
    const cwd = workspace({ 'g.lark': LIST });
    const { code, out, err } = await run(['grammar', 'generate', 'g.lark'], { cwd });
    expect(code).toBe(0);
    expect(err).toMatch(/^\d+ texts cover (\d+) of \1 alternatives\.\n$/);
    const texts = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as string);
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) {
      expect((await run(['grammar', 'parse', 'g.lark', '--input', text], { cwd })).code).toBe(0);
    }
  });

  test('--count is the most, --seed decides, --format json is one list', async () => {
    const cwd = workspace({ 'g.lark': LIST });
    const ask = async (...more: string[]) => (await run(['grammar', 'generate', 'g.lark', ...more], { cwd })).out;
    expect((await ask('--count', '3')).trimEnd().split('\n')).toHaveLength(3);
    expect(await ask('--count', '0')).toBe('');
    expect(await ask('--seed', '5')).toBe(await ask('--seed', '5'));
    expect(await ask('--seed', '5')).not.toBe(await ask('--seed', '6'));
    expect(JSON.parse(await ask('--count', '20', '--format', 'json'))).toHaveLength(20);
  });

  test('--refused prints texts that the grammar refuses', async () => {
    const cwd = workspace({ 'g.lark': LIST });
    const { code, out } = await run(['grammar', 'generate', 'g.lark', '--refused', '-n', '8', '-f', 'json'], { cwd });
    expect(code).toBe(0);
    const texts = JSON.parse(out) as string[];
    expect(texts).toHaveLength(8);
    for (const text of texts) {
      expect((await run(['grammar', 'parse', 'g.lark', '--input', text], { cwd })).code).toBe(1);
    }
  });

  test('an alternative that no text can use is named with its place', async () => {
    const cwd = workspace({ 'g.lark': 'start: "x"\n  | loop\nloop: "y" loop\n' });
    const { code, out, err } = await run(['grammar', 'generate', 'g.lark'], { cwd });
    expect({ code, out }).toEqual({ code: 0, out: '"x"\n' });
    expect(err).toContain('g.lark:2:5: no text at all can use this alternative of start.\n');
    expect(err).toContain('1 text covers');
  });

  test('a grammar that does not load has no texts', async () => {
    const cwd = workspace({ 'g.lark': 'start: gone\n' });
    const { code, out, err } = await run(['grammar', 'generate', 'g.lark'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('g.lark:1:8 error');
  });
});

describe('grammar format', () => {
  test('prints the text and leaves the file alone', async () => {
    const cwd = workspace({ 'g.lark': LOOSE });
    expect(await run(['grammar', 'format', 'g.lark'], { cwd })).toEqual({ code: 0, out: NEAT, err: '' });
    expect(readFileSync(path.join(cwd, 'g.lark'), 'utf8')).toBe(LOOSE);
    expect((await run(['grammar', 'format', '-'], { cwd, input: [LOOSE] })).out).toBe(NEAT);
  });

  test('--check lists what would change, --write changes it', async () => {
    const cwd = workspace({ 'a.lark': LOOSE, 'b.lark': NEAT, 'c.lark': `\ufeff${LOOSE.replaceAll('\n', '\r\n')}` });
    const files = ['a.lark', 'b.lark', 'c.lark'];
    expect(await run(['grammar', 'format', ...files, '--check'], { cwd })).toEqual({
      code: 1,
      out: 'a.lark\nc.lark\n',
      err: '2 files of 3 would change.\n',
    });
    expect(await run(['grammar', 'format', ...files, '--write'], { cwd })).toEqual({
      code: 0,
      out: '',
      err: 'a.lark changed.\nc.lark changed.\n',
    });
    expect(files.map((file) => readFileSync(path.join(cwd, file), 'utf8'))).toEqual([
      NEAT,
      NEAT,
      `\ufeff${NEAT.replaceAll('\n', '\r\n')}`,
    ]);
    expect((await run(['grammar', 'format', ...files, '--check'], { cwd })).code).toBe(0);
  });

  test('in a file of tools only the grammars change', async () => {
    const text = `[ ${JSON.stringify(tool('a', LOOSE))},\n  ${JSON.stringify(tool('b', { $file: 'g.lark' }))} ]`;
    const cwd = workspace({ 'a.tools.json': text });
    const { code, out } = await run(['grammar', 'format', 'a.tools.json'], { cwd });
    expect(code).toBe(0);
    expect(out).toBe(text.replace(JSON.stringify(LOOSE).slice(1, -1), () => JSON.stringify(NEAT).slice(1, -1)));
  });
});

describe('grammars without texts', () => {
  test('are told of, with a limit too', async () => {
    const cwd = workspace({ 'g.lark': 'start: x\nx: "b" x\n' });
    const { code, out, err } = await run(['grammar', 'generate', 'g.lark', '-n', '3'], { cwd });
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(/^0 texts cover 0 of 2 alternatives\.\n.*no text at all can use this alternative of start/);
    expect((await run(['grammar', 'generate', 'g.lark', '-n', '0'], { cwd })).err).toBe('');
  });
});

describe('paths', () => {
  test('that are empty are no folders', async () => {
    const cwd = workspace({});
    const commands = [
      ['parse', '', '--input', 'a'],
      ['walk', ''],
      ['generate', ''],
      ['format', ''],
      ['railroad', ''],
    ];
    for (const args of commands) {
      const { code, err } = await run(['grammar', ...args], { cwd });
      expect([code, err]).toEqual([2, 'toolspec: A path is empty.\n']);
    }
  });

  test('of pictures may not be those of files', async () => {
    const cwd = workspace({ 'g.lark': NEAT });
    const { code, err } = await run(['grammar', 'railroad', 'g.lark', '--out', 'g.lark'], { cwd });
    expect([code, err]).toEqual([
      2,
      'toolspec: g.lark could not be written: a file stands where a folder is needed.\n',
    ]);
  });
});

describe('grammar railroad', () => {
  test('one picture on standard output or in a file', async () => {
    const cwd = workspace({ 'g.lark': LIST });
    const { code, out } = await run(['grammar', 'railroad', 'g.lark'], { cwd });
    expect(code).toBe(0);
    expect(out).toMatch(/^<svg [\s\S]*<title>g<\/title>[\s\S]*<\/svg>\n$/);
    const file = await run(['grammar', 'railroad', 'g.lark', '--out', 'all.svg'], { cwd });
    expect(file).toEqual({ code: 0, out: '', err: '4 definitions in all.svg.\n' });
    expect(readFileSync(path.join(cwd, 'all.svg'), 'utf8')).toBe(out);
  });

  test('a folder gets a picture per definition, with links between them', async () => {
    const cwd = workspace({ 'g.lark': 'start: word\nword: WORD\nWORD: /x/\n%ignore " "\n%ignore "\\t"\n' });
    const { code, err } = await run(['grammar', 'railroad', 'g.lark', '--out', 'a/b'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '5 pictures in a/b.\n' });
    expect(readdirSync(path.join(cwd, 'a/b')).sort()).toEqual([
      'WORD-2.svg',
      'ignore-2.svg',
      'ignore.svg',
      'start.svg',
      'word.svg',
    ]);
    expect(readFileSync(path.join(cwd, 'a/b/start.svg'), 'utf8')).toContain('href="word.svg"');
    expect(readFileSync(path.join(cwd, 'a/b/word.svg'), 'utf8')).toContain('href="WORD-2.svg"');
  });

  test('what cannot be written is wrong use, and a text without definitions too', async () => {
    const cwd = workspace({ 'g.lark': LIST, 'empty.lark': '// nothing\n' });
    const { code, err } = await run(['grammar', 'railroad', 'g.lark', '--out', 'no/such/x.svg'], { cwd });
    expect(code).toBe(2);
    expect(err).toContain('no/such/x.svg could not be written: its folder does not exist.');
    expect((await run(['grammar', 'railroad', 'empty.lark'], { cwd })).err).toContain('has no definitions to draw');
  });
});
