import { describe, expect, it } from 'vitest';
import { libraryText } from '../../../../server/src/core/grammar/libraries';
import { codePoints, decodeEscapes, escapeText, nameOfText } from '../../../../server/src/core/grammar/load/literals';
import { type LoadOptions, loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { render } from '../../../../server/src/core/text/message';

function load(text: string, options: LoadOptions = {}, files: Record<string, string> = {}) {
  const byPath = new Map(Object.entries(files));
  return loadGrammar(parseGrammar(text), {
    importer: ({ path }) => (byPath.has(path) ? { file: path, text: byPath.get(path)! } : undefined),
    ...options,
  });
}

/** Rules as text: `origin: symbols`, filtered terminals in brackets. */
function rules(text: string, options: LoadOptions = {}, files: Record<string, string> = {}): string[] {
  const { grammar, problems } = load(text, options, files);
  expect(problems).toEqual([]);
  return grammar!.rules.map(({ origin, expansion, alias, options: { emptyIndices } }) => {
    const symbols = expansion.map(({ name, filterOut }) => (filterOut ? `(${name})` : name));
    const empty = emptyIndices.length > 0 ? [`[${emptyIndices.map(Number).join('')}]`] : [];
    return [`${origin}:`, ...symbols, ...empty, ...(alias === undefined ? [] : ['->', alias])].join(' ');
  });
}

function terminals(text: string, options: LoadOptions = {}): Record<string, string> {
  const { grammar, problems } = load(text, options);
  expect(problems).toEqual([]);
  return Object.fromEntries(grammar!.terminals.map(({ name, regexp }) => [name, regexp]));
}

/** The text with the culprit of the first problem in brackets, and its code. */
function first(text: string, options: LoadOptions = {}, files: Record<string, string> = {}): [string, string] {
  const { problems } = load(text, { lexer: 'dynamic', ...options }, files);
  expect(problems).toHaveLength(1);
  const { span, code, message } = problems[0]!;
  expect(render(message)).toMatch(/^[^a-z].*\.$|^_?[a-z{}0-9]+ .*\.$/s);
  return [`${text.slice(0, span.start)}⟦${text.slice(span.start, span.end)}⟧${text.slice(span.end)}`, code];
}

describe('literals', () => {
  it.each([
    ['a\\nb', 'a\nb'],
    ['\\x41\\u00e9\\U0001F600', 'Aé😀'],
    ['\\"', '"'],
    ['\\\\', '\\\\'],
    ['\\\\"', '\\"'],
    ['\\\\\\"', '\\\\"'],
    ['\\d\\/\\b', '\\d\\/\\b'],
    ['a\r\nb\rc', 'a\nb\nc'],
  ])('%j', (text, expected) => {
    expect(decodeEscapes(text)).toEqual({ text: expected });
  });

  it.each([
    ['ab\\', 2, 3],
    ['a\\xZ', 1, 3],
    ['\\u12', 0, 4],
    ['\\U00110000', 0, 10],
  ])('%j is refused', (text, start, end) => {
    expect(decodeEscapes(text)).toEqual({ error: 'literal.bad-escape', start, end });
  });

  it('counts and escapes as Python does', () => {
    expect(codePoints('a😀é')).toBe(3);
    expect(escapeText('a-b c"/#~')).toBe('a\\-b\\ c"/\\#\\~');
    expect([nameOfText('straße'), nameOfText('a1'), nameOfText('1a'), nameOfText('a b')]).toEqual([
      'STRASSE',
      'A1',
      undefined,
      undefined,
    ]);
  });
});

describe('rules', () => {
  it('multiply groups out and drop what is the same', () => {
    expect(rules('start: ("a" | B) C | B C\nB: "b"\nC: "c"')).toEqual(['start: (A) C', 'start: B C']);
  });

  it('share helper rules that are equal', () => {
    expect(rules('start: x+ | "y" x*\nx: "x"')).toEqual([
      'start: __start_plus_0',
      'start: (Y) __start_plus_0',
      'start: (Y)',
      'x: (X)',
      '__start_plus_0: x',
      '__start_plus_0: __start_plus_0 x',
    ]);
  });

  it('remember what [ ] leaves out', () => {
    expect(rules('start: [A "b" c] A\nA: "a"\nc: A')).toEqual(['start: A (B) c A', 'start: A [110]', 'c: A']);
  });

  it('are made of templates where they are used', () => {
    expect(rules('start: list{"a"} list{B}\nlist{x}: x ("," x)*\nB: "b"')).toEqual([
      'start: list{A} list{B}',
      'list{A}: (A) __list{A}_star_0',
      'list{A}: (A)',
      'list{B}: B __list{B}_star_1',
      'list{B}: B',
      '__list{A}_star_0: (COMMA) (A)',
      '__list{A}_star_0: __list{A}_star_0 (COMMA) (A)',
      '__list{B}_star_1: (COMMA) B',
      '__list{B}_star_1: __list{B}_star_1 (COMMA) B',
    ]);
  });

  it('split large counts into helper rules', () => {
    expect(rules('start: "a"~60')).toEqual([
      'start: __start_repeat_a5_b0_2',
      '__start_repeat_a3_b0_0: (A) (A) (A)',
      '__start_repeat_a4_b0_1: __start_repeat_a3_b0_0 __start_repeat_a3_b0_0 __start_repeat_a3_b0_0 __start_repeat_a3_b0_0',
      `__start_repeat_a5_b0_2: ${Array(5).fill('__start_repeat_a4_b0_1').join(' ')}`,
    ]);
  });

  it('that nothing uses are dropped, but two that use each other stay', () => {
    expect(rules('start: "a"\nb: c\nc: "c"\nd: e\ne: d | "e"')).toEqual(['start: (A)', 'd: e', 'e: d', 'e: (E)']);
  });

  it('keep tokens with ! and with the option', () => {
    expect(rules('start: x "a"\n!x: "b" _C\n_C: "c"')).toEqual(['start: x (A)', 'x: B _C']);
    expect(rules('start: "a" _C\n_C: "c"', { keepAllTokens: true })).toEqual(['start: A _C']);
  });

  it('say where they are written', () => {
    const text = '%import common.INT\nstart: INT | "a"+\n';
    const { grammar } = load(text);
    expect(grammar!.rules.map(({ span }) => span && text.slice(span.start, span.end))).toEqual([
      'INT',
      '"a"+',
      '"a"+',
      '"a"+',
    ]);
    expect(grammar!.terminals.map(({ name, span }) => [name, span && text.slice(span.start, span.end)])).toEqual([
      ['INT', undefined],
      ['A', '"a"'],
    ]);
  });
});

describe('terminals', () => {
  it('put longer alternatives in front', () => {
    expect(terminals('start: A\nA: "a" | "abc" | /x+/ | "ab"')).toEqual({ A: '(?:x+|abc|ab|a)' });
  });

  it('keep a flag on what it belongs to', () => {
    expect(terminals('start: A\nA: "b"i /c/s+ "d"')).toEqual({ A: '(?i:b)(?s:(?:(?s:c))+)d' });
  });

  it('are named after their text where that is free', () => {
    expect(Object.keys(terminals('start: "if" "+" "==" /r/ "x" N\nN: "x"i\nIF: "q"'))).toEqual([
      'N',
      '__ANON_0',
      'PLUS',
      '__ANON_1',
      '__ANON_2',
      'X',
    ]);
  });

  it('that are only declared have no pattern', () => {
    const { grammar } = load('%declare _IN\nstart: _IN "a"');
    expect(grammar!.terminals.map(({ name, declared }) => [name, declared])).toEqual([
      ['_IN', true],
      ['A', false],
    ]);
  });
});

describe('imports', () => {
  const files = {
    'm.lark': '%import .n.leaf\nroot: leaf _sep [NUM] -> pair\n_sep: ","\nNUM: /[0-9]+/\n%ignore " "\n',
    'n.lark': 'leaf: WORD\nWORD: /[a-z]+/\nunused: missing\n',
  };

  it('bring what is used, with the name of the file in front', () => {
    expect(rules('%import .m.root -> start2\nstart: start2', {}, files)).toEqual([
      'm__leaf: m__n__WORD',
      'start2: m__leaf _m__sep m__NUM -> m__pair',
      'start2: m__leaf _m__sep [001] -> m__pair',
      '_m__sep: (COMMA)',
      'start: start2',
    ]);
  });

  it('are given up when they go round in a circle', () => {
    const round = { 'a.lark': '%import .b.x\ny: x', 'b.lark': '%import .a.y\nx: y' };
    const { problems } = load('%import .a.y\nstart: y', {}, round);
    expect(problems.map(({ code, file, importedAt }) => [code, file, importedAt])).toEqual([
      ['import.cycle', 'b.lark', { start: 0, end: 12 }],
    ]);
  });

  it('report what is wrong in another file there', () => {
    const { problems } = load('%import .bad.x\nstart: x', {}, { 'bad.lark': 'x: (\ny: "z"' });
    expect(problems.map(({ code, file, span }) => [code, file, span])).toEqual([
      ['syntax.unclosed-paren', 'bad.lark', { start: 3, end: 4 }],
    ]);
  });

  it('find the grammars that come with Lark', () => {
    for (const name of ['common', 'unicode', 'python', 'lark']) {
      const { problems, tokens } = parseGrammar(libraryText(`${name}.lark`)!);
      expect(problems).toEqual([]);
      expect(tokens.length).toBeGreaterThan(10);
    }
    expect(
      loadGrammar(parseGrammar(libraryText('python.lark')!), { start: ['file_input'] }).grammar!.rules.length,
    ).toBeGreaterThan(500);
  });
});

describe('problems and their places', () => {
  it.each([
    ['start: ⟦pair⟧\npear: "x"', 'name.undefined'],
    ['start: A\nA: "a" ⟦B⟧', 'name.undefined'],
    ['start: ("a" -> ⟦x⟧ | "b")', 'name.undefined'],
    ['start: ("a" -> ⟦x⟧ | "b")\nx: "y"', 'internal.assertion'],
    ['start: x\nx: "a"\n?⟦x⟧: "b"', 'name.duplicate'],
    ['%import common.INT\n⟦INT⟧: "x"\nstart: INT', 'name.duplicate'],
    ['%import ⟦common⟧\nstart: "a"', 'import.nothing'],
    ['%import ⟦no.where⟧.X\nstart: X', 'import.not-found'],
    ['start: ⟦t⟧{"a"}', 'template.undefined'],
    ['start: ⟦t{"a"}⟧\nt{x, y}: x y', 'template.arity'],
    ['start: t{"a"}\nt{⟦x⟧}: x\nx: "b"', 'template.param-conflict'],
    ['start: t{"a", "b"}\nt{x, ⟦x⟧}: x', 'template.param-duplicate'],
    ['start: A\nA: ⟦t{"a"}⟧\nt{x}: x', 'template.in-terminal'],
    ['start: A\nA: "a" ⟦B⟧\nB: "b" A | "c"', 'terminal.recursion'],
    ['start: A\nA: "a" ⟦b⟧\nb: "c"', 'terminal.rule-inside'],
    ['start: A\n⟦A⟧:', 'terminal.empty-definition'],
    ['start: "a" ⟦""⟧', 'terminal.empty-literal'],
    ['start: A\nA: "a" -> ⟦b⟧', 'terminal.alias'],
    ['start: "+" ⟦/(.*)/⟧', 'terminal.zero-width'],
    ['start: _x\n⟦?⟧_x: "a"', 'rule.inline-and-conditional'],
    ['start: _x\n_x: "a" -> ⟦b⟧', 'rule.alias-on-inlined'],
    ['start: ⟦[A] [A]⟧\nA: "a"', 'rule.duplicate-expansion'],
    ['start: A -> x | ⟦A -> y⟧\nA: "a"', 'rule.duplicate-expansion'],
    ['start: ⟦"a"~3..2⟧', 'repeat.bad-range'],
    ['start: ⟦"ab".."c"⟧', 'range.not-one-character'],
    ['start: "a⟦\\x4⟧q"', 'literal.bad-escape'],
    ['start: ⟦/a\nb/⟧', 'literal.newline-in-regexp'],
    ['start: "a"\n%ignore ⟦WS⟧', 'ignore.undefined'],
    ['%declare ⟦x⟧\nstart: "a"', 'declare.rule'],
    ['start: "a"\n%override ⟦y⟧: "b"', 'override.missing'],
    ['start: "a"\n%extend ⟦y⟧: "b"', 'extend.missing'],
    ['start: t{"a"}\nt{x}: x\n%extend ⟦t⟧{y}: y y', 'extend.params'],
    ['%declare X\n%extend ⟦X⟧: "b"\nstart: X', 'extend.abstract'],
    ['⟦⟧begin: "a"', 'start.undefined'],
    ['start: ⟦t⟧\nt{x}: x', 'start.undefined'],
    ['%declare X\nstart: Y\nY: ⟦X⟧ "y"', 'internal.assertion'],
    ['start: ⟦/\\p{Lu}/⟧', 'regex.unicode-category'],
  ])('%s', (marked, code) => {
    expect(first(marked.replace(/[⟦⟧]/g, ''))).toEqual([marked, code]);
  });

  it('names the part of a regular expression that is wrong', () => {
    const text = 'start: /ab[z-a]c/i';
    const { problems } = load(text, { lexer: 'basic' });
    expect(problems.map(({ code }) => code)).toEqual(['regex.invalid']);
    const { span } = problems[0]!;
    expect(span.start).toBeGreaterThan(text.indexOf('/'));
    expect(text.slice(span.start, span.end)).toBe('z-a');
  });

  it('shows the other place', () => {
    const { problems } = load('start: x\nx: "a"\nx: "b"');
    expect(problems[0]!.related.map(({ span }) => span)).toEqual([{ start: 9, end: 10 }]);
  });

  it('are not repeated where a name in mixed case is used', () => {
    const { problems } = load('start: fooBar fooBaz\nfooBar: "x"');
    expect(problems.map(({ code, span }) => [code, span.start])).toEqual([
      ['syntax.mixed-case-name', 21],
      ['name.undefined', 14],
      ['name.undefined', 17],
      ['name.undefined', 18],
    ]);
  });

  it('reports all causes, and those that Lark finds first in front', () => {
    const { problems } = load('start: x Y\nx: (\nZ: Z\nZ: "a"');
    expect(problems.map(({ code }) => code)).toEqual([
      'syntax.unclosed-paren',
      'name.duplicate',
      'terminal.recursion',
      'name.undefined',
    ]);
  });
});

describe('budgets', () => {
  it.each([
    ['a template without an end', 'start: t{"a"}\nt{x}: t{u{x}}\nu{x}: x'],
    ['optional parts in a row', `start: ${'A? '.repeat(40)}\nA: "a"`.replace(/A\?/g, () => '("a" | "b")?')],
    [
      'terminals that double',
      `start: T0\n${Array.from({ length: 60 }, (_, i) => `T${i}: T${i + 1} T${i + 1}`).join('\n')}\nT60: "a"`,
    ],
    ['counts in counts', 'start: ((("a"~49)~49)~49)~49'],
    ['a count that is no number any more', 'start: "a"~99999999999999999999'],
    ['brackets without an end', `start: ${'('.repeat(100_000)}"a"${')'.repeat(100_000)}`],
  ])('%s', (_, text) => {
    const { problems, grammar } = load(text);
    expect(problems.map(({ code }) => code)).toEqual(['too-complex']);
    expect(grammar).toBeUndefined();
  });

  it.each([
    ['in a rule', 51_000, (all: string) => `start: ${all}`],
    ['in a group', 26_000, (all: string) => `start: "x" (${all}) "y"`],
    ['in a group with an alias', 26_000, (all: string) => `start: (${all}) -> b`],
  ])('do not count the alternatives that are written %s', { timeout: 30_000 }, (_, count, rule) => {
    const all = Array.from({ length: count }, (_, i) => `"${i % 250}" "${Math.floor(i / 250)}"`).join(' | ');
    expect(load(rule(all)).grammar!.rules).toHaveLength(count);
  });

  it('leave room for long grammars', () => {
    const chain = (n: number, name: string): string =>
      Array.from({ length: n }, (_, i) => `${name}${i}: ${name}${i + 1}`).join('\n');
    expect(load(`start: r0\n${chain(5000, 'r')}\nr5000: "a"`).grammar!.rules).toHaveLength(5002);
    expect(load(`start: T0\n${chain(5000, 'T')}\nT5000: "a"`).grammar!.terminals.map(({ regexp }) => regexp)).toEqual([
      'a',
    ]);
    expect(load(`start: ${'(['.repeat(400)}"a"${'])'.repeat(400)}`).grammar!.rules.length).toBeGreaterThan(0);
  });
});
