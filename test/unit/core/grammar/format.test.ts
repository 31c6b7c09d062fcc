import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { GrammarDocument } from '../../../../server/src/core/grammar/ast';
import { type FormatOptions, formatGrammar, formatGrammarRange } from '../../../../server/src/core/grammar/format';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { applyEdits } from '../../../../server/src/core/text/edits';
import { EmbeddedText } from '../../../../server/src/core/text/embedded';

const format = (text: string, options?: FormatOptions): string =>
  applyEdits(text, formatGrammar(parseGrammar(text), options));

/** A text of several lines without the first line end. */
const lines = (...all: string[]): string => `${all.join('\n')}\n`;

describe('spaces', () => {
  test.each([
    ['start:"a"|b', 'start: "a" | b'],
    ['start : ( "a" | [ b ] ) *', 'start: ("a" | [b])*'],
    ['a: b  ?  c +', 'a: b? c+'],
    ['a: "x"i/y/s  "0" .. "9"', 'a: "x"i /y/s "0".."9"'],
    ['a: "x"s', 'a: "x" s'],
    ['a:  bC  d', 'a: bC d'],
    ['a: b ~ 2', 'a: b~2'],
    ['a: b~2..5 c~2 .. 5 d~2 ..5', 'a: b~2..5 c~2 .. 5 d~2 .. 5'],
    ['a: b -> c', 'a: b -> c'],
    ['a: b->c|d->e', 'a: b -> c | d -> e'],
    ['!?a .2 : "x"', '!?a.2: "x"'],
    ['A.-2:"x"', 'A.-2: "x"'],
    ['t{ x ,y }: x y', 't{x, y}: x y'],
    ['a: t { "x","y" }', 'a: t{"x", "y"}'],
    ['a[ lazy ,stop = "x" ]: B', 'a[lazy, stop="x"]: B'],
    ['a: B { 2 , 3 } B{ , }', 'a: B{2,3} B{,}'],
    ['A: "a"&~"b"  & ~ C', 'A: "a" & ~"b" & ~C'],
    ['p::_: "a" p::incr(_)   %if lt(_, 3)', 'p::_: "a" p::incr(_) %if lt(_, 3)'],
    ['a: %json  {"type":  "object"}  <tok>', 'a: %json  {"type":  "object"} <tok>'],
    ['%import  common . WS->W', '%import common.WS -> W'],
    ['%import .lib.x(A,b)', '%import .lib.x (A, b)'],
    ['%ignore   WS', '%ignore WS'],
    ['%declare  A   B', '%declare A B'],
    ['%extend a:"x"', '%extend a: "x"'],
    ['a: | "x"', 'a: | "x"'],
    ['a: "x" |', 'a: "x" |'],
    ['a: ()  [ ]', 'a: () []'],
    ['  a: b \t', 'a: b'],
  ])('%s', (text, expected) => {
    expect(format(text)).toBe(expected);
    expect(parseGrammar(text).problems).toEqual([]);
  });
});

describe('lines', () => {
  test('the line structure of the author stays', () => {
    expect(format(lines('a: b', ' | c | d', '   |   e'))).toBe(lines('a: b', ' | c | d', ' | e'));
  });

  test('bars stand below the colon', () => {
    expect(format(lines('?value: a', '| b', '          | c'))).toBe(lines('?value: a', '      | b', '      | c'));
  });

  test('bars below an empty first alternative are indented by one level', () => {
    expect(format(lines('start:', '| "a"', '| "b"'), { tabSize: 2, insertSpaces: true })).toBe(
      lines('start:', '  | "a"', '  | "b"'),
    );
  });

  test('bars of a name that is very long are indented by one level', () => {
    const name = 'a_name_of_a_rule_that_is_rather_long';
    expect(format(lines(`${name}: a`, '| b'))).toBe(lines(`${name}: a`, '    | b'));
  });

  test('bars behind %ignore make room for it', () => {
    expect(format(lines('%ignore A', '| B'))).toBe(lines('%ignore A', '      | B'));
  });

  test('bars inside brackets stand below the bracket', () => {
    expect(format(lines('a: ( "x"', '| ["y"', '| "z" ] )', '| b'))).toBe(
      lines('a: ("x"', '   | ["y"', '     | "z"])', ' | b'),
    );
  });

  test('tabs are tabs', () => {
    expect(format(lines('abc: ( "x"', '    | "y" )', '    | b'), { tabSize: 4, insertSpaces: false })).toBe(
      lines('abc: ("x"', '\t\t| "y")', '\t| b'),
    );
  });

  test('a line that is too long gets one alternative per line', () => {
    const words = Array.from({ length: 9 }, (_, i) => `"a_long_word_${i}"`);
    expect(format(`start: ${words.join('|')}`)).toBe(`start: ${words.join('\n     | ')}`);
    expect(format(`start: ("x" | "y") ${words.join(' ')}`)).toBe(`start: ("x" | "y") ${words.join(' ')}`);
  });

  test('a line of 100 columns stays one, a longer one does not', () => {
    const rule = (length: number) => `a: "${'x'.repeat(length - 9)}" | b`;
    expect(format(rule(100))).toBe(rule(100));
    expect(format(rule(101))).toBe(rule(101).replace(' | b', '\n | b'));
  });

  test('of empty lines one stays, and none at the edges', () => {
    expect(format('\n\na: b\n\n\n\nc: d\ne: f\n\n\n')).toBe('a: b\n\nc: d\ne: f\n');
    expect(format('a: b\n  \t\n  | c\n')).toBe('a: b\n\n | c\n');
  });

  test('whether the text ends with a line end is left open', () => {
    expect(format('a:b')).toBe('a: b');
    expect(format('a:b  ')).toBe('a: b');
    expect(format('\n \n')).toBe('');
    expect(format('')).toBe('');
  });

  test('line ends stay as they are, and new ones are like them', () => {
    const long = `"${'x'.repeat(60)}"`;
    expect(format(`a: b\r\n  | c  \r\n\r\n\r\nd: ${long} | ${long}\r\n`)).toBe(
      `a: b\r\n | c\r\n\r\nd: ${long}\r\n | ${long}\r\n`,
    );
  });
});

