import { describe, expect, test } from 'vitest';
import { forcedRuns } from '../../../../../server/src/core/grammar/regex/forcedRun';
import { parseRustRegex } from '../../../../../server/src/core/grammar/regex/parseRust';

const runs = (source: string, flags = ''): number[] => {
  const { lead, later } = forcedRuns(parseRustRegex(source, new Set(flags)).tree!);
  return [lead, later];
};

describe('bytes in a row without a choice', () => {
  test.each([
    ['abc', [3, 0]],
    ['aé日😀', [10, 0]],
    ['(a{1000}){1000}', [1_000_000, 0]],
    ['(ab{3}){2}', [8, 0]],
    ['[xy]a{20}', [0, 20]],
    ['a{5}[xy]b{6}c{7}', [5, 13]],
    ['a{1,5}b{9}', [1, 9]],
    ['a{7,}', [7, 0]],
    ['(a{4}[xy]b{3}){3}', [4, 7]],
    ['(a{4}[xy]b{3}){3}c', [4, 7]],
    ['(a{4}[xy]b{3}){1,3}c{9}', [4, 9]],
    ['[ab]{50}', [0, 0]],
    ['(?:a{9}|b{20}c?)', [0, 16]],
    ['(?:a{30})?', [0, 26]],
    ['^ab$', [2, 0]],
    ['', [0, 0]],
  ])('%s', (source, expected) => {
    expect(runs(source)).toEqual(expected);
  });

  test('letters of either case are a choice', () => {
    expect(runs('ab1{3}', 'i')).toEqual([0, 3]);
  });
});
