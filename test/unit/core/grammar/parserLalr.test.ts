import { describe, expect, it } from 'vitest';
import { createParser, type GrammarParser } from '../../../../server/src/core/grammar/engine';
import type { LexerKind } from '../../../../server/src/core/grammar/load/checkTerminals';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { ConflictExamples } from '../../../../server/src/core/grammar/parser/conflictExample';
import { buildLalr, findConflicts } from '../../../../server/src/core/grammar/parser/lalr';
import { buildLr0 } from '../../../../server/src/core/grammar/parser/lr0';
import { compareNames, isUpperName, numberGrammar } from '../../../../server/src/core/grammar/parser/symbols';
import { SeededRandom } from '../../../../server/src/core/grammar/random';
import { type ParseTree, TooComplex } from '../../../../server/src/core/grammar/tree';
import { compile, errorOf, parserOf, problemOf, treeOf } from './parserSupport';

const LALR = { parser: 'lalr' } as const;

/** Each conflict as `kind on TERMINAL: tokens . choice [action rest]`. */
function conflicts(text: string): string[] {
  const grammar = numberGrammar(compile(text));
  const starts = [grammar.nonterminalIds.get('start')!];
  const found = findConflicts(grammar, starts);
  expect(found.conflicts).toEqual(buildLalr(grammar, starts).conflicts);
  const names = (ids: readonly number[]) => ids.map((id) => grammar.terminalNames[id]).join(' ');
  const examples = new ConflictExamples(found);
  return found.conflicts.map((conflict) => {
    const example = examples.of(conflict)!;
    const choices = example.choices.map(({ action, rest }) => {
      const what = action === 'shift' ? 'shift' : grammar.rules[action]!.origin;
      return `[${what}: ${rest === undefined ? 'nowhere' : names(rest)}]`;
    });
    return `${conflict.kind} ${names(example.before)} . ${names([conflict.terminal])} ${choices.join(' ')}`;
  });
}

const load = (text: string, lexer: LexerKind): string[] =>
  loadGrammar(parseGrammar(text), { lexer }).problems.map(({ code }) => code);

describe('LALR tables', () => {
  it('settle a choice between going on and ending by going on', () => {
    const dangling = 'start: s\ns: "if" s ["else" s] | "x"\n%ignore " "';
    expect(treeOf(`${dangling}`.replace('"x"', '"x" -> leaf'), 'if if x else x', LALR)).toBe(
      'start(s(s(leaf() leaf()) -))',
    );
    expect(problemOf(dangling, { ...LALR, strict: true })).toBe('lalr.shift-reduce-strict');
    expect(conflicts(dangling)).toEqual(['shift-reduce IF IF X . ELSE [shift: ELSE X] [s: ELSE X]']);
  });

  it('refuse two rules that end at once, unless one has the higher priority', () => {
    const grammar = 'start: a | b\na: "x"\nb: "x"';
    expect(problemOf(grammar, LALR)).toBe('lalr.reduce-reduce');
    expect(conflicts(grammar)).toEqual(['reduce-reduce X . $END [a: ] [b: ]']);
    expect(treeOf(grammar.replace('b:', 'b.1:'), 'x', LALR)).toBe('start(b())');
    expect(treeOf(grammar.replace('b:', 'b.1:'), 'x', { ...LALR, priority: 'invert' })).toBe('start(a())');
    expect(problemOf(grammar.replace('b:', 'b.1:'), { ...LALR, priority: null })).toBe('lalr.reduce-reduce');
  });

  it('tell a choice that no sentence has from one that some has', () => {
    // Merged states see both look-aheads; one token more would tell them apart.
    const grammar = 'start: "a" x "d" | "b" y "d" | "a" y "e" | "b" x "e"\nx: "c"\ny: "c"';
    const found = conflicts(grammar);
    expect(found).toHaveLength(2);
    expect(found[0]).toBe('reduce-reduce A C . D [x: D] [y: nowhere]');
  });

  it('have the look-aheads that Lark finds through half-read rules, surplus as they are', () => {
    const grammar = 'start: r /[ab]/ | /a+/ p\np: | q | "a"\nq: /a+/ r*\nr: q q | | /a+/* q*';
    expect(problemOf(grammar, LALR)).toBe('lalr.reduce-reduce');
  });

  it('lose what Lark loses: palindromes of even length', () => {
    const grammar = 'start: "a" start "a" | "b" start "b" |';
    expect(treeOf(grammar, 'abba', LALR)).toBe('refused UnexpectedToken');
    expect(treeOf(grammar, 'abba')).toBe('start(start(start()))');
  });
});

