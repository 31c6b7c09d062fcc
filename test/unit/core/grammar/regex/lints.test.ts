import { describe, expect, it } from 'vitest';
import {
  caseGaps,
  explosions,
  negatedWords,
  numberedReferences,
  stackedRepeats,
  topAlternation,
} from '../../../../../server/src/core/grammar/regex/lints';
import type { RegexTree } from '../../../../../server/src/core/grammar/regex/tree';
import { python, rust } from './helper';

const cut = (tree: RegexTree, span: { start: number; end: number }) => tree.source.slice(span.start, span.end);

describe('explosions', () => {
  it.each([
    ['(a+)+b', '(a+)+'],
    ['(a*)*b', '(a*)*'],
    ['(?:a|aa)+b', '(?:a|aa)+'],
    ['(?:ab|[a-c]b)*x', '(?:ab|[a-c]b)*'],
    ['(?:[^"]|\\\\.)*"', '(?:[^"]|\\\\.)*'],
    ['(\\w+\\s?)*$', '(\\w+\\s?)*'],
    ['x(?:y(a+)+b)?', '(a+)+'],
  ])('finds the loop of %s', (source, loop) => {
    const tree = python(source);
    const [found] = explosions(tree);
    expect(cut(tree, found!.repeat.span)).toBe(loop);
    expect(found!.text).not.toBe('');
  });

  it.each([
    '(a+)+',
    'a+b',
    '(?:[^"\\\\]|\\\\.)*"',
    '\\d+(?:,\\d+)*;',
    '(?:a|ab)*c',
    '(?>(?:a+)+)b',
    '(?:a+)++b',
    '(?:a|b)*c',
    '(a)\\1*b',
  ])('finds none in %s', (source) => {
    expect(explosions(python(source))).toEqual([]);
  });
});

describe('other lints', () => {
  it('finds repeats of repeats', () => {
    const tree = rust('[^.]{0,10}*\\.x{2}?a+');
    expect(stackedRepeats(tree).map(({ outer, losesBound }) => [cut(tree, outer.span), losesBound])).toEqual([
      ['[^.]{0,10}*', true],
    ]);
    expect(stackedRepeats(rust('(a{2})*'))).toEqual([]);
  });

  it('finds ranges from capitals to small letters', () => {
    const tree = python('[A-Za-z][A-z_]');
    expect(caseGaps(tree).map((span) => cut(tree, span))).toEqual(['A-z']);
  });

  it.each([
    ['[^Paris]{1,8}', ['Paris']],
    ['[^hello]', ['hello']],
    ['[^aeiou]', []],
    ['[^aAbB]', []],
    ['[^xyz]', []],
    ['[Paris]', []],
    ['[^a-zP]', []],
  ])('%s: negated words %j', (source, words) => {
    expect(negatedWords(python(source)).map(({ word }) => word)).toEqual(words);
  });

  it('finds references by number and alternatives without brackets', () => {
    expect(numberedReferences(python('(a)(?P<n>b)(?P=n)\\1')).map((node) => node.group)).toEqual([1]);
    expect(topAlternation(python('a|b'))?.items).toHaveLength(2);
    expect(topAlternation(python('(a|b)'))).toBeUndefined();
  });
});
