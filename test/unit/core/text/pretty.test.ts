import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emitJson } from '../../../../server/src/core/text/emit';
import { parseJson } from '../../../../server/src/core/text/json';
import { prettyJson } from '../../../../server/src/core/text/pretty';

const pretty = (text: string): string => prettyJson(parseJson(text).root!);

describe('JSON laid out for reading', () => {
  test('two spaces a level, short lists of scalars in one line', () => {
    expect(pretty('{"a":{"b":[1,2]},"c":[],"d":{},"e":[{"f":null}]}')).toBe(
      [
        '{',
        '  "a": {',
        '    "b": [1, 2]',
        '  },',
        '  "c": [],',
        '  "d": {},',
        '  "e": [',
        '    {',
        '      "f": null',
        '    }',
        '  ]',
        '}',
      ].join('\n'),
    );
  });

  test('long lists get a line per element', () => {
    const list = JSON.stringify(Array.from({ length: 30 }, (_, i) => `word ${i}`));
    expect(pretty(list).split('\n')).toHaveLength(32);
  });

  test('numbers keep their spelling, of repeated keys the last value counts', () => {
    expect(pretty('{"a":1.50,"b":1e3,"a":-0}')).toBe('{\n  "a": -0,\n  "b": 1e3\n}');
  });

  test('compacted again it is the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const { root } = parseJson(text);
        expect(emitJson(parseJson(prettyJson(root!)).root!)).toBe(emitJson(root!));
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  test('nesting may have any depth', () => {
    const text = `${'[{"a":'.repeat(10_000)}1${'}]'.repeat(10_000)}`;
    expect(emitJson(parseJson(pretty(text)).root!)).toBe(text);
  });
});
