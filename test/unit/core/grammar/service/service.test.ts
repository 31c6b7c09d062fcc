import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseGrammar } from '../../../../../server/src/core/grammar/parse';
import { parsePythonRegex } from '../../../../../server/src/core/grammar/regex/parsePython';
import { grammarNames } from '../../../../../server/src/core/grammar/resolve';
import { charactersOf, visible, widthOf } from '../../../../../server/src/core/grammar/service/characters';
import { completions } from '../../../../../server/src/core/grammar/service/completion';
import { excerptOf, textsOf } from '../../../../../server/src/core/grammar/service/excerpt';
import { folds } from '../../../../../server/src/core/grammar/service/folding';
import { grammarHover } from '../../../../../server/src/core/grammar/service/hover';
import {
  called,
  callers,
  callItems,
  highlights,
  referenceCounts,
  references,
  renamable,
  renameProblem,
} from '../../../../../server/src/core/grammar/service/navigation';
import { outline } from '../../../../../server/src/core/grammar/service/outline';
import { selectionSteps } from '../../../../../server/src/core/grammar/service/selection';
import { semanticTokens } from '../../../../../server/src/core/grammar/service/semanticTokens';
import { treeShapes } from '../../../../../server/src/core/grammar/service/treeShape';
import { render } from '../../../../../server/src/core/text/message';
import { cursor, linksOf, marks, PATCH } from './support';

/** Labels at the cursor. */
function labels(marked: string, files: Record<string, string> = {}): string[] {
  const { text, offset } = cursor(marked);
  return completions(linksOf({ ...files, own: text }), 'own', offset, { modules: ['other'] }).map(({ label }) => label);
}

function hover(marked: string, files: Record<string, string> = {}) {
  const { text, offset } = cursor(marked);
  const found = grammarHover(linksOf({ ...files, own: text }), 'own', offset, (name) => `[${name}]`);
  if (found === undefined) return undefined;
  const rows = found.rows.map(({ label, text: about }) => `${render(label)}: ${render(about)}`);
  return { ...found, title: render(found.title), rows };
}

/** Tree shapes of the first rule. */
function shapes(text: string): string[] {
  const item = parseGrammar(text).items[0];
  if (item?.kind !== 'definition') throw new Error('no rule');
  return treeShapes(text, item);
}

describe('completion', () => {
  test('the import goes below the others, or above all', () => {
    const edit = (marked: string) => {
      const { text, offset } = cursor(marked);
      const item = completions(linksOf({ own: text }), 'own', offset).find(({ label }) => label === 'WS');
      const [more] = item!.more;
      return text.slice(0, more!.span.start) + more!.newText + text.slice(more!.span.end);
    };
    expect(edit('// About.\nstart: ‸\n')).toBe('// About.\n%import common.WS\nstart: \n');
    expect(edit('%import common.LF\r\nstart: ‸\r\n')).toBe('%import common.LF\r\n%import common.WS\r\nstart: \r\n');
  });

  test('what is imported already is not offered a second time', () => {
    expect(labels('start: ‸\n%import common.WS\n').filter((label) => label === 'WS')).toEqual(['WS']);
  });

  test('a template is offered with its parameters', () => {
    const { text, offset } = cursor('start: ‸\npair{left, right}: left right\n');
    const item = completions(linksOf({ own: text }), 'own', offset).find(({ label }) => label === 'pair');
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a snippet of the protocol.
    expect(item).toMatchObject({ kind: 'template', snippet: true, insert: 'pair{${1:left}, ${2:right}}' });
  });

  test('a bar goes on with the alternatives of the line above', () => {
    expect(labels('start: A\n  | ‸\nA: "a"\n')).toContain('A');
    expect(labels('A: "a"\n  | ‸\nb: A\n')).not.toContain('b');
  });

  test('names inside of a grammar in a grammar are those of that one', () => {
    const found = labels('start: %lark {\nstart: ‸ inner\ninner: "x"\n}\nouter: "y"\n');
    expect(found).toContain('inner');
    expect(found).not.toContain('outer');
  });

  test('behind a sign that wants a number, in parameters and behind a name there is nothing', () => {
    expect(labels('start: A~‸\nA: "a"\n')).toEqual([]);
    expect(labels('start{‸}: A\nA: "a"\n')).toEqual([]);
    expect(labels('%import common.WS -> ‸\n')).toEqual([]);
    expect(labels('%import common.WS ‸\n')).toEqual([]);
  });

  test('%declare takes terminals that are missing, %override what is imported', () => {
    expect(labels('%declare ‸\nstart: A b C\nC: "c"\n')).toEqual(['A']);
    expect(labels('%override ‸\n%import .other.x\nstart: x\n', { 'other.lark': 'x: "x"\n' })).toEqual(['x']);
  });

  test('files beside the grammar are modules', () => {
    expect(labels('%import .‸\n')).toEqual(['other']);
  });
});

