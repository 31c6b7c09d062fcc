import { describe, expect, it } from 'vitest';
import { createParser, type GrammarParser, type ParserOptions } from '../../../../server/src/core/grammar/engine';
import { generateRefused, generateSentences } from '../../../../server/src/core/grammar/generate';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { parserOf } from './parserSupport';

const CALC = `start: sum
?sum: product | sum "+" product -> add | sum "-" product -> sub
?product: atom | product "*" atom -> mul | product "/" atom -> div
?atom: NUMBER | "-" atom -> neg | NAME | "(" sum ")" | "let" NAME "in" sum
NAME: /[a-z]+/
NUMBER: /[0-9]+(\\.[0-9]+)?/
%ignore " "`;

/** Alternatives, as `rule: symbols`. */
function rules(parser: GrammarParser, ids: readonly number[]): string[] {
  return ids.map((id) => {
    const { origin, expansion } = parser.grammar.rules[id]!;
    return `${origin}: ${expansion.map(({ name }) => name).join(' ')}`.trimEnd();
  });
}

const SET_UPS: readonly ParserOptions[] = [
  {},
  { lexer: 'basic' },
  { parser: 'lalr' },
  { parser: 'lalr', lexer: 'basic' },
];

describe.each(SET_UPS)('sentences with %o', (options) => {
  const parser = parserOf(CALC, options);
  const made = generateSentences(parser, { seed: 3, count: 20 });

  it('are accepted and cover every alternative', () => {
    expect(made.unusable).toEqual([]);
    expect(rules(parser, made.uncovered)).toEqual([]);
    expect(made.sentences.length).toBeGreaterThan(20);
    const used = new Set(made.sentences.flatMap((sentence) => [...sentence.rules]));
    expect(used.size).toBe(parser.grammar.rules.length);
    for (const { text } of made.sentences) expect(parser.parse(text).accepted, text).toBe(true);
  });

  it('are the same for the same seed', () => {
    const texts = (seed: number) => generateSentences(parser, { seed, count: 20 }).sentences.map(({ text }) => text);
    expect(texts(3)).toEqual(made.sentences.map(({ text }) => text));
    expect(texts(4)).not.toEqual(texts(3));
  });

  it('give refused neighbors', () => {
    const refused = generateRefused(parser, made.sentences, { seed: 3, count: 15 });
    expect(refused).toHaveLength(15);
    for (const text of refused) expect(parser.parse(text).accepted, text).toBe(false);
    expect(generateRefused(parser, made.sentences, { seed: 3, count: 15 })).toEqual(refused);
  });
});

describe('sentences', () => {
  it('leave out what derives no text, and say so', () => {
    const parser = parserOf('start: "a" | x\nx: "b" x\n');
    const { sentences, unusable, uncovered } = generateSentences(parser);
    expect(sentences.map(({ text }) => text)).toEqual(['a']);
    expect(rules(parser, unusable)).toEqual(['start: x', 'x: B x']);
    expect(uncovered).toEqual([]);
    expect(generateSentences(parserOf('start: "b" start')).sentences).toEqual([]);
  });

  it('say which alternatives another reading always beats', () => {
    const parser = parserOf('start: a | b\na: "x"\nb: "x"');
    expect(rules(parser, generateSentences(parser).uncovered)).toEqual(['start: b', 'b: X']);
  });

  it('put ignored text only where words would touch', () => {
    const parser = parserOf('start: "let" NAME "=" NAME\nNAME: /[a-z]+/\n%ignore " "', {
      parser: 'lalr',
      lexer: 'basic',
    });
    expect(generateSentences(parser, { count: 0 }).sentences.map(({ text }) => text)).toEqual(['let a=a']);
  });

  it('are found for deep and wide grammars in bounded work', () => {
    const chain = Array.from({ length: 300 }, (_, i) => `r${i}: "a" r${i + 1} "b"`).join('\n');
    const deep = parserOf(`start: r0\n${chain}\nr300: "x"`);
    expect(generateSentences(deep, { count: 1 }).uncovered).toEqual([]);
  });

  it('of the Python grammar cover what its lexer allows without indentation', () => {
    const { grammar } = loadGrammar(parseGrammar('%import python.test\nstart: test'), { start: ['start'] });
    const made = createParser(grammar!, { parser: 'lalr' });
    expect(made.problem).toBeUndefined();
    const { sentences, uncovered, unusable } = generateSentences((made as { parser: GrammarParser }).parser, {
      count: 0,
    });
    expect(sentences.length).toBeGreaterThan(100);
    expect(uncovered.length + unusable.length).toBeLessThan(grammar!.rules.length / 10);
  });
});

it('no text is parsed twice, since one that is hard to parse is hard each time', () => {
  const parser = parserOf('start: ("a"~1..60)~1..60');
  const parsed: string[] = [];
  const watched = Object.create(parser) as GrammarParser;
  Object.defineProperty(watched, 'grammar', { value: parser.grammar });
  Object.defineProperty(watched, 'rulesUsed', {
    value: (text: string) => {
      parsed.push(text);
      return text.length < 8 ? parser.rulesUsed(text) : undefined;
    },
  });
  expect(generateSentences(watched, { count: 2 }).sentences.length).toBeGreaterThan(0);
  expect(parsed.length).toBe(new Set(parsed).size);
});