describe('columns', () => {
  test('of bodies stay, put in order', () => {
    expect(format(lines('A:    "a"', 'LONG: "b"', 'BB:   "c"', 'LONGER:"d"'))).toBe(
      lines('A:      "a"', 'LONG:   "b"', 'BB:     "c"', 'LONGER: "d"'),
    );
  });

  test('of colons stay', () => {
    expect(format(lines('a    : "a"', 'long : "b"', 'bb   : "c" -> x'))).toBe(
      lines('a    : "a"', 'long : "b"', 'bb   : "c" -> x'),
    );
  });

  test('end at an empty line, a comment and a definition of several lines', () => {
    expect(format(lines('A:  "a"', 'BB: "b"', '', 'CCCC:   "c"', '// x', 'D:    "d"'))).toBe(
      lines('A:  "a"', 'BB: "b"', '', 'CCCC: "c"', '// x', 'D: "d"'),
    );
  });

  test('are not made of what stands here and there', () => {
    expect(format(lines('A:   "a"', 'LONG: "b"', 'LONGER: "c"', 'L: "d"'))).toBe(
      lines('A: "a"', 'LONG: "b"', 'LONGER: "c"', 'L: "d"'),
    );
  });

  test('of aliases stay', () => {
    expect(format(lines('a: "x"     -> one', ' | "long" -> two', ' | b', ' | c -> three'))).toBe(
      lines('a: "x"    -> one', ' | "long" -> two', ' | b', ' | c      -> three'),
    );
    expect(format(lines('a: "x" -> one', ' | "long" -> two'))).toBe(lines('a: "x" -> one', ' | "long" -> two'));
  });

  test('of comments stay', () => {
    expect(
      format(lines('a: b     // one', 'cc: dd     // two', 'e: f // three', '', 'g: h  # four', 'i: j// five')),
    ).toBe(lines('a: b    // one', 'cc: dd  // two', 'e: f    // three', '', 'g: h  # four', 'i: j // five'));
  });
});

describe('comments', () => {
  test('stay where they are', () => {
    const text = lines(
      '// Head.',
      '',
      '# Of a.',
      'a: b // Behind b.',
      ' // Between.',
      ' | c',
      '',
      ' // Far.',
      ' | d',
      ' // | e',
      '// Of f.',
      'f: g',
      '// End.',
    );
    expect(format(text)).toBe(text);
  });

  test('of a whole grammar that is indented come to the left with it', () => {
    expect(format(lines('    // Of a.', '    a: b', '    // Of c.', '    c: d', '      | e'))).toBe(
      lines('// Of a.', 'a: b', '// Of c.', 'c: d', ' | e'),
    );
  });

  test('lose white space at their ends', () => {
    expect(format('a: b // x \t\n')).toBe('a: b // x\n');
  });
});