describe('hover', () => {
  test('of the patch grammar', () => {
    const at = (part: string) => PATCH.replace(part, `‸${part}`);
    expect(hover(at('updating:'))).toMatchObject({
      title: '**updating** rule, used in [section].',
      rows: ['Tree: `updating(TEXT, LF, moving?, edits?)`'],
      texts: ['*** Update File: a\n', '*** Update File: a\n@@\n', '*** Update File: a\n*** Move to: a\n'],
    });
    expect(hover(at('TEXT: '))).toMatchObject({
      title: '**TEXT** terminal, used in [adding], [deleting], [updating] and 4 more.',
      rows: ['Length: 1 character or more', 'Starts with: any character but line feed'],
    });
    expect(hover(at('start'))?.title).toBe('**start** rule, where reading starts.');
  });

  test('of a name in another file', () => {
    const found = hover('start: ‸item\n%import .other.x -> item\n', { 'other.lark': 'x: Y+\nY: "y"\n' });
    expect(found).toMatchObject({ source: 'x: Y+', texts: ['y', 'yy'] });
  });

  test('a long definition is cut', () => {
    const lines = Array.from({ length: 30 }, (_, i) => `  | "${i}"`).join('\n');
    const source = hover(`start: ‸long\nlong: "a"\n${lines}\n`)!.source!;
    expect(source.split('\n')).toHaveLength(12);
    expect(source.endsWith('…')).toBe(true);
  });

  test('a terminal without a text has no samples', () => {
    expect(hover('start: ‸A\nA: /[^\\s\\S]/\n')?.texts).toEqual([]);
  });
});

describe('excerpts', () => {
  const texts = (text: string, name: string): string[] => {
    const links = linksOf({ own: text });
    const excerpt = excerptOf(links, 'own', links.names('own')!.root, name);
    return excerpt === undefined ? [] : textsOf(excerpt, 3);
  };

  test('hold what a name needs and nothing else', () => {
    expect(texts('start: a missing\na: B | "x" a\nB: "b"\nbroken: ( \n', 'a')).toEqual(['b', 'xb', 'xxb']);
    expect(texts('start: a\na: b\nb: (\n', 'a')).toEqual([]);
  });

  test('follow imports with their aliases', () => {
    expect(texts('start: N\n%import common.DIGIT -> N\n', 'start')).toEqual(['0']);
  });

  test('a rule without an end has no text, and ends', () => {
    expect(texts('start: "a" start\n', 'start')).toEqual([]);
    expect(texts('start{x}: x\n', 'start')).toEqual([]);
  });
});

describe('shapes of the tree', () => {
  test.each([
    ['pair: KEY "=" value', ['pair(KEY, value)']],
    ['!pair: KEY "=" value', ['pair(KEY, "=", value)']],
    ['pair: _SEP KEY _list', ['pair(KEY, …_list)']],
    ['pair: A -> one | B | C -> one', ['one(A)', 'pair(B)', 'one(C)']],
    ['pair: (A | "x") ("," A)* [B | C] ("y")?', ['pair(A?, A*, [B | C])']],
    ['pair: (a b | c)+ /x/ "a".."z" t{a}~2', ['pair((a b | c)+, /x/, "a".."z", t{a}~2)']],
    ['pair: "x"', ['pair()']],
  ])('%s', (text, expected) => {
    expect(shapes(`${text}\n`)).toEqual(expected);
  });

  test('deep brackets end', () => {
    expect(shapes(`a: ${'('.repeat(400)}B c${')'.repeat(400)}\n`)[0]).toBe('a(…)');
  });
});

