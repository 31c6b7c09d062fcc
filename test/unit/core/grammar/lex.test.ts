import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lexGrammar } from '../../../../server/src/core/grammar/lex';

/** Kinds and texts of the tokens, without plain spaces. */
function tokens(text: string): string[] {
  return lexGrammar(text)
    .filter(({ kind }) => kind !== 'space' && kind !== 'end')
    .map(({ kind, start, end }) => `${kind} ${JSON.stringify(text.slice(start, end))}`);
}

describe('tokens of grammars', () => {
  it('tells the parts of a definition apart', () => {
    expect(tokens('?a.2: B* "x"i /y/im~2..3 -> z')).toEqual([
      'modifiers "?"',
      'rule "a"',
      'dot "."',
      'number "2"',
      'colon ":"',
      'terminal "B"',
      'operator "*"',
      'string "\\"x\\"i"',
      'regexp "/y/im"',
      'tilde "~"',
      'number "2"',
      'dotDot ".."',
      'number "3"',
      'arrow "->"',
      'rule "z"',
      'newline ""',
    ]);
  });

  it('reads a ? in front of a name as a modifier and elsewhere as an operator', () => {
    expect(tokens('"a"?b')).toEqual(['string "\\"a\\""', 'modifiers "?"', 'rule "b"', 'newline ""']);
    expect(tokens('"a"? b')).toEqual(['string "\\"a\\""', 'operator "?"', 'rule "b"', 'newline ""']);
  });

  it('lets a comment swallow the line ends in front of it', () => {
    expect(tokens('a: b\n\n // c\nd')).toEqual([
      'rule "a"',
      'colon ":"',
      'rule "b"',
      'comment "// c"',
      'newline "\\n"',
      'rule "d"',
      'newline ""',
    ]);
  });

  it('joins lines by a bar or a backslash', () => {
    expect(tokens('a: b\n  | c \\ \n d')).toEqual([
      'rule "a"',
      'colon ":"',
      'rule "b"',
      'lineBreak "\\n  "',
      'or "|"',
      'rule "c"',
      'continuation "\\\\ \\n"',
      'rule "d"',
      'newline ""',
    ]);
    const bar = lexGrammar('a: b\n  | c').find(({ kind }) => kind === 'or')!;
    expect(bar).toMatchObject({ start: 7, at: 4 });
  });

  it('goes back to an escaped quote when the line has no other', () => {
    expect(lexGrammar('"a\\" b')[0]).toEqual({ kind: 'string', start: 0, end: 4, at: 0, open: true });
    expect(lexGrammar('"a\\" b"')[0]).toEqual({ kind: 'string', start: 0, end: 7, at: 0 });
    expect(lexGrammar('"a\\\\" b"')[0]).toEqual({ kind: 'string', start: 0, end: 5, at: 0 });
    expect(lexGrammar('"abc\nd')[0]).toEqual({ kind: 'bad', start: 0, end: 4, at: 0, open: true });
  });

  it('ends a regular expression at the first slash that is not escaped', () => {
    expect(tokens('/[^/]+/')).toEqual(
      ['regexp "/[^/"', 'bad "]"', 'operator "+"', 'bad "/"', 'newline ""'].map((each) =>
        each.replace('bad "]"', 'rightBracket "]"'),
      ),
    );
    expect(tokens('/a\\/b/i')).toEqual(['regexp "/a\\\\/b/i"', 'newline ""']);
  });

  it('has tokens for what only llguidance reads', () => {
    expect(tokens('x[lazy, stop="a"]::_: %json {"a": [1, "}"]} & ~y <|end|> @g %if bit_set(0)')).toEqual([
      'rule "x"',
      'leftBracket "["',
      'rule "lazy"',
      'comma ","',
      'rule "stop"',
      'equals "="',
      'string "\\"a\\""',
      'rightBracket "]"',
      'parameter "::_"',
      'colon ":"',
      'json "%json {\\"a\\": [1, \\"}\\"]}"',
      'and "&"',
      'tilde "~"',
      'rule "y"',
      'special "<|end|>"',
      'grammarName "@g"',
      'condition "%if bit_set(0)"',
      'newline ""',
    ]);
    expect(lexGrammar('a-b-> c')[0]).toEqual({ kind: 'rule', start: 0, end: 3, at: 0, dash: 1 });
  });

  it('ends JSON that is not closed where the next definition begins', () => {
    expect(tokens('a: %json {"x": {\nb: "c"')).toEqual([
      'rule "a"',
      'colon ":"',
      'json "%json {\\"x\\": {"',
      'newline "\\n"',
      'rule "b"',
      'colon ":"',
      'string "\\"c\\""',
      'newline ""',
    ]);
  });

  it('keeps every character of any text', () => {
    const parts = [
      'a',
      'B',
      '"',
      '/',
      '\\',
      '\n',
      '\r\n',
      '\r',
      ' ',
      '|',
      '%json {',
      '%lark {',
      '//',
      '#',
      '<',
      '::',
      '-',
      'é',
      '\u00a0',
      '𝒳',
      '}',
      '%if ',
    ];
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...parts)).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const all = lexGrammar(text);
        expect(all.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        expect(all.every(({ start, end }, i) => start === (all[i - 1]?.end ?? 0) && end >= start)).toBe(true);
      }),
      { seed: 41, numRuns: 2000 },
    );
  });
});
