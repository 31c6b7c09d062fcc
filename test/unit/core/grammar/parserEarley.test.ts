import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createParser } from '../../../../server/src/core/grammar/engine';
import { DynamicRun } from '../../../../server/src/core/grammar/lexer/dynamic';
import { TerminalMatcher } from '../../../../server/src/core/grammar/lexer/matcher';
import { DEFAULT_BUDGET, EarleyChart } from '../../../../server/src/core/grammar/parser/earley';
import { buildEarley, type EarleyTable } from '../../../../server/src/core/grammar/parser/earleyTable';
import { numberGrammar } from '../../../../server/src/core/grammar/parser/symbols';
import type { ParseTree } from '../../../../server/src/core/grammar/tree';
import { compile, errorOf, parserOf, show, treeOf } from './parserSupport';

/** Items and derivations that a parse makes. */
function size(text: string, input: string): number {
  const compiled = compile(text);
  const grammar = numberGrammar(compiled);
  const table = buildEarley(grammar, grammar.nonterminalIds.get('start')!);
  const matchers = grammar.terminals.map((terminal, id) =>
    terminal === undefined ? undefined : (TerminalMatcher.of(terminal, id) as TerminalMatcher),
  );
  const result = new DynamicRun(table, matchers, input, false, DEFAULT_BUDGET).run();
  expect(result.root).toBeGreaterThanOrEqual(0);
  return result.chart.itemCount + result.chart.forest.familyCount;
}

/** How many nodes deep the last child of each node is. */
function depthOf(tree: ParseTree): number {
  let depth = 0;
  for (let node = tree; node?.kind === 'tree'; node = node.children[node.children.length - 1] as ParseTree) depth++;
  return depth;
}

/** Numbers that the tables of a grammar hold. */
function tableSize(text: string): number {
  const grammar = numberGrammar(compile(text));
  const { expect: behind, rule, label, starts, firsts } = buildEarley(grammar, grammar.nonterminalIds.get('start')!);
  return [behind, rule, label, ...starts, ...firsts].reduce((sum, { length }) => sum + length, 0);
}

describe('long chains of rules', () => {
  const below = (rule: (i: number) => string) => (n: number) =>
    `start: r0\n${Array.from({ length: n }, (_, i) => `r${i}: ${rule(i)}`).join('\n')}\nr${n}: "a"`;
  const chains: [string, (n: number) => string][] = [
    ['of one rule each', below((i) => `r${i + 1}`)],
    ['that turn back to the first', below((i) => `r${i + 1} | r0 "b"`)],
    ['of operators', below((i) => `r${i + 1} | r${i} "x${i}" r${i + 1}`)],
    ['behind what may be empty', (n) => `${below((i) => `e r${i + 1}`)(n)}\ne: "z" |`],
  ];

  it.each(chains)('%s take room and work in proportion to their length', (_, grammar) => {
    expect(tableSize(grammar(1200))).toBeLessThan(tableSize(grammar(300)) * 4.1);
    expect(size(grammar(1200), 'a')).toBeLessThan(size(grammar(300), 'a') * 4.1);
  });

  it('of 10,000 are taken', () => {
    const result = parserOf(below((i) => `r${i + 1}`)(10_000)).parse('a');
    expect(result.accepted && depthOf(result.tree as ParseTree)).toBe(10_002);
  });
});

