import { describe, expect, test } from 'vitest';
import { checkGrammar } from '../../../../../server/src/core/checkGrammar';
import type { CompiledGrammar } from '../../../../../server/src/core/grammar/compiled';
import { createParser } from '../../../../../server/src/core/grammar/engine';
import { loadGrammar } from '../../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import type { ParseChild } from '../../../../../server/src/core/grammar/tree';
import type { MessageArgument } from '../../../../../server/src/core/text/message';

/** The arguments of the only message of a rule. */
function told(grammar: string, rule: string): string[] {
  const found = checkGrammar(grammar, { targets: ['lark', 'llguidance', 'openai'] }).filter(
    (each) => each.rule === rule,
  );
  expect(found.length).toBe(1);
  return found[0]!.message.args.map((arg: MessageArgument) => (typeof arg === 'object' ? '' : String(arg)));
}

function load(grammar: string): CompiledGrammar {
  const { grammar: compiled, problems } = loadGrammar(parseGrammar(grammar));
  expect(problems).toEqual([]);
  return compiled!;
}

function accepts(grammar: string, text: string, options: Parameters<typeof createParser>[1]): boolean {
  const { parser } = createParser(load(grammar), options);
  return parser!.parse(text).accepted;
}

/** Types of the tokens in a tree. */
function tokenTypes(node: ParseChild): string[] {
  if (node === null || typeof node !== 'object') return [];
  if ('children' in node) return (node.children as readonly ParseChild[]).flatMap(tokenTypes);
  return 'type' in node ? [String(node.type)] : [];
}

describe('texts in messages are replayed', () => {
  for (const [a, b] of [
    ['/[a-z]+/', '/[a-z]{3}/'],
    ['/[0-9a-f]+/', '/[0-9]{2,4}/'],
    ['/(a|b)*c/', '/abc/'],
  ]) {
    test(`terminal-shadowed: ${a} over ${b}`, () => {
      const grammar = `start: A | B\nA: ${a}\nB: ${b}\n`;
      const [later, earlier, text] = told(grammar, 'grammar/terminal-shadowed');
      expect([later, earlier]).toEqual(['B', 'A']);
      const { parser } = createParser(load(grammar), { parser: 'lalr', lexer: 'basic' });
      const result = parser!.parse(text!);
      expect(result.accepted && tokenTypes(result.tree)).toEqual(['A']);
    });
  }

  test('ambiguous-rules: each of the two matches the text', () => {
    const grammar = 'start: a | b\na: /[a-f]+x/\nb: /[e-k]+x/\n';
    const [, , text] = told(grammar, 'grammar/ambiguous-rules');
    expect(text).toMatch(/^[ef]+x$/);
    for (const rule of ['a', 'b'])
      expect(accepts(grammar.replace('a | b', rule), text!, { parser: 'earley' })).toBe(true);
  });

  test('lalr-shift-reduce: the text that is lost', () => {
    const grammar = 'start: items [SP "end"]\nitems: N (SP N)*\nN: /[0-9]/\nSP: " "\n';
    const [before, next] = told(grammar, 'grammar/lalr-shift-reduce');
    const text = `${before}${next}end`;
    expect(accepts(grammar, text, { parser: 'earley' })).toBe(true);
    expect(accepts(grammar, text, { parser: 'lalr' })).toBe(false);
  });

  test('lalr-reduce-reduce: rules that never finish have no text, and a conflict all the same', () => {
    const grammar = 'start: a\na: b\nb: a\n';
    expect(told(grammar, 'grammar/lalr-reduce-reduce')[0]).toBe('');
    expect(createParser(load(grammar), { parser: 'lalr' }).problem?.code).toBe('lalr.reduce-reduce');
  });

  test('lalr-reduce-reduce: the text leads to both rules', () => {
    const grammar = 'start: x "b" | y "b"\nx: "a"\ny: "a"\n';
    const [before] = told(grammar, 'grammar/lalr-reduce-reduce');
    expect(accepts(grammar, `${before}b`, { parser: 'earley' })).toBe(true);
    expect(createParser(load(grammar), { parser: 'lalr' }).problem?.code).toBe('lalr.reduce-reduce');
  });

  test('literal-is-concatenation: the parts spell the literal', () => {
    const [parts] = told(
      'start: (DYAD | MONAD)+\nDYAD: "i" | "div"\nMONAD: "idiv"\n',
      'grammar/literal-is-concatenation',
    );
    expect(parts).toBe('DYAD DYAD');
    const others = 'start: DYAD DYAD\nDYAD: "i" | "div"\n';
    expect(accepts(others, 'idiv', { parser: 'earley' })).toBe(true);
  });

  test('keyword-overlap: the text is read with no space', () => {
    const grammar = 'start: "input" NAME\nNAME: /[a-z]+/\n%ignore " "\n';
    const [text] = told(grammar, 'grammar/keyword-overlap');
    expect(accepts(grammar, text!, { parser: 'earley' })).toBe(true);
  });
});
