import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODEX_SEARCH } from '../../../../server/src/core/profiles/search';
import { Bm25 } from '../../../../server/src/core/search/bm25';
import { wordsOf } from '../../../../server/src/core/search/words';

const tokensOf = (text: string): string[] => wordsOf(text, CODEX_SEARCH).flatMap(({ token }) => token ?? []);

const DOCUMENTS = [
  'create_event create event Make a calendar entry starts_at When it begins title Title of the entry',
  'list_events list events Show calendar entries between two dates from_date to_date',
  'send_mail send mail Send an e-mail message body Text of the message recipient addresses',
  'crm CRM lookups find_customer find customer Find a customer by email address email',
].map(tokensOf);

describe('ranking', () => {
  const index = new Bm25(DOCUMENTS, CODEX_SEARCH);

  test('counts the words of four documents', () => {
    expect(DOCUMENTS.map((tokens) => tokens.length)).toEqual([11, 10, 12, 11]);
    expect(index.average).toBe(11);
  });

  test.each([
    ['calendar event', ['1: 1.4398', '0: 1.3863']],
    ['email', ['3: 1.6555']],
    ['mail', ['2: 1.6142']],
    ['create_event', ['0: 1.2040']],
    ['the of', []],
    ['message to a customer', ['3: 1.6555', '2: 1.6142']],
  ])('%s', (query, expected) => {
    expect(index.rank(tokensOf(query)).map((each) => `${each.index}: ${each.score.toFixed(4)}`)).toEqual(expected);
  });

  test('computes in 32 bits', () => {
    for (const { score, parts } of index.rank(tokensOf('calendar event entry'))) {
      for (const value of [score, ...parts.flatMap((part) => [part.idf, part.weight, part.score])]) {
        expect(Math.fround(value)).toBe(value);
      }
    }
  });

  test('no documents, no words', () => {
    expect(new Bm25([], CODEX_SEARCH).rank(['a'])).toEqual([]);
    expect(new Bm25([[], []], CODEX_SEARCH).rank(['a'])).toEqual([]);
  });
});

describe('laws of the ranking', () => {
  const token = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const documents = fc.array(fc.array(token, { maxLength: 12 }), { minLength: 1, maxLength: 8 });
  const query = fc.array(token, { maxLength: 5 });
  const options = { seed: 7, numRuns: 300 };

  test('exactly the documents with a word of the query are ranked, best first, equal ones in order', () => {
    fc.assert(
      fc.property(documents, query, (list, words) => {
        const ranked = new Bm25(list, CODEX_SEARCH).rank(words);
        const having = list.flatMap((tokens, i) => (tokens.some((each) => words.includes(each)) ? [i] : []));
        expect(ranked.map(({ index }) => index).sort((a, b) => a - b)).toEqual(having);
        for (let i = 1; i < ranked.length; i++) {
          const [before, after] = [ranked[i - 1]!, ranked[i]!];
          expect(before.score > after.score || (before.score === after.score && before.index < after.index)).toBe(true);
        }
      }),
      options,
    );
  });

  test('every score is above zero and the sum of its parts', () => {
    fc.assert(
      fc.property(documents, query, (list, words) => {
        for (const { score, parts } of new Bm25(list, CODEX_SEARCH).rank(words)) {
          expect(score).toBeGreaterThan(0);
          expect(Math.abs(score - parts.reduce((sum, part) => sum + part.score, 0))).toBeLessThan(1e-4);
        }
      }),
      options,
    );
  });

  test('asking for a word twice never makes a score less', () => {
    fc.assert(
      fc.property(documents, query, token, (list, words, again) => {
        const index = new Bm25(list, CODEX_SEARCH);
        const before = new Map(index.rank(words).map((each) => [each.index, each.score]));
        for (const { index: at, score } of index.rank([...words, again])) {
          expect(score).toBeGreaterThanOrEqual(before.get(at) ?? 0);
        }
      }),
      options,
    );
  });

  test('a word counts more the more often it stands in a text of the same length, and the rarer it is', () => {
    const index = new Bm25(DOCUMENTS, CODEX_SEARCH);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 200 }), (times, length) => {
        expect(index.weight(times + 1, length)).toBeGreaterThan(index.weight(times, length));
        expect(index.weight(times, length + 1)).toBeLessThan(index.weight(times, length));
        expect(index.weight(times, length)).toBeLessThan(CODEX_SEARCH.k1 + 1);
      }),
      options,
    );
    const rare = new Bm25([['a', 'b'], ['b'], ['b'], ['c']], CODEX_SEARCH);
    expect(rare.idf('a')).toBeGreaterThan(rare.idf('b'));
  });
});
