import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTolerant } from '../../../../server/src/core/text/json';
import type { JsonNode } from '../../../../server/src/core/text/jsonNode';
import { parseStrictJson } from '../../../../server/src/core/text/jsonStrict';

/** Everything that a tree says, one line per node. */
function describeTree(root: JsonNode | undefined): string[] {
  const lines: string[] = [];
  const stack = root === undefined ? [] : [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { kind, offset, end, index, height, hasLongNumber, text } = node;
    const key = node.property && [node.property.key, node.property.keyStart, node.property.keyEnd];
    lines.push(JSON.stringify([kind, offset, end, index, height, hasLongNumber, text, key ?? null]));
    expect(node.property === undefined || node.property.owner === node.parent).toBe(true);
    stack.push(...node.items, ...node.properties.flatMap((property) => property.value ?? []));
  }
  return lines;
}

describe('parseStrictJson', () => {
  test('gives the tree of the tolerant parser for every JSON text', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2, '\t'), (json, space) => {
        const text = JSON.stringify(JSON.parse(json), null, space);
        const root = parseStrictJson(text);
        expect(root).toBeDefined();
        expect(describeTree(root)).toEqual(describeTree(parseTolerant(text).root));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  test.each([
    ['a byte order mark', '\ufeff{"a":1}'],
    ['escapes', '{"a\\"b":"\\u00e9\\n\\\\\\/"}'],
    ['an escaped backslash before u', '["\\\\ud83d"]'],
    ['numbers of every spelling', '[0, -0, 1.50, 1E+3, 123456789012345678901234567890]'],
    ['repeated keys', '{"a":1,"a":{"b":[]}}'],
    ['many keys', JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, i])))],
    ['pairs of surrogates', '["😀"]'],
    ['pairs of surrogates in escapes', '{"\\ud83d\\ude00":"a\\uD83D\\uDE00\\\\"}'],
    ['__proto__', '{"__proto__":{"a":null}}'],
    ['white space around', ' \r\n\t[ true , false ]\n'],
  ])('%s', (_, text) => {
    const root = parseStrictJson(text);
    expect(root).toBeDefined();
    expect(describeTree(root)).toEqual(describeTree(parseTolerant(text).root));
  });

  test.each([
    '',
    '{',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{"a" 1}',
    '{a:1}',
    '[1 2]',
    '[1]]',
    '[01]',
    '[1.]',
    '[.5]',
    '[+1]',
    '[truex]',
    '["a\nb"]',
    '["\\x"]',
    '["\\u12"]',
    '["\\udc00"]',
    '["\ud800"]',
    '["a',
    '["a\\"]',
    '// c\n[]',
    '[/* c */]',
    '[1}',
    '\u00a0[]',
  ])('leaves %j to the tolerant parser', (text) => {
    expect(parseStrictJson(text)).toBeUndefined();
  });

  test('is never surer than JSON.parse, whatever is done to a text', () => {
    const characters = [...'{}[]",:\\u0d8e1-.tfn /\n\ufeff'];
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom(...characters),
        fc.boolean(),
        (json, at, c, cut) => {
          const place = at % (json.length + 1);
          const text = json.slice(0, place) + c + json.slice(place + (cut ? 1 : 0));
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          if (!valid) expect(parseStrictJson(text.startsWith('\ufeff') ? '' : text)).toBeUndefined();
        },
      ),
      { seed: 11, numRuns: 2000 },
    );
  });

  test('takes halves of surrogate pairs in escapes only where it is told to', () => {
    for (const text of ['["\\udc00"]', '{"\\ud83d":"a\\ud83d"}']) {
      expect(parseStrictJson(text)).toBeUndefined();
      expect(describeTree(parseStrictJson(text, { halves: true }))).toEqual(describeTree(parseTolerant(text).root));
    }
    expect(parseStrictJson('["\ud800"]', { halves: true })).toBeUndefined();
  });

  test('100,000 levels', () => {
    const text = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(parseStrictJson(text)!.height).toBe(100_000);
  });
});
