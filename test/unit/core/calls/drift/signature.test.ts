import { expect, test } from 'vitest';
import { quotable, sameButForInput, signatureOf, signed } from '../../../../../server/src/core/calls/drift/signature';

test('numbers, addresses and quoted parts are folded', () => {
  expect(signatureOf('line 12, column 3.5: "x" at 0x7ffe', '')).toBe('line #, column #: "…" at #');
  expect(signatureOf("unknown field `a`, expected `b` or 'c'", '')).toBe("unknown field `…`, expected `…` or '…'");
});

test('an apostrophe within a word quotes nothing', () => {
  expect(signatureOf("it isn't what it's for", '')).toBe("it isn't what it's for");
});

test('what is quoted out of the input may hold quotes', () => {
  expect(signatureOf("path 'a'b' is empty", "name a'b")).toBe("path '…' is empty");
  // Elsewhere the nearest quote closes.
  expect(signatureOf("'a' is not 'b'", 'a')).toBe("'…' is not '…'");
});

test('strings of JSON count as they are read', () => {
  const input = JSON.stringify({ day: 'a"b' });
  expect(signatureOf('no day "a"b".', quotable(input, true))).toBe('no day "…".');
  expect(quotable('a\\b', false)).toBe('a\\b');
});

test('one part out of the input may stand without quotes', () => {
  const a = signed('multiple operations target notes/a', 'notes/a');
  const b = signed('multiple operations target b', 'b');
  const none = new Set<string>();
  expect(sameButForInput(a, b, none)).toBe(true);
  expect(sameButForInput(a, { ...b, input: 'c' }, none)).toBe(false);
  expect(sameButForInput(a, b, new Set(['b']))).toBe(false);
  expect(sameButForInput(a, signed('single operations target b', 'b'), none)).toBe(false);
  expect(sameButForInput(signed('a', 'a'), signed('b', 'b'), none)).toBe(false);
  // Quotes in that part are no quotes around others.
  const name = "x' y 'z  1";
  expect(sameButForInput(a, signed(`multiple operations target ${name}`, name), none)).toBe(true);
});
