import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createParser, type ParserOptions } from '../../../../server/src/core/grammar/engine';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { whatComesNext } from '../../../../server/src/core/grammar/next';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { parserOf } from './parserSupport';

/** `begun|rest NAME` per terminal, `.` in front when the text is complete. */
function next(grammar: string, text: string, options: ParserOptions = {}): string[] {
  const result = whatComesNext(parserOf(grammar, options), text);
  const terminals = result.terminals.map(({ name, begun, rest }) => `${begun}|${rest ?? '?'} ${name}`);
  return result.complete ? ['.', ...terminals] : terminals;
}

const SET_UPS: readonly ParserOptions[] = [
  { parser: 'earley' },
  { parser: 'earley', lexer: 'basic' },
  { parser: 'lalr' },
  { parser: 'lalr', lexer: 'basic' },
];

describe.each(SET_UPS)('what comes next with %o', (options) => {
  const list = 'start: "[" [N ("," N)*] "]"\nN: /[0-9]{1,3}/\n%ignore / +/';

  it('names what is waited for at the end', () => {
    expect(next(list, '', options)).toEqual(['|[ LSQB']);
    expect(next(list, '[', options)).toEqual(['|0 N', '|] RSQB']);
    expect(next(list, '[1,', options)).toEqual(['|0 N']);
    expect(next(list, '[1]', options)).toEqual(['.']);
  });

  it('names what is begun and can go on, with what makes it complete', () => {
    const words = 'start: ("true" | "false" | "trust" | STRING) ";"\nSTRING: /"[^"]*"/';
    expect(next(words, 'tru', options)).toEqual(['tru|e TRUE', 'tru|st TRUST']);
    expect(next(words, 'f', options)).toEqual(['f|alse FALSE']);
    expect(next(words, '"ab', options)).toEqual(['"ab|" STRING']);
    expect(next(words, 'true', options)).toEqual(['|; SEMICOLON']);
  });

  it('names a complete token that can be longer, and what follows it', () => {
    expect(next(list, '[12', options)).toEqual(['12| N', '|, COMMA', '|] RSQB']);
    expect(next(list, '[123', options)).toEqual(['|, COMMA', '|] RSQB']);
  });

  it('has nothing where no sentence begins so', () => {
    expect(next(list, '[1,]', options)).toEqual([]);
    expect(next(list, 'x', options)).toEqual([]);
  });

  it('goes back over tokens that may become one', () => {
    const numbers = 'start: (N | D) "."? ";"\nN: /[0-9]/\nD: /[0-9]\\.[0-9]/';
    expect(next(numbers, '1.', options)).toEqual(['1.|0 D', '|; SEMICOLON']);
  });

  it('names begun ignored text', () => {
    const comments = 'start: A B\nA: "a"\nB: "b"\n%ignore /#[^\\n]*\\n/';
    expect(next(comments, 'a# no', options)).toContain('# no|\n __IGNORE_0');
  });
});

describe('what comes next', () => {
  it('says when it cannot be told', () => {
    const parser = parserOf('start: e\ne: e e | "a"', { budget: { items: 100 } });
    expect(whatComesNext(parser, 'a'.repeat(50))).toEqual({ complete: false, terminals: [], partial: true });
  });

  it('offers a token that no automaton can read as long as it may go on', () => {
    const grammar = 'start: /([ab])c\\1/ "x"';
    expect(next(grammar, 'ac')).toEqual(['ac|? __ANON_0']);
    expect(next(grammar, 'aca')).toContain('|x X');
  });

  it('never ends within an accepted text', () => {
    const file = new URL('../../../vectors/lark/vectors.json', import.meta.url);
    const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
      vectors: (ParserOptions & {
        id: string;
        grammar: string;
        start: string;
        files: unknown;
        inputs: { text: string; accepted: boolean }[];
      })[];
    };
    let prefixes = 0;
    for (const { id, grammar, start, files, parser, lexer, inputs } of vectors) {
      const accepted = inputs.filter((input) => input.accepted && input.text.length < 40);
      if (files !== null || accepted.length === 0) continue;
      const { grammar: compiled } = loadGrammar(parseGrammar(grammar), { start: [start] });
      const made = createParser(compiled!, { parser: parser!, lexer: lexer! });
      if (made.problem !== undefined) continue;
      for (const { text } of accepted) {
        let end = 0;
        for (const char of text) {
          const result = whatComesNext(made.parser, text.slice(0, end));
          // What follows a sentence may be ignored text alone.
          const goesOn = result.complete || result.terminals.length > 0;
          expect(goesOn, `${id} ${JSON.stringify(text.slice(0, end))}`).toBe(true);
          end += char.length;
          prefixes++;
        }
        expect(whatComesNext(made.parser, text).complete, `${id} ${JSON.stringify(text)}`).toBe(true);
      }
    }
    expect(prefixes).toBeGreaterThan(3000);
  });
});
