import { describe, expect, test } from 'vitest';
import { type RunOptions, run, workspace } from './support';

const CALC = `start: sum
?sum: product | sum "+" product -> add
?product: atom | product "*" atom -> mul
atom: NUMBER | "(" sum ")" | "[" [NUMBER] "]" -> box
NUMBER: /[0-9]+/
%ignore " "
`;

function parse(grammar: string, text: string, more: readonly string[] = [], options: RunOptions = {}) {
  const cwd = workspace({ 'g.lark': grammar });
  return run(['grammar', 'parse', 'g.lark', '--input', text, ...more], { cwd, ...options });
}

/** A file with custom tools. */
function tools(...formats: readonly (readonly [name: string, format: object])[]): string {
  return JSON.stringify(formats.map(([name, format]) => ({ type: 'custom', name, description: 'x', format })));
}

describe('grammar parse', () => {
  test('shows the tree: nodes, tokens with their places, and what is not there', async () => {
    expect(await parse(CALC, '1 + [ ]')).toEqual({
      code: 0,
      out: 'start\n  add\n    atom\n      NUMBER "1" 1:1\n    box\n      (nothing)\n',
      err: '',
    });
  });

  test.each([
    ['1+2)', '<input>:1:4 error No terminal matches at ")". [UnexpectedCharacters]\n  1+2)\n     ^\n'],
    ['1+', '<input>:1:3 error The text ends too early. [UnexpectedEOF]\n  1+\n    ^\n'],
    ['1\n+', '<input>:1:2 error No terminal matches at "\\n". [UnexpectedCharacters]\n  1\n   ^\n'],
    ['😀', '<input>:1:1 error No terminal matches at "😀". [UnexpectedCharacters]\n  😀\n  ^\n'],
    ['', '<input>:1:1 error The text ends too early. [UnexpectedEOF]\n  \n  ^\n'],
  ])('says where and why %j is refused', async (text, message) => {
    const { code, out, err } = await parse(CALC, text);
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out.startsWith(message)).toBe(true);
    expect(out).toMatch(/\n {2}expected one of .*\n$/);
  });

  test('names what could stand there, fixed texts as they are written', async () => {
    expect((await parse(CALC, '1+2)')).out).toContain('\n  expected one of "+" (PLUS), "*" (STAR)\n');
    const { out } = await parse(CALC, '1+2)', ['--parser', 'lalr']);
    expect(out).toContain('error ")" (RPAR) cannot stand here. [UnexpectedToken]\n');
    expect(out).toContain('\n  expected one of the end, "+" (PLUS)\n');
  });

  test('places count UTF-16 units in text and code points in JSON', async () => {
    const grammar = 'start: "😀"+\n';
    expect((await parse(grammar, '😀x')).out).toContain('<input>:1:3 error');
    const { code, out } = await parse(grammar, '😀x', ['--format', 'json']);
    expect(code).toBe(1);
    const { loadError, results } = JSON.parse(out);
    expect(loadError).toBe(null);
    expect(results).toMatchObject([{ accepted: false, error: { kind: 'UnexpectedCharacters', column: 2, pos: 1 } }]);
  });

  test('JSON is the answer of the batch form', async () => {
    const { code, out } = await parse(CALC, '1+2', ['--format', 'json']);
    expect(code).toBe(0);
    const line = JSON.stringify({ id: 1, grammar: CALC, inputs: ['1+2'] });
    const batch = await run(['grammar', 'parse', '--jsonl'], { input: [`${line}\n`] });
    expect(batch.out).toBe(`{"id":1,${out.slice(1)}`);
  });

  test('a long line is cut on both sides of the place', async () => {
    const { out } = await parse(CALC, `${'1+'.repeat(500)}!${'+1'.repeat(500)}`);
    const [, line, mark] = out.split('\n');
    expect(line).toMatch(/^ {2}…1\+[1+]*![1+]*…$/);
    expect(line!.length).toBeLessThan(130);
    expect(line![mark!.indexOf('^')]).toBe('!');
  });

  test('control characters of a text cannot reach the terminal', async () => {
    const { out } = await parse('start: /[^x]+/\n', '\u001b[31ma\u0007');
    expect(out).toBe('start\n  __ANON_0 "\\u001b[31ma\\u0007" 1:1\n');
    const refused = await parse('start: "a"\n', '\u001b[31m');
    expect(refused.out).not.toContain('\u001b');
  });

  test('a deep tree is no problem, and its lines stay short', async () => {
    const { code, out } = await parse('start: "(" start ")" | "x"\n', `${'('.repeat(20_000)}x${')'.repeat(20_000)}`, [
      '--parser',
      'lalr',
    ]);
    expect(code).toBe(0);
    expect(out.split('\n').length).toBe(20_002);
    expect(out).toContain('(level 20,000) start\n');
  });

  test('--start, --lexer, --ambiguity and --keep-all-tokens are Lark’s', async () => {
    expect((await parse(CALC, '1*2', ['--start', 'product'])).out).toMatch(/^mul\n/);
    const { code, err } = await parse(CALC, '1', ['--start', 'prodct']);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'toolspec: The grammar has no rule prodct to start with. Did you mean product?\n',
    });
    expect((await parse(CALC, '1+1', ['--keep-all-tokens'])).out).toContain('PLUS "+" 1:2\n');
    expect((await parse(CALC, '1', ['--parser', 'lalr', '--lexer', 'dynamic'])).code).toBe(2);
    const ambiguous = 'start: a | b\na: "x"\nb: "x"\n';
    expect((await parse(ambiguous, 'x', ['--ambiguity', 'explicit'])).out).toBe(
      '_ambig\n  start\n    a\n  start\n    b\n',
    );
  });

  test('a grammar that does not load is said with its places', async () => {
    const { code, out, err } = await parse('start: a b\nb: "x"\n', 'x');
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expect(out).toMatch(/^g\.lark:1:8 error .* \[name\.undefined\]\n$/);
    const json = await parse('start: a b\nb: "x"\n', 'x', ['--format', 'json']);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ loadError: { code: 'name.undefined' }, results: [] });
  });

  test('what only the set-up refuses is said too', async () => {
    const { code, out } = await parse('start: a "x" | b "x"\na: "y"\nb: "y"\n', 'yx', ['--parser', 'lalr']);
    expect(code).toBe(1);
    expect(out).toMatch(/^g\.lark:1:1 error On X, more than one rule could end: a, b\. \[lalr\.reduce-reduce\]\n$/);
  });

  test('reads the text from a file or from standard input, byte by byte', async () => {
    const cwd = workspace({ 'g.lark': 'start: /x\\n/\n', 'in.txt': 'x\n' });
    expect((await run(['grammar', 'parse', 'g.lark', 'in.txt'], { cwd })).code).toBe(0);
    expect((await run(['grammar', 'parse', 'g.lark', '-'], { cwd, input: ['x', '\n'] })).code).toBe(0);
    const { code, out } = await run(['grammar', 'parse', 'g.lark', '-'], { cwd, input: ['x'] });
    expect(code).toBe(1);
    expect(out).toContain('<stdin>:1:1 error');
    expect((await run(['grammar', 'parse', '-', 'in.txt'], { cwd, input: ['start: "x" /\\n/'] })).code).toBe(0);
    expect((await run(['grammar', 'parse', 'g.lark', 'gone.txt'], { cwd })).code).toBe(2);
  });

  test('colors only where they are wanted', async () => {
    expect((await parse(CALC, '1', [], { color: true })).out).toContain('\u001b[1mstart\u001b[0m');
    expect((await parse(CALC, '+', [], { color: true })).out).toContain('\u001b[31merror\u001b[0m');
  });
});

