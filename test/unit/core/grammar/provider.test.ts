import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderAnswer } from '../../../../server/src/core/grammar/provider';
import { providerAnswerLine, readProviderRequest } from '../../../../server/src/core/grammar/providerJsonl';
import {
  AnswerParts,
  placeOfByte,
  ranges,
  readRefusal,
  utf8Bytes,
  utf8Text,
} from '../../../../server/src/core/grammar/providerText';

const LAWS = { seed: 5, numRuns: 500 };

describe('UTF-8', () => {
  test('bytes are those of every other encoder', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...utf8Bytes(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
      LAWS,
    );
  });

  test('half a surrogate pair becomes U+FFFD', () => {
    expect(utf8Text(utf8Bytes('a\ud800b\udc00'))).toBe('a\ufffdb\ufffd');
  });

  test('text comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Text(utf8Bytes(text))).toBe(text);
      }),
      LAWS,
    );
  });

  test.each([
    ['an unfinished character at the end is left out', [0x61, 0xf0, 0x9f, 0x98], 'a'],
    ['a byte that begins nothing is replaced', [0x61, 0x80, 0x62], 'a\ufffdb'],
    ['overlong forms are no characters', [0xe0, 0x80, 0xaf], '\ufffd\ufffd\ufffd'],
    ['encoded surrogates are no characters', [0xed, 0xa0, 0x80, 0x61], '\ufffd\ufffd\ufffda'],
  ])('%s', (_what, bytes, text) => {
    expect(utf8Text(Uint8Array.from(bytes))).toBe(text);
  });

  test('no more is read than asked for', () => {
    expect(utf8Text(utf8Bytes('abcdef'), 3)).toBe('abc');
  });
});

test('neighbors become ranges', () => {
  expect(ranges([1, 2, 3, 5, 8, 9])).toEqual([
    [1, 3],
    [5, 5],
    [8, 9],
  ]);
  expect(ranges([])).toEqual([]);
});

test.each([
  ['abc', 2, { offset: 2, line: 1, column: 3 }],
  ['a\nbc', 3, { offset: 3, line: 2, column: 2 }],
  ['äb', 1, { offset: 0, line: 1, column: 1 }],
  ['äb', 2, { offset: 1, line: 1, column: 2 }],
  ['😀b', 4, { offset: 2, line: 1, column: 3 }],
  ['😀b', 3, { offset: 0, line: 1, column: 1 }],
  ['ab', 9, { offset: 2, line: 1, column: 3 }],
])('place in %j after %i bytes', (text, bytes, place) => {
  expect(placeOfByte(text, bytes)).toEqual(place);
});

describe('refusals', () => {
  test.each([
    ['at 2(4): unknown name: "x"', 'start: y\ny: ⟦x', 'unknown name: "x"'],
    [
      '3(3): expecting rule, token or statement',
      'start: "a"\n// note\n  ⟦| "b"\n',
      'expecting rule, token or statement',
    ],
    ['at 1(12): behind two bytes', 'start:"ä" ⟦x', 'behind two bytes'],
    ['3(1): lexer error\nmore', 'start: /a⟦', 'lexer error'],
  ])('%j', (text, marked, message) => {
    const offset = marked.indexOf('⟦');
    const refusal = readRefusal(text, marked.replace('⟦', ''));
    expect(refusal).toMatchObject({ message, offset });
  });

  test('one without a place', () => {
    expect(readRefusal('no start rule found', 'a: "a"')).toEqual({
      text: 'no start rule found',
      firstLine: 'no start rule found',
      message: 'no start rule found',
      place: undefined,
      offset: undefined,
    });
  });
});