describe('what is not read without a problem', () => {
  test.each([
    ['an open bracket', '  b :  ( "x"\n      | "y"  '],
    ['a stray character', '  b :  ; "x"'],
    ['an open string', '  b :  "x'],
    ['no definition', '1  2'],
    ['an unknown directive', ' %nope   a'],
    ['a backslash at a line end', '  b :  "x" \\\n  "y"'],
    ['a grammar in a grammar without lines of its own', '  b:  %lark { start:   "x"\n}'],
    ['a grammar in a grammar with a problem', '  b:  %lark {\n  start:   ("x"\n}'],
    ['a header', '%llguidance   {"no_forcing": true}'],
  ])('stays as it is: %s', (_, broken) => {
    const text = `a :b\n\n\n${broken}\n\n\nc :d\n`;
    expect(format(text)).toBe(`a: b\n\n${broken}\n\nc: d\n`);
  });

  test('stays as it is altogether where hardly anything is read', () => {
    const text = 'a :b\n;\n'.repeat(600);
    expect(format(text)).toBe(text);
  });

  test('keeps the place of comments below it', () => {
    expect(format('a: (b\n    // x\nc :d\n')).toBe('a: (b\n    // x\nc: d\n');
  });
});

describe('parts', () => {
  const part = (marked: string): string => {
    const start = marked.indexOf('⟦');
    const text = marked.replace(/[⟦⟧]/g, '');
    return applyEdits(text, formatGrammarRange(parseGrammar(text), { start, end: marked.indexOf('⟧') - 1 }));
  };

  test('are whole definitions', () => {
    expect(part('a :b\nc :d\n    | ⟦e⟧  \n   |   f\ng :h\n')).toBe('a :b\nc: d\n | e\n | f\ng :h\n');
  });

  test('go up to the lines around', () => {
    expect(part('a :b\n\n\n\n  ⟦c :d\n\n\ne :f⟧\n\n\ng :h\n')).toBe('a :b\n\n\n\nc: d\n\ne: f\n\n\ng :h\n');
  });

  test('all of it is the whole text', () => {
    expect(part('⟦a :b\n\n\n  c :d\n\n⟧')).toBe('a: b\n\nc: d\n');
  });
});

describe('a grammar in a grammar', () => {
  test('is one level further in', () => {
    const text = lines(
      'a :  %lark  {  ',
      '',
      '// Of start.',
      '      start :"x"',
      '  |  %lark {',
      'start: B',
      '    B : "b" // Of B.',
      '  }+',
      '',
      '',
      '  %ignore   / /',
      '',
      '  }  |  b  // End.',
      '  |c',
      'b : d',
    );
    expect(format(text)).toBe(
      lines(
        'a: %lark {',
        '    // Of start.',
        '    start: "x"',
        '         | %lark {',
        '        start: B',
        '        B: "b" // Of B.',
        '    }+',
        '',
        '    %ignore / /',
        '} | b  // End.',
        ' | c',
        'b: d',
      ),
    );
    expect(parseGrammar(text).problems).toEqual([]);
    checkLaws(text);
  });

  test('keeps lines that are left as they are, and tabs', () => {
    const text = lines('a: %lark {', '  %llguidance  {}', '  start : "x"', '  // c', '}');
    expect(format(text, { tabSize: 4, insertSpaces: false })).toBe(
      lines('a: %lark {', '  %llguidance  {}', '\tstart: "x"', '\t// c', '}'),
    );
    checkLaws(text);
  });
});

/** A tree without places: what there is, and whether what is only a place is there. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.keys(value).join() === 'start,end') return true;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'colon' ? each !== undefined : shape(each)]),
  );
}

const BLANK = new Set(['space', 'newline', 'lineBreak', 'end']);

/** All that a formatter must not change. */
const meaning = ({ text, tokens, items, problems, marks }: GrammarDocument) => ({
  items: shape(items),
  // Comments and tokens in one order.
  tokens: tokens
    .filter(({ kind }) => !BLANK.has(kind))
    .map(({ kind, start, end }) => [kind, text.slice(start, end).trimEnd()]),
  problems: problems.map(({ code }) => code),
  // A line of blanks in front of a bar, which llguidance does not read, becomes an empty one.
  marks: marks.map(({ kind }) => kind).filter((kind) => kind !== 'interrupted-bar'),
});

function checkLaws(text: string): void {
  const before = parseGrammar(text);
  const formatted = applyEdits(text, formatGrammar(before));
  const after = parseGrammar(formatted);
  expect(meaning(after)).toEqual(meaning(before));
  expect(after.marks.length).toBeLessThanOrEqual(before.marks.length);
  expect(formatGrammar(after)).toEqual([]);
}

interface Vectors {
  vectors: { grammar: string; files: Record<string, string> | null }[];
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../vectors/lark/vectors.json', import.meta.url), 'utf8'),
) as Vectors;
const grammars = [...new Set(vectors.flatMap(({ grammar, files }) => [grammar, ...Object.values(files ?? {})]))];