describe('what a column opens', () => {
  /** Positions in the order of Lark: each nonterminal that is waited for opens all that it can begin with. */
  function reference({ starts, firsts }: EarleyTable, from: number): number[] {
    const order = [from];
    for (const next of order) for (const first of firsts[next]!) if (!order.includes(first)) order.push(first);
    return order.flatMap((nonterminal) => [...starts[nonterminal]!]);
  }

  it('comes breadth first, and each once', () => {
    const name = fc.nat(7);
    const alternative = fc.array(name, { minLength: 1, maxLength: 2 });
    const rules = fc.array(fc.array(alternative, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(rules, (bodies) => {
        const written = bodies.map(
          (body, i) =>
            `r${i}: ${[...body.map((one) => one.map((to) => `r${to}`).join(' ')), `"${'abcdefgh'[i]}"`].join(' | ')}`,
        );
        const grammar = numberGrammar(compile(`start: r0\n${written.join('\n')}`));
        const start = grammar.nonterminalIds.get('start')!;
        const table = buildEarley(grammar, start);
        const chart = new EarleyChart(table, 1);
        chart.open(0);
        chart.settle();
        const opened = [...chart.scan, ...chart.column].map((item) => chart.itemPosition.data[item]!);
        const wanted = reference(table, start);
        // Those that wait for a terminal, then the others, both in order.
        const waits = (position: number) => table.expect[position]! < grammar.terminalCount;
        expect(opened).toEqual([...wanted.filter(waits), ...wanted.filter((position) => !waits(position))]);
      }),
      { seed: 17, numRuns: 200 },
    );
  });
});

describe('right recursion', () => {
  const grammars: [string, string, (n: number) => string][] = [
    ['in one rule', 'start: x\nx: "a" x | "a"', (n) => 'a'.repeat(n)],
    ['of the start', 'start: "a" start | "a"', (n) => 'a'.repeat(n)],
    ['of the start, with ignored text', 'start: "a" start | "a"\n%ignore " "', (n) => 'a '.repeat(n)],
    ['over two rules', 'start: x\nx: "a" y | "a"\ny: x', (n) => 'a'.repeat(n)],
    ['in a list', 'start: l\nl: N "," l | N\nN: /[0-9]+/', (n) => `${'1,'.repeat(n)}2`],
    ['below an expression', 'start: s\ns: p "+" s | p\np: "a" | "(" s ")"', (n) => `${'a+'.repeat(n)}(a+a)`],
  ];

  it.each(grammars)('%s takes work in proportion to the text', (_, grammar, text) => {
    const small = size(grammar, text(500));
    const large = size(grammar, text(2000));
    expect(large).toBeLessThan(small * 4.2);
  });

  it.each(grammars)('%s makes the tree that LALR makes', (_, grammar, text) => {
    for (const n of [1, 2, 7, 8, 9, 10, 30]) {
      expect(treeOf(grammar, text(n))).toBe(treeOf(grammar, text(n), { parser: 'lalr' }));
    }
  });

  it('of 20,000 tokens makes a tree of that depth', () => {
    const result = parserOf('start: x\nx: "a" x | "a"').parse('a'.repeat(20_000));
    expect(result.accepted && depthOf(result.tree as ParseTree)).toBe(20_001);
  });

  it('keeps all readings where chains meet other derivations', () => {
    const grammar = 'start: x\nx: A x | A | A y\ny: A x | A\nA: "a"';
    const explicit = treeOf(grammar, 'a'.repeat(12), { ambiguity: 'explicit' });
    expect(explicit.match(/_ambig/g)!.length).toBeGreaterThan(5);
    expect(treeOf(grammar, 'a'.repeat(12))).toBe(`start(${'x(A:a '.repeat(11)}x(A:a${')'.repeat(13)}`);
  });
});

describe('trees with all readings', () => {
  const refusal = (grammar: string, text: string): string => {
    const result = parserOf(grammar, { ambiguity: 'explicit' }).parse(text);
    return result.accepted ? 'accepted' : result.error.kind;
  };

  it('end as too complex where readings multiply without a bound', () => {
    const empty = [
      'start: d',
      'd: a+ b+ (a | /a|b/i d~2 d+ | ("(" d? "a".."b" | e~3 b | d*)+)? -> a2',
      'b: e* a -> al',
      'a: ("c"~0..3)~2 e?',
      'e: b | (d? e | e? | b? d)* | "("',
    ];
    expect(refusal(empty.join('\n'), 'ba')).toBe('too-complex');
    expect(refusal('start: _x\n_x: _x _x | "a"', 'a'.repeat(30))).toBe('too-complex');
  });

  it('end as too complex where shared parts make them too large to write', () => {
    const twice = (n: number) => Array.from({ length: n }, (_, i) => `r${i}: r${i + 1} r${i + 1}`).join('\n');
    expect(refusal(`start: r0\n${twice(40)}\nr40:`, '')).toBe('too-complex');
    expect(refusal(`start: r0\n${twice(10)}\nr10:`, '')).toBe('accepted');
    expect(refusal('start: e\ne: e "+" e | "1"', Array(40).fill('1').join('+'))).toBe('too-complex');
    expect(refusal('start: e\ne: e "+" e | "1"', '1+1+1+1+1+1+1+1')).toBe('accepted');
  });

  it('are judged anew for each text', () => {
    const parser = parserOf('start: e\ne: e "+" e | "1"', { ambiguity: 'explicit' });
    for (let n = 0; n < 20; n++) {
      expect(parser.parse(Array(40).fill('1').join('+')).accepted).toBe(false);
      expect(parser.parse('1+1+1').accepted).toBe(true);
    }
  });
});

describe('ambiguity', () => {
  const sum = 'start: e\n?e: e "+" e -> add | N\nN: /[0-9]/';

  it('is settled to the left, or kept', () => {
    expect(treeOf(sum, '1+2+3')).toBe('start(add(add(N:1 N:2) N:3))');
    expect(treeOf(sum, '1+2+3', { ambiguity: 'explicit' })).toBe(
      'start(_ambig(add(add(N:1 N:2) N:3) add(N:1 add(N:2 N:3))))',
    );
  });

  it('is settled by priorities, which can be turned or left out', () => {
    const grammar = 'start: a | b\na.1: "x"\nb.2: "x"';
    expect(treeOf(grammar, 'x')).toBe('start(b())');
    expect(treeOf(grammar, 'x', { priority: 'invert' })).toBe('start(a())');
    expect(treeOf(grammar, 'x', { priority: null })).toBe('start(a())');
  });

  it('is not settled by what Lark turns twice', () => {
    // Two alternatives share one priority, which the second turn puts back.
    const grammar = 'start: a | b\na.1: "x" | "y"\nb.2: "x" | "y"';
    expect(treeOf(grammar, 'x', { priority: 'invert' })).toBe('start(b())');
  });

  it('of circles is cut', () => {
    expect(treeOf('start: a\na: b | "x"\nb: a | "y"', 'x')).toBe('start(a())');
    expect(treeOf('start: start |', '')).toBe('start()');
  });

  it('of empty parts goes to the reading that is found first', () => {
    expect(treeOf('start: x x\nx: A?\nA: "a"', 'a')).toBe('start(x() x(A:a))');
  });
});

describe('budgets', () => {
  const grammar = 'start: e\ne: e e | e e e | "a"';

  it('end in "too complex"', () => {
    expect(errorOf(grammar, 'a'.repeat(60), { budget: { items: 10_000 } })).toMatchObject({
      kind: 'too-complex',
      pos: undefined,
      expected: [],
    });
    expect(errorOf(grammar, 'a'.repeat(60), { budget: { steps: 5_000 } }).kind).toBe('too-complex');
  });

  it('hold for readings that are multiplied out', () => {
    const wide = (n: number) => `start:${' _x'.repeat(n)}\n_x: a | b\na: "a"\nb: "a"`;
    expect(errorOf(wide(20), 'a'.repeat(20), { ambiguity: 'explicit' }).kind).toBe('too-complex');
    expect(treeOf(wide(9), 'a'.repeat(9), { ambiguity: 'explicit' }).split('start(')).toHaveLength(513);
  });
});

describe('errors', () => {
  it('have no place at the end of the text', () => {
    expect(errorOf('start: A B\nA: "a"\nB: "b"', 'a')).toEqual({
      kind: 'UnexpectedEOF',
      pos: undefined,
      line: undefined,
      column: undefined,
      expected: ['B'],
    });
  });

  it('name the token with the basic lexer', () => {
    expect(errorOf('start: A B\nA: "a"\nB: "b"', 'aa', { lexer: 'basic' })).toEqual({
      kind: 'UnexpectedToken',
      pos: 1,
      line: 1,
      column: 2,
      expected: ['B'],
      token: { type: 'A', value: 'a' },
    });
  });

  it('tell set-ups that Lark does not have', () => {
    const grammar = compile('start: "a"');
    expect(createParser(grammar, { parser: 'earley', lexer: 'contextual' }).problem?.code).toBe('options.invalid');
    expect(createParser(grammar, { parser: 'lalr', lexer: 'dynamic' }).problem?.code).toBe('options.invalid');
  });
});

describe('laws', () => {
  const symbol = fc.constantFrom('"a"', '"b"', 'A', 'x', 'y', '_z', '"c"?', '["b"]', 'A*');
  const alternative = fc.array(symbol, { minLength: 0, maxLength: 3 }).map((symbols) => symbols.join(' '));
  const body = fc.array(alternative, { minLength: 1, maxLength: 3 }).map((alternatives) => alternatives.join(' | '));
  const grammar = fc
    .tuple(body, body, body, body)
    .map(([start, x, y, z]) => `start: ${start}\nx: ${x}\n?y: ${y}\n_z: ${z}\nA: "q"`);
  const input = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'q'), maxLength: 6 });

  it('Earley and LALR agree where the tables have no conflict, also on refused texts', () => {
    let compared = 0;
    fc.assert(
      fc.property(grammar, fc.array(input, { minLength: 4, maxLength: 4 }), (text, inputs) => {
        const compiled = compile(text);
        const lalr = createParser(compiled, { parser: 'lalr' });
        if (lalr.problem !== undefined || lalr.parser.lalr!.conflicts.length > 0) return;
        const earley = createParser(compiled, { parser: 'earley' }) as Extract<typeof lalr, { parser: unknown }>;
        for (const each of inputs) {
          const a = lalr.parser.parse(each);
          const b = earley.parser.parse(each);
          expect(b.accepted).toBe(a.accepted);
          if (a.accepted && b.accepted) expect(show(b.tree)).toBe(show(a.tree));
          compared++;
        }
      }),
      { seed: 7, numRuns: 600 },
    );
    expect(compared).toBeGreaterThan(300);
  });

  it('nothing throws or hangs, whatever the grammar and the text', () => {
    const options = [
      {},
      { ambiguity: 'explicit' },
      { lexer: 'dynamic_complete' },
      { lexer: 'basic' },
      { parser: 'lalr' },
    ];
    fc.assert(
      fc.property(grammar, input, (text, each) => {
        for (const option of options) {
          const made = createParser(compile(text), {
            ...(option as object),
            budget: { items: 20_000, steps: 100_000 },
          });
          if (made.problem === undefined) expect(made.parser.parse(each).accepted).toBeTypeOf('boolean');
        }
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});