describe('characters for people', () => {
  const first = (source: string): string => {
    const node = parsePythonRegex(source).tree!.root;
    if (node.kind !== 'set') throw new Error('not one character');
    return render(charactersOf(node.set));
  };

  test.each([
    ['.', 'any character but line feed'],
    ['[^"\\n]', 'any character but line feed and `"`'],
    ['[a-z_]', '`_` and `a`–`z`'],
    ['[ab]', '`a` and `b`'],
    ['[ \\t]', 'tab and space'],
    ['[\\x00`]', 'U+0000 and U+0060'],
    ['[a-ce-gi-km-oq-su-wy0]', '`0`, `a`–`c`, `e`–`g`, `i`–`k`, `m`–`o`, `q`–`s` and 2 more'],
  ])('%s', (source, expected) => {
    expect(first(source)).toBe(expected);
  });

  test('lengths', () => {
    const shown = ([min, max]: number[]) => render(widthOf(min!, max!, 100));
    expect(
      [
        [1, 1],
        [3, 3],
        [1, 5],
        [0, 100],
        [1, 100],
        [1200, 100],
      ].map(shown),
    ).toEqual([
      '1 character',
      '3 characters',
      '1 to 5 characters',
      'any number of characters, also none',
      '1 character or more',
      '1,200 characters or more',
    ]);
  });

  test('what cannot be seen has signs', () => {
    expect(visible('a\r\nb\n\tc\r\u0000')).toBe('a⏎b⏎⇥c␍\\u{0}');
  });
});

describe('navigation', () => {
  const at = (marked: string, files: Record<string, string> = {}) => {
    const { text, offset } = cursor(marked);
    return { links: linksOf({ ...files, own: text }), offset };
  };

  test('highlights tell definitions from uses', () => {
    const { text, spans } = marks('start: ⟦a⟧ b ⟦a⟧\n⟦a⟧: "x"\nb{a}: a\n');
    const found = highlights(linksOf({ own: text }), 'own', spans[0]!.start);
    expect(found).toEqual(spans.map((span, i) => ({ span, write: i === 2 })));
  });

  test('a parameter is a name of its own', () => {
    const { text, spans } = marks('b{⟦a⟧}: ⟦a⟧ c\na: "x"\n');
    expect(highlights(linksOf({ own: text }), 'own', spans[1]!.start).map(({ span }) => span)).toEqual(spans);
  });

  test('references leave definitions out where they are not wanted', () => {
    const { links, offset } = at('start: ‸x\n%import .other.x\n', { 'other.lark': 'x: "x"\n' });
    expect(references(links, 'own', offset, true).map(({ file }) => file)).toEqual(['other.lark', 'own', 'own']);
    expect(references(links, 'own', offset, false)).toEqual([{ file: 'own', span: { start: 7, end: 8 } }]);
  });

  test('paths and names of libraries cannot be renamed', () => {
    for (const marked of ['%import ‸common.WS\n', '%import common.‸WS -> X\n', 'start: "‸a"\n']) {
      const { links, offset } = at(marked);
      expect(renamable(links, 'own', offset)).toBeUndefined();
      expect(render(renameProblem(links, 'own', offset, 'x')!)).toMatch(/this is none of them/);
    }
  });

  test('calls go over files and back', () => {
    const { links, offset } = at('start: ‸x x\n%import .other.x\n', { 'other.lark': 'x: Y x\nY: "y"\n' });
    const [item] = callItems(links, 'own', offset);
    expect(item).toMatchObject({ file: 'other.lark', name: 'x' });
    expect(callers(links, item!).map(({ item: { file, name }, places }) => [file, name, places.length])).toEqual([
      ['other.lark', 'x', 1],
      ['own', 'start', 2],
    ]);
    expect(called(links, item!).map(({ item: { name } }) => name)).toEqual(['Y', 'x']);
  });

  test('uses are counted', () => {
    const counts = referenceCounts(linksOf({ own: PATCH }), 'own');
    const shown = Object.fromEntries(counts.map(({ name, places }) => [name, places.length]));
    expect(shown).toMatchObject({ start: 0, head: 1, TEXT: 7, row: 1 });
  });
});

