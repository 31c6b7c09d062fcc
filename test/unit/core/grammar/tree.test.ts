import { describe, expect, it } from 'vitest';
import type { CompiledRule } from '../../../../server/src/core/grammar/compiled';
import { LarkFault, type ParseChild, ruleBuilder, TreeWork, tree } from '../../../../server/src/core/grammar/tree';
import { treeOf } from './parserSupport';

const PARSERS = [{ parser: 'earley' }, { parser: 'lalr' }] as const;

describe.each(PARSERS)('trees of $parser', (options) => {
  const shape = (grammar: string, input: string, more: object = {}) => treeOf(grammar, input, { ...options, ...more });

  it('name nodes by alias, template or rule', () => {
    expect(shape('start: "a" -> one | two\ntwo: "b"', 'a')).toBe('one()');
    expect(shape('start: pair{A}\npair{x}: x "," x\nA: "a"', 'a,a')).toBe('start(pair(A:a A:a))');
  });

  it('drop unnamed strings and names with an underscore, unless told to keep them', () => {
    expect(shape('start: "(" A _B /c/ ")"\nA: "a"\n_B: "b"', '(abc)')).toBe('start(A:a __ANON_0:c)');
    expect(shape('!start: "(" A _B x\nA: "a"\n_B: "b"\nx: ")"', '(ab)')).toBe('start(LPAR:( A:a _B:b x())');
  });

  it('splice rules with an underscore and repeats', () => {
    expect(shape('start: _l\n_l: A _l |\nA: "a"', 'aa')).toBe('start(A:a A:a)');
    expect(shape('start: (A B)* "."\nA: "a"\nB: "b"', 'abab.')).toBe('start(A:a B:b A:a B:b)');
  });

  it('let a single child take the place of a conditional rule', () => {
    expect(shape('start: x\n?x: A | A A -> two | "b"\nA: "a"', 'a')).toBe('start(A:a)');
    expect(shape('start: x\n?x: A | A A -> two | "b"\nA: "a"', 'aa')).toBe('start(two(A:a A:a))');
    expect(shape('start: x\n?x: A | A A -> two | "b"\nA: "a"', 'b')).toBe('start(x())');
    expect(shape('?start: A\nA: "a"', 'a')).toBe('A:a');
    expect(shape('start: x\n?x: [A] B\nA: "a"\nB: "b"', 'b')).toBe('start(x(- B:b))');
  });

  it('put nothing for an absent optional, or a place for each symbol that it would have had', () => {
    const grammar = 'start: [A B] [A "x" | _y] C\n_y: "y"\nA: "a"\nB: "b"\nC: "c"';
    expect(shape(grammar, 'c')).toBe('start(- - - C:c)');
    expect(shape(grammar, 'abc')).toBe('start(A:a B:b - C:c)');
    expect(shape(grammar, 'c', { maybePlaceholders: false })).toBe('start(C:c)');
  });
});

describe('rule builders', () => {
  const rule = (symbols: string[], extra: Partial<CompiledRule['options']> = {}): CompiledRule => ({
    origin: 'r',
    expansion: symbols.map((name) => ({ name, terminal: name === name.toUpperCase(), filterOut: false })),
    alias: undefined,
    order: 0,
    options: {
      keepAllTokens: false,
      expand1: false,
      priority: undefined,
      templateSource: undefined,
      emptyIndices: [],
      ...extra,
    },
    span: undefined,
  });
  const token: ParseChild = { kind: 'token', type: 'A', value: 'a', start: 0, end: 1 };

  it('fail as Python does where something that is no node is spliced', () => {
    const build = ruleBuilder(rule(['_x', 'A']), { maybePlaceholders: true, explicit: undefined });
    expect(() => build([token, token])).toThrow(LarkFault);
    expect(() => build([tree('_x', [])])).toThrow('list index out of range');
  });

  it('take over the list of a spliced first child, but not where nodes are shared', () => {
    const first = tree('_x', [token]);
    const owned = ruleBuilder(rule(['_x', 'A']), { maybePlaceholders: true, explicit: undefined })([first, token]);
    expect(owned).toEqual(tree('r', [token, token]));
    expect(first.children).toHaveLength(2);
    const shared = tree('_x', [token]);
    ruleBuilder(rule(['_x', 'A']), { maybePlaceholders: true, explicit: new TreeWork() })([shared, token]);
    expect(shared.children).toHaveLength(1);
  });

  it('move readings of spliced children up', () => {
    const readings = tree('_ambig', [tree('_x', [token]), tree('_x', [])]);
    const build = ruleBuilder(rule(['_x', 'A']), { maybePlaceholders: true, explicit: new TreeWork() });
    expect(build([readings, token])).toEqual(tree('_ambig', [tree('r', [token, token]), tree('r', [token])]));
  });
});