const RULES = ['start', 'p', 'q', 'r'];

/** A small grammar over the letters a, b and c. */
function grammarOf(random: SeededRandom): string {
  const item = (depth: number): string => {
    const kind = random.next();
    const letter = `"${random.pick(['a', 'b', 'c'])}"`;
    const group = depth < 2 ? `(${item(depth + 1)} ${random.pick(['', '|'])} ${item(depth + 1)})` : letter;
    const body = kind < 0.4 ? letter : kind < 0.8 ? random.pick(RULES)! : group;
    return body + random.pick(['', '', '', '?', '*', '+'])!;
  };
  const alternative = (): string => Array.from({ length: random.next() * 4 }, () => item(0)).join(' ');
  const body = (): string => Array.from({ length: 1 + random.next() * 2 }, alternative).join(' | ');
  return RULES.map((name) => `${name}${random.pick(['', '', '', name === 'start' ? '' : '.2'])}: ${body()}`).join('\n');
}

describe('conflicts by themselves', () => {
  it('are those of the tables, and every sentence of an example is one of the grammar', () => {
    const random = new SeededRandom(20);
    let found = 0;
    let sentences = 0;
    for (let round = 0; round < 400; round++) {
      const text = grammarOf(random);
      const { grammar: compiled, problems } = loadGrammar(parseGrammar(text));
      if (compiled === undefined || problems.length > 0) continue;
      const grammar = numberGrammar(compiled);
      const starts = [grammar.nonterminalIds.get('start')!];
      const table = buildLalr(grammar, starts);
      const explained = findConflicts(grammar, starts);
      expect(explained.conflicts, text).toEqual(table.conflicts);
      const examples = new ConflictExamples(explained);
      const earley = createParser(compiled, { lexer: 'basic' });
      if (earley.problem !== undefined) continue;
      for (const conflict of explained.conflicts.slice(0, 6)) {
        found++;
        const example = examples.of(conflict);
        for (const { rest } of example?.choices ?? []) {
          if (rest === undefined) continue;
          const sentence = [...example!.before, ...rest]
            .map((id) => grammar.terminals[id]?.pattern.value ?? '')
            .join('');
          expect(earley.parser.parse(sentence).accepted, `${text} :: ${sentence}`).toBe(true);
          sentences++;
        }
      }
    }
    expect(found).toBeGreaterThan(300);
    expect(sentences).toBeGreaterThan(300);
  });
});

describe('large LALR tables', () => {
  const lines = (count: number, line: (i: number) => string) => Array.from({ length: count }, (_, i) => line(i));

  it('say the same searched as written out', () => {
    const random = new SeededRandom(7);
    let cells = 0;
    for (let round = 0; round < 150; round++) {
      const text = grammarOf(random);
      const { grammar: compiled, problems } = loadGrammar(parseGrammar(text));
      if (compiled === undefined || problems.length > 0) continue;
      const grammar = numberGrammar(compiled);
      const starts = [grammar.nonterminalIds.get('start')!];
      const written = buildLalr(grammar, starts);
      const searched = buildLalr(grammar, starts, 0);
      expect([...searched.takenAnywhere()].sort()).toEqual([...written.takenAnywhere()].sort());
      for (let state = 0; state < buildLr0(grammar, starts).kernels.length; state++) {
        const actions = grammar.terminalNames.map((_, terminal) => written.action(state, terminal));
        expect(
          grammar.terminalNames.map((_, terminal) => searched.action(state, terminal)),
          text,
        ).toEqual(actions);
        const taken = actions.flatMap((action, terminal) => (action === 0 ? [] : [terminal]));
        expect([written.taken(state), searched.taken(state)]).toEqual([taken, taken]);
        const gotos = grammar.nonterminalNames.map((_, nonterminal) => written.goto(state, nonterminal));
        expect(grammar.nonterminalNames.map((_, nonterminal) => searched.goto(state, nonterminal))).toEqual(gotos);
        cells += actions.length + gotos.length;
      }
    }
    expect(cells).toBeGreaterThan(5_000);
  });

  it.each([
    ['literals', `start: ${lines(10_000, (i) => `"w${i}x"`).join(' | ')}`, 'w9999x', 'start()'],
    [
      'rules in a chain',
      `start: a0\n${lines(6_000, (i) => `?a${i}: "x" a${i + 1}`).join('\n')}\n?a6000: A\nA: "a"`,
      `${'x'.repeat(6_000)}a`,
      'start(A:a)',
    ],
    [
      'rules in brackets',
      `start: a0\n${lines(6_000, (i) => `?a${i}: "x" a${i + 1} "y"`).join('\n')}\n?a6000: A\nA: "a"`,
      `${'x'.repeat(6_000)}a${'y'.repeat(6_000)}`,
      'start(A:a)',
    ],
    [
      'keywords of a list',
      `start: item+\nitem: ${lines(3_000, (i) => `"w${i}x"`).join(' | ')}`,
      'w7xw2999x',
      'start(item() item())',
    ],
  ])('are made of many %s', (_, grammar, text, tree) => {
    expect(treeOf(grammar, text, LALR)).toBe(tree);
  });
});

