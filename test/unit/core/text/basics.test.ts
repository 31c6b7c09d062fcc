import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LineIndex } from '../../../../server/src/core/text/lines';
import { formatNumber, render, sentences, t } from '../../../../server/src/core/text/message';
import { touches } from '../../../../server/src/core/text/span';
import { compareUtf8, cutUtf8, utf8Length } from '../../../../server/src/core/text/utf8';
import { bytes, didYouMean, editDistance, formatChange, list, shorten } from '../../../../server/src/core/text/words';

const encoder = new TextEncoder();
const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('LineIndex', () => {
  const index = new LineIndex('ab\r\nc\rd\n');

  test('counts CRLF, CR and LF once each', () => {
    expect(index.lineCount).toBe(4);
    expect([0, 1, 2, 3, 9].map((line) => index.lineStart(line))).toEqual([0, 4, 6, 8, 8]);
  });

  test('positions and offsets, clamped to the text', () => {
    expect(index.position(5)).toEqual({ line: 1, character: 1 });
    expect(index.position(8)).toEqual({ line: 3, character: 0 });
    expect(index.position(99)).toEqual({ line: 3, character: 0 });
    expect(index.position(-1)).toEqual({ line: 0, character: 0 });
    expect(index.offset({ line: 1, character: 1 })).toBe(5);
    expect(index.offset({ line: -1, character: 3 })).toBe(0);
    expect(index.offset({ line: 9, character: 3 })).toBe(8);
    expect(index.range({ start: 1, end: 7 })).toEqual({
      start: { line: 0, character: 1 },
      end: { line: 2, character: 1 },
    });
  });

  test('there and back', () => {
    const texts = fc
      .array(fc.constantFrom('a', '😀', '\n', '\r\n', '\r'), { maxLength: 30 })
      .map((list) => list.join(''));
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const lines = new LineIndex(text);
        const offset = at % (text.length + 1);
        expect(lines.offset(lines.position(offset))).toBe(offset);
        expect(lines.lineCount).toBe(text.split(/\r\n|\n|\r/).length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

describe('UTF-8', () => {
  test('lengths are those of an encoder', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(encoder.encode(text).length);
      }),
      { seed: 1, numRuns: 1000 },
    );
    expect(utf8Length('\ud83d')).toBe(3);
    expect(utf8Length('\ude00\ud83d')).toBe(6);
  });

  test('the order is that of the bytes', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ue000', '\uffff', '😀', '𐀀'), maxLength: 6 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(Math.sign(compareUtf8(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { seed: 2, numRuns: 2000 },
    );
  });

  test('cuts at a character boundary', () => {
    expect(cutUtf8('aé😀b', 3)).toBe('aé');
    expect(cutUtf8('aé😀b', 6)).toBe('aé');
    expect(cutUtf8('aé😀b', 7)).toBe('aé😀');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, limit) => {
        const cut = cutUtf8(text, limit);
        expect(text.startsWith(cut)).toBe(true);
        expect(utf8Length(cut)).toBeLessThanOrEqual(limit);
        const next = text.codePointAt(cut.length);
        if (next !== undefined) expect(utf8Length(cut + String.fromCodePoint(next))).toBeGreaterThan(limit);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});

describe('messages', () => {
  test('fill their places, nested ones and numbers too', () => {
    expect(render(t('{0} of {1} in {0}.', 'x', 12_345))).toBe('x of 12,345 in x.');
    expect(render(t('It has {0}.', bytes(1)))).toBe('It has 1 byte.');
    expect(render(t('It has {0}.', bytes(5000)))).toBe('It has 5,000 bytes.');
    expect(render(t('{0} and {1}', 'only'))).toBe('only and {1}');
  });

  test('text that goes in is not filled again', () => {
    expect(render(t('{0}', '{1} $& {0}'))).toBe('{1} $& {0}');
  });

  test('are looked up before they are filled, parts as well', () => {
    const bundle = new Map([
      ['It has {0}.', 'Es hat {0}.'],
      ['{0} bytes', '{0} Byte'],
    ]);
    expect(render(t('It has {0}.', bytes(7)), (text) => bundle.get(text) ?? text)).toBe('Es hat 7 Byte.');
  });

  test('in a row', () => {
    expect(render(sentences(t('One.'), undefined, t('Two {0}.', 2)))).toBe('One. Two 2.');
    expect(render(sentences(t('One.')))).toBe('One.');
    expect(render(sentences())).toBe('');
  });

  test('numbers', () => {
    expect([0, 999, 1000, 1_234_567, -1099].map(formatNumber)).toEqual(['0', '999', '1,000', '1,234,567', '−1,099']);
    expect([3, 0, -3].map(formatChange)).toEqual(['+3', '0', '−3']);
  });
});

describe('words', () => {
  test('lists', () => {
    const show = (items: string[], limit?: number) => render(list(items, limit));
    expect(show([])).toBe('nothing');
    expect(show(['a'])).toBe('a');
    expect(show(['a', 'b'])).toBe('a and b');
    expect(show(['a', 'b', 'c'])).toBe('a, b and c');
    expect(show(['a', 'b', 'c', 'd', 'e'], 2)).toBe('a, b and 3 more');
    expect(show(['a', 'b'], 2)).toBe('a and b');
  });

  test('shortening keeps characters whole', () => {
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('abcd', 3)).toBe('ab…');
    expect(shorten('😀😀😀', 2)).toBe('😀…');
    expect(shorten('x'.repeat(1000), 10)).toHaveLength(10);
  });

  test('suggestions', () => {
    const types = ['string', 'number', 'integer', 'object', 'array', 'boolean', 'null'];
    expect(didYouMean('strng', types)).toBe('string');
    expect(didYouMean('bolean', types)).toBe('boolean');
    expect(didYouMean('OBJECT', types)).toBe('object');
    expect(didYouMean('xyz', types)).toBeUndefined();
    expect(didYouMean('string', ['string'])).toBeUndefined();
  });

  test('distances are those of the full table, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 9 }), (a, b, limit) => {
        expect(Math.min(editDistance(a, b, limit), limit)).toBe(Math.min(slowDistance(a, b), limit));
      }),
      { seed: 4, numRuns: 2000 },
    );
  });

  test('spans touch at their edges', () => {
    expect([1, 2, 4, 5].map((offset) => touches({ start: 2, end: 4 }, offset))).toEqual([false, true, true, false]);
  });
});

/** Insertions, deletions, changes and swaps of neighbors, by the textbook recursion. */
function slowDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const same = a.at(-1) === b.at(-1) ? 0 : 1;
  const shorterA = a.slice(0, -1);
  const shorterB = b.slice(0, -1);
  let cost = Math.min(slowDistance(shorterA, b) + 1, slowDistance(a, shorterB) + 1);
  cost = Math.min(cost, slowDistance(shorterA, shorterB) + same);
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    cost = Math.min(cost, slowDistance(a.slice(0, -2), b.slice(0, -2)) + 1);
  }
  return cost;
}
