import { describe, expect, it } from 'vitest';
import { BasicLexer, Lexed, LexerState, looksMultiline } from '../../../../server/src/core/grammar/lexer/basic';
import { LineStarts } from '../../../../server/src/core/grammar/lexer/lineStarts';
import { TerminalMatcher } from '../../../../server/src/core/grammar/lexer/matcher';
import { compile, errorOf, parserOf, treeOf } from './parserSupport';

/** Tokens of a text as `NAME:text`, with `?` at the first place that no terminal matches. */
function tokens(grammar: string, text: string): string[] {
  const { terminals, ignore } = compile(grammar);
  const matchers = terminals.map((terminal, id) => TerminalMatcher.of(terminal, id) as TerminalMatcher);
  const ignored = new Set(ignore.map((name) => terminals.findIndex((terminal) => terminal.name === name)));
  const lexer = new BasicLexer(matchers, ignored);
  const state = new LexerState(text);
  const out: string[] = [];
  for (;;) {
    const lexed = lexer.next(state);
    if (lexed === Lexed.End) return out;
    if (lexed === Lexed.Nothing) return [...out, '?'];
    out.push(`${terminals[state.type]!.name}:${text.slice(state.start, state.offset)}`);
  }
}

describe('basic lexer', () => {
  it('takes the first terminal by priority, width, length of the pattern and name', () => {
    expect(tokens('start: (A|B)+\nA: /[a-z]+/\nB: /[a-z]{3}/', 'abc')).toEqual(['A:abc']);
    expect(tokens('start: (A|B)+\nA: /[a-z]+/\nB.2: /[a-z]{3}/', 'abcd')).toEqual(['B:abc', 'A:d']);
    expect(tokens('start: (A|B)+\nA: "<"\nB: "<="', '<=<')).toEqual(['B:<=', 'A:<']);
    expect(tokens('start: (P|Q)+\nQ: /x|y/\nP: /y|x/', 'x')).toEqual(['P:x']);
    expect(tokens('start: (P|Q)+\nQ: /[xy]/\nP: /x|y/', 'x')).toEqual(['Q:x']);
  });

  it('does not look for the longest match', () => {
    expect(tokens('start: (A|B)+\nA: /a|ab/\nB: "b"', 'ab')).toEqual(['A:a', 'B:b']);
  });

  it('gives a word the type of the string that it is', () => {
    const grammar = 'start: (IF|NAME)+\nIF: "if"\nNAME: /[a-z]+/\n%ignore " "';
    expect(tokens(grammar, 'if iff i')).toEqual(['IF:if', 'NAME:iff', 'NAME:i']);
    expect(tokens(grammar.replace('IF:', 'IF.1:'), 'iff')).toEqual(['IF:if', 'NAME:f']);
    expect(tokens('start: (IF|NAME)+\nIF: "if"i\nNAME: /[a-z]+/', 'IF')).toEqual(['IF:IF']);
  });

  it('counts lines only in tokens that look as if they had some', () => {
    expect(looksMultiline('\\s+')).toBe(true);
    expect(looksMultiline('[^a]')).toBe(true);
    expect(looksMultiline('(?s:.)')).toBe(true);
    expect(looksMultiline('\\W')).toBe(false);
    const grammar = 'start: (/\\W/ | "a")+';
    expect(errorOf(grammar, '\na?b', { parser: 'lalr' })).toMatchObject({ line: 1, column: 4, pos: 3 });
    expect(errorOf(grammar, '\na?b')).toMatchObject({ line: 2, column: 3, pos: 3 });
  });

  it('fails where joining all expressions breaks one, once there is text', () => {
    const grammar = 'start: /([ab])\\1/ "x"?';
    for (const lexer of ['basic', 'contextual'] as const) {
      expect(errorOf(grammar, 'aa', { parser: 'lalr', lexer }).kind).toBe('error');
      expect(errorOf(grammar, '', { parser: 'lalr', lexer }).kind).toBe('UnexpectedToken');
    }
    expect(treeOf(grammar, 'aa')).toBe('start(__ANON_0:aa)');
    expect(treeOf('start: /(?P<q>[ab])(?P=q)/', 'bb', { parser: 'lalr' })).toBe('start(__ANON_0:bb)');
    expect(errorOf('start: /(?P<q>a)/ /(?P<q>b)/', 'ab', { parser: 'lalr', lexer: 'basic' }).kind).toBe('error');
  });

  it('sees the whole text with anchors and look-behind', () => {
    expect(tokens('start: (A|B)+\nA: /^a/\nB: /(?<=a)a/', 'aaa')).toEqual(['A:a', 'B:a', 'B:a']);
  });
});

describe('contextual lexer', () => {
  it('offers what the parser can take, and tells a misplaced token from none', () => {
    const grammar = 'start: A B\nA: /[a-z]/\nB: /[a-z0-9]/';
    expect(treeOf(grammar, 'ab', { parser: 'lalr' })).toBe('start(A:a B:b)');
    expect(treeOf(grammar, 'ab', { parser: 'lalr', lexer: 'basic' })).toBe('refused UnexpectedToken');
    expect(errorOf(grammar, '1', { parser: 'lalr' })).toMatchObject({
      kind: 'UnexpectedToken',
      token: { type: 'B', value: '1' },
      expected: ['A'],
      accepts: ['A'],
    });
    expect(errorOf(grammar, '?', { parser: 'lalr' })).toMatchObject({ kind: 'UnexpectedCharacters', expected: ['A'] });
  });
});

describe('dynamic lexer', () => {
  it('matches every terminal that is waited for, once', () => {
    expect(treeOf('start: A B\nA: /a+/\nB: /ab/', 'aab')).toBe('refused UnexpectedCharacters');
    expect(treeOf('start: A B\nA: /a+/\nB: /ab/', 'aab', { lexer: 'dynamic_complete' })).toBe('start(A:a B:ab)');
    expect(treeOf('start: "let" NAME\nNAME: /[a-z]+/', 'letx')).toBe('start(NAME:x)');
  });

  it('carries items over ignored text, before, between and behind', () => {
    expect(treeOf('start: A B\nA: "a"\nB: "b"\n%ignore " "', '  a  b ')).toBe('start(A:a B:b)');
    expect(errorOf('start: A B\nA: "a"\nB: "b"\n%ignore " "', 'a  c')).toMatchObject({ pos: 3, expected: ['B'] });
  });

  it('notices the end no earlier than ignored text that has begun on the way, as Lark does', () => {
    const grammar = 'start: A\nA: "ab"\n%ignore /b+c/';
    expect(errorOf(grammar, 'abbc?')).toMatchObject({ kind: 'UnexpectedCharacters', pos: 4 });
  });

  it('has positions of characters beyond the first plane in UTF-16 units', () => {
    const result = parserOf('start: (/[a-z]/ | /\\U0001F600/)+').parse('\u{1F600}a\n');
    expect(result).toMatchObject({ accepted: false, error: { pos: 3, line: 1, column: 4 } });
  });

  it('misses a declared terminal as Python does', () => {
    expect(errorOf('%declare X\nstart: X', 'a')).toMatchObject({ kind: 'KeyError', pos: undefined });
  });
});

describe('line starts', () => {
  it('finds lines by LF alone', () => {
    const lines = LineStarts.of('a\r\nb\rc\n');
    expect(lines.place(0)).toEqual({ line: 1, lineStart: 0 });
    expect(lines.place(4)).toEqual({ line: 2, lineStart: 3 });
    expect(lines.place(7)).toEqual({ line: 3, lineStart: 7 });
  });
});
