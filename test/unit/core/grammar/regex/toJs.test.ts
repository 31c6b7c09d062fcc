import { describe, expect, it } from 'vitest';
import { compileJs, toJsRegExp } from '../../../../../server/src/core/grammar/regex/toJs';
import { matchEnd, python } from './helper';

/** Expected ends as CPython 3.11.7 gives them. */
describe('toJsRegExp', () => {
  it.each([
    ['.', '\r', 1],
    ['.', '\n', undefined],
    ['\\w+', 'a²\u0301', 2],
    ['\\s', '\u001c', 1],
    ['\\s', '\ufeff', undefined],
    ['\\d', '\u0661', 1],
    ['(?a:\\d)', '\u0661', undefined],
    ['a$', 'a\n', 1],
    ['a\\Z', 'a\n', undefined],
    ['(?m:a$)', 'a\nb', 1],
    ['\\Ba', 'a', undefined],
    ['\\B', '', undefined],
    ['a\\b', 'a-', 1],
  ])('%s on %j', (source, text, end) => {
    expect(matchEnd(python(source), text)).toBe(end);
  });

  it.each([
    ['(?i)k', '\u212a', 1],
    ['(?i)s', '\u017f', 1],
    ['(?i)i', '\u0130', 1],
    ['(?i)i', '\u0131', 1],
    ['(?ia)k', '\u212a', undefined],
    ['(?i)ß', 'ẞ', 1],
    ['(?i)[σ]', 'ς', 1],
    ['(?i)[^a]', 'A', undefined],
    ['a(?i:b)c', 'aBc', 3],
    ['a(?i:b)c', 'aBC', undefined],
    ['(?i)a(?-i:b)', 'AB', undefined],
    // A class compares letters beyond U+FFFF with the lowered text as they are written.
    ['(?i)[\\U00010400x]', '\u{10400}', undefined],
    ['(?i)\\U00010400', '\u{10428}', 2],
  ])('ignores case as Python: %s on %s', (source, text, end) => {
    expect(matchEnd(python(source), text)).toBe(end);
  });

  it.each([
    ['a++a', 'aaa', undefined],
    ['a++b', 'aab', 3],
    ['(?>a|ab)c', 'abc', undefined],
    ['(?>a|ab)c', 'ac', 2],
    ['(a)?(?(1)b|c)', 'ab', 2],
    ['(a)?(?(1)b|c)', 'c', 1],
    ['(a)?(?(1)b|c)', 'b', undefined],
    ['(a)?\\1b', 'b', undefined],
    ['(a)?\\1b', 'aab', 3],
    ['(?:(a)|b)\\1', 'bb', undefined],
    ['(?:(a)|b)\\1', 'aa', 2],
    ['(?:x(a))*(?(1)y|z)', 'xaxay', 5],
    ['(?:x(a))*?(?(1)y|z)', 'z', 1],
    ['(a)?+(?(1)b|c)', 'ab', 2],
    ['(?i)(a)\\1', 'aA', 2],
    ['(["\'])(?:.)*?\\1', '"a\'b"c', 5],
  ])('keeps what JavaScript lacks: %s on %s', (source, text, end) => {
    expect(matchEnd(python(source), text)).toBe(end);
  });

  it.each([
    ['(?:|a)*', 'aa', 0],
    ['(?:a??)*', 'aa', 0],
    ['(?:a??){2,}', 'aaaa', 0],
    ['(?:|a)+b', 'aab', 3],
    ['(?:b||a)*', 'ba', 1],
    ['(?:|a){0,3}', 'aaa', 0],
  ])('ends loops whose rounds may match nothing as Python: %s on %s', (source, text, end) => {
    expect(matchEnd(python(source), text)).toBe(end);
  });

  it('looks behind the place where it starts', () => {
    expect(matchEnd(python('(?<!\\\\)"'), 'a"', 1)).toBe(2);
    expect(matchEnd(python('(?<!\\\\)"'), '\\"', 1)).toBeUndefined();
    expect(matchEnd(python('^a'), 'xa', 1)).toBeUndefined();
    expect(matchEnd(python('(a|b)(?<=\\1)c'), 'bc')).toBe(2);
    expect(matchEnd(python('(?<=(?>a|b)c)d'), 'bcd', 2)).toBe(3);
  });

  it('names groups with the given prefix, and only those that are referred to', () => {
    expect(toJsRegExp(python('(a)(b)\\2'), { prefix: 'T_' })).toEqual({ source: 'a(?<T_1>b)\\k<T_1>', flags: 'u' });
    expect(toJsRegExp(python('(a|b)c')).source).toBe('(?:a|b)c');
  });

  it('ignores case in references with and without modifiers of the host', () => {
    const whole = python('(?i)(a)\\1');
    expect(toJsRegExp(whole, { modifiers: false })).toEqual({ source: '(?<g1>[Aa])\\k<g1>', flags: 'iu' });
    expect(toJsRegExp(whole, { modifiers: true })).toEqual({ source: '(?<g1>[Aa])(?i:\\k<g1>)', flags: 'u' });
    const part = python('b(?i:(a)\\1)');
    expect(toJsRegExp(part, { modifiers: false }).problem?.code).toBe('untranslatable');
    expect(toJsRegExp(part, { modifiers: true }).source).toBe('b(?:(?<g1>[Aa])(?i:\\k<g1>))');
  });

  it('refuses references that depend on an earlier round, and names the place', () => {
    const { problem } = toJsRegExp(python('(?:(a)|b\\1)+'));
    expect(problem).toMatchObject({ code: 'untranslatable', span: { start: 8, end: 10 } });
  });

  it('gives a problem where the engine cannot compile', () => {
    expect(compileJs(python('a'.repeat(200_000)))).toMatchObject({ code: 'too-large' });
  });

  it('compiles deep nesting', () => {
    const source = `${'(?:'.repeat(460)}a${')'.repeat(460)}`;
    expect(matchEnd(python(source), 'a')).toBe(1);
  });
});
