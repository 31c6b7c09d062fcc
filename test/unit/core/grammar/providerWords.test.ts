import { expect, test } from 'vitest';
import type { CharacterRange } from '../../../../server/src/core/grammar/provider';
import { bytesWords, charactersText } from '../../../../server/src/core/grammar/providerWords';
import { render } from '../../../../server/src/core/text/message';

const code = (character: string): number => character.codePointAt(0)!;
const range = (first: string, last = first): CharacterRange => [code(first), code(last)];

test.each([
  ['a', 'a'],
  [' ', 'space'],
  ['\n', 'line feed'],
  ['\u0000', 'U+0000'],
  ['\u0301', 'U+0301'],
  ['\u00a0', 'no-break space'],
  ['😀', '😀'],
])('%j is shown as %s', (character, text) => {
  expect(charactersText([range(character)], false)).toBe(text);
});

test.each<[string, readonly CharacterRange[], boolean, string]>([
  ['single characters and ranges', [range('+'), range('0', '9'), range('a', 'b')], false, '+ 0–9 a b'],
  ['punctuation, one by one', [range('<', '@'), range('A', 'C')], false, '< = > ? @ A–C'],
  ['a range over several kinds', [range('-', ';')], false, '- . / 0–9 : ;'],
  ['a range beyond ASCII', [range('a'), range('à', 'ÿ')], false, 'a à–ÿ'],
  ['more beyond ASCII', [range('a', 'z')], true, 'a–z characters beyond ASCII'],
  ['nothing', [], false, ''],
  ['all of ASCII', [[0, 0x7f]], false, 'any ASCII character'],
  ['everything', [[0, 0x10ffff]], false, 'any character'],
  [
    'all but quotes and line ends',
    [
      [0, 9],
      [0xb, 0x21],
      [0x23, 0x7f],
    ],
    true,
    'any character but " line feed',
  ],
])('%s', (_what, ranges, more, text) => {
  expect(charactersText(ranges, more)).toBe(text);
});

test('bytes beyond ASCII are characters that are not listed', () => {
  expect(render(bytesWords([range('a'), [0xc2, 0xf4]]))).toBe('a characters beyond ASCII');
  expect(render(bytesWords([[0x80, 0xbf]]))).toBe('characters beyond ASCII');
});
