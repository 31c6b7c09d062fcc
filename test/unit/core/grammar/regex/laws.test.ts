import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Language, Languages, UNKNOWN } from '../../../../../server/src/core/grammar/regex/automaton';
import { has } from '../../../../../server/src/core/grammar/regex/charSet';
import { parsePythonRegex } from '../../../../../server/src/core/grammar/regex/parsePython';
import { parseRustRegex } from '../../../../../server/src/core/grammar/regex/parseRust';
import { compileJs } from '../../../../../server/src/core/grammar/regex/toJs';
import type { RegexTree } from '../../../../../server/src/core/grammar/regex/tree';
import { regexWidth } from '../../../../../server/src/core/grammar/regex/width';
import { known, matchesWhole, python } from './helper';

/** Hard pairs are givenUp up early; the tests count them. */
const SMALL = { steps: 20_000 };
const RUNS = { seed: 20_240_611, numRuns: 200 };

const atom = fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]', '\\d', '\\w', '1', '\\.', '(?i:a)');
const operator = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '{,2}', '*?');
/** Expressions of the regular part, with look-around of one character. */
const { expression } = fc.letrec<{ expression: string; sequence: string; piece: string }>((tie) => ({
  expression: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((items) => items.join('|')),
  sequence: fc.array(tie('piece'), { maxLength: 3 }).map((items) => items.join('')),
  piece: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.tuple(atom, operator).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), operator).map(([body, repeat]) => `(?:${body})${repeat}`),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), atom).map(([look, body]) => `${look}${body})`),
    fc.constantFrom('^', '$', '\\b', '\\B', '\\Z'),
  ),
}));
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', 'A', '\n', 'é'), maxLength: 6 });

function ask(source: string, question: (languages: Languages, language: Language, tree: RegexTree) => void): void {
  const languages = new Languages();
  const tree = python(source);
  const language = languages.ofTree(tree);
  if (language !== UNKNOWN) question(languages, language, tree);
}

/** Texts up to three characters over a small alphabet, to find what a search has missed. */
const SHORT = ['', 'a', 'b', '1', '.', '\n'].flatMap((x) =>
  ['', 'a', 'b', '1'].flatMap((y) => ['', 'a', 'b'].map((z) => x + y + z)),
);

describe('laws of expressions', () => {
  it('membership is what the translated expression matches as a whole', () => {
    fc.assert(
      fc.property(expression, fc.array(text, { minLength: 1, maxLength: 6 }), (source, texts) => {
        ask(source, (languages, language, tree) => {
          for (const each of texts) expect(languages.matches(language, each)).toBe(matchesWhole(tree, each));
        });
      }),
      RUNS,
    );
  });

  it('what two have in common is in both, and nothing short is missed', () => {
    const givenUp: [string, string][] = [];
    fc.assert(
      fc.property(expression, expression, (first, second) => {
        const languages = new Languages(SMALL);
        const trees = [python(first), python(second)];
        const [a, b] = trees.map((tree) => known(languages.ofTree(tree)));
        const found = languages.common(a!, b!);
        if (found === UNKNOWN) {
          givenUp.push([first, second]);
        } else if (found === undefined) {
          expect(SHORT.filter((each) => trees.every((tree) => matchesWhole(tree, each)))).toEqual([]);
        } else {
          for (const tree of trees) expect(matchesWhole(tree, found)).toBe(true);
          const shorter = SHORT.filter((each) => [...each].length < [...found].length);
          expect(shorter.filter((each) => trees.every((tree) => matchesWhole(tree, each)))).toEqual([]);
        }
      }),
      RUNS,
    );
    expect(givenUp.length).toBeLessThan(RUNS.numRuns / 50);
  });

  it('a counter-example is in the first alone, and nothing short is missed', () => {
    const givenUp: [string, string][] = [];
    fc.assert(
      fc.property(expression, expression, (first, second) => {
        const languages = new Languages(SMALL);
        const [a, b] = [python(first), python(second)];
        const found = languages.counterExample(known(languages.ofTree(a)), known(languages.ofTree(b)));
        const only = (each: string) => matchesWhole(a, each) && !matchesWhole(b, each);
        if (found === UNKNOWN) givenUp.push([first, second]);
        else if (found === undefined) expect(SHORT.filter(only)).toEqual([]);
        else expect(only(found)).toBe(true);
      }),
      RUNS,
    );
    expect(givenUp.length).toBeLessThan(RUNS.numRuns / 50);
  });

  it('samples are members within the widths, and the shortest has the least width where nothing looks around', () => {
    fc.assert(
      fc.property(expression, fc.integer(), (source, seed) => {
        ask(source, (languages, language, tree) => {
          const samples = known(languages.samples(language, { count: 5, seed }));
          const { min, max } = regexWidth(tree);
          for (const each of samples) {
            expect(matchesWhole(tree, each)).toBe(true);
            expect([...each].length).toBeGreaterThanOrEqual(min);
            expect([...each].length).toBeLessThanOrEqual(max);
          }
          if (!/\(\?<?[=!]|[\^$]|\\[bBZ]/.test(source)) expect([...samples[0]!].length).toBe(min);
        });
      }),
      RUNS,
    );
  });

  it('the longest match is the longest prefix that is a member', () => {
    fc.assert(
      fc.property(expression, text, (source, each) => {
        ask(source, (languages, language) => {
          const prefixes = Array.from({ length: each.length + 1 }, (_, i) => each.slice(0, i));
          const longest = prefixes.filter((prefix) => languages.matches(language, prefix) === true).at(-1);
          expect(languages.longestMatch(language, each)).toBe(longest?.length);
        });
      }),
      RUNS,
    );
  });

  it('every sample can be typed: each next character is offered, and each start can become a member', () => {
    fc.assert(
      fc.property(expression, (source) => {
        ask(source, (languages, language) => {
          for (const each of known(languages.samples(language, { count: 3 }))) {
            for (let i = 0; i < each.length; i++) {
              const start = each.slice(0, i);
              expect(languages.canBecome(language, start)).toBe(true);
              expect(has(known(languages.nextCharacters(language, start)), each.codePointAt(i)!)).toBe(true);
            }
          }
        });
      }),
      RUNS,
    );
  });

  it('no text makes the parsers or the translation throw, and places lie in the text', () => {
    const pieces = fc.constantFrom(
      ...'()[]{}?*+|^$.\\-:<>=!#PiLx1,a b&~'.split(''),
      '(?',
      '(?P<',
      '(?:',
      '\\p{',
      '[^',
      '😀',
      '\ud800',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join('')),
        (source) => {
          for (const parse of [parsePythonRegex, parseRustRegex]) {
            const { tree, problem } = parse(source);
            expect(tree === undefined).toBe(problem !== undefined);
            if (problem !== undefined) {
              expect(problem.span.start).toBeGreaterThanOrEqual(0);
              expect(problem.span.end).toBeLessThanOrEqual(source.length);
              expect(problem.span.start).toBeLessThanOrEqual(problem.span.end);
            }
          }
          const { tree } = parsePythonRegex(source);
          if (tree !== undefined) expect(compileJs(tree, { sticky: true })).toBeDefined();
        },
      ),
      { ...RUNS, numRuns: 3000 },
    );
  });
});
