import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Alternatives, Definition, Expression } from '../../../../server/src/core/grammar/ast';
import { loadGrammar } from '../../../../server/src/core/grammar/load/load';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { grammarNames } from '../../../../server/src/core/grammar/resolve';
import { render } from '../../../../server/src/core/text/message';

function definition(text: string, index = 0): Definition {
  return parseGrammar(text).items.filter((item) => item.kind === 'definition')[index]!;
}

/** A body as an expression with all brackets written out. */
function show(body: Alternatives): string {
  return body.items
    .map(({ items, alias }) => items.map(one).join(' ') + (alias === undefined ? '' : ` -> ${alias.text}`))
    .join(' | ');
}

function one(expression: Expression): string {
  switch (expression.kind) {
    case 'reference':
      return expression.name.text + (expression.parameter === undefined ? '' : '::');
    case 'string':
    case 'regexp':
      return expression.raw;
    case 'range':
      return `${expression.from.raw}..${expression.to.raw}`;
    case 'template':
      return `${expression.name.text}{${expression.arguments.map(one).join(',')}}`;
    case 'group':
      return `(${show(expression.body)})`;
    case 'optional':
      return `[${show(expression.body)}]`;
    case 'repeat': {
      const { operator, least, most } = expression;
      return `${one(expression.item)}${operator}${'~{}'.includes(operator) ? `<${least},${most}>` : ''}`;
    }
    case 'negation':
      return `~(${one(expression.item)})`;
    case 'intersection':
      return expression.operands.map(({ items }) => `<${items.map(one).join(' ')}>`).join('&');
    default:
      return expression.kind;
  }
}

describe('the tree of a grammar', () => {
  it('has the whole head of a definition', () => {
    const text = '%override ?!t{x, y}.-3: x';
    const { directive, modifiers, name, parameters, priority, span } = definition(text);
    expect({ directive, modifiers, name: name.text, parameters: parameters!.map((each) => each.text) }).toEqual({
      directive: 'override',
      modifiers: '?!',
      name: 't',
      parameters: ['x', 'y'],
    });
    expect(priority).toEqual({ value: -3, span: { start: 19, end: 22 } });
    expect(span).toEqual({ start: 0, end: text.length });
  });

  it.each([
    ['a: b c | "d" -> e |', 'b c | "d" -> e | '],
    ['a: (b | [c d])+ e? f*', '(b | [c d])+ e? f*'],
    ['a: "x".."z" /r/i~2 "q" ~ 3 .. 4', '"x".."z" /r/i~<2,undefined> "q"~<3,4>'],
    ['a: t{"x", u{Y}, "a".."b"} c', 't{"x",u{Y},"a".."b"} c'],
    ['A: "a"{2} /b/{1,} C{,3}', '"a"{}<2,2> /b/{}<1,undefined> C{}<0,3>'],
    ['A: B & ~"c"+ D | E', '<B>&<~("c")+ D> | E'],
    ['a: b::_ c::incr(_) %if lt(_, 3)', 'b:: c::'],
    ['a: %json {} %regex {} <t> @g', 'json structuredRegex special grammarName'],
    ['a: b\n  // note\n  | c\n\n  | d', 'b | c | d'],
  ])('%j', (text, expected) => {
    const document = parseGrammar(text);
    expect(document.problems).toEqual([]);
    expect(show(definition(text).body)).toBe(expected);
  });

  it('has the items of a grammar inside a grammar', () => {
    const document = parseGrammar('start: %lark {\n start: X\n X: "x"\n} "b"\nY: "y"\n');
    expect(document.problems).toEqual([]);
    const [start, y] = document.items as [Definition, Definition];
    const nested = start.body.items[0]!.items[0]!;
    expect(
      nested.kind === 'nested' && nested.items.map((item) => item.kind === 'definition' && item.name.text),
    ).toEqual(['start', 'X']);
    expect(y.name.text).toBe('Y');
  });

  it('marks what only one dialect reads', () => {
    const text = 'a-b[lazy]: /x/{2}\n?!c{p}.2: p \\\n | "d"\n%declare E\n%import .f.G\n%llguidance {}\n';
    const marks = parseGrammar(text).marks.map(({ kind, only, span }) => [
      only,
      kind,
      text.slice(span.start, span.end),
    ]);
    expect(marks).toEqual([
      ['llguidance', 'dash-name', 'a-b'],
      ['llguidance', 'attributes', '[lazy]'],
      ['llguidance', 'brace-repeat', '{2}'],
      ['lark', 'modifier-order', '?!'],
      ['lark', 'template-definition', '{p}'],
      ['lark', 'priority', '.2'],
      ['lark', 'continuation', '\\\n'],
      ['lark', 'declare', '%declare'],
      ['lark', 'relative-import', '.'],
      ['llguidance', 'header', '%llguidance {}'],
    ]);
  });

  it.each([
    ['a: "x"\n | "y"', 0],
    ['a: "x" // c\n\n | "y"', 0],
    ['a: "x"\n // c\n | "y"', 1],
    ['a: "x"\n  \n | "y"', 1],
  ])('%j: bars that something stands in front of', (text, count) => {
    expect(parseGrammar(text).marks.filter(({ kind }) => kind === 'interrupted-bar')).toHaveLength(count);
  });
});

/** The text with each problem of the syntax in brackets, and the codes. */
function problems(text: string): { marked: string; codes: string[] } {
  const { problems: found } = parseGrammar(text);
  const edges = found.flatMap(({ span }) => [[span.start, '⟦'] as const, [span.end, '⟧'] as const]);
  let marked = text;
  for (const [at, sign] of edges.reverse()) marked = marked.slice(0, at) + sign + marked.slice(at);
  return { marked, codes: found.map(({ code }) => code) };
}

