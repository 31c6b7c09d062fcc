import { describe, expect, it } from 'vitest';
import { Languages, UNKNOWN } from '../../../../../server/src/core/grammar/regex/automaton';
import { fromCodes, has } from '../../../../../server/src/core/grammar/regex/charSet';
import { known, language, pair, python, rust } from './helper';

const ESCAPED_STRING = '"(?:.*?)(?<!\\\\)(\\\\\\\\)*?"';

describe('Languages', () => {
  it.each([
    ['[a-z]+', 'if', 'if'],
    ['[a-z]+', '[0-9a]+', 'a'],
    ['a+b', 'a*bb?', 'ab'],
    ['[a-z]+', '[0-9]+', undefined],
    ['(?:ab)+', '(?:aba)+', undefined],
    ['\\w+', '[^a-zA-Z]+', '0'],
  ])('finds what %s and %s have in common', (first, second, text) => {
    const { languages, a, b } = pair(first, second);
    expect(languages.common(a, b)).toBe(text);
  });

  it.each([
    ['[a-z]{3}', '[a-z]+', undefined],
    ['[a-z]+', '[a-z]{1,3}', 'aaaa'],
    ['(?:a|b)*', '(?:a*b*)*', undefined],
    ['\\w+', '[A-Za-z0-9_]+', '\u00aa'],
    ['x{0,100}', '(?:x{0,10}){0,10}', undefined],
    ['if', '(?i:IF)', undefined],
  ])('tells whether %s is within %s', (first, second, text) => {
    const { languages, a, b } = pair(first, second);
    expect(languages.counterExample(a, b)).toBe(text);
  });

  it('takes look-around as conditions on the text around', () => {
    const { languages, a, b } = pair(ESCAPED_STRING, '"(?:[^"\\\\\\n]|\\\\.)*"');
    expect(languages.witness(a)).toBe('""');
    expect(languages.counterExample(b, a)).toBeUndefined();
    // Reference Lark's own expression also takes quotes inside, as long as it is not made to stop earlier.
    expect(languages.counterExample(a, b)).toBe('"""');
    expect(languages.matches(a, '"a\\"')).toBe(false);
  });

  it.each([
    ['(?:(?!\\*/).)*\\*/', 'a*b*/', true],
    ['(?:(?!\\*/).)*\\*/', 'a*/*/', false],
    ['a\\b-', 'a-', true],
    ['a\\bb', 'ab', false],
    ['^a$', 'a\n', false],
    ['^a$\\n', 'a\n', true],
    ['a^b', 'ab', false],
    ['(?m:a\\n^b)', 'a\nb', true],
    ['(?<=ab)c|abc', 'abc', true],
    ['ab(?<=ab)c', 'abc', true],
    ['ab(?<!ab)c', 'abc', false],
    ['[^"]*+"', 'ab"', true],
    ['a*+a', 'aa', false],
    ['(?>a|b)c', 'bc', true],
  ])('%s on %j: %s', (source, text, expected) => {
    const languages = new Languages();
    expect(languages.matches(language(languages, source), text)).toBe(expected);
  });

  it('does not claim to know what is not regular', () => {
    for (const source of ['(a)\\1', '(a)?(?(1)b|c)', '(?>a|ab)c', '(?:ab)++a']) {
      expect(new Languages().ofTree(python(source))).toBe(UNKNOWN);
    }
  });

  it('gives up on hard questions', () => {
    const languages = new Languages({ steps: 20_000 });
    const hard = known(languages.ofTree(rust('(a|b)*a(a|b){2000}')));
    expect(languages.witness(hard)).toBe(UNKNOWN);
    expect(languages.longestMatch(hard, 'ab'.repeat(3000))).toBe(UNKNOWN);
    // Easy ones are answered afterward.
    expect(languages.common(language(languages, 'a+'), language(languages, 'aa?'))).toBe('a');
  });

  it('counts without counting out', () => {
    const languages = new Languages();
    const counted = known(languages.ofTree(rust('((a{1,50}b){1,50}c){1,50}')));
    expect(languages.witness(counted)).toBe('abc');
    expect(languages.longestMatch(counted, 'aabcc')).toBe(4);
    const long = known(languages.ofTree(rust('[a-z]{0,50000}')));
    expect(languages.longestMatch(long, 'a'.repeat(60_000))).toBe(50_000);
  });

  it('tells the longest match, also where alternatives are tried in order', () => {
    const languages = new Languages();
    const words = language(languages, 'a|ab|abcd');
    expect(languages.longestMatch(words, 'xabc', 1)).toBe(3);
    expect(languages.longestMatch(words, 'x')).toBeUndefined();
    expect(languages.longestMatch(language(languages, 'x*'), 'a')).toBe(0);
    expect(languages.longestMatch(language(languages, '.+'), '😀😀\n')).toBe(4);
  });

  it('tells what can come next', () => {
    const languages = new Languages();
    const number = language(languages, '-?[0-9]+(?:\\.[0-9]+)?');
    expect(languages.firstCharacters(number)).toEqual([0x2d, 0x2d, 0x30, 0x39]);
    expect(languages.nextCharacters(number, '1')).toEqual([0x2e, 0x2e, 0x30, 0x39]);
    expect(languages.nextCharacters(number, '1.5.')).toEqual([]);
    expect(languages.canBecome(number, '1.')).toBe(true);
    expect(languages.canBecome(number, '1..')).toBe(false);
    expect(languages.canGrow(language(languages, 'ab'), 'ab')).toBe(false);
    expect(languages.canBecome(language(languages, 'ab'), 'ab')).toBe(true);
    expect(languages.completion(number, '1.')).toBe('0');
    // A dead end is no way on.
    const dead = known(languages.intersection([language(languages, 'ab|cd'), language(languages, 'ax|cd')]));
    expect(languages.firstCharacters(dead)).toEqual(fromCodes([0x63]));
  });

  it('combines languages', () => {
    const languages = new Languages();
    const word = known(languages.ofText('if', 'python'));
    const letters = language(languages, '[a-z]+');
    const others = known(languages.intersection([letters, known(languages.complement(word))]));
    expect(languages.matches(others, 'if')).toBe(false);
    expect(languages.matches(others, 'iff')).toBe(true);
    const twice = known(languages.sequence([word, known(languages.ofSet([0x20, 0x20])), word]));
    expect(languages.matches(twice, 'If iF')).toBe(true);
    const list = known(languages.repeat(known(languages.union([word, letters])), 2, 3));
    expect(languages.witness(list)).toBe('aa');
    expect(languages.isNullable(list)).toBe(false);
    expect(languages.isEmpty(known(languages.intersection([word, language(languages, '[0-9]+')])))).toBe(true);
  });

  it('gives samples: the shortest first, then others, the same for the same seed', () => {
    const languages = new Languages();
    const name = language(languages, '[A-Za-z_]\\w*');
    const samples = known(languages.samples(name, { count: 6, seed: 3 }));
    expect(samples).toHaveLength(6);
    expect(samples[0]).toBe('a');
    expect(languages.samples(name, { count: 6, seed: 3 })).toEqual(samples);
    for (const each of samples) expect(languages.matches(name, each)).toBe(true);
    expect(languages.samples(language(languages, 'ab'), { count: 5 })).toEqual(['ab']);
    expect(languages.samples(language(languages, 'a(?!a)a'), { count: 5 })).toEqual([]);
  });

  it('knows long lists of words', () => {
    const languages = new Languages();
    const words = language(languages, Array.from({ length: 2000 }, (_, i) => `word${i}`).join('|'));
    expect(languages.matches(words, 'word1999')).toBe(true);
    expect(languages.nextCharacters(words, 'word199')).toEqual([0x30, 0x39]);
    const digits = known(languages.nextCharacters(words, 'word'));
    expect(has(digits, 0x37)).toBe(true);
  });
});

describe('the longest text', () => {
  it.each([
    ['a{3}', 3, true],
    ['a{3}', 4, false],
    ['(ab|c){2,50}', 100, true],
    ['(ab|c){2,50}', 101, false],
    ['a*', 100, true],
    ['(?:)*', 1, false],
    ['', 0, true],
    ['a(?!b)c*', 100, true],
    ['a(?=b)', 1, false],
  ])('%s has one of %i characters: %s', (source, length, expected) => {
    const languages = new Languages();
    const language = languages.ofTree(python(source));
    if (language === UNKNOWN) throw new Error('unknown');
    expect(languages.hasTextOf(language, length)).toBe(expected);
  });
});
