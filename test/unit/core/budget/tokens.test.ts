import fc from 'fast-check';
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { TokenizedText, tokensByNode } from '../../../../server/src/core/budget/tokens';
import { o200kCounter } from '../../../../server/src/core/budget/tokensO200k';
import { utf8Length } from '../../../../server/src/core/text/utf8';

const counter = o200kCounter();
const plain = { disallowedSpecial: new Set<string>() };
const TOOL =
  '{"type":"function","name":"tide_at","description":"Tide height at a harbour.","strict":false,"parameters":{"type":"object","properties":{"harbour":{"type":"string"},"when":{"type":"string"}},"required":["harbour"],"additionalProperties":false}}';

describe('tokens of o200k_base', () => {
  test.each([
    ['', 0],
    ['hello world', 2],
    ['Hello, world!', 4],
    ['tiktoken is great!', 6],
    ['antidisestablishmentarianism', 6],
    ['2 + 2 = 4', 7],
    ['お誕生日おめでとう', 8],
    ['{"type":"object","properties":{}}', 9],
  ])('%j: %i', (text, expected) => {
    expect(counter.count(text)).toBe(expected);
    expect(counter.lengths(text)).toHaveLength(expected);
  });

  test('are those of the public interface of the package', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.json({ maxDepth: 3 })), (text) => {
        const tokens = encode(text, plain);
        expect(counter.count(text)).toBe(tokens.length);
        expect(counter.lengths(text).reduce((sum, each) => sum + each, 0)).toBe(utf8Length(text));
        expect(decode(tokens)).toBe(text);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  test('a control token in a text is plain text', () => {
    expect(counter.count('<|endoftext|>')).toBe(7);
  });
});

describe('shares of a text', () => {
  test('parts that fill the text have its tokens together', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.array(fc.nat(60), { maxLength: 5 }),
        (text, cuts) => {
          const tokenized = new TokenizedText(text, counter);
          const borders = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
          let sum = 0;
          for (let i = 1; i < borders.length; i++) sum += tokenized.in({ start: borders[i - 1]!, end: borders[i]! });
          expect(sum).toBe(tokenized.total);
          expect(tokenized.total).toBe(counter.count(text));
        },
      ),
      { seed: 6, numRuns: 300 },
    );
  });

  test('each value of a tool with its key', () => {
    const rows = tokensByNode(TOOL, counter);
    expect(rows[0]).toEqual({ pointer: '', tokens: counter.count(TOOL), depth: 0 });
    const of = (pointer: string): number => rows.find((row) => row.pointer === pointer)!.tokens;
    expect(of('/description')).toBeGreaterThan(5);
    expect(of('/parameters/properties')).toBeGreaterThan(of('/parameters/properties/when'));
    expect(of('/parameters')).toBeGreaterThan(of('/parameters/properties') + of('/parameters/required'));
    const top = rows.filter(({ depth }) => depth === 1).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(top).toBeLessThanOrEqual(counter.count(TOOL));
    expect(top).toBeGreaterThan(counter.count(TOOL) / 2);
  });

  test('small values and deep ones can be left out', () => {
    const big = tokensByNode(TOOL, counter, { least: 8 });
    expect(big.every(({ tokens }) => tokens >= 8)).toBe(true);
    expect(big.length).toBeLessThan(tokensByNode(TOOL, counter).length);
    expect(tokensByNode(TOOL, counter, { maxDepth: 1 }).every(({ depth }) => depth <= 1)).toBe(true);
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    expect(tokensByNode(deep, { encoding: 'one', count: () => 1, lengths: (text) => [text.length] })).toHaveLength(1);
  });
});