describe('problems of the syntax', () => {
  it.each([
    ["start: ⟦'a'⟧ b", 'syntax.bad-character'],
    ['start: a⟦;⟧\nb: c', 'syntax.bad-character'],
    ['start: ⟦"abc⟧\nb: c', 'syntax.bad-character'],
    ['start ⟦=⟧ "a"', 'syntax.bad-character'],
    ['start ⟦::=⟧ "a"'.replace('⟦::=⟧', ':⟦:=⟧'), 'syntax.unexpected-colon'],
    ['⟦start⟧ "a"\nb: c', 'syntax.expected-definition'],
    ['start: "a"\n⟦foo⟧\nb: c', 'syntax.expected-definition'],
    ['start: ⟦(⟧"a" "b"\nx: "c"', 'syntax.unclosed-paren'],
    ['start: [⟦(⟧"a"\nx: "c"', 'syntax.unclosed-paren'],
    ['start: "a"⟦)⟧\nx: "c"', 'syntax.unmatched-paren'],
    ['start: ("a"⟦]⟧ "b"\nx: "c"', 'syntax.unmatched-paren'],
    ['start: "a"+⟦*⟧ b', 'syntax.misplaced-operator'],
    ['start: | ⟦+⟧ b', 'syntax.misplaced-operator'],
    ['start: "a"⟦?⟧b', 'syntax.misplaced-operator'],
    ['start: "a"\n  ⟦"b"⟧ "c"\n  | d', 'syntax.expected-option'],
    ['start: "a" -> ⟦Foo⟧\nb: c', 'syntax.alias-name'],
    ['start: a\n⟦fooBar⟧: "x"', 'syntax.mixed-case-name'],
    ['start: "a"⟦,⟧ "b"', 'syntax.expected-value'],
    ['start: "a" ⟦~⟧\nb: c', 'syntax.other'],
    ['%import ⟦"common"⟧\nstart: a', 'syntax.import-name'],
    ['⟦%include⟧ foo\nstart: a', 'syntax.bad-character'],
    ['start: t{⟦(⟧a | b)}\nc: d', 'syntax.template-arg-type'],
    ['t{⟦X⟧}: X\nc: d', 'syntax.other'],
    ['⟦<start>⟧: "a"\nb: c', 'syntax.bad-character'],
    ['%declare A⟦,⟧ B\nstart: a', 'syntax.other'],
  ])('%s', (marked, code) => {
    expect(problems(marked.replace(/[⟦⟧]/g, ''))).toEqual({ marked, codes: [code] });
  });

  it('keeps the definitions around a broken one', () => {
    const { items } = parseGrammar('a: (b\nc: "d" ]\nE: F\n% x\ng: h\n');
    expect(items.map((item) => item.kind === 'definition' && [item.name.text, item.broken])).toEqual([
      ['a', true],
      ['c', true],
      ['E', false],
      ['g', false],
    ]);
  });

  it('writes sentences', () => {
    const { problems: found } = parseGrammar("start: 'a' |+ ) é\nx y\n%foo\n");
    expect(found.length).toBeGreaterThan(4);
    for (const { message } of found) expect(render(message)).toMatch(/^[^a-z].*\.$/s);
  });

  it('gives up on brackets without an end', () => {
    for (const bracket of ['(', '[', 't{']) {
      const { problems: found } = parseGrammar(`start: ${bracket.repeat(100_000)}\nx: "y"\n`);
      expect(found.map(({ code }) => code)).toEqual(['too-complex']);
    }
  });
});

describe('any text', () => {
  const vectors = JSON.parse(readFileSync(new URL('../../../vectors/lark/vectors.json', import.meta.url), 'utf8')) as {
    vectors: { grammar: string }[];
  };
  const grammars = [...new Set(vectors.vectors.map(({ grammar }) => grammar))];
  const pieces = [
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '|',
    '\n',
    '\n |',
    ':',
    '->',
    '~',
    '..',
    '.',
    '?',
    '*',
    '!',
    '"',
    '/',
    '\\',
    '//',
    '%ignore ',
    '%import ',
    '%extend ',
    'a',
    'A',
    ' ',
    ',',
    '<',
    '&',
    '::_',
    '%json {',
    '%lark {\n',
    '%if x',
    't{',
    '-',
    '=',
    '\t',
    '\r',
  ];
  const mutations = fc.array(
    fc.record({ at: fc.nat(), cut: fc.nat({ max: 6 }), piece: fc.constantFrom('', ...pieces) }),
    { minLength: 1, maxLength: 4 },
  );

  it('is read without an exception and without loss', () => {
    fc.assert(
      fc.property(fc.constantFrom(...grammars), mutations, (grammar, changes) => {
        let text = grammar;
        for (const { at, cut, piece } of changes) {
          const start = at % (text.length + 1);
          text = text.slice(0, start) + piece + text.slice(start + cut);
        }
        const document = parseGrammar(text);
        expect(document.tokens.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
        const { problems: found, grammar: loaded } = loadGrammar(document, { lexer: 'dynamic' });
        expect(found.length > 0 || loaded !== undefined).toBe(true);
        for (const { span } of found) expect(0 <= span.start && span.start <= span.end).toBe(true);
        for (const { name } of grammarNames(document).occurrences) {
          expect(text.slice(name.span.start, name.span.end)).toBe(name.text);
        }
      }),
      { seed: 42, numRuns: 2000 },
    );
  });
});
