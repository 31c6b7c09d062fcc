import { describe, expect, it } from 'vitest';
import { parseGrammar } from '../../../../server/src/core/grammar/parse';
import { grammarNames, isValidName, occurrenceAt, sameName } from '../../../../server/src/core/grammar/resolve';
import { GrammarLinks } from '../../../../server/src/core/grammar/resolveFiles';

/** Files with one cursor `‸`, and where it is. */
function workspace(files: Record<string, string>) {
  let file = '';
  let offset = -1;
  const texts = new Map<string, string>();
  for (const [name, marked] of Object.entries(files)) {
    const at = marked.indexOf('‸');
    if (at >= 0) [file, offset] = [name, at];
    texts.set(name, marked.replace('‸', ''));
  }
  const documents = new Map([...texts].map(([name, text]) => [name, parseGrammar(text)]));
  const links = new GrammarLinks({
    document: (name) => documents.get(name),
    resolve: ({ path }) => (texts.has(path) ? path : texts.has(`lark:${path}`) ? `lark:${path}` : undefined),
    importers: () => [...texts.keys()],
  });
  const show = (places: readonly { file: string; span: { start: number; end: number } }[]): string[] =>
    places.map(({ file: where, span }) => `${where}:${span.start} ${texts.get(where)!.slice(span.start, span.end)}`);
  const rename = (name: string): Record<string, string> | undefined => {
    const edits = links.rename(file, offset, name);
    if (edits === undefined) return undefined;
    const result: Record<string, string> = {};
    for (const [where, list] of edits) {
      let text = texts.get(where)!;
      for (const { span, newText } of [...list].reverse())
        text = text.slice(0, span.start) + newText + text.slice(span.end);
      result[where] = text;
    }
    return result;
  };
  return {
    definitions: () => show(links.definitions(file, offset)),
    references: () => show(links.references(file, offset)),
    rename,
  };
}

describe('names of a grammar', () => {
  const text =
    '%import common (INT, WORD)\n%import .m.x -> y\n%declare D\nstart: t{INT, y} D -> done\nt{p, q}: p q [start]\n%extend t{p, q}: q\n%ignore WORD\nz: %lark {\n start: y\n}\n';
  const names = grammarNames(parseGrammar(text));

  it('have roles', () => {
    expect(names.occurrences.map(({ role, name }) => `${role} ${name.text}`)).toEqual([
      'module common',
      'import INT',
      'import WORD',
      'module m',
      'imported x',
      'import y',
      'declare D',
      'definition start',
      'reference t',
      'reference INT',
      'reference y',
      'reference D',
      'alias done',
      'definition t',
      'parameter p',
      'parameter q',
      'reference p',
      'reference q',
      'reference start',
      'extend t',
      'parameter p',
      'parameter q',
      'reference q',
      'ignore WORD',
      'definition z',
      'definition start',
      'reference y',
    ]);
  });

  it('belong to symbols', () => {
    const counts = [...names.root.symbols.values()].map(
      ({ name, definitions, references }) => `${name} ${definitions.length} ${references.length}`,
    );
    expect(counts.sort()).toEqual(['D 1 1', 'INT 1 1', 'WORD 1 1', 'start 1 1', 't 2 1', 'y 1 1', 'z 1 0']);
    expect(
      names.root.imports.map(({ path, relative, name, local }) => [path, relative, name.text, local.text]),
    ).toEqual([
      ['common.lark', false, 'INT', 'INT'],
      ['common.lark', false, 'WORD', 'WORD'],
      ['m.lark', true, 'x', 'y'],
    ]);
  });

  it('are found at their edges', () => {
    const at = (offset: number): string | undefined => occurrenceAt(names, offset)?.name.text;
    expect([at(8), at(14), at(15), at(text.indexOf('t{INT')), at(text.indexOf('t{INT') + 1)]).toEqual([
      'common',
      'common',
      undefined,
      't',
      't',
    ]);
  });

  it('keep parameters and inner grammars apart', () => {
    const parameter = occurrenceAt(names, text.indexOf('p q ['))!;
    expect(sameName(names, parameter).map(({ name }) => name.span.start)).toEqual([
      text.indexOf('{p, q}') + 1,
      text.indexOf('p q ['),
    ]);
    const outer = occurrenceAt(names, text.indexOf('y} D'))!;
    expect(sameName(names, outer)).toHaveLength(2);
  });

  it('are valid in lower or in upper case', () => {
    expect([
      isValidName('_a1', false),
      isValidName('A', false),
      isValidName('_A_1', true),
      isValidName('a', true),
      isValidName('__a', false),
      isValidName('a-b', false),
    ]).toEqual([true, false, true, false, false, false]);
  });
});

