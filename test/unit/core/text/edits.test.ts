import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  appendItem,
  applyEdits,
  changeObject,
  editsOverlap,
  insertProperties,
  insertProperty,
  removeItems,
  removeProperties,
  removeProperty,
  renameKey,
  replaceValue,
} from '../../../../server/src/core/text/edits';
import type { TextEdit } from '../../../../server/src/core/text/finding';
import { type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { type JsonValue, resolvePointer, toValue, walkJson } from '../../../../server/src/core/text/jsonTree';
import { copyLike, formatLike } from '../../../../server/src/core/text/style';

const at = (text: string, pointer = ''): JsonNode => resolvePointer(parseJson(text).root!, pointer)!;

describe('insertProperty', () => {
  const cases: [about: string, before: string, after: string, option?: string | null][] = [
    ['into an empty object', '{}', '{"n": 0}'],
    ['into an empty object with a space', '{ }', '{ "n": 0 }'],
    ['into an empty object of two lines', '{\n}', '{\n  "n": 0\n}'],
    [
      'into an empty object of a text with four spaces',
      '{\n    "a": {\n    }\n}',
      '{\n    "a": {\n        "n": 0\n    }\n}',
      '/a',
    ],
    ['on one line', '{"a": 1}', '{"a": 1, "n": 0}'],
    ['on one line with padding', '{ "a": 1 }', '{ "a": 1, "n": 0 }'],
    ['into compact text', '{"a":1,"b":2}', '{"a":1,"b":2,"n":0}'],
    ['on a line of its own', '{\n  "a": 1\n}', '{\n  "a": 1,\n  "n": 0\n}'],
    ['with tabs and CRLF', '{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"n": 0\r\n}'],
    ['behind a comment about the last member', '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "n": 0\n}'],
    ['before a line comment when on one line', '{ "a": 1 // one\n}', '{ "a": 1, "n": 0 // one\n}'],
    ['behind a trailing comma', '{\n  "a": 1,\n}', '{\n  "a": 1,\n  "n": 0,\n}'],
    ['into text whose members share lines', '{\n  "a": 1, "b": 2\n}', '{\n  "a": 1, "b": 2, "n": 0\n}'],
    ['into an object with a comment only', '{ /* none */ }', '{"n": 0 /* none */ }'],
  ];
  test.each(cases)('%s', (_about, before, after, pointer) => {
    expect(applyEdits(before, insertProperty(before, at(before, pointer ?? ''), 'n', '0'))).toBe(after);
  });

  test('behind a member in the middle, whose comment stays with it', () => {
    const text = '{\n  "a": 1, // one\n  "b": 2\n}';
    const root = at(text);
    const edits = insertProperty(text, root, 'n', '0', { after: root.get('a') });
    expect(applyEdits(text, edits)).toBe('{\n  "a": 1, // one\n  "n": 0,\n  "b": 2\n}');
  });

  test('at the first place', () => {
    const first = (text: string) => applyEdits(text, insertProperty(text, at(text), 'n', '0', { after: null }));
    expect(first('{"a": 1}')).toBe('{"n": 0, "a": 1}');
    expect(first('{ // about\n  "a": 1\n}')).toBe('{ // about\n  "n": 0,\n  "a": 1\n}');
    expect(first('{}')).toBe('{"n": 0}');
  });

  test('several members in their order', () => {
    const text = '{\n  "a": 1 // one\n}';
    const edits = insertProperties(text, at(text), [
      ['n', '0'],
      ['m', '[]'],
    ]);
    expect(applyEdits(text, edits)).toBe('{\n  "a": 1, // one\n  "n": 0,\n  "m": []\n}');
  });

  test('escapes the key', () => {
    expect(applyEdits('{}', insertProperty('{}', at('{}'), 'a"\\\n', '0'))).toBe('{"a\\"\\\\\\n": 0}');
  });
});

describe('removeProperty', () => {
  const cases: [about: string, before: string, key: string, after: string][] = [
    ['the only member', '{ "a": 1 }', 'a', '{}'],
    ['the only member on its line', '{\n  "a": 1\n}', 'a', '{}'],
    ['the only member beside a comment', '{\n  // why\n  "a": 1\n}', 'a', '{\n  // why\n}'],
    ['the first on one line', '{"a": 1, "b": 2}', 'a', '{"b": 2}'],
    ['the last on one line', '{ "a": 1, "b": 2 }', 'b', '{ "a": 1 }'],
    ['the middle on one line', '{"a":1,"b":2,"c":3}', 'b', '{"a":1,"c":3}'],
    ['a line', '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}', 'b', '{\n  "a": 1,\n  "c": 3\n}'],
    ['the last line', '{\n  "a": 1,\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['the first line with CRLF', '{\r\n  "a": 1,\r\n  "b": 2\r\n}', 'a', '{\r\n  "b": 2\r\n}'],
    ['the last line behind an empty one', '{\n  "a": 1,\n\n  "b": 2\n}', 'b', '{\n  "a": 1\n}'],
    ['the last with a trailing comma', '{\n  "a": 1,\n  "b": 2,\n}', 'b', '{\n  "a": 1,\n}'],
    ['beside a comment that stays', '{\n  "a": 1, // one\n  "b": 2\n}', 'b', '{\n  "a": 1 // one\n}'],
    ['with a comment of its own', '{\n  "a": 1, // one\n  "b": 2\n}', 'a', '{\n  // one\n  "b": 2\n}'],
    ['with a comment before its comma', '{ "a": 1 /* one */, "b": 2 }', 'a', '{ /* one */ "b": 2 }'],
    ['when the bracket follows a comment', '{ "a": 1, // one\n  "b": 2 }', 'b', '{ "a": 1 // one\n  }'],
    ['of several members in a line', '{\n  "a": 1, "b": 2,\n  "c": 3\n}', 'b', '{\n  "a": 1,\n  "c": 3\n}'],
  ];
  test.each(cases)('%s', (_about, before, key, after) => {
    expect(applyEdits(before, removeProperty(before, at(before).get(key)!))).toBe(after);
  });

  test('several at once', () => {
    const text = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}';
    const root = at(text);
    const without = (...keys: string[]) =>
      applyEdits(
        text,
        removeProperties(
          text,
          keys.map((key) => root.get(key)!),
        ),
      );
    expect(without('b', 'c')).toBe('{\n  "a": 1\n}');
    expect(without('a', 'c')).toBe('{\n  "b": 2\n}');
    expect(without('a', 'b', 'c')).toBe('{}');
  });
});

describe('other edits', () => {
  test('takes out items that share the space between them', () => {
    const text = '[[], [1],\r\n[2]]';
    expect(applyEdits(text, removeItems(text, at(text).items.slice(0, 2)))).toBe('[\r\n[2]]');
  });

  test('appends items', () => {
    const append = (text: string) => applyEdits(text, appendItem(text, at(text), '3'));
    expect(append('[]')).toBe('[3]');
    expect(append('[1, 2]')).toBe('[1, 2, 3]');
    expect(append('[1,2]')).toBe('[1,2,3]');
    expect(append('[\n  1\n]')).toBe('[\n  1,\n  3\n]');
  });

  test('renames and replaces', () => {
    const text = '{ "a" : [1] }';
    const root = at(text);
    expect(applyEdits(text, renameKey(root.get('a')!, 'b'))).toBe('{ "b" : [1] }');
    expect(applyEdits(text, replaceValue(root.value('a')!, 'null'))).toBe('{ "a" : null }');
  });

  test('takes out and adds at one place', () => {
    const change = (text: string, remove: string[], add: [string, string][]) => {
      const root = at(text);
      return applyEdits(text, changeObject(text, root, { remove: remove.map((key) => root.get(key)!), add }));
    };
    expect(change('{"a": 1, "b": 2}', ['b'], [['n', '0']])).toBe('{"a": 1, "n": 0}');
    expect(
      change(
        '{\n  "a": 1,\n  "b": 2\n}',
        ['a', 'b'],
        [
          ['n', '0'],
          ['m', '1'],
        ],
      ),
    ).toBe('{\n  "n": 0,\n  "m": 1\n}');
    expect(change('{"a": 1}', [], [['n', '0']])).toBe('{"a": 1, "n": 0}');
    expect(change('{"a": 1}', ['a'], [])).toBe('{}');
  });

  test('edits that meet overlap', () => {
    const edit = (start: number, end: number): TextEdit => ({ span: { start, end }, newText: '' });
    expect(editsOverlap([edit(0, 2)], [edit(2, 3)])).toBe(false);
    expect(editsOverlap([edit(0, 2)], [edit(1, 3)])).toBe(true);
    expect(editsOverlap([edit(0, 9)], [edit(1, 1)])).toBe(true);
    expect(editsOverlap([edit(4, 4)], [edit(4, 4)])).toBe(true);
    expect(editsOverlap([edit(0, 1), edit(1, 2)], [edit(5, 6)])).toBe(false);
    expect(() => applyEdits('abc', [edit(0, 2), edit(1, 3)])).toThrow(RangeError);
  });
});

describe('formatLike', () => {
  const value: JsonValue = { type: 'array', items: { enum: [1, 'b'] }, none: {}, list: [] };

  test('on lines of their own', () => {
    const text = '{\n    "a": {\n        "b": 1\n    }\n}';
    expect(formatLike(text, at(text, '/a'), value)).toBe(
      '{\n            "type": "array",\n            "items": {\n                "enum": [1, "b"]\n            },\n' +
        '            "none": {},\n            "list": []\n        }',
    );
  });

  test('on one line, spaced or compact', () => {
    expect(formatLike('{"a": 1}', at('{"a": 1}'), value)).toBe(
      '{"type": "array", "items": {"enum": [1, "b"]}, "none": {}, "list": []}',
    );
    expect(formatLike('{"a":1}', at('{"a":1}'), value)).toBe(
      '{"type":"array","items":{"enum":[1,"b"]},"none":{},"list":[]}',
    );
  });

  test('keeps the spelling of numbers and the order of keys of a node', () => {
    const text = '{"a":{"2":1.50,"1":1e3,"__proto__":0}}';
    expect(formatLike(text, at(text), at(text, '/a'))).toBe('{"2":1.50,"1":1e3,"__proto__":0}');
  });

  test('copies source text with its comments', () => {
    const text = '{\n  "$defs": {\n    "A": {\n      // why\n      "type": "string"\n    }\n  },\n  "x": {\n  }\n}';
    expect(copyLike(text, at(text), at(text, '/$defs/A'))).toBe('{\n    // why\n    "type": "string"\n  }');
  });
});

describe('laws', () => {
  const json = fc.letrec<{ value: JsonValue; object: JsonValue; array: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue({ maxDepth: 0 }) as fc.Arbitrary<JsonValue>,
      tie('object'),
      tie('array'),
    ),
    object: fc.dictionary(fc.string({ maxLength: 5 }), tie('value'), { maxKeys: 6 }),
    array: fc.array(tie('value'), { maxLength: 6 }),
  })).value;
  const spacing = fc.constantFrom(undefined, 1, 2, 4, '\t');
  /** A document with layout of some kind, and perhaps comments or trailing commas. */
  const texts = fc
    .tuple(
      json,
      spacing,
      fc.boolean(),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(' ', '\n', '/* c, */', '// c }\n', '\r\n'))),
    )
    .map(([value, space, crlf, noise]) => {
      let text = JSON.stringify(value, null, space);
      if (crlf) text = text.replaceAll('\n', '\r\n');
      // Noise goes where white space may stand: beside structural characters, outside of strings.
      for (const [place, what] of noise) {
        const spots = structuralSpots(text);
        if (spots.length > 0) {
          const spot = spots[place % spots.length]!;
          text = text.slice(0, spot) + what + text.slice(spot);
        }
      }
      return text;
    });

  function structuralSpots(text: string): number[] {
    const root = parseJson(text).root!;
    const spots: number[] = [];
    walkJson(root, (node) => {
      spots.push(node.offset, node.end);
      for (const property of node.properties) spots.push(property.keyStart, property.keyEnd);
    });
    return spots;
  }

  function containers(root: JsonNode, kind: 'object' | 'array'): JsonNode[] {
    const list: JsonNode[] = [];
    walkJson(root, (node) => {
      if (node.kind === kind) list.push(node);
    });
    return list;
  }

  const harmless = new Set(['comment', 'trailing-comma']);
  function value(text: string): JsonValue {
    const document = parseJson(text);
    const faults = document.problems.filter((problem) => !harmless.has(problem.code));
    expect(faults, text).toEqual([]);
    return toValue(document.root!);
  }

  /** Bytes outside of the edited places are the same, and comments survive. */
  function checkEdits(before: string, after: string, edits: TextEdit[]): void {
    expect(after.length).toBe(
      before.length + edits.reduce((sum, { span, newText }) => sum + newText.length - (span.end - span.start), 0),
    );
    for (const { span } of edits) {
      expect(before.slice(span.start, span.end)).not.toMatch(/^\s*\/[/*]/);
    }
  }

  const options = { seed: 7, numRuns: 500 };

  test('insertProperty adds exactly this member', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), fc.boolean(), (text, pick, place, start) => {
        const list = containers(parseJson(text).root!, 'object');
        if (list.length === 0) return;
        const object = list[pick % list.length]!;
        const after = start ? null : object.properties[place % (object.properties.length + 1)];
        const edits = insertProperty(text, object, 'né\n', '[true]', { after });
        const result = applyEdits(text, edits);
        checkEdits(text, result, edits);
        const copy = value(result);
        const changed = pointerInto(copy, object);
        expect(changed['né\n']).toEqual([true]);
        delete changed['né\n'];
        expect(copy).toEqual(value(text));
      }),
      options,
    );
  });

  test('removeProperties takes out exactly these members', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, pick, mask) => {
        const list = containers(parseJson(text).root!, 'object').filter((node) => node.properties.length > 0);
        if (list.length === 0) return;
        const object = list[pick % list.length]!;
        const gone = object.properties.filter((_, i) => ((mask >> (i % 20)) & 1) === 1);
        const edits = removeProperties(text, gone);
        const result = applyEdits(text, edits);
        const expected = value(text);
        const changed = pointerInto(expected, object);
        for (const property of gone) delete changed[property.key];
        expect(value(result), `${text} -> ${result}`).toEqual(expected);
        const comments = (source: string) => source.match(/\/\* c, \*\/|\/\/ c }/g)?.length ?? 0;
        const inside = gone.reduce((sum, each) => sum + comments(text.slice(each.keyStart, each.value!.end)), 0);
        expect(comments(result)).toBe(comments(text) - inside);
      }),
      options,
    );
  });

  test('removeItems and appendItem', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), (text, pick, mask) => {
        const list = containers(parseJson(text).root!, 'array').filter((node) => node.items.length > 0);
        if (list.length === 0) return;
        const array = list[pick % list.length]!;
        const gone = array.items.filter((_, i) => ((mask >> (i % 20)) & 1) === 1);
        const kept = array.items.filter((item) => !gone.includes(item)).map((item) => toValue(item));
        const removed = applyEdits(text, removeItems(text, gone));
        expect(pointerInto(value(removed), array), `${text} -> ${removed}`).toEqual(kept);
        const grown = applyEdits(text, appendItem(text, array, '{"x": 1}'));
        expect(pointerInto(value(grown), array)).toEqual([...array.items.map((item) => toValue(item)), { x: 1 }]);
      }),
      options,
    );
  });

  test('changeObject takes out and adds exactly these', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(), fc.nat(3), (text, pick, mask, count) => {
        const list = containers(parseJson(text).root!, 'object');
        if (list.length === 0) return;
        const object = list[pick % list.length]!;
        const gone = object.properties.filter((_, i) => ((mask >> (i % 20)) & 1) === 1);
        const add = Array.from({ length: count }, (_, i) => [`new ${i}`, '0'] as const);
        const result = applyEdits(text, changeObject(text, object, { remove: gone, add }));
        const expected = value(text);
        const changed = pointerInto(expected, object);
        for (const property of gone) delete changed[property.key];
        for (const [key] of add) changed[key] = 0;
        expect(value(result), `${text} -> ${result}`).toEqual(expected);
      }),
      options,
    );
  });

  test('formatLike and copyLike write the same value', () => {
    fc.assert(
      fc.property(texts, json, fc.nat(), (text, written, pick) => {
        const root = parseJson(text).root!;
        const list = [...containers(root, 'object'), ...containers(root, 'array')];
        const container = list[pick % Math.max(list.length, 1)];
        expect(value(formatLike(text, container, written))).toEqual(JSON.parse(JSON.stringify(written)));
        expect(value(formatLike(text, container, root))).toEqual(toValue(root));
        expect(value(copyLike(text, container, root))).toEqual(toValue(root));
      }),
      options,
    );
  });

  /** The part of a value where a node's value is. */
  // biome-ignore lint/suspicious/noExplicitAny: plain JSON values of unknown form.
  function pointerInto(root: JsonValue, node: JsonNode): any {
    const steps: (string | number)[] = [];
    for (let each = node; each.parent !== undefined; each = each.parent) steps.push(each.property?.key ?? each.index);
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    let current: any = root;
    for (const step of steps.reverse()) current = current[step];
    return current;
  }
});
