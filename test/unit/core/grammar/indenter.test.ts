import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createParser } from '../../../../server/src/core/grammar/engine';
import { grammarParseLine } from '../../../../server/src/core/grammar/jsonl';
import { libraryText } from '../../../../server/src/core/grammar/libraries';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';

interface Case {
  /** `python` is the grammar that comes with Lark. */
  readonly grammar: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly inputs: readonly {
    readonly text: string;
    readonly accepted: boolean;
    readonly tree?: unknown;
    readonly error?: {
      readonly kind: string;
      readonly line: number | null;
      readonly column: number | null;
      readonly token?: object;
    };
  }[];
}

/** What Lark 1.3.1 with its `PythonIndenter` made of these texts. */
const cases = JSON.parse(
  readFileSync(new URL('../../../vectors/lark/indenter.json', import.meta.url), 'utf8'),
) as readonly Case[];

const SMALL = `
%declare _INDENT _DEDENT
%ignore " "
start: (_NEWLINE | stmt)*
stmt: NAME _NEWLINE | NAME ":" _NEWLINE _INDENT stmt+ _DEDENT
NAME: /[a-z]+/
_NEWLINE: /(\\n *)+/
`;

describe('tokens out of indentation (Lark 1.3.1, PythonIndenter)', () => {
  it('has texts of each kind', () => {
    const inputs = cases.flatMap((each) => each.inputs);
    expect(inputs.filter(({ accepted }) => accepted).length).toBeGreaterThan(30);
    const kinds = new Set(inputs.map(({ error }) => error?.kind));
    for (const kind of ['UnexpectedToken', 'UnexpectedCharacters', 'DedentError']) expect(kinds).toContain(kind);
  });

  cases.forEach(({ grammar, options, inputs }, index) => {
    it(`set ${index + 1}: ${JSON.stringify(options)}`, () => {
      const request = {
        id: 1,
        grammar: grammar === 'python' ? libraryText('python.lark') : grammar,
        options,
        inputs: inputs.map(({ text }) => text),
      };
      const { loadError, results } = JSON.parse(grammarParseLine(JSON.stringify(request)));
      expect(loadError).toBeNull();
      inputs.forEach(({ text, accepted, tree, error }, i) => {
        const result = results[i];
        expect([text, result.accepted]).toEqual([text, accepted]);
        if (accepted) expect(result.tree).toEqual(tree);
        else if (error!.line === null) expect(result.error.kind).toBe(error!.kind);
        else {
          const { kind, line, column, token } = error!;
          expect(result.error).toMatchObject({ kind, line, column, ...(token === undefined ? {} : { token }) });
        }
      });
    });
  });

  it('knows what can come next in a block and at its end', () => {
    const { grammar } = loadGrammar(parseGrammar(SMALL));
    for (const parser of ['lalr', 'earley'] as const) {
      const made = createParser(grammar!, { parser, postlex: 'python' });
      const { terminalNames } = made.parser!.grammar;
      const next = (text: string) => {
        const { complete, places } = made.parser!.waiting(text)!;
        return {
          complete,
          names: places
            .at(-1)!
            .terminals.map((terminal) => terminalNames[terminal])
            .sort(),
        };
      };
      expect(next('a:\n')).toEqual({ complete: false, names: ['_INDENT'] });
      expect(next('a:\n  b\n')).toMatchObject({ complete: true });
      expect(next('a:\n  b\n  ').names).toEqual(expect.arrayContaining(['NAME', '_DEDENT']));
    }
  });

  it('needs a lexer of its own', () => {
    const { grammar } = loadGrammar(parseGrammar(SMALL));
    const made = createParser(grammar!, { parser: 'earley', lexer: 'dynamic', postlex: 'python' });
    expect(made.problem).toMatchObject({ code: 'options.invalid' });
    expect(createParser(grammar!, { parser: 'earley', postlex: 'python' }).parser!.lexer).toBe('basic');
  });

  it('is an option of the batch form, by name', () => {
    const answer = grammarParseLine('{"id":7,"grammar":"start: \\"a\\"","options":{"postlex":"ruby"},"inputs":[]}');
    expect(JSON.parse(answer)).toEqual({ id: 7, ok: false, error: '"postlex" must be one of "python".' });
  });

  it('ends two thousand blocks at once', () => {
    const { grammar } = loadGrammar(parseGrammar(SMALL));
    const { parser } = createParser(grammar!, { parser: 'lalr', postlex: 'python' });
    const depth = 2_000;
    const lines = Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`);
    expect(parser!.parse(`${lines.join('')}${' '.repeat(depth)}a\n`).accepted).toBe(true);
  });
});