describe('outline, folds, selection and tokens', () => {
  test('definitions of a grammar in a grammar stand below the rule', () => {
    const [start] = outline(parseGrammar('start: %lark {\nstart: A\nA: "a"\n}\n'));
    expect(start!.children.map(({ name }) => name)).toEqual(['start', 'A']);
  });

  test('regions and brackets fold', () => {
    const text = '// region One\na: (\n  "x"\n)\n// endregion\n// two\n// three\n';
    const shown = folds(parseGrammar(text)).map(({ kind, span }) => `${kind} ${text.slice(span.start, span.end)}`);
    expect(shown).toContain('region // region One\na: (\n  "x"\n)\n// endregion');
    expect(shown).toContain('comment // two\n// three');
    expect(shown.some((each) => each.startsWith('definition'))).toBe(true);
  });

  test('selection grows inside of literals too', () => {
    const { text, offset } = cursor('start: /a‸b/i "x"\n');
    const steps = selectionSteps(parseGrammar(text), offset).map(({ start, end }) => text.slice(start, end));
    expect(steps.slice(0, 3)).toEqual(['ab', '/ab/i', '/ab/i "x"']);
  });
});

describe('laws', () => {
  const words = ['start', 'A', '_b', ':', '|', '(', ')', '[', ']', '{', '}', '"x"', '/y/i', '->', '%import', '%ignore'];
  const more = [
    '%lark',
    '%json',
    '.',
    '..',
    '~',
    '2',
    ',',
    '\n',
    '\n',
    ' ',
    '// c',
    '"',
    '/',
    '\\',
    '?',
    '!',
    '&',
    '<t>',
  ];
  const text = fc
    .array(fc.constantFrom(...words, ...more, 'common', '%extend', 'é', '😀', '\r\n'), { maxLength: 40 })
    .map((parts) => parts.join(' ').replaceAll(' \n ', '\n'));

  test('whatever is typed is answered, and answers lie in the text', () => {
    fc.assert(
      fc.property(text, fc.nat(), (source, seed) => {
        const links = linksOf({ own: source });
        const document = links.files.document('own')!;
        const offset = seed % (source.length + 1);
        const inside = ({ start, end }: { start: number; end: number }): boolean =>
          0 <= start && start <= end && end <= source.length;
        const tokens = semanticTokens(document, grammarNames(document), { everything: true });
        expect(tokens.every(({ span }) => inside(span) && !/[\r\n]/.test(source.slice(span.start, span.end)))).toBe(
          true,
        );
        tokens.reduce((end, { span }) => {
          expect(span.start).toBeGreaterThanOrEqual(end);
          return span.end;
        }, 0);
        for (const { span, nameSpan, children } of outline(document)) {
          expect(span.start <= nameSpan.start && nameSpan.end <= span.end && inside(span)).toBe(true);
          for (const child of children) expect(inside(child.span)).toBe(true);
        }
        const steps = selectionSteps(document, offset);
        steps.slice(1).forEach((step, i) => {
          expect(step.start <= steps[i]!.start && step.end >= steps[i]!.end).toBe(true);
        });
        expect(folds(document).every(({ span }) => inside(span))).toBe(true);
        for (const { replace } of completions(links, 'own', offset)) {
          expect(replace.start <= offset && offset <= replace.end && inside(replace)).toBe(true);
        }
        const found = grammarHover(links, 'own', offset, (name) => name);
        if (found !== undefined) expect(inside(found.span)).toBe(true);
        expect(highlights(links, 'own', offset).every(({ span }) => inside(span))).toBe(true);
        for (const item of callItems(links, 'own', offset)) {
          callers(links, item);
          called(links, item);
        }
        if (renamable(links, 'own', offset) !== undefined) renameProblem(links, 'own', offset, 'zz');
      }),
      { seed: 4, numRuns: 600 },
    );
  });
});
