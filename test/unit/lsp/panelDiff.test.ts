import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roughChanges } from '../../../server/src/lsp/panel/diff';

const lines = fc.array(fc.constantFrom('{', '}', '"a": 1,', '"b": 2,', '"c": {', '"d": 4'), { maxLength: 30 });

test('the lines of both texts are all there, in their order', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const changes = roughChanges(before, after);
      const side = (leave: 'added' | 'removed'): string[] =>
        changes.filter((change) => !change[leave]).flatMap(({ value }) => value.split('\n'));
      expect(side('added')).toEqual(before);
      expect(side('removed')).toEqual(after);
    }),
    { seed: 20261130, numRuns: 500 },
  );
});

test('what stands between differences stays', () => {
  const one = (extra: boolean): string[] =>
    Array.from({ length: 5_000 }, (_, i) => [
      `"p${i}": {`,
      ...(extra ? [`"description": "${i}",`] : []),
      '"type": "string"',
      '},',
    ]).flat();
  const changes = roughChanges(one(true), one(false));
  expect(changes.filter(({ added }) => added)).toEqual([]);
  const removed = changes.filter((change) => change.removed).map(({ value }) => value);
  expect(removed).toEqual(Array.from({ length: 5_000 }, (_, i) => `"description": "${i}",`));
});
