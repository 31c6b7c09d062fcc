import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentFaults } from '../../../../server/src/core/calls/arguments';
import { render } from '../../../../server/src/core/text/message';
import { isWellFormed } from '../../../../server/src/core/text/utf16';

/** The faults of a text, with a marker at the place where each is expected. */
function faultsOf(marked: string): { found: string[]; offsets: number[]; wanted: number[] } {
  const parts = marked.split('‸');
  const faults = argumentFaults(parts.join(''));
  let at = 0;
  const wanted = parts.slice(0, -1).map((part) => {
    at += part.length;
    return at;
  });
  return {
    found: faults.map(({ rule, message }) => `${rule} ${render(message)}`),
    offsets: faults.map(({ offset }) => offset),
    wanted,
  };
}

describe('texts that are no JSON', () => {
  test.each([
    ['{"s": 300‸,}', ['trailing comma']],
    ['[1‸,]', ['trailing comma']],
    ["{‸'a': 1}", ['Single quotes']],
    ['{‸a: 1}', ['key a stands without double quotes']],
    ['{"a": ‸True}', ['JSON writes true']],
    ['{"a": ‸None, "b": 1}', ['JSON writes null']],
    ['{"a": ‸undefined}', ['JSON writes null']],
    ['{"a": 1 ‸// note\n}', ['no comments']],
    ['{‸/* note */"a": 1}', ['no comments']],
    ['‸```json\n{}\n```', ['code fence']],
    ['‸Sure: {"a": 1}', ['before the arguments']],
    ['{"a": 1}‸{"b": 2}', ['second JSON value']],
    ['{"a": 1} ‸done', ['goes on behind the end']],
    ['{"a": 1}‸}', ['Nothing is open']],
    ['{"a": [1‸}', ['"]" is expected before this "}"']],
    ['{"a": "x‸\ny"}', ['raw line feed']],
    ['{"a": "C:\\x‸\\d"}'.replace('\\x', 'x'), ['no escape \\d']],
    ['{"a": "‸\\u12g4"}', ['four hexadecimal digits']],
    ['{"a": "‸\\ud83d!"}', ['half of a surrogate pair']],
    ['{"a": "say "‸hi" now"}', ['A double quote within a string']],
    ['{"a" ‸"b"}', ['colon is missing']],
    ['{"a" ‸= 1}', ['not "="']],
    ['{"a": 1 ‸"b": 2}', ['comma is missing']],
    ['{"a":‸}', ['value is missing']],
    ['[1,‸,2]', ['value is missing']],
    ['{‸,}', ['member is missing']],
    ['{"day": ‸2024-01-05}', ['without double quotes']],
    ['{"a": ‸hello}', ['hello stands without double quotes']],
    ['‸\ufeff{"a": 1}', ['byte order mark']],
    ['{"a": ‸“x”}', ['double quotes only']],
    ['{‸\'a\': ‸True, "b": 1‸,}', ['Single quotes', 'JSON writes true', 'trailing comma']],
  ])('%j', (marked, parts) => {
    const { found, offsets, wanted } = faultsOf(marked);
    expect(offsets).toEqual(wanted);
    expect(found).toHaveLength(parts.length);
    for (const [i, part] of parts.entries()) {
      expect(found[i]).toContain(part);
      expect(found[i]).toMatch(/^call\/invalid-json /);
    }
  });
});

describe('numbers that JSON does not know', () => {
  test.each(['NaN', 'Infinity', '-Infinity', '+1', '01', '-01', '.5', '1.', '0x1f', '1_000', '10n', '1e999', '1.e3'])(
    '%s',
    (number) => {
      expect(argumentFaults(`{"n": ${number}}`)).toMatchObject([{ rule: 'call/non-json-number', offset: 6 }]);
    },
  );

  test.each(['0', '-0', '10', '1.5', '1e3', '1E-3', '-1.25e+10', '123456789012345678901234567890'])(
    '%s is one',
    (number) => {
      expect(argumentFaults(`{"n": ${number}}`)).toEqual([]);
    },
  );
});

