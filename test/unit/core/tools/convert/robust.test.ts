import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSearch } from '../../../../../server/src/core/search/search';
import { CONVERT_TARGETS } from '../../../../../server/src/core/tools/convert/targets';
import { convert, read } from './support';

const folder = path.resolve(import.meta.dirname, '../../../../fixtures/tools');
const TEXTS = readdirSync(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));

describe('conversion and search', () => {
  test('take half-typed text of every shape', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...TEXTS),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.constantFrom(...CONVERT_TARGETS),
        (whole, part, target) => {
          const text = whole.slice(0, Math.floor(whole.length * part));
          const made = convert(text, target);
          expect(() => JSON.parse(made.text)).not.toThrow();
          for (const { span } of made.losses) expect(span.end).toBeLessThanOrEqual(text.length);
          const search = createSearch([{ file: 'a', set: read(text), options: {} }], { all: true });
          const result = search.search('find a place');
          for (const miss of result.misses) expect(miss.near === undefined || miss.near.word !== '').toBe(true);
          for (const { matches } of result.hits) {
            for (const { source } of matches)
              if (source !== undefined) expect(source.end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { seed: 21, numRuns: 400 },
    );
  });

  test.each([...CONVERT_TARGETS.map((target) => [target, 5000] as const), ['mcp', 100_000] as const])(
    'take nesting of any depth: %s, %i',
    (target, depth) => {
      const deep = `${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`;
      const lists = `${'["x",'.repeat(depth)}1${']'.repeat(depth)}`;
      const text = `[{"type":"function","name":"a","strict":false,"parameters":${deep},"extra":${lists}},{"name":"b","parameters":{"type":"dict","items":${deep}}}]`;
      const made = convert(text, target);
      expect(made.tools).toBe(2);
      expect(made.text).toContain('"a"');
      const search = createSearch([{ file: 'a', set: read(text), options: {} }], { all: true });
      expect(search.search('y').misses.every(({ near }) => near === undefined)).toBe(true);
    },
  );

  test('keys of any name stay what they are', () => {
    const text =
      '[{"type":"function","name":"a","strict":false,"parameters":{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"const":1e400}}},"__proto__":{"x":1}}]';
    const made = convert(text, 'mcp');
    expect(made.text).toContain('"__proto__": {\n            "type": "string"');
    expect(made.text).toContain('"const": 1e400');
    expect(made.losses.map(({ pointer }) => pointer)).toEqual(['/0/__proto__']);
  });
});
