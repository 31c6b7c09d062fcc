import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createParser, type ParserOptions } from '../../../../server/src/core/grammar/engine';
import { generateRefused, generateSentences } from '../../../../server/src/core/grammar/generate';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';

interface Row {
  readonly grammar: string;
  readonly files: Readonly<Record<string, string>> | null;
  readonly start: string;
}

const { vectors } = JSON.parse(
  readFileSync(new URL('../../../vectors/lark/vectors.json', import.meta.url), 'utf8'),
) as { readonly vectors: readonly Row[] };
const rows = [...new Map(vectors.map((row) => [`${row.start} ${row.grammar}`, row])).values()];

const BUDGET = { items: 100_000, steps: 500_000 };

function parserOf({ grammar, files, start }: Row, options: ParserOptions) {
  const loaded = loadGrammar(parseGrammar(grammar), {
    start: [start],
    importer: ({ path }) => (files?.[path] === undefined ? undefined : { file: path, text: files[path] }),
  });
  if (loaded.grammar === undefined || loaded.problems.length > 0) return undefined;
  return createParser(loaded.grammar, { ...options, budget: BUDGET }).parser;
}

describe('sentences of every recorded grammar', () => {
  it.each<[string, ParserOptions]>([
    ['Earley', { parser: 'earley' }],
    ['LALR', { parser: 'lalr' }],
  ])('are accepted by %s, and their refused neighbors are refused', (_, options) => {
    let grammars = 0;
    let sentences = 0;
    for (const row of rows) {
      const parser = parserOf(row, options);
      if (parser === undefined || parser.grammar.rules.length > 600) continue;
      grammars++;
      const made = generateSentences(parser, { seed: 5, count: 3, maxCovering: 20 });
      for (const { text } of made.sentences) {
        sentences++;
        expect([row.grammar, text, parser.parse(text).accepted]).toEqual([row.grammar, text, true]);
      }
      for (const text of generateRefused(parser, made.sentences, { seed: 5, count: 2 })) {
        expect([row.grammar, text, parser.parse(text).accepted]).toEqual([row.grammar, text, false]);
      }
    }
    expect(grammars).toBeGreaterThan(250);
    expect(sentences).toBeGreaterThan(1_000);
  });

  it('are accepted by Earley over the same tokens where LALR has no conflict', () => {
    let compared = 0;
    for (const row of rows) {
      const lalr = parserOf(row, { parser: 'lalr', lexer: 'basic' });
      const earley = parserOf(row, { parser: 'earley', lexer: 'basic' });
      if (lalr?.lalr === undefined || earley === undefined || lalr.lalr.conflicts.length > 0) continue;
      if (lalr.grammar.rules.length > 600) continue;
      const { sentences } = generateSentences(lalr, { seed: 9, count: 3, maxCovering: 15 });
      const refused = generateRefused(lalr, sentences, { seed: 9, count: 2 });
      for (const text of [...sentences.map((each) => each.text), ...refused]) {
        compared++;
        expect([row.grammar, text, earley.parse(text).accepted]).toEqual([
          row.grammar,
          text,
          lalr.parse(text).accepted,
        ]);
      }
    }
    expect(compared).toBeGreaterThan(800);
  });
});
