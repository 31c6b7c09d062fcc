import { describe, expect, it } from 'vitest';
import { Languages } from '../../../../../server/src/core/grammar/regex/automaton';
import { parseRustRegex } from '../../../../../server/src/core/grammar/regex/parseRust';
import { expectRefused, known, rust } from './helper';

function matches(source: string, text: string, flags = ''): boolean {
  const languages = new Languages();
  return known(languages.matches(known(languages.ofTree(rust(source, flags))), text));
}

describe('parseRustRegex', () => {
  it.each([
    ['a⟦(?=⟧b)', 'lookaround'],
    ['⟦(?<!⟧a)b', 'lookaround'],
    ['(x)⟦\\1⟧', 'backreference'],
    ['(?<n>x)⟦\\k⟧<n>', 'backreference'],
    ['⟦(?P=⟧n)', 'backreference'],
    ['⟦\\0⟧', 'octal'],
    ['⟦(?>⟧a)', 'atomic'],
    ['⟦(?(⟧1)a)', 'conditional'],
    ['⟦(?#⟧c)a', 'comment'],
    ['a⟦\\Z⟧', 'z-anchor'],
    ['a⟦\\b⟧', 'boundary'],
    ['⟦\\b{start}⟧a', 'boundary'],
    ['⟦\\<⟧a', 'boundary'],
    ['a⟦^⟧b', 'inner-anchor'],
    ['(?m)⟦^⟧a', 'inner-anchor'],
    ['(⟦^⟧a)*', 'inner-anchor'],
    ['⟦$⟧^', 'inner-anchor'],
    ['(^)⟦^⟧a', 'inner-anchor'],
    ['a⟦{⟧', 'literal-brace'],
    ['⟦{⟧', 'literal-brace'],
    ['⟦*⟧a', 'nothing-to-repeat'],
    ['(?i)⟦*⟧', 'nothing-to-repeat'],
    ['a⟦{3,2}⟧', 'bad-repeat'],
    ['⟦[[a]⟧', 'unterminated-class'],
    ['⟦[]⟧', 'unterminated-class'],
    ['[⟦\\b⟧]', 'bad-escape'],
    ['⟦\\h⟧', 'bad-escape'],
    ['⟦\\é⟧', 'bad-escape'],
    ['⟦\\p{Nope}⟧', 'bad-property'],
    ['⟦\\p{_isGreek}⟧', 'bad-property'],
    ['⟦\\p{sc=_isGreek}⟧', 'bad-property'],
    ['⟦\\p{\u212aatakana}⟧', 'bad-property'],
    ['⟦\\ud800⟧', 'surrogate'],
    ['(?-u)⟦\\xff⟧', 'surrogate'],
    ['(?-u:⟦[^b]⟧)', 'surrogate'],
    ['(?P<a>x)(?P<⟦a⟧>y)', 'bad-group-name'],
    ['(?i⟦i⟧)a', 'bad-flag'],
    ['a⟦)⟧', 'unmatched-parenthesis'],
    ['x⟦(a⟧', 'unterminated-group'],
  ])('refuses %s: %s', (marked, code) => {
    expectRefused(parseRustRegex, marked, code);
  });

  it.each([
    ['^^a$$', 'a'],
    ['(^a)|^b', 'b'],
    ['(^){2}a', 'a'],
    ['a**', 'aaa'],
    ['a++a', 'aa'],
    ['a{2 , 3}', 'aaa'],
    ['\\p{Greek}', 'σ'],
    ['\\p{\u00e9Greek}\\p{iS g-re_ek}\\p{gc=\u00e9Lu}', 'σσA'],
    ['\\p{sc=Greek}\\pL\\P{L}', 'σa1'],
    ['[a-z&&[^aeiou]]+', 'xyz'],
    ['[a-z--aeiou]+', 'xyz'],
    ['[a-c~~b-d]+', 'ad'],
    ['[[:alpha:][:^word:]]+', 'a-'],
    ['[a[:nope:]]+', 'anope:'],
    ['(?i)k', '\u212a'],
    ['(?x) a b # c', 'ab'],
    ['\\w+', 'a\u0301\u203f'],
    ['\\s', '\u0085'],
    ['(?U)a+', 'aa'],
    ['\\x{1F600}\\u0041\\x42', '😀AB'],
    ['[-a-]+', 'a-'],
    ['(?P<a.b>x)(?<é>y)', 'xy'],
  ])('takes %s, which matches %s', (source, text) => {
    expect(matches(source, text)).toBe(true);
  });

  it('has Rust’s tables', () => {
    expect(matches('\\w', '²')).toBe(false);
    expect(matches('\\s', '\u001c')).toBe(false);
    expect(matches('.', '\r')).toBe(true);
    expect(matches('[a&&b]', 'a')).toBe(false);
  });

  it('marks what Python takes differently', () => {
    const codes = (source: string) => rust(source).marks.map((mark) => mark.code);
    expect(codes('a+?')).toEqual(['lazy']);
    expect(codes('a{2}*')).toEqual(['stacked']);
    expect(codes('[a&&b]')).toEqual(['class-operator']);
    expect(codes('[[:alpha:]]')).toEqual(['posix-class']);
    expect(codes('[a[b]]')).toEqual(['nested-set']);
    expect(codes('^a')).toEqual(['anchor']);
  });

  it('does not claim to know sets that the host has not', () => {
    const languages = new Languages();
    expect(typeof languages.ofTree(rust('\\p{Age=6.0}'))).toBe('symbol');
  });

  it('refuses deep nesting instead of running out of stack', () => {
    for (const text of ['('.repeat(100_000), '['.repeat(100_000), `a${'*'.repeat(100_000)}`]) {
      expect(parseRustRegex(text).problem?.code).toBe('too-deep');
    }
    expect(parseRustRegex(`${'('.repeat(250)}a${')'.repeat(250)}`).tree).toBeDefined();
    expect(parseRustRegex(`${'('.repeat(251)}a${')'.repeat(251)}`).problem?.code).toBe('too-deep');
  });
});