describe('texts that end in the middle', () => {
  test.each([
    ['{', 'the "{" at offset 0 is not closed'],
    ['{"cmds": ["npm ci", "npm test"', 'the "[" at offset 9 and the "{" at offset 0 are not closed'],
    ['{"a": "b', 'the string at offset 6'],
    ['{"a": "b\\', 'the string at offset 6'],
    ['{"a": "\\ud83d', 'the string at offset 6'],
    ['{"a": tr', 'the word "tr"'],
    ['{"a": -', 'the word "-"'],
    ['{"a": 1.', 'the word "1."'],
    ['{"a": 1,', 'the "{" at offset 0'],
    ['{"a"', 'the "{" at offset 0'],
    ['{"a": /* x', 'the comment at offset 6'],
    ['[[[[[[[[', '2 more'],
  ])('%j', (text, part) => {
    const last = argumentFaults(text).at(-1)!;
    expect(last).toMatchObject({ rule: 'call/truncated-json', offset: text.length });
    expect(render(last.message)).toContain(part);
  });

  test('every beginning of a call is truncated and nothing else', () => {
    const text = '{"plan":[{"step":"a \\u00e9 \\n","n":[-1.5e3,true,null,{}],"x":{"y":""}}],"z":false}';
    for (let end = 1; end < text.length; end++) {
      expect(argumentFaults(text.slice(0, end))).toMatchObject([{ rule: 'call/truncated-json', offset: end }]);
    }
    expect(argumentFaults(text)).toEqual([]);
  });
});

test('nesting is limited by memory only', () => {
  const depth = 200_000;
  expect(argumentFaults('['.repeat(depth) + ']'.repeat(depth))).toEqual([]);
  expect(argumentFaults('{"a":'.repeat(depth))).toHaveLength(1);
});

test('a text has faults if and only if it is not JSON to the letter', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      "'",
      '\\',
      '\\n',
      '\\u00e9',
      ' ',
      '\n',
      '\t',
      'true',
      'null',
      'NaN',
      '-',
      '1',
      '0',
      '.',
      'e',
      '"a"',
      '//',
      '/*',
      '*/',
      '#',
      '`',
      '“',
      'é',
      '\u0000',
      '\u00a0',
    ),
    fc.string({ maxLength: 3 }),
  );
  const text = fc.oneof(
    fc.array(piece, { minLength: 1, maxLength: 14 }).map((parts) => parts.join('')),
    fc.tuple(fc.jsonValue({ maxDepth: 3 }), fc.nat(60), piece, fc.nat(2)).map(([value, at, part, removed]) => {
      const json = JSON.stringify(value);
      const place = at % (json.length + 1);
      return json.slice(0, place) + part + json.slice(place + removed);
    }),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
  );
  fc.assert(
    fc.property(text, (each) => {
      fc.pre(isWellFormed(each) && each.trim() !== '');
      let value: unknown;
      let fine = true;
      try {
        value = JSON.parse(each);
      } catch {
        fine = false;
      }
      const faults = argumentFaults(each);
      for (const { offset, message } of faults) {
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(each.length);
        expect(render(message)).toMatch(/^\S.*\.$/s);
      }
      // Half pairs and infinite numbers are what JavaScript's decoder takes and others do not.
      const strict =
        fine &&
        isWellFormed(JSON.stringify(value).replace(/\\u(d[89a-f]..)/gi, '\ud800')) &&
        !/\d[eE]\+?\d{3}|\d{300}/.test(each);
      if (!fine) expect(faults, JSON.stringify(each)).not.toEqual([]);
      if (strict) expect(faults, JSON.stringify(each)).toEqual([]);
    }),
    { seed: 20261130, numRuns: 20_000 },
  );
});
