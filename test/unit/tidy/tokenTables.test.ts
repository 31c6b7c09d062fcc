import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { expect, test } from 'vitest';
import { tokenModule, unpack } from '../../../scripts/tokenTables.mjs';

test('the small tables are the tables', () => {
  const tokens = Array.from(ranks);
  const [, first, second] = /unpack\(\d+, ("[^"]*"), ("[^"]*")\)/.exec(tokenModule(tokens)) ?? [];
  const made = unpack(tokens.length, JSON.parse(first!), JSON.parse(second!));
  const different = made.flatMap((token, rank) => (String(token) === String(tokens[rank]) ? [] : [rank]));
  expect(made).toHaveLength(199_998);
  expect(different).toEqual([]);
  expect(made.filter((token) => typeof token !== 'string').length).toBeGreaterThan(1_000);
});

test('a token that is not made of earlier ones is refused', () => {
  expect(() => tokenModule(['a', 'bc'])).toThrow('Token 1');
});
