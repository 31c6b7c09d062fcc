import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonDocument, type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { pointerOf, resolvePointer, sameValue, toValue, walkJson } from '../../../../server/src/core/text/jsonTree';

const codes = (text: string) => parseJson(text).problems.map((problem) => problem.code);
const read = (text: string) => {
  const { root } = parseJson(text);
  return root && toValue(root);
};
/** The problem's code and the text that it marks. */
const marked = (text: string) =>
  parseJson(text).problems.map(({ code, span }) => `${code} ${text.slice(span.start, span.end)}`);

describe('parseJson', () => {
  test('has offsets, kinds, keys and heights', () => {
    const text = ' {"a": [1, {"b": null}], "c": "x"} ';
    const { root, problems } = parseJson(text);
    expect(problems).toEqual([]);
    expect(text.slice(root!.offset, root!.end)).toBe(text.trim());
    expect(root!.height).toBe(3);
    const a = root!.get('a')!;
    expect(text.slice(a.keyStart, a.keyEnd)).toBe('"a"');
    expect(a.value!.items.map((item) => [item.kind, item.index, item.height])).toEqual([
      ['number', 0, 0],
      ['object', 1, 1],
    ]);
    expect(root!.value('c')!.string).toBe('x');
    expect(root!.value('missing')).toBeUndefined();
  });

  test('the last of repeated keys counts, all are kept', () => {
    const small = parseJson('{"a": 1, "b": 2, "a": 3}').root!;
    expect(small.properties).toHaveLength(3);
    expect(small.value('a')!.text).toBe('3');
    const keys = Array.from({ length: 20 }, (_, i) => `"k${i % 10}": ${i}`).join(',');
    expect(parseJson(`{${keys}}`).root!.value('k3')!.text).toBe('13');
  });

  test('keys that plain objects give a meaning are only keys', () => {
    const text = '{"__proto__": {"x": 1}, "constructor": 2, "toString": 3}';
    const root = parseJson(text).root!;
    expect(root.get('__proto__')!.value!.value('x')!.text).toBe('1');
    expect(root.has('hasOwnProperty')).toBe(false);
    const value = toValue(root) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test('a byte order mark is passed over', () => {
    expect(codes('\ufeff{"a": 1}')).toEqual([]);
    expect(parseJson('\ufeff[1]').root!.offset).toBe(1);
  });

  test('line ends of every kind', () => {
    expect(codes('{\r\n"a": 1,\r"b": 2\n}')).toEqual([]);
  });

  test('comments and trailing commas are read and reported', () => {
    const text = '// a\n{"a": 1, /* b */ "c": [1, 2,],}';
    expect(marked(text)).toEqual(['comment // a', 'comment /* b */', 'trailing-comma ,', 'trailing-comma ,']);
    expect(read(text)).toEqual({ a: 1, c: [1, 2] });
    expect(codes('{"a": 1 /* open')).toContain('not-closed');
  });

  test('many comments do not hide a fault', () => {
    const text = `[${'// note\n'.repeat(500)}1 2]`;
    const found = codes(text);
    expect(found.filter((code) => code === 'comment').length).toBeLessThanOrEqual(200);
    expect(found).toContain('comma-expected');
  });

  test('half of a surrogate pair, escaped or not', () => {
    expect(codes('"\\ud83d\\ude00"')).toEqual([]);
    expect(codes('"😀"')).toEqual([]);
    expect(codes('{"a\\ud83d": "\\ude00"}')).toEqual(['lone-surrogate', 'lone-surrogate']);
    expect(codes('"\ud83d"')).toEqual(['lone-surrogate']);
  });

  test.each([
    ['"a\\x"', 'bad-escape'],
    ['"a\\u12"', 'bad-escape'],
    ['"a\tb"', 'bad-string'],
    ['"a', 'bad-string'],
    ['[1.]', 'bad-number'],
    ['[01]', 'comma-expected'],
    ['[-]', 'unexpected-token'],
    ['[.5]', 'unexpected-token'],
    ['[nul]', 'unexpected-token'],
    ['{"a" 1}', 'colon-expected'],
    ['{"a": 1 "b": 2}', 'comma-expected'],
    ['{,}', 'property-expected'],
    ['[1}', 'unexpected-token'],
    ['1 2', 'end-expected'],
    ['', 'value-expected'],
    ['{"a":', 'value-expected'],
    ['[', 'not-closed'],
  ])('%s is %s', (text, code) => {
    expect(codes(text)).toContain(code);
  });

  test('an empty text has no root', () => {
    expect(parseJson('').root).toBeUndefined();
    expect(parseJson(' // nothing').root).toBeUndefined();
    expect(codes(' // nothing')).toEqual(['comment', 'value-expected']);
  });

  test('200 problems at most', () => {
    expect(parseJson('@ '.repeat(5000)).problems).toHaveLength(200);
  });
});

describe('half-typed text', () => {
  test.each<[about: string, text: string, value: unknown]>([
    ['a key alone', '{"a": 1, "b"}', { a: 1 }],
    ['a key and a colon', '{"a": 1, "b":}', { a: 1 }],
    ['a key that is being typed', '{"a": 1, "b\n}', { a: 1 }],
    ['a missing value before the next member', '{"a":\n"b": true, "c": 2}', { b: true, c: 2 }],
    ['a missing colon', '{"a" {"x": 1}, "b": 2}', { a: { x: 1 }, b: 2 }],
    ['a missing comma', '{"a": 1\n"b": 2}', { a: 1, b: 2 }],
    ['a string without its end', '{"a": "x\n, "b": 2}', { a: 'x', b: 2 }],
    ['a key without quotes', '{a: 1, \'b\': {"c": 2}, "d": 3}', { a: 1, b: { c: 2 }, d: 3 }],
    ['a word that is being typed', '{"a": tr, "b": 2}', { b: 2 }],
    ['an item that is not closed', '[{"a": {"b": 1}, {"c": 2}]', [{ a: { b: 1 } }, { c: 2 }]],
    ['several that are not closed', '[{"a": {"b": 1,\n{"c": 2}]', [{ a: { b: 1 } }, { c: 2 }]],
    ['a list whose start is missing', '[{"a": {"r": "x"]}}, {"c": 2}]', [{ a: { r: 'x' } }, { c: 2 }]],
    ['a brace too many', '{"t": [{"a": 1}}, {"c": 2}], "d": 3}', { t: [{ a: 1 }, { c: 2 }], d: 3 }],
    ['a missing brace before a bracket', '{"t": [{"a": 1], "d": 3}', { t: [{ a: 1 }], d: 3 }],
    ['a text that breaks off', '[{"a": [1, {"b": "x', [{ a: [1, { b: 'x' }] }]],
    ['a comma too many', '[1,,2]', [1, 2]],
    ['a bracket too many behind an item', '[{"a": 1}],\n{"b": 2}]', [{ a: 1 }, { b: 2 }]],
    ['a lost quote in one of many lines', '[\n{"a": ["x]},\n{"b": 2}\n]', [{ a: ['x]},'] }, { b: 2 }]],
    [
      'a lost quote before a bracket',
      '[\n  {\n    a": [\n      {\n        "b": 1\n      }\n    ]\n  },\n  {\n    "c": 2\n  }\n]',
      [{ ': [': { b: 1 } }, { c: 2 }],
    ],
  ])('%s', (_about, text, value) => {
    expect(read(text)).toEqual(value);
    expect(codes(text).length).toBeGreaterThan(0);
  });

  test('a missing value is marked at its key', () => {
    expect(marked('{"a":\n"b": true}')).toEqual(['value-expected "a"']);
  });
});

describe('depth', () => {
  const depth = 100_000;

  test('arrays and objects of 100,000 levels', () => {
    const arrays = parseJson('['.repeat(depth) + ']'.repeat(depth));
    expect(arrays.problems).toEqual([]);
    expect(arrays.root!.height).toBe(depth);
    const objects = parseJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    expect(objects.problems).toEqual([]);
    let deepest = objects.root!;
    walkJson(objects.root!, (node) => {
      deepest = node;
    });
    expect(pointerOf(deepest)).toBe('/a'.repeat(depth));
    expect(resolvePointer(objects.root!, '/a'.repeat(depth))).toBe(deepest);
    expect(sameValue(objects.root!, parseJson(objects.text).root!)).toBe(true);
    let value = toValue(objects.root!) as { a: unknown };
    for (let i = 1; i < depth; i++) value = value.a as { a: unknown };
    expect(value).toEqual({ a: 1 });
  });

  test('left open, or closed by the wrong bracket', () => {
    expect(codes('['.repeat(depth))).toEqual(['not-closed']);
    expect(parseJson('['.repeat(depth) + '}'.repeat(depth)).root!.height).toBe(depth);
    expect(parseJson('[{"a":'.repeat(depth) + ']'.repeat(depth)).root!.height).toBeGreaterThan(depth);
  });
});

/** Every node lies in its parent, behind its elder siblings, and knows its place. */
function checkTree({ text, root, problems }: JsonDocument): void {
  for (const { span } of problems) {
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(text.length);
  }
  expect([...problems].sort((a, b) => a.span.start - b.span.start)).toEqual(problems);
  if (root === undefined) return;
  expect(root.parent).toBeUndefined();
  walkJson(root, (node) => {
    expect(node.offset).toBeLessThan(node.end);
    expect(node.end).toBeLessThanOrEqual(text.length);
    let from = node.offset + (node.kind === 'object' || node.kind === 'array' ? 1 : 0);
    let height = 0;
    const child = (each: JsonNode): void => {
      expect(each.offset).toBeGreaterThanOrEqual(from);
      expect(each.end).toBeLessThanOrEqual(node.end);
      expect(each.parent).toBe(node);
      from = each.end;
      height = Math.max(height, each.height);
    };
    for (const [i, item] of node.items.entries()) {
      child(item);
      expect([item.index, item.property]).toEqual([i, undefined]);
    }
    for (const property of node.properties) {
      expect(property.owner).toBe(node);
      expect(property.keyStart).toBeGreaterThanOrEqual(from);
      expect(property.keyEnd).toBeGreaterThan(property.keyStart);
      from = property.keyEnd;
      if (property.value !== undefined) {
        child(property.value);
        expect([property.value.index, property.value.property]).toEqual([-1, property]);
      }
    }
    const container = node.kind === 'object' || node.kind === 'array';
    expect(node.height).toBe(container ? height + 1 : 0);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('laws', () => {
  const options = { seed: 11, numRuns: 800 };
  const json = fc.json({ maxDepth: 5, stringUnit: 'grapheme' });
  const spaced = fc
    .tuple(json, fc.constantFrom(undefined, 2, '\t'))
    .map(([text, space]) => JSON.stringify(JSON.parse(text), null, space));
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"b', '"', '1', '-', '01', '1e', 'true', 'nul', 'null', ' ', '\n', '\r\n'],
    ...['//', '/*', '*/', '"\\u', '"\\ud800"', '\\', '\ufeff', '\u0000', "'a'", 'a', '{"a":', '[1,', '{"a":1}', '.5'],
  );
  const soup = fc.array(token, { maxLength: 40 }).map((tokens) => tokens.join(''));
  const mutated = fc
    .tuple(spaced, fc.array(fc.tuple(fc.nat(), fc.nat(3), token), { minLength: 1, maxLength: 4 }))
    .map(([text, changes]) => {
      let result = text;
      for (const [place, cut, added] of changes) {
        const at = place % (result.length + 1);
        result = result.slice(0, at) + added + result.slice(at + cut);
      }
      return result;
    });

  test('valid JSON reads as JSON.parse reads it, without a problem', () => {
    fc.assert(
      fc.property(spaced, (text) => {
        const document = parseJson(text);
        expect(document.problems).toEqual([]);
        expect(toValue(document.root!)).toEqual(JSON.parse(text));
        checkTree(document);
      }),
      options,
    );
  });

  test('any text gives a sound tree, with problems just where JSON.parse fails', () => {
    fc.assert(
      fc.property(fc.oneof(soup, mutated, fc.string({ unit: 'binary' })), (text) => {
        const document = parseJson(text);
        checkTree(document);
        const faults = document.problems.filter((problem) => problem.code !== 'lone-surrogate');
        // JSON.parse knows no byte order mark.
        expect(faults.length === 0, text).toBe(isJson(text.replace(/^\ufeff/, '')));
      }),
      { ...options, numRuns: 4000 },
    );
  });

  test("each node's text reads as the same value", () => {
    fc.assert(
      fc.property(spaced, (text) => {
        walkJson(parseJson(text).root!, (node) => {
          const part = parseJson(text.slice(node.offset, node.end));
          expect(part.problems).toEqual([]);
          expect(sameValue(part.root!, node)).toBe(true);
        });
      }),
      { ...options, numRuns: 300 },
    );
  });

  test('what stands before the end of a text that breaks off is in the tree', () => {
    fc.assert(
      fc.property(spaced, fc.nat(), (text, place) => {
        const whole = parseJson(text);
        const length = place % (text.length + 1);
        const cut = parseJson(text.slice(0, length));
        const byOffset = new Map<number, JsonNode>();
        if (cut.root !== undefined) walkJson(cut.root, (node) => void byOffset.set(node.offset, node));
        walkJson(whole.root!, (node) => {
          if (node.end >= length) return;
          const same = byOffset.get(node.offset);
          expect(same && [same.kind, same.text, pointerOf(same)]).toEqual([node.kind, node.text, pointerOf(node)]);
        });
        checkTree(cut);
      }),
      options,
    );
  });

  test('comments anywhere between tokens change nothing', () => {
    fc.assert(
      fc.property(spaced, fc.nat(), fc.constantFrom('/* { */', '// [\n', '/**/'), (text, place, comment) => {
        const spots: number[] = [];
        walkJson(parseJson(text).root!, (node) => {
          spots.push(node.offset, node.end);
          for (const { keyStart, keyEnd } of node.properties) spots.push(keyStart, keyEnd);
        });
        const spot = spots[place % spots.length]!;
        const commented = parseJson(text.slice(0, spot) + comment + text.slice(spot));
        expect(commented.problems.map((problem) => problem.code)).toEqual(['comment']);
        expect(sameValue(commented.root!, parseJson(text).root!)).toBe(true);
      }),
      options,
    );
  });
});
