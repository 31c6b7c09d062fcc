import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sha1Hex } from '../../../../server/src/core/wire/sha1';

describe('sha1Hex', () => {
  it.each([
    ['', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', '84983e441c3bd26ebaae4aa1f95129e5e54670f1'],
    ['a'.repeat(1_000_000), '34aa973cd4c4daa4f61eeb2bdbad27316534016f'],
  ])('hashes the standard message of %#', (text, hash) => {
    expect(sha1Hex(text)).toBe(hash);
  });

  it('agrees with the platform for any text, at every length around a block', () => {
    const reference = (text: string): string => createHash('sha1').update(text, 'utf8').digest('hex');
    for (let length = 0; length < 200; length++) {
      const text = 'é😀a'.repeat(Math.ceil(length / 7)) + 'a'.repeat(length % 7);
      expect(sha1Hex(text)).toBe(reference(text));
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => sha1Hex(text) === reference(text)),
      { seed: 1, numRuns: 300 },
    );
  });
});