describe('batch form', () => {
  const REQUEST = { id: '7', grammar: { syntax: 'lark', text: 'start: "a"' }, inputs: ['a', 'b'] } as const;
  const verdict = { accepted: true, prefix: 1, offset: 1, line: 1, column: 2, mayEnd: true, error: undefined };
  const answer = (end: ProviderAnswer['end'], ...parts: Parameters<AnswerParts['add']>[0][]): ProviderAnswer => {
    const all = new AnswerParts(REQUEST.grammar.text);
    for (const part of parts) all.add(part);
    return all.answer(end);
  };

  test('lines for the other engine are left to it', () => {
    expect(readProviderRequest('{"id":1,"grammar":"start: \\"llguidance\\"","inputs":[]}')).toBeUndefined();
    expect(readProviderRequest('{"id":1,"options":{"engine":"lark"}}')).toBeUndefined();
    expect(readProviderRequest('no JSON, llguidance')).toBeUndefined();
  });

  test('a request', () => {
    const line =
      '{"id": {"n":1.0},"grammar":"start: \\"a\\"","options":{"engine":"llguidance"},"inputs":["a","\\ud800"]}';
    expect(readProviderRequest(line)).toEqual({
      id: '{"n":1.0}',
      grammar: { syntax: 'lark', text: 'start: "a"' },
      inputs: ['a', '\ud800'],
    });
  });

  test.each([
    ['{"id":1,"options":{"engine":"llguidance"}}', 'The request has no text "grammar".'],
    ['{"id":1,"grammar":"","inputs":[1],"options":{"engine":"llguidance"}}', '"inputs" must be a list of texts.'],
    ['{"id":1,"grammar":"","inputs":"a","options":{"engine":"llguidance"}}', '"inputs" must be a list of texts.'],
    [
      '{"id":1,"grammar":"","options":{"engine":"llguidance","syntax":"gbnf"}}',
      '"syntax" must be one of "lark", "regex".',
    ],
  ])('%s', (line, error) => {
    expect(JSON.parse(readProviderRequest(line) as string)).toEqual({ id: 1, ok: false, error });
  });

  test('verdicts', () => {
    const known = answer(
      { state: 'done' },
      { kind: 'loaded', warnings: [] },
      { kind: 'verdict', input: 0, verdict },
      { kind: 'verdict', input: 1, verdict: { ...verdict, accepted: false, prefix: 0 } },
    );
    expect(providerAnswerLine(REQUEST, known)).toBe(
      '{"id":7,"loadError":null,"results":[{"accepted":true,"prefix":1},{"accepted":false,"prefix":0}]}',
    );
  });

  test('a refused grammar', () => {
    const text = 'at 1(8): unknown name: "x"\n1 | start: x';
    expect(JSON.parse(providerAnswerLine(REQUEST, answer({ state: 'done' }, { kind: 'refused', text })))).toEqual({
      id: 7,
      loadError: { code: 'llguidance.refused', line: 1, column: 8, message: 'at 1(8): unknown name: "x"', text },
      results: [],
    });
  });

  test('what is known stays when the engine is stopped', () => {
    const stopped = answer(
      { state: 'timed-out', milliseconds: 10_000 },
      { kind: 'loaded', warnings: [] },
      { kind: 'verdict', input: 0, verdict },
    );
    expect(JSON.parse(providerAnswerLine(REQUEST, stopped))).toEqual({
      id: 7,
      ok: false,
      error: 'The engine was stopped after 10 s, at input 2 of 2.',
      results: [{ accepted: true, prefix: 1 }],
    });
  });

  test.each([
    [{ state: 'timed-out', milliseconds: 500 }, 'The engine was stopped after 0.5 s, at loading the grammar.'],
    [{ state: 'crashed', cause: 'memory', detail: 'more than 128 MB' }, 'The engine broke (memory): more than 128 MB'],
    [{ state: 'unavailable', detail: 'No.' }, 'The engine cannot run here: No.'],
  ] as const)('%j', (end, error) => {
    expect(JSON.parse(providerAnswerLine(REQUEST, answer(end)))).toMatchObject({ id: 7, ok: false, error });
  });

  test('a panic while loading is a refusal', () => {
    const end = { state: 'crashed', cause: 'panic', detail: 'panicked at x.rs:1:\nassertion failed' } as const;
    expect(JSON.parse(providerAnswerLine(REQUEST, answer(end)))).toMatchObject({
      loadError: { code: 'llguidance.panic', line: null, message: 'panic: panicked at x.rs:1:' },
      results: [],
    });
  });
});