describe('definitions', () => {
  it('are found across imports', () => {
    const files = { 'a.lark': '%import .b.x -> y\nstart: ‸y', 'b.lark': '%import .c (x)', 'c.lark': 'w: "w"\nx: w' };
    expect(workspace(files).definitions()).toEqual(['c.lark:7 x']);
    expect(workspace({ ...files, 'a.lark': '%import .b.‸x -> y\nstart: y' }).definitions()).toEqual(['c.lark:7 x']);
    expect(workspace({ ...files, 'a.lark': '%import .b.x\nstart: ‸x' }).definitions()).toEqual(['c.lark:7 x']);
    expect(workspace({ ...files, 'a.lark': '%import .‸b.x\nstart: x' }).definitions()).toEqual(['b.lark:0 ']);
  });

  it('of parameters are in their template', () => {
    expect(workspace({ 'a.lark': 'x: "x"\nt{x}: ‸x' }).definitions()).toEqual(['a.lark:9 x']);
  });

  it('stay at the import when the file is missing', () => {
    expect(workspace({ 'a.lark': '%import .b.x\nstart: ‸x' }).definitions()).toEqual(['a.lark:11 x']);
  });
});

describe('references and renaming', () => {
  const files = {
    'a.lark': '%import .c.x\nstart: x x',
    'b.lark': '%import .c.x -> mine\nstart: mine',
    'c.lark': '‸x: "x" | x\nstart: x -> x',
    'd.lark': 'x: "other"',
  };

  it('go through all files that import a name', () => {
    expect(workspace(files).references()).toEqual([
      'a.lark:11 x',
      'a.lark:20 x',
      'a.lark:22 x',
      'b.lark:11 x',
      'c.lark:0 x',
      'c.lark:9 x',
      'c.lark:18 x',
    ]);
    expect(workspace(files).rename('y')).toEqual({
      'a.lark': '%import .c.y\nstart: y y',
      'b.lark': '%import .c.y -> mine\nstart: mine',
      'c.lark': 'y: "x" | y\nstart: y -> x',
    });
  });

  it('stop where another file gives a name an alias', () => {
    const chain = { 'a.lark': '%import .b.y\nstart: ‸y', 'b.lark': '%import .c.x -> y\nz: y', 'c.lark': 'x: "x"' };
    expect(workspace(chain).rename('w')).toEqual({
      'a.lark': '%import .b.w\nstart: w',
      'b.lark': '%import .c.x -> w\nz: w',
    });
  });

  it('refuse names that are taken or not valid', () => {
    expect(workspace(files).rename('start')).toBeUndefined();
    expect(workspace(files).rename('Y')).toBeUndefined();
    expect(workspace({ ...files, 'a.lark': '%import .c.x\nstart: x y\ny: "y"' }).rename('y')).toBeUndefined();
  });

  it('rename an alias of an import, of a node and a parameter where they stand', () => {
    expect(workspace({ 'b.lark': '%import .c.x -> mine\nstart: ‸mine', 'c.lark': 'x: "x"' }).rename('my')).toEqual({
      'b.lark': '%import .c.x -> my\nstart: my',
    });
    expect(workspace({ 'a.lark': 'a: "x" -> ‸n | b -> n\nn: a' }).rename('m')).toEqual({
      'a.lark': 'a: "x" -> m | b -> m\nn: a',
    });
    expect(workspace({ 'a.lark': 't{p}: ‸p p q\nu{p}: p' }).rename('o')).toEqual({ 'a.lark': 't{o}: o o q\nu{p}: p' });
  });

  it("give names of Lark's own grammars an alias", () => {
    const common = { 'lark:common.lark': 'INT: /[0-9]+/\nWS: / /\nFF: /f/' };
    expect(workspace({ ...common, 'a.lark': '%import common.INT\nstart: ‸INT' }).rename('N')).toEqual({
      'a.lark': '%import common.INT -> N\nstart: N',
    });
    expect(workspace({ ...common, 'a.lark': '%import common (WS, INT, FF)\nstart: ‸INT WS' }).rename('N')).toEqual({
      'a.lark': '%import common.INT -> N\n%import common (WS, FF)\nstart: N WS',
    });
    expect(workspace({ ...common, 'a.lark': '%import common (INT)\nstart: ‸INT' }).rename('N')).toEqual({
      'a.lark': '%import common.INT -> N\nstart: N',
    });
  });
});
