import { describe, expect, test } from 'vitest';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { type RailroadNode, railroadOf } from '../../../../server/src/core/grammar/railroad';

/** A diagram in one line: `a b` in a row, `a | b` a choice, `a?`, `a+` and `a+(sep)` repeats, `type:label(…)` groups. */
function show(node: RailroadNode): string {
  switch (node.kind) {
    case 'skip':
      return '-';
    case 'literal':
    case 'name':
      return node.text;
    case 'sequence':
      return node.items.map(inner).join(' ');
    case 'choice':
      return node.items.map(inner).join(' | ');
    case 'optional':
      return `${inner(node.item)}${node.placeholder ? '[]' : '?'}`;
    case 'repeat': {
      const count = node.least === 1 && node.most === undefined ? '+' : `{${node.least},${node.most ?? ''}}`;
      return `${inner(node.item)}${count}${node.separator === undefined ? '' : `(${show(node.separator)})`}`;
    }
    case 'group':
      return `${node.type}:${node.label}(${show(node.item)})`;
    case 'more':
      return `…${node.count ?? ''}`;
  }
}

function inner(node: RailroadNode): string {
  return node.kind === 'choice' || node.kind === 'sequence' ? `<${show(node)}>` : show(node);
}

const first = (body: string): string => show(railroadOf(parseGrammar(`start: ${body}`))[0]!.diagram);

describe('the diagram of', () => {
  test.each([
    ['a b "c" /d/i', 'a b "c" /d/i'],
    ['a | b c | d', 'a | <b c> | d'],
    ['(a | b) | c', 'a | b | c'],
    ['(a b) c', 'a b c'],
    ['a (b | c)', 'a <b | c>'],
    ['', '-'],
    ['() [ ] a', 'a'],
    ['a | | b |', 'a | - | b'],
    ['a?', 'a?'],
    ['[a b]', '<a b>[]'],
    ['[a]?', 'a[]'],
    ['a+ b*', 'a+ b+?'],
    ['(a?)*', 'a+?'],
    ['a~3', 'a{3,3}'],
    ['a~0 b', 'b'],
    ['a~1', 'a'],
    ['a~0..1', 'a?'],
    ['a~2..5', 'a{2,5}'],
    ['a~0..5', 'a{1,5}?'],
    ['A{2,} A{,3} A{4}', 'A{2,} A{1,3}? A{4,4}'],
    ['a ("," a)*', 'a+(",")'],
    ['a ("," a)* ","?', 'a+(",") ","?'],
    ['(a ",")* a', 'a+(",")'],
    ['"(" a b ("," S a b)* ")"', '"(" <a b>+("," S) ")"'],
    ['b ("," a)*', 'b <"," a>+?'],
    ['a ("," a | b)*', 'a <<"," a> | b>+?'],
    ['a (a)*', 'a a+?'],
    ['a ("," a)+', 'a <"," a>+'],
    ['a -> x | b', 'alias:x(a) | b'],
    ['("a" -> x | "b")', 'alias:x("a") | "b"'],
    ['"a".."z"', '"a".."z"'],
    ['t{ a,\t"b" }', 't{ a, "b" }'],
    ['A & ~B c', 'and:and(A | <not:not(B) c>)'],
    ['x::incr(_)  %if lt(_, 2)', 'if:%if lt(_, 2)(x::incr(_))'],
    ['%json {"a": 1} <tok> @g', '%json {"a": 1} <tok> @g'],
  ])('%s', (body, expected) => {
    expect(first(body)).toBe(expected);
  });

  test('half-typed text is what is there', () => {
    expect(first('a ( b | ')).toBe('a <b | ->');
    expect(railroadOf(parseGrammar('start'))).toMatchObject([{ name: 'start', diagram: { kind: 'skip' } }]);
    expect(railroadOf(parseGrammar('??'))).toEqual([]);
  });
});

describe('definitions', () => {
  const text = [
    '!?a.2: t{b} | C | IMPORTED | LISTED | RENAMED | TOKEN | nowhere',
    't{x}: x b',
    'b[lazy]: C',
    'C: /c/',
    '%import common.IMPORTED',
    '%import m (LISTED, other)',
    '%import m.x -> RENAMED',
    '%declare TOKEN',
    '%ignore  / /',
    '%extend C: "d"',
  ].join('\n');
  const rules = railroadOf(parseGrammar(text));

  test('are all there, in text order', () => {
    expect(rules.map(({ kind, name, head }) => [kind, name, head])).toEqual([
      ['rule', 'a', '!?a.2'],
      ['template', 't', 't{x}'],
      ['rule', 'b', 'b[lazy]'],
      ['terminal', 'C', 'C'],
      ['ignore', '%ignore', '%ignore'],
      ['terminal', 'C', '%extend C'],
    ]);
    expect(rules[4]).toMatchObject({ source: '%ignore / /' });
    expect(rules.map(({ nameSpan: { start, end } }) => text.slice(start, end))).toEqual(
      rules.map(({ name }) => (name === '%ignore' ? '%ignore' : name)),
    );
  });

  test('names lead to where they are defined', () => {
    const { diagram } = rules[0]!;
    const names = diagram.kind === 'choice' ? diagram.items : [];
    expect(
      names.map((node) => {
        if (node.kind !== 'name') return undefined;
        const { type, definition } = node;
        const line = definition && text.slice(text.lastIndexOf('\n', definition.start) + 1).split('\n')[0];
        return [type, line];
      }),
    ).toEqual([
      ['template', 't{x}: x b'],
      ['terminal', 'C: /c/'],
      ['terminal', '%import common.IMPORTED'],
      ['terminal', '%import m (LISTED, other)'],
      ['terminal', '%import m.x -> RENAMED'],
      ['terminal', '%declare TOKEN'],
      ['rule', undefined],
    ]);
  });

  test('parameters lead to the head of their template', () => {
    const { diagram } = rules[1]!;
    expect(diagram).toMatchObject({
      items: [
        { type: 'parameter', definition: { start: text.indexOf('{x}') + 1 } },
        { type: 'rule', name: 'b' },
      ],
    });
  });
});

describe('too much', () => {
  test('depth is left out', () => {
    expect(first(`${'('.repeat(900)}"x" y${')'.repeat(900)}`)).toBe('…');
    expect(first(`${'~'.repeat(100_000)}"x"`)).toMatch(/^not:not\(.*…\)+$/);
  });

  test('many alternatives are left out, and counted', () => {
    const words = Array.from({ length: 60_000 }, (_, i) => `"${i}"`);
    const { diagram } = railroadOf(parseGrammar(`start: ${words.join(' | ')}`))[0]!;
    expect(diagram).toMatchObject({ kind: 'choice' });
    expect(show(diagram)).toMatch(/ \| "249" \| …59750$/);
    expect(first(words.slice(0, 300).join(' '))).toMatch(/ "249" …50$/);
  });
});
