import { describe, expect, it } from 'vitest';
import { nodes } from '../../../../../server/src/core/grammar/regex/lints';
import { parsePythonRegex } from '../../../../../server/src/core/grammar/regex/parsePython';
import { render } from '../../../../../server/src/core/text/message';
import { expectRefused, matchEnd, python } from './helper';

describe('parsePythonRegex', () => {
  it('gives every node its place', () => {
    const source = 'a(?P<n>[b-d]+)|\\d{2}';
    const places = [...nodes(python(source))].map((node) => [node.kind, source.slice(node.span.start, node.span.end)]);
    expect(places).toEqual([
      ['alternation', source],
      ['sequence', 'a(?P<n>[b-d]+)'],
      ['set', 'a'],
      ['group', '(?P<n>[b-d]+)'],
      ['repeat', '[b-d]+'],
      ['set', '[b-d]'],
      ['repeat', '\\d{2}'],
      ['set', '\\d'],
    ]);
  });

  it('counts places in UTF-16 units and characters in code points', () => {
    const tree = python('😀+x');
    expect(tree.root.kind === 'sequence' && tree.root.items.map((item) => item.span)).toEqual([
      { start: 0, end: 3 },
      { start: 3, end: 4 },
    ]);
  });

  it.each([
    ['a*⟦*⟧', 'multiple-repeat'],
    ['a{1,2}⟦*⟧', 'multiple-repeat'],
    ['⟦*⟧a', 'nothing-to-repeat'],
    ['^⟦+⟧', 'nothing-to-repeat'],
    ['(?:|⟦?⟧)', 'nothing-to-repeat'],
    ['a⟦{3,2}⟧', 'bad-repeat'],
    ['a⟦{4294967295}⟧', 'bad-repeat'],
    ['[⟦z-a⟧]', 'bad-range'],
    ['[⟦\\d-z⟧]', 'bad-range'],
    ['x⟦[ab⟧', 'unterminated-class'],
    ['⟦[]⟧', 'unterminated-class'],
    ['x⟦(a⟧', 'unterminated-group'],
    ['a⟦)⟧b', 'unmatched-parenthesis'],
    ['x⟦(?#a⟧', 'unterminated-comment'],
    ['⟦\\q⟧', 'bad-escape'],
    ['⟦\\x4⟧g', 'bad-escape'],
    ['⟦\\U00110000⟧', 'bad-escape'],
    ['⟦\\400⟧', 'bad-escape'],
    ['[⟦\\A⟧]', 'bad-escape'],
    ['a⟦\\⟧', 'bad-escape'],
    ['⟦\\p⟧{L}', 'unicode-category'],
    ['\\N{⟦NO SUCH NAME⟧}', 'unknown-character-name'],
    ['⟦\\1⟧(a)', 'bad-reference'],
    ['(a⟦\\1⟧)', 'bad-reference'],
    ['(?P=⟦n⟧)', 'bad-reference'],
    ['(a)(?(⟦2⟧)b)', 'bad-reference'],
    ['(?P<⟦1a⟧>b)', 'bad-group-name'],
    ['(?P<n>a)(?P<⟦n⟧>b)', 'bad-group-name'],
    ['⟦(?<n⟧>a)', 'unknown-extension'],
    ['⟦(?|⟧a)', 'unknown-extension'],
    ['a⟦(?i)⟧b', 'flag-position'],
    ['(⟦(?i)⟧b)', 'flag-position'],
    ['(?i⟦z⟧:a)', 'bad-flag'],
    ['(?⟦L⟧:a)', 'bad-flag'],
    ['⟦(?i-i:⟧a)', 'flag-conflict'],
    ['⟦(?<=a+)⟧b', 'look-behind-width'],
    ['⟦(?<!a|bc)⟧b', 'look-behind-width'],
  ])('refuses %s: %s', (marked, code) => {
    expectRefused(parsePythonRegex, marked, code);
  });

  it.each([
    ['{', '{'],
    ['a{,}', 'aaa'],
    ['a{x}', 'a{x}'],
    ['a{,2}', 'aa'],
    ['[]a]+', ']a'],
    ['[^]a]', 'b'],
    ['[a-]+', 'a-a'],
    ['[[a]+', '[a'],
    ['\\-\\_\\"', '-_"'],
    ['(?x) a b # note', 'ab'],
    ['(?P<n>a)(?P=n)', 'aa'],
    ['(a)?(?(1)b|c)', 'ab'],
    ['\\x41\\u0042\\U00000043\\104\\0', 'ABCD\0'],
    ['\\N{DIGIT ONE}\\N{line feed}', '1\n'],
    ['(?( 1 )a|b)(x)', 'bx'],
  ])('takes %s', (source, text) => {
    expect(matchEnd(python(source), text)).toBe(text.length);
  });

  it('marks what other readers take differently', () => {
    const { marks } = python('(?i)a+?b*+');
    expect(marks).toEqual([
      { code: 'global-flags', span: { start: 0, end: 4 } },
      { code: 'lazy', span: { start: 5, end: 7 } },
      { code: 'possessive', span: { start: 8, end: 10 } },
    ]);
  });

  it('refuses deep nesting instead of running out of stack', () => {
    const { problem } = parsePythonRegex('('.repeat(100_000));
    expect(problem?.code).toBe('too-deep');
    expect(render(problem!.message)).toBe('Brackets are nested too deeply, more than 491 levels.');
  });

  it('reads long expressions', () => {
    expect(parsePythonRegex('(?=a)|'.repeat(50_000)).tree).toBeDefined();
  });

  it('takes flags from outside', () => {
    expect(matchEnd(python('A.', 'is'), 'a\n')).toBe(2);
    expectRefused((source) => parsePythonRegex(source, 'l'), '⟦a⟧', 'bad-flag');
  });
});
