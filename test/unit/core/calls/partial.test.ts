import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameNumber, valueDifference } from '../../../../server/src/core/calls/partial';
import { parseJson } from '../../../../server/src/core/text/json';

/** The pointer of the first difference; `undefined` when there is none. */
function differs(expected: string, actual: string): string | undefined {
  return valueDifference(parseJson(expected).root!, parseJson(actual).root!)?.pointer;
}

describe('valueDifference', () => {
  test.each<[expected: string, actual: string, pointer: string | undefined]>([
    ['{}', '{"a":1}', undefined],
    ['{"a":{"b":1}}', '{"a":{"b":1.0,"c":2},"d":3}', undefined],
    ['{"a":{"b":1}}', '{"a":{"b":2}}', '/a/b'],
    ['{"a":null}', '{}', '/a'],
    ['[{"k":"add"}]', '[{"k":"add","x":1}]', undefined],
    ['[{}]', '[{},{}]', ''],
    ['[1,2]', '[2,1]', '/0'],
    ['"1"', '1', ''],
    ['null', 'false', ''],
    ['{"__proto__":1}', '{}', '/__proto__'],
    ['{"a/b":1}', '{"a/b":2}', '/a~1b'],
    ['{"a":1,"a":2}', '{"a":2}', undefined],
  ])('%s of %s: %s', (expected, actual, pointer) => {
    expect(differs(expected, actual)).toBe(pointer);
  });

  test('every value fits itself', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(differs(text, text)).toBeUndefined();
      }),
      { seed: 2 },
    );
  });

  test('100,000 levels are compared', () => {
    const deep = (leaf: string): string => '['.repeat(100_000) + leaf + ']'.repeat(100_000);
    expect(differs(deep('1'), deep('1'))).toBeUndefined();
    expect(differs(deep('1'), deep('2'))).toBe('/0'.repeat(100_000));
  });
});

test.each<[string, string, boolean]>([
  ['1', '1.0', true],
  ['10e-1', '1', true],
  ['0', '-0', true],
  ['0.0', '0e5', true],
  ['100', '1e2', true],
  ['-1', '1', false],
  ['12345678901234567890', '12345678901234567891', false],
  ['9007199254740993', '9007199254740992', false],
  ['0.1', '0.10000000000000001', false],
  [`1${'0'.repeat(50)}`, '1e50', true],
  ['1e99999999999999999999', '1e99999999999999999998', false],
])('%s and %s are one number: %s', (a, b, same) => {
  expect(sameNumber(a, b)).toBe(same);
  expect(sameNumber(b, a)).toBe(same);
});