describe('laws', () => {
  test('hold where the first alternative is empty and the line too long', () => {
    const long = Array.from({ length: 30 }, (_, i) => `"word${i}"`);
    checkLaws(`x: | ${long.join(' | ')}\n  // about x\n`);
    checkLaws(`x: | ${long.join(' ')}\n`);
    checkLaws(`long_name: | ${long.join(' ')} | "a"\n         // about it\n`);
  });

  test('tokens, comments and meaning stay, and a second run changes nothing', () => {
    expect(grammars.length).toBeGreaterThan(500);
    for (const text of grammars) checkLaws(text);
  });

  test('also in a grammar with tabs and other line ends', () => {
    for (const text of grammars.slice(0, 200)) {
      const windows = text.replace(/\r?\n/g, '\r\n');
      checkLaws(windows);
      const formatted = format(windows, { tabSize: 4, insertSpaces: false });
      expect(format(formatted, { tabSize: 4, insertSpaces: false })).toBe(formatted);
      expect(formatted.replaceAll('\r\n', '').includes('\n')).toBe(false);
    }
  });

  test('also inside a JSON string, whose other escapes stay', () => {
    for (const text of grammars) {
      // Every letter a is spelled by an escape.
      const literal = JSON.stringify(text).replace(/(?<!\\)((?:\\\\)*)a/g, '$1\\u0061');
      const document = `{"definition": ${literal}}`;
      const embedded = new EmbeddedText(document, document.indexOf(literal));
      expect(embedded.text).toBe(text);
      const edits = formatGrammar(parseGrammar(text));
      const changed = applyEdits(document, embedded.edits(edits));
      expect(JSON.parse(changed)).toEqual({ definition: applyEdits(text, edits) });
      expect(changed.split('\\u0061').length).toBe(document.split('\\u0061').length);
    }
  });

  test('also in half-typed grammars', () => {
    const bits = [
      '\n',
      '\n\n',
      ' ',
      '\t',
      '|',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '//c\n',
      '# c',
      '\r\n',
      '\\\n',
      '->',
      ':',
    ];
    bits.push('"', '/', '~2 .. 3', '?', '*', '%', '%ignore', 'a', 'A', '\n   | ', '\n \n', '\f', '\u00a0', '::', '&');
    bits.push('%json', '%lark {\n', '<', ',', '.', '!', ' // tail\n  | ', '\r');
    const change = fc.tuple(fc.nat(2000), fc.nat(2), fc.constantFrom('', ...bits));
    fc.assert(
      fc.property(
        fc.constantFrom(...grammars),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (grammar, changes) => {
          let text = grammar.slice(0, 2000);
          for (const [place, length, bit] of changes) {
            const at = place % (text.length + 1);
            text = text.slice(0, at) + bit + text.slice(at + length);
          }
          checkLaws(text);
        },
      ),
      { seed: 23, numRuns: 2000 },
    );
  });

  const corpus = process.env['TOOLSPEC_GRAMMARS'];
  test.runIf(corpus !== undefined)('also over a folder of grammars', () => {
    const files = readdirSync(corpus!).filter((file) => file.endsWith('.lark'));
    for (const file of files) checkLaws(readFileSync(path.join(corpus!, file), 'utf8'));
    expect(files).not.toEqual([]);
  });
});

describe('work', () => {
  /** How many times a method of strings is called while a text is formatted. */
  const calls = (method: 'lastIndexOf' | 'slice', text: string): number => {
    const document = parseGrammar(text);
    const spy = vi.spyOn(String.prototype, method);
    try {
      formatGrammar(document);
      return spy.mock.calls.length;
    } finally {
      spy.mockRestore();
    }
  };
  const repeated: [string, (n: number) => string][] = [
    ['in brackets without an end', (n) => `start: ${'('.repeat(n)}"a"${')'.repeat(n)}\n`],
    ['in optional parts without an end', (n) => `start: ${'['.repeat(n)}"a"${']'.repeat(n)}\n`],
    ['in brackets that nothing opens', (n) => `start: "a"\n${') '.repeat(n)}\n`],
  ];

  test.each(repeated)('looks for the start of a line a few times for each line %s', (_, text) => {
    expect(calls('lastIndexOf', text(40_000))).toBeLessThan(40);
  });

  test('of comments below a definition does not grow with the definition', () => {
    const text = (alternatives: number, comments: number): string =>
      `start: ${'a | '.repeat(alternatives)}a\n${'      // c\n'.repeat(comments)}a: "b"\n`;
    const added = (alternatives: number): number =>
      calls('slice', text(alternatives, 400)) - calls('slice', text(alternatives, 200));
    expect(added(1000)).toBe(added(100));
    expect(format(text(1, 300))).toBe(`start: a | a\n${'     // c\n'.repeat(300)}a: "b"\n`);
  });
});

test('deep nesting and long texts are no trouble', () => {
  const deep = `a: ${'('.repeat(900)}"x"${')'.repeat(900)}\n`;
  expect(format(deep)).toBe(deep);
  const long = lines(...Array.from({ length: 5000 }, (_, i) => `r${i} : "a"   |   b`));
  expect(format(long).split('\n')[4999]).toBe('r4999: "a" | b');
});
