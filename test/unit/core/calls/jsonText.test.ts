import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonTextError } from '../../../../server/src/core/calls/jsonText';

test.each([
  ['', 'EOF while parsing a value at line 1 column 0'],
  ['{', 'EOF while parsing an object at line 1 column 1'],
  ['[', 'EOF while parsing a list at line 1 column 1'],
  ['[1', 'EOF while parsing a list at line 1 column 2'],
  ['[1,', 'EOF while parsing a value at line 1 column 3'],
  ['[1,]', 'trailing comma at line 1 column 4'],
  ['{"a":1,}', 'trailing comma at line 1 column 8'],
  ['{a:1}', 'key must be a string at line 1 column 2'],
  ['{"a" 1}', 'expected `:` at line 1 column 6'],
  ['{"a":1 "b":2}', 'expected `,` or `}` at line 1 column 8'],
  ['[1 2]', 'expected `,` or `]` at line 1 column 4'],
  ['{} x', 'trailing characters at line 1 column 4'],
  ['nul', 'EOF while parsing a value at line 1 column 3'],
  ['nope', 'expected ident at line 1 column 2'],
  ['NaN', 'expected value at line 1 column 1'],
  ['{"a":\n  x}', 'expected value at line 2 column 3'],
  ['['.repeat(128), 'recursion limit exceeded at line 1 column 128'],
])('%s', (text, error) => {
  expect(jsonTextError(text)).toBe(error);
});

test('what JavaScript takes is taken, and what it refuses is refused', () => {
  const agrees = (text: string): boolean => {
    let taken = true;
    try {
      JSON.parse(text);
    } catch {
      taken = false;
    }
    return (jsonTextError(text) === undefined) === taken;
  };
  fc.assert(
    fc.property(fc.json(), fc.nat(40), fc.constantFrom('', ',', '}', ']', '"', ':', '1'), (text, at, put) => {
      expect(jsonTextError(text)).toBeUndefined();
      expect(agrees(text.slice(0, at) + put + text.slice(at + 1))).toBe(true);
    }),
    { seed: 3, numRuns: 300 },
  );
});
