import { describe, expect, test } from 'vitest';
import { inPaths, plain } from '../../server/src/cli/style';

describe('plain', () => {
  test.each([
    ['a\u001b[31mb', 'a\\u001b[31mb', 'colors'],
    ['a\u0007\u009b', 'a\\u0007\\u009b', 'other control characters'],
    ['a \r\n\u2028 b', 'a b', 'line breaks'],
    ['a\u202eb\u2069', 'a\\u202eb\\u2069', 'what turns the direction of the text'],
    ['שלום é😀 中', 'שלום é😀 中', 'and leaves texts of any script alone'],
  ])('%j becomes %j: %s', (text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});

test('inPaths names where something was looked for', () => {
  expect(inPaths(['.'])).toBe('here');
  expect(inPaths(['a', 'b\u001b'])).toBe('in a, b\\u001b');
});