describe('LALR parser', () => {
  it('reports the last token at the end of the text', () => {
    expect(errorOf('start: "a" "b"', 'a', LALR)).toMatchObject({
      kind: 'UnexpectedToken',
      pos: 0,
      line: 1,
      column: 1,
      token: { type: '$END', value: '' },
      expected: ['B'],
      accepts: ['B'],
    });
  });

  it('leaves imported names out of its sets, as Lark does', () => {
    expect(isUpperName('__ANON_0')).toBe(true);
    expect(isUpperName('common__INT')).toBe(false);
    expect(isUpperName('中')).toBe(false);
    expect(['\u{1F600}', '\uffee', 'a'].sort(compareNames)).toEqual(['a', '\uffee', '\u{1F600}']);
  });

  it('takes lists and brackets of 100,000', () => {
    const list = parserOf('start: x\nx: x "a" | "a"', LALR).parse('a'.repeat(100_000));
    expect(list.accepted).toBe(true);
    let depth = 0;
    for (let node = (list as { tree: ParseTree }).tree; node !== undefined; node = node.children[0] as ParseTree)
      depth++;
    expect(depth).toBe(100_001);
    const brackets = parserOf('start: "(" start ")" |', LALR);
    expect(brackets.parse(`${'('.repeat(100_000)}${')'.repeat(100_000)}`).accepted).toBe(true);
    const flat = parserOf('start: A*\nA: "a"', LALR).parse('a'.repeat(100_000));
    expect((flat as { tree: ParseTree }).tree.children).toHaveLength(100_000);
  });

  it('has a bound on moves, which grow with the square of ladders of rules', () => {
    const moves = (n: number): number => {
      const ladder = Array.from({ length: n }, (_, i) => `r${i}: "x${i}" r${i + 1} | r${i + 1}`).join('\n');
      const grammar = numberGrammar(compile(`start: r0\n${ladder}\nr${n}: "a"`));
      return buildLr0(grammar, [grammar.nonterminalIds.get('start')!], 10_000).moveSymbol.length;
    };
    expect(moves(40)).toBeGreaterThan(1_600);
    expect(() => moves(150)).toThrow(TooComplex);
  });

  it('ends in an error where empty rules go round in circles', () => {
    const parser: GrammarParser = parserOf('start: x "b"\nx.1: y x | "a"\ny.2:', LALR);
    expect(['UnexpectedToken', 'UnexpectedCharacters', 'too-complex']).toContain(
      (parser.parse('b') as { error: { kind: string } }).error.kind,
    );
  });
});

describe('terminals that can match nothing', () => {
  const apart = 'start: "x"\na: b Z\nb: a "y"\nZ: "z"?';

  it('are fine for the contextual lexer where no state takes them', () => {
    expect(load(apart, 'contextual')).toEqual([]);
    expect(problemOf(apart, LALR)).toBeUndefined();
    expect(treeOf(apart, 'x', LALR)).toBe('start()');
    expect(load(`${apart}\n%ignore Z`, 'contextual')).toEqual(['terminal.zero-width']);
    expect(problemOf(`${apart}\n%ignore Z`, LALR)).toBe('terminal.zero-width');
    expect(load(`${apart}\n%extend start: Z`, 'contextual')).toEqual(['terminal.zero-width']);
    expect(problemOf(`${apart}\n%extend start: Z`, LALR)).toBe('terminal.zero-width');
  });

  it('are refused by the other lexers wherever they are', () => {
    expect(load(apart, 'basic')).toEqual(['terminal.zero-width']);
    expect(load(apart, 'dynamic')).toEqual(['terminal.zero-width']);
    expect(problemOf(apart, { parser: 'lalr', lexer: 'basic' })).toBe('terminal.zero-width');
  });
});
