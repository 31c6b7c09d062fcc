import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CODEX_SEARCH } from '../../../../server/src/core/profiles/search';
import { toAscii } from '../../../../server/src/core/search/ascii';
import { spansOf, wordsOf } from '../../../../server/src/core/search/words';

const words = (text: string): string[] => wordsOf(text, CODEX_SEARCH).map(({ text: word }) => word);
const tokens = (text: string): string[] => wordsOf(text, CODEX_SEARCH).flatMap(({ token }) => token ?? []);

describe('words', () => {
  test.each([
    ['an underscore joins', 'create_event', ['create_event']],
    ['a hyphen parts', 'e-mail', ['e', 'mail']],
    ['an apostrophe between letters joins', "don't 'quoted'", ["don't", 'quoted']],
    ['a full stop joins letters and digits', 'u.s.a. 3.14 v1.2 a.1', ['u.s.a', '3.14', 'v1.2', 'a', '1']],
    ['a comma joins digits alone', '1,000 a,b', ['1,000', 'a', 'b']],
    ['a colon joins letters alone', 'a:b 1:2', ['a:b', '1', '2']],
    ['digits and letters belong together', 'a1 1a', ['a1', '1a']],
    ['underscores alone are no word', '_ __ _a', ['_a']],
    ['letters are small', 'SQL Query', ['sql', 'query']],
    ['camel case is one word', 'createEvent', ['createevent']],
    ['accents go', 'Café naïve Ångström', ['cafe', 'naive', 'angstrom']],
    ['other alphabets become Latin', 'Straße Москва 서울 かな', ['strasse', 'moskva', 'seoul', 'kana']],
    ['each ideograph is a word', '北京 天', ['u5317', 'u4eac', 'u5929']],
    ['what has no likeness parts words', 'a🦄b', ['a', 'b']],
    ['signs become words', 'at 400°F, ½ cup', ['at', '400degf', '1', '2', 'cup']],
    ['a curly apostrophe is one', 'don’t', ["don't"]],
  ])('%s', (_title, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  test('what has no likeness becomes a mark', () => {
    expect(toAscii('a🦄').text).toBe('a[?]');
  });

  test('words of ASCII are those of the Unicode algorithm', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
    const alphabet = fc.constantFrom(...'abZ019_.,;:\'"-/ \n()[]');
    fc.assert(
      fc.property(fc.array(alphabet, { maxLength: 24 }), (characters) => {
        const text = characters.join('');
        const expected = [...segmenter.segment(text)]
          .map(({ segment }) => segment.toLowerCase())
          .filter((segment) => /[a-z0-9]/.test(segment));
        expect(words(text)).toEqual(expected);
      }),
      { seed: 3, numRuns: 3000 },
    );
  });

  test('a word may be as long as a file', () => {
    const long = 'word'.repeat(4_000_000);
    expect([...spansOf(`${long} a.b`)]).toEqual([
      [0, long.length],
      [long.length + 1, long.length + 4],
    ]);
  });

  test('stop words are left out, others are stemmed', () => {
    expect(tokens("i me my myself we our ours ourselves you you're you've you'll you'd the of in")).toEqual([]);
    expect(tokens('calendars entries rainfall warnings create_event running')).toEqual([
      'calendar',
      'entri',
      'rainfal',
      'warn',
      'create_ev',
      'run',
    ]);
    expect(CODEX_SEARCH.stopWords.size).toBe(179);
  });

  test('each word knows its place in the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        let from = 0;
        for (const { start, end } of wordsOf(text, CODEX_SEARCH)) {
          expect(start).toBeGreaterThanOrEqual(from);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          from = start;
        }
      }),
      { seed: 4, numRuns: 500 },
    );
    const text = 'Größe der Straße';
    expect(wordsOf(text, CODEX_SEARCH).map(({ start, end }) => text.slice(start, end))).toEqual([
      'Größe',
      'der',
      'Straße',
    ]);
  });
});