describe('imports of files', () => {
  test('are read beside the grammar, and below from there', async () => {
    const cwd = workspace({
      'g/main.lark': '%import .parts.words (word)\nstart: word+\n%ignore " "\n',
      'g/parts/words.lark': '%import .letters.LETTER\nword: LETTER+\n',
      'g/parts/letters.lark': 'LETTER: "a".."z"\n',
    });
    const { code, out } = await run(['grammar', 'parse', 'g/main.lark', '--input', 'ab'], { cwd });
    expect({ code, out: out.split('\n').slice(0, 2) }).toEqual({ code: 0, out: ['start', '  word'] });
  });

  test('a fault in an imported file is said with its own place', async () => {
    const cwd = workspace({ 'main.lark': '%import .part.a\nstart: a\n', 'part.lark': '\na: gone\n' });
    const { code, out } = await run(['grammar', 'parse', 'main.lark', '--input', 'x'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(/^part\.lark:2:4 error .*\[name\.undefined\]\n/);
  });

  test('a missing file, a folder and a circle end in findings', async () => {
    const cwd = workspace({
      'missing.lark': '%import .gone.a\nstart: a\n',
      'folder.lark': '%import .dir.a\nstart: a\n',
      'dir.lark/x': '',
      'circle.lark': '%import .other.a\nstart: a\nb: "x"\n',
      'other.lark': '%import .circle.b\na: b\n',
    });
    for (const name of ['missing', 'folder']) {
      const { code, out } = await run(['grammar', 'parse', `${name}.lark`, '--input', 'x'], { cwd });
      expect(code).toBe(1);
      expect(out).toContain('[import.not-found]');
    }
    const { code, out } = await run(['grammar', 'parse', 'circle.lark', '--input', 'x'], { cwd });
    expect(code).toBe(1);
    expect(out).toContain('[import.cycle]');
  });
});

describe('grammars of tools', () => {
  const inline = { type: 'grammar', syntax: 'lark', definition: 'start: "x" /\\d+/\n' };
  const file = { type: 'grammar', syntax: 'lark', definition: { $file: './sub/g.lark' } };
  const regex = { type: 'grammar', syntax: 'regex', definition: 'x+' };

  test('the one of the only tool, inline or in a file', async () => {
    const cwd = workspace({
      'a.tools.json': tools(['a', inline]),
      'b.tools.json': tools(['b', file], ['c', { type: 'text' }]),
      'sub/g.lark': '%import .h.B\nstart: B\n',
      'sub/h.lark': 'B: "b"\n',
    });
    expect((await run(['grammar', 'parse', 'a.tools.json', '--input', 'x12'], { cwd })).code).toBe(0);
    expect((await run(['grammar', 'parse', 'b.tools.json', '--input', 'b'], { cwd })).code).toBe(0);
  });

  test('--tool chooses among several', async () => {
    const other = { ...inline, definition: 'start: "y"' };
    const cwd = workspace({
      'a.tools.json': tools(['a', inline], ['b', other], ['r', regex], ['t', { type: 'text' }]),
    });
    const ask = (...more: string[]) => run(['grammar', 'parse', 'a.tools.json', '--input', 'y', ...more], { cwd });
    expect((await ask('--tool', 'b')).code).toBe(0);
    expect((await ask('--tool', 'a')).code).toBe(1);
    for (const [more, message] of [
      [[], 'a.tools.json has several grammars; --tool says which.\nIt has a, b.\n'],
      [['--tool', 'c'], 'a.tools.json has no tool named c.'],
      [['--tool', 't'], 't has no Lark grammar.'],
      [['--tool', 'r'], 'r has a regular expression, which is not a grammar of its own.'],
    ] as const) {
      const { code, err } = await ask(...more);
      expect(code).toBe(2);
      expect(err).toContain(message);
    }
  });

  test('places of an inline grammar are places of the JSON file', async () => {
    const text =
      '[{"type":"custom","name":"a","description":"x","format":\n{"type":"grammar","syntax":"lark",\n"definition":"start: \\"a\\"\\nb: gone\\n"}}]';
    const cwd = workspace({ 'a.tools.json': text });
    const { code, out } = await run(['grammar', 'parse', 'a.tools.json', '--input', 'a'], { cwd });
    expect(code).toBe(1);
    expect(out).toMatch(new RegExp(`^a\\.tools\\.json:3:${text.split('\n')[2]!.indexOf('gone') + 1} error `));
  });

  test('a file that is missing, or no tool, is wrong use', async () => {
    const cwd = workspace({
      'a.tools.json': tools(['a', file]),
      'b.tools.json': '[]',
      'c.tools.json': '[{]',
      'g.lark': 'start: "x"',
    });
    const ask = async (name: string, ...more: string[]) => {
      const { code, err } = await run(['grammar', 'parse', name, '--input', 'x', ...more], { cwd });
      expect(code).toBe(2);
      return err;
    };
    expect(await ask('a.tools.json')).toContain('sub/g.lark, the grammar of a, does not exist.');
    expect(await ask('b.tools.json')).toContain('No tool in b.tools.json has a Lark grammar.');
    expect(await ask('c.tools.json')).toContain('c.tools.json:1:2: ');
    expect(await ask('g.lark', '--tool', 'a')).toContain(
      'g.lark is a grammar, so --tool a has nothing to choose from.',
    );
  });
});

describe('grammar parse --jsonl', () => {
  test('answers each line in order, whatever it is', async () => {
    const lines = [
      { id: 1, grammar: 'start: "a"', inputs: ['a', 'b'] },
      { id: 'x', grammar: 'start: b', inputs: ['a'] },
    ];
    const input = `${JSON.stringify(lines[0])}\nnonsense\n${JSON.stringify(lines[1])}`;
    const { code, out } = await run(['grammar', 'parse', '--jsonl'], { input: [input] });
    expect(code).toBe(0);
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers).toMatchObject([
      { id: 1, loadError: null, results: [{ accepted: true, tree: ['start', []] }, { accepted: false }] },
      { id: null, ok: false },
      { id: 'x', loadError: { code: 'name.undefined' }, results: [] },
    ]);
  });
});
