import { describe, expect, it } from 'vitest';
import { parseRustRegex } from '../../../../../server/src/core/grammar/regex/parseRust';
import { rewriteLazy } from '../../../../../server/src/core/grammar/regex/rewrite';
import { matchEnd, python } from './helper';

describe('rewriteLazy', () => {
  it.each([
    ['".*?"', '"[^\\n"]*"'],
    ['".+?"', '".[^\\n"]*"'],
    ['<[a-z/]*?/', '<[a-z]*/'],
    ['<!--[\\s\\S]*?-->', '<!--(?:[^\\-]|-[^\\-]|--+[^\\->])*-*-->'],
    ['"""[\\s\\S]*?"""', '"""(?:[^"]|"[^"]|""[^"])*"""'],
    ['\\/\\*[\\s\\S]*?\\*\\/', '\\/\\*(?:[^*]|\\*+[^*\\/])*\\**\\*\\/'],
    ['<<[^\\n]*?>>', '<<(?:[^\\n>]|>[^\\n>])*>>'],
  ])('%s becomes %s', (source, expected) => {
    const tree = python(source);
    const rewrite = rewriteLazy(tree);
    const { start, end } = rewrite?.span ?? { start: 0, end: 0 };
    const text = rewrite && source.slice(0, start) + rewrite.text + source.slice(end);
    expect(text).toBe(expected);
    if (text === undefined) return;
    expect(parseRustRegex(text).tree).toBeDefined();
    for (const each of [
      '"a"b"',
      '"""',
      '<a/b/',
      '/**//**/',
      '/* a **/ */',
      '<<a>b>>>>',
      '<<>>',
      '<!-- a--b---> -->',
      '"""""""',
    ]) {
      expect(matchEnd(python(text), each)).toBe(matchEnd(tree, each));
    }
  });

  it.each(['a*?', '".*?"x+', '(?:ab)*?c', '".*?\\b', 'a.{1,3}?b', '"[^"]*"'])('knows none for %s', (source) => {
    expect(rewriteLazy(python(source))).toBeUndefined();
  });
});
