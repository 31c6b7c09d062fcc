import { describe, expect, it } from 'vitest';
import { makeBnf } from '../../../../../server/src/core/grammar/analyse/bnf';
import { END, flowOf } from '../../../../../server/src/core/grammar/analyse/flow';
import { grammarNames } from '../../../../../server/src/core/grammar/analyse/names';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';

/** The labels of what can come behind each lexeme. */
function behind(text: string, mostMembers?: number): Map<string, string[]> {
  const document = parseGrammar(text);
  const bnf = makeBnf(document, grammarNames(document));
  const flow = flowOf(bnf, () => false, mostMembers);
  const label = (id: number): string => (id === END ? 'end' : bnf.lexemes[id]!.label);
  return new Map(bnf.lexemes.map((lexeme) => [lexeme.label, [...flow.after[lexeme.id]!].map(label)]));
}

const ladder = (n: number): string =>
  `start: r0\n${Array.from({ length: n }, (_, i) => `r${i}: "x${i}" r${i + 1} | r${i + 1}`).join('\n')}\nr${n}: "z"`;

describe('what can come behind a lexeme', () => {
  it('is all that the rule behind it can begin with', () => {
    expect(behind(ladder(3))).toEqual(
      new Map([
        ['"x0"', ['"x1"', '"x2"', '"z"']],
        ['"x1"', ['"x2"', '"z"']],
        ['"x2"', ['"z"']],
        ['"z"', ['end']],
      ]),
    );
  });

  it('is left open where the sets together are too large', () => {
    // Behind each of n lexemes stand half as many on average.
    expect(behind(ladder(40), 1000).get('"x0"')).toHaveLength(40);
    expect(new Set([...behind(ladder(50), 1000).values()].map(({ length }) => length))).toEqual(new Set([0]));
  });

  it('counts sets that are equal once', () => {
    const words = Array.from({ length: 200 }, (_, i) => `"w${i}"`).join(' | ');
    const found = behind(`start: (${words})+ ";"`, 1000);
    expect(found.get('"w7"')).toHaveLength(201);
  });
});
