import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../server/src/core/text/json';
import {
  effectiveProperties,
  headSpan,
  keySpan,
  placeAt,
  pointerOf,
  propertySpan,
  resolvePointer,
  sameValue,
  toValue,
  walkJson,
} from '../../../../server/src/core/text/jsonTree';

const rootOf = (text: string) => parseJson(text).root!;

describe('pointers', () => {
  // The examples of RFC 6901, section 5.
  const text =
    '{"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5, "k\\"l": 6, " ": 7, "m~n": 8}';

  test.each([
    ['/foo/0', '"bar"'],
    ['/', '0'],
    ['/a~1b', '1'],
    ['/c%d', '2'],
    ['/i\\j', '5'],
    ['/k"l', '6'],
    ['/ ', '7'],
    ['/m~0n', '8'],
  ])('%s names %s, there and back', (pointer, source) => {
    const node = resolvePointer(rootOf(text), pointer)!;
    expect(text.slice(node.offset, node.end)).toBe(source);
    expect(pointerOf(node)).toBe(pointer);
  });

  test('escapes in the right order', () => {
    const root = rootOf('{"~1": {"/": 1}}');
    expect(pointerOf(resolvePointer(root, '/~01/~1')!)).toBe('/~01/~1');
  });

  test.each(['foo', '/foo/2', '/foo/-', '/foo/00', '/foo/0/x', '/none'])('%s names nothing', (pointer) => {
    expect(resolvePointer(rootOf(text), pointer)).toBeUndefined();
  });

  test('from an inner root', () => {
    const root = rootOf('{"a": {"b": [0]}}');
    const inner = root.value('a')!;
    expect(pointerOf(resolvePointer(root, '/a/b/0')!, inner)).toBe('/b/0');
    expect(pointerOf(root)).toBe('');
  });

  test('every node of any document is found by its pointer', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const root = rootOf(text);
        walkJson(root, (node) => {
          // With a repeated key the pointer names the last member.
          const found = resolvePointer(root, pointerOf(node));
          if (found !== node) expect(effectiveProperties(node.parent!)).not.toContain(node.property);
        });
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('spans', () => {
  const text = '{"key": [1, {"x": 2}], "bare"}';
  const slice = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  const root = rootOf(text);

  test('of members and nodes', () => {
    expect(slice(keySpan(root.get('key')!))).toBe('"key"');
    expect(slice(propertySpan(root.get('key')!))).toBe('"key": [1, {"x": 2}]');
    expect(slice(propertySpan(root.get('bare')!))).toBe('"bare"');
    expect(slice(headSpan(root.value('key')!))).toBe('"key"');
    expect(slice(headSpan(root.value('key')!.items[0]!))).toBe('1');
    expect(slice(headSpan(root.value('key')!.items[1]!))).toBe('{');
  });
});

describe('placeAt', () => {
  /** The place at the cursor: its pointer, and whether it is a key. */
  const place = (marked: string) => {
    const offset = marked.indexOf('‸');
    const found = placeAt(rootOf(marked.replace('‸', '')), offset);
    if (found?.key === undefined) return found && [pointerOf(found.node), false];
    return [`${pointerOf(found.key.owner)}/${found.key.key}`, true];
  };

  test.each<[marked: string, pointer: string, key: boolean]>([
    ['{"a‸": [1, 2]}', '/a', true],
    ['{"a": [1, ‸2]}', '/a/1', false],
    ['{"a": [1, 2‸]}', '/a/1', false],
    ['{"a":‸ [1, 2]}', '', false],
    ['{"a": ‸[1, 2]}', '/a', false],
    ['{"a": [1, 2]‸}', '/a', false],
    ['{"a": [1, 2] ‸}', '', false],
    ['{"a": "x‸y"}', '/a', false],
    ['{"a": 1, ‸}', '', false],
  ])('%s', (marked, pointer, key) => {
    expect(place(marked)).toEqual([pointer, key]);
  });

  test('nothing outside of the root', () => {
    expect(place('‸ {}')).toBeUndefined();
    expect(place('{} ‸')).toBeUndefined();
  });

  test('the innermost node of any offset', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.nat(), (text, at) => {
        const root = rootOf(text);
        const offset = at % (text.length + 1);
        const { node } = placeAt(root, offset)!;
        expect(node.offset).toBeLessThanOrEqual(offset);
        expect(node.end).toBeGreaterThanOrEqual(offset);
        for (const child of [...node.items, ...node.properties.map((each) => each.value!)]) {
          expect(child.offset < offset && offset < child.end).toBe(false);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});

describe('values', () => {
  test('of repeated keys the last value counts, at the place of the first', () => {
    const root = rootOf('{"a": 1, "b": 2, "a": 3, "c"}');
    expect(effectiveProperties(root).map((each) => `${each.key}=${each.value!.text}`)).toEqual(['a=3', 'b=2']);
    expect(Object.keys(toValue(root) as object)).toEqual(['a', 'b']);
    expect(toValue(root)).toEqual({ a: 3, b: 2 });
  });

  test('equal values whatever their spelling and key order', () => {
    const same = (a: string, b: string) => sameValue(rootOf(a), rootOf(b));
    expect(same('{"a": 1.0, "b": [2]}', '{"b": [2e0], "a": 1}')).toBe(true);
    expect(same('"\\u0061"', '"a"')).toBe(true);
    expect(same('{"a": 1}', '{"a": 1, "b": null}')).toBe(false);
    expect(same('{"a": 1, "c": 2}', '{"a": 1, "b": 2}')).toBe(false);
    expect(same('[1, 2]', '[2, 1]')).toBe(false);
    expect(same('1', '"1"')).toBe(false);
    expect(same('{"a": 0, "a": 1}', '{"a": 1}')).toBe(true);
  });
});
