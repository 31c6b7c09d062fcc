import { describe, expect } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CompletionItem,
  DocumentHighlight,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  SelectionRange,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
  WorkspaceSymbol,
} from 'vscode-languageserver';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../../server/src/core/grammar/service/semanticTokens';
import { inBoth, type OpenGrammar } from './grammarSupport';
import { FOLDER } from './harness';

const labels = async (grammar: OpenGrammar): Promise<string[]> =>
  ((await grammar.ask<CompletionItem[] | null>('textDocument/completion')) ?? []).map(({ label }) => label);

const hover = async (grammar: OpenGrammar): Promise<string> => {
  const found = await grammar.ask<Hover | null>('textDocument/hover');
  return found === null ? '' : (found.contents as { value: string }).value;
};

/** Tokens as `text type modifiers`. */
async function tokens(grammar: OpenGrammar, method = 'full', more: object = {}): Promise<string[]> {
  const found = await grammar.ask<SemanticTokens>(`textDocument/semanticTokens/${method}`, more);
  const shown: string[] = [];
  let line = 0;
  let character = 0;
  for (let i = 0; i < found.data.length; i += 5) {
    const [down, right, length, type, bits] = found.data.slice(i, i + 5) as [number, number, number, number, number];
    line += down;
    character = down > 0 ? right : character + right;
    const range = { start: { line, character }, end: { line, character: character + length } };
    const modifiers = TOKEN_MODIFIERS.filter((_, bit) => (bits & (1 << bit)) !== 0);
    shown.push([grammar.at(range), TOKEN_TYPES[type], ...modifiers].join(' '));
  }
  return shown;
}

describe('semantic tokens', () => {
  const TEXT = 'start: pair{"x\\n"} LF // é "q"\n?pair{a}: a -> one\n%import common.LF\n';

  inBoth('tell rules, terminals, parameters and names of nodes apart', TEXT, async (grammar) => {
    expect(await tokens(grammar)).toEqual([
      'start function declaration',
      'pair function',
      '"x\\n" string',
      'LF type defaultLibrary',
      '// é "q" comment',
      '? modifier',
      'pair function declaration',
      'a parameter declaration',
      'a parameter',
      '-> operator',
      'one property',
      '%import keyword',
      'common namespace defaultLibrary',
      'LF type declaration defaultLibrary',
    ]);
  });

  inBoth(
    'leave literals and comments to an editor that colors them itself',
    TEXT,
    async (grammar) => {
      const found = await tokens(grammar);
      expect(found.filter((each) => /string|comment|operator/.test(each))).toEqual([]);
      expect(found).toContain('pair function');
    },
    { capabilities: { textDocument: { semanticTokens: { augmentsSyntaxTokens: true } } } },
  );

  inBoth('come for a part alone', 'start: a\na: ⟦B b⟧\nb: "c"\nB: "d"\n', async (grammar) => {
    const found = await tokens(grammar, 'range', { range: grammar.ranges[0] });
    expect(found).toEqual(['B type', 'b function']);
  });

  inBoth('tell what only llguidance has', 'start[lazy]: a\na: %json {"x": 1}\n', async (grammar) => {
    expect(await tokens(grammar)).toEqual([
      'start function declaration',
      'lazy decorator',
      'a function',
      'a function declaration',
      '%json keyword',
    ]);
  });
});

describe('completion', () => {
  inBoth('gives names in scope', 'start: pair ‸\npair: A\nA: "\\"x\\n"\n', async (grammar) => {
    const found = await labels(grammar);
    expect(found.slice(0, 3)).toEqual(['start', 'pair', 'A']);
    expect(found).toContain('ESCAPED_STRING');
  });

  inBoth('gives terminals alone in a terminal', 'start: A\nA: "\\t" ‸\nB: "b"\n', async (grammar) => {
    const found = await labels(grammar);
    expect(found).toContain('B');
    expect(found).not.toContain('start');
    expect(found).not.toContain('A');
  });

  inBoth('replaces the word that is typed', 'start: pa‸ir "\\"" pair\npair: "x"\n', async (grammar) => {
    const items = await grammar.ask<CompletionItem[]>('textDocument/completion');
    const edit = items.find(({ label }) => label === 'pair')!.textEdit as TextEdit;
    expect(grammar.at(edit.range)).toBe('pair');
    expect(grammar.edited([{ ...edit, newText: 'other' }])).toBe('start: other "\\"" pair\npair: "x"\n');
  });

  inBoth('imports a terminal of common with it', 'start: IN‸\n%import common.LF\n', async (grammar) => {
    const items = await grammar.ask<CompletionItem[]>('textDocument/completion');
    const item = items.find(({ label }) => label === 'INT')!;
    expect(item.detail).toBe('from common, adds the import');
    const edits = [item.textEdit as TextEdit, ...item.additionalTextEdits!];
    expect(grammar.edited(edits)).toBe('start: INT\n%import common.LF\n%import common.INT\n');
  });

  inBoth(
    'gives names of common behind the dot',
    '%import common.‸\nstart: INT\n%import common.INT\n',
    async (grammar) => {
      const items = await grammar.ask<CompletionItem[]>('textDocument/completion');
      expect(items.map(({ label }) => label)).toContain('ESCAPED_STRING');
      expect(items.find(({ label }) => label === 'INT')!.detail).toBe('imported already');
      expect(JSON.stringify(items.find(({ label }) => label === 'LF')!.documentation)).toContain('LF : ');
    },
  );

  inBoth(
    'gives libraries and files behind %import',
    '%import ‸\nstart: "a"\n',
    async (grammar) => {
      expect(await labels(grammar)).toEqual(['common', 'unicode', 'python', 'lark', '.other']);
    },
    { files: { [`${FOLDER}/other.lark`]: 'x: "x"\n', [`${FOLDER}/deep/far.lark`]: 'x: "x"\n' } },
  );

  inBoth(
    'gives names of a file behind its path',
    '%import .other.‸\nstart: "a"\n',
    async (grammar) => {
      expect(await labels(grammar)).toEqual(['x', 'Y']);
    },
    { files: { [`${FOLDER}/other.lark`]: 'x: Y\nY: "y"\n' } },
  );

  inBoth('gives names in a list of imports', '%import common (INT, ‸\nstart: "a"\n', async (grammar) => {
    expect(await labels(grammar)).toContain('WS');
  });

  inBoth('gives directives and missing names where a line starts', 'start: pair\n‸\n', async (grammar) => {
    const found = await labels(grammar);
    expect(found[0]).toBe('pair');
    expect(found).toEqual(expect.arrayContaining(['%import', '%ignore', '%declare', '%override', '%extend', '?', '!']));
    expect(found).not.toContain('start');
  });

  inBoth('gives directives behind a percent sign', 'start: "a"\n%i‸\n', async (grammar) => {
    const items = await grammar.ask<CompletionItem[]>('textDocument/completion');
    const edit = items.find(({ label }) => label === '%ignore')!.textEdit as TextEdit;
    expect(grammar.edited([edit])).toBe('start: "a"\n%ignore \n');
    expect(items.every(({ label }) => label.startsWith('%'))).toBe(true);
  });

  inBoth(
    'gives names of nodes behind an arrow',
    'start: "a" -> ‸\n  | "b" -> one\nx: "c" -> two\n',
    async (grammar) => {
      expect(await labels(grammar)).toEqual(['one', 'two']);
    },
  );

  inBoth('gives attributes in brackets', 'start[‸]: "a"\n', async (grammar) => {
    expect(await labels(grammar)).toEqual(expect.arrayContaining(['lazy', 'stop', 'max_tokens', 'capture']));
  });

  inBoth('gives parameters and templates', 'start: pair{A}\npair{left}: ‸\nA: "a"\n', async (grammar) => {
    const found = await labels(grammar);
    expect(found.slice(0, 3)).toEqual(['left', 'start', 'pair']);
  });

  inBoth('gives terminals behind %ignore', '%ignore ‸\nstart: A\nA: "a"\n', async (grammar) => {
    const found = await labels(grammar);
    expect(found[0]).toBe('A');
    expect(found).not.toContain('start');
  });

  for (const [where, text] of [
    ['a comment', 'start: A // ‸\nA: "a"\n'],
    ['a string', 'start: A "b‸"\nA: "a"\n'],
    ['a string without end', 'start: A "b ‸\nA: a\n'],
    ['an expression', 'start: A /b‸/\nA: "a"\n'],
  ] as const) {
    inBoth(`gives nothing in ${where}`, text, async (grammar) => {
      expect(await labels(grammar)).toEqual([]);
    });
  }
});

describe('hover', () => {
  inBoth('tells of a rule', 'start: ‸pair\npair: KEY "=\\"" VALUE?\nKEY: /[a-z]+/\nVALUE: "v"\n', async (grammar) => {
    const text = await hover(grammar);
    expect(text).toMatch(/^\*\*pair\*\* rule, used in \[start\]\(file:\/\/\/project\/\S+#L1?\d*,\d+\)\./);
    expect(text).toContain('```lark\npair: KEY "=\\"" VALUE?\n```');
    expect(text).toContain('Tree: `pair(KEY, VALUE?)`');
    expect(text).toContain('Shortest texts:\n\n```text\na="\na="v\n```');
  });

  inBoth('tells of a terminal', 'start: A\n‸A: /[b-d\\n]{2,5}/\n', async (grammar) => {
    const text = await hover(grammar);
    expect(text).toContain('**A** terminal, used in [start]');
    expect(text).toContain('Length: 2 to 5 characters');
    expect(text).toContain('Starts with: line feed and `b`–`d`');
    expect(text).toContain('Sample texts:\n\n```text\nbb\n');
  });

  inBoth('tells of what is imported', 'start: ‸INT\n%import common.INT\n', async (grammar) => {
    const text = await hover(grammar);
    expect(text).toContain('```lark\nINT: DIGIT+\n```');
    expect(text).toContain('Length: 1 character or more');
    expect(text).toContain('Starts with: `0`–`9`');
  });

  inBoth('tells of an expression', 'start: /‸x\\/[^"\\n]{3}/i\n', async (grammar) => {
    const text = await hover(grammar);
    expect(text).toContain('Length: 5 characters');
    expect(text).toContain('Starts with: `X` and `x`');
  });

  for (const [what, text, expected] of [
    ['a directive', '‸%ignore " "\nstart: "a"\n', /may stand between tokens/],
    ['a modifier', '‸?start: "a"\n', /the child takes its place/],
    ['an attribute', 'start[‸lazy]: "a"\n', /Only llguidance reads it/],
    ['a name of a node', 'start: "a" -> ‸one\n', /names the tree node of this alternative of start/],
    ['a parameter', 'start: t{"a"}\nt{x}: ‸x\n', /parameter of the template t/],
    ['a library', '%import ‸common.INT\nstart: INT\n', /comes with Lark/],
    ['a missing name', 'start: ‸missing\n', /is not defined/],
    ['an operator', 'start: "a"‸*\n', /Any number of times/],
  ] as const) {
    inBoth(`tells of ${what}`, text, async (grammar) => {
      expect(await hover(grammar)).toMatch(expected);
    });
  }

  inBoth(
    'tells what it knows where the rest is broken',
    'start: ‸a\na: "x" b\nb: "y"\nc: ( | "\\q\n%import\n',
    async (grammar) => {
      expect(await hover(grammar)).toContain('xy');
    },
  );

  inBoth(
    'can be switched off',
    'start: ‸a\na: "x"\n',
    async (grammar) => {
      expect(await hover(grammar)).toBe('');
    },
    { settings: { hover: { enabled: false } } },
  );
});

describe('definition, references and highlight', () => {
  const TEXT = '‸start: ⟦pair⟧+ "\\n"\n⟦pair⟧: A | "(" ⟦pair⟧ ")"\nA: "\\t"\n';

  inBoth('a name leads to its definition', 'start: "\\"" pa‸ir\n⟦pair⟧: A\nA: "a"\n', async (grammar) => {
    const found = await grammar.ask<Location[]>('textDocument/definition');
    expect(found).toEqual([{ uri: grammar.uri, range: grammar.ranges[0] }]);
  });

  inBoth(
    'an imported name leads to the other file',
    'start: ‸x\n%import .other.x\n',
    async (grammar) => {
      const found = await grammar.ask<Location[]>('textDocument/definition');
      const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } };
      expect(found).toEqual([{ uri: `${FOLDER}/other.lark`, range }]);
    },
    { files: { [`${FOLDER}/other.lark`]: '// first\nx: "x"\n' } },
  );

  inBoth('a name of a library leads to its text', 'start: ‸INT\n%import common.INT\n', async (grammar) => {
    const found = await grammar.ask<Location[]>('textDocument/definition');
    expect(found[0]?.uri).toBe('toolspec:/lark/common.lark');
    const lines = (await grammar.session.content(found[0]!.uri)).split('\n');
    expect(lines[found[0]!.range.start.line]).toBe('INT: DIGIT+');
  });

  inBoth(
    'a link names the word it starts from',
    'start: "\\"" ⟦pa‸ir⟧\npair: A\nA: "a"\n',
    async (grammar) => {
      const found = await grammar.ask<{ originSelectionRange: object }[]>('textDocument/definition');
      expect(found[0]?.originSelectionRange).toEqual(grammar.ranges[0]);
    },
    { capabilities: { textDocument: { definition: { linkSupport: true } } } },
  );

  inBoth('all places of a name', TEXT, async (grammar) => {
    const ask = (includeDeclaration: boolean): Promise<Location[]> =>
      grammar.ask('textDocument/references', {
        position: grammar.position(grammar.spans[0]!.start),
        context: { includeDeclaration },
      });
    const ranges = grammar.ranges;
    expect((await ask(true)).map(({ range }) => range)).toEqual(ranges);
    expect((await ask(false)).map(({ range }) => range)).toEqual([ranges[0], ranges[2]]);
  });

  inBoth(
    'places in other files',
    'start: ‸x\n%import .other.x\n',
    async (grammar) => {
      const found = await grammar.ask<Location[]>('textDocument/references', { context: { includeDeclaration: true } });
      const shown = found.map(({ uri, range }) => `${uri.slice(FOLDER.length + 1)} ${range.start.line}`).sort();
      const own = grammar.inJson ? ['patch.tool.json 7', 'patch.tool.json 7'] : ['own.lark 0', 'own.lark 1'];
      expect(shown).toEqual([...own, 'other.lark 0', 'third.lark 0', 'third.lark 1'].sort());
    },
    {
      files: {
        [`${FOLDER}/other.lark`]: 'x: "x"\n',
        [`${FOLDER}/third.lark`]: '%import .other (x)\nstart: x\n',
      },
    },
  );

  inBoth('reads and writes of a name', TEXT, async (grammar) => {
    const found = await grammar.ask<DocumentHighlight[]>('textDocument/documentHighlight', {
      position: grammar.position(grammar.spans[1]!.start),
    });
    expect(found).toEqual(grammar.ranges.map((range, i) => ({ range, kind: i === 1 ? 3 : 2 })));
  });
});

describe('rename', () => {
  const rename = (grammar: OpenGrammar, newName: string): Promise<WorkspaceEdit> =>
    grammar.ask('textDocument/rename', { newName });

  inBoth('a rule', 'start: "\\"" ‸pair pair\npair: A\nA: "a"\n', async (grammar) => {
    expect(grammar.changed(await rename(grammar, 'entry'))).toBe('start: "\\"" entry entry\nentry: A\nA: "a"\n');
  });

  inBoth('a terminal', 'start: A "\\n" A\n‸A: "a"\n', async (grammar) => {
    expect(grammar.changed(await rename(grammar, 'B'))).toBe('start: B "\\n" B\nB: "a"\n');
  });

  inBoth('a name of a node', 'start: "\\t" -> ‸one | "b" -> one\none: "x"\n', async (grammar) => {
    expect(grammar.changed(await rename(grammar, 'two'))).toBe('start: "\\t" -> two | "b" -> two\none: "x"\n');
  });

  inBoth(
    'a rule in other files',
    'start: ‸x\n%import .other.x\n',
    async (grammar) => {
      const edit = await rename(grammar, 'y');
      expect(grammar.changed(edit)).toBe('start: y\n%import .other.y\n');
      const touched = edit.documentChanges!.map((change) => ('edits' in change ? change.textDocument.uri : ''));
      expect(touched).toContain(`${FOLDER}/other.lark`);
    },
    { files: { [`${FOLDER}/other.lark`]: 'x: "x" [x]\n' } },
  );

  inBoth('a name of a library gets an alias', 'start: ‸INT\n%import common.INT\n', async (grammar) => {
    expect(grammar.changed(await rename(grammar, 'COUNT'))).toBe('start: COUNT\n%import common.INT -> COUNT\n');
  });

  inBoth('is refused with a reason', 'start: ‸pair\npair: A\nA: "\\\\"\n', async (grammar) => {
    await expect(rename(grammar, 'A')).rejects.toThrow('A is not a name of a rule');
    await expect(rename(grammar, 'start')).rejects.toThrow('There is a start already');
  });

  inBoth('says what it is about', 'start: "\\"" ⟦pa‸ir⟧\npair: "a"\n', async (grammar) => {
    const found = await grammar.ask<object>('textDocument/prepareRename');
    expect(found).toEqual({ range: grammar.ranges[0], placeholder: 'pair' });
  });

  inBoth('is about names alone', 'start: "a‸" pair\npair: "a"\n', async (grammar) => {
    expect(await grammar.ask('textDocument/prepareRename')).toBeNull();
  });
});

describe('symbols', () => {
  inBoth('of the document', '⟦start⟧: A -> one\n⟦A⟧: "\\n"\n%import common.⟦INT⟧\n%declare ⟦B⟧\n', async (grammar) => {
    const found = await grammar.ask<DocumentSymbol[]>('textDocument/documentSymbol');
    const symbols = grammar.inJson ? found[0]!.children! : found;
    if (grammar.inJson) expect(found.map(({ name }) => name)).toEqual(['patch']);
    expect(symbols.map(({ name, detail }) => `${name} ${detail}`)).toEqual([
      'start A -> one',
      'A "\\n"',
      'INT common.INT',
      'B %declare',
    ]);
    expect(symbols.map(({ selectionRange }) => selectionRange)).toEqual(grammar.ranges);
    expect(symbols[0]!.children!.map(({ name }) => name)).toEqual(['one']);
    expect(grammar.at(symbols[0]!.range)).toBe('start: A -> one');
  });

  inBoth(
    'of the workspace',
    'start: ⟦pair⟧\n⟦pair⟧: "x"\n',
    async (grammar) => {
      const found = await grammar.session.request<WorkspaceSymbol[]>('workspace/symbol', { query: 'PR' });
      const own = found.filter(({ location }) => location.uri === grammar.uri);
      expect(own.map(({ name, location }) => [name, 'range' in location && location.range])).toEqual([
        ['pair', grammar.ranges[1]],
      ]);
      expect(own[0]!.containerName).toBe(grammar.inJson ? 'patch' : 'own.lark');
      expect(found.map(({ name }) => name).sort()).toEqual(['pair', 'parse']);
    },
    { files: { [`${FOLDER}/other.lark`]: 'parse: "x"\n_x: "y"\n' } },
  );
});

describe('folding and selection', () => {
  const TEXT = '// one\n// two\nstart: A\n  | (B\n  | "c")\n%import common.INT\n%import common.WS\nA: "a"\nB: "b"\n';

  inBoth('folds what takes several lines', TEXT, async (grammar) => {
    const found = await grammar.ask<FoldingRange[]>('textDocument/foldingRange');
    const shown = found.map(({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind ?? ''}`.trim());
    // A string of JSON stands on one line.
    expect(shown).toEqual(grammar.inJson ? [] : ['0-1 comment', '2-4', '3-4', '5-6 imports']);
  });

  inBoth('selects outwards', 'start: A ("\\"" B‸B+ | C)? -> one | D\nBB: "x"\n', async (grammar) => {
    const [first] = await grammar.ask<SelectionRange[]>('textDocument/selectionRange', {
      positions: [grammar.position()],
    });
    const steps: string[] = [];
    for (let step = first; step !== undefined; step = step.parent) steps.push(grammar.at(step.range));
    expect(steps).toEqual([
      'BB',
      'BB+',
      '"\\"" BB+',
      '"\\"" BB+ | C',
      '("\\"" BB+ | C)',
      '("\\"" BB+ | C)?',
      'A ("\\"" BB+ | C)?',
      'A ("\\"" BB+ | C)? -> one',
      'A ("\\"" BB+ | C)? -> one | D',
      'start: A ("\\"" BB+ | C)? -> one | D',
      grammar.text,
    ]);
  });
});

describe('layout', () => {
  const options = { tabSize: 2, insertSpaces: true };

  inBoth('of a part', '⟦start:A|"\\n"⟧\nA  :  "a"\n', async (grammar) => {
    const edits = await grammar.ask<TextEdit[]>('textDocument/rangeFormatting', { range: grammar.ranges[0], options });
    expect(grammar.edited(edits)).toBe('start: A | "\\n"\nA  :  "a"\n');
  });

  inBoth('of a file, and of none that is JSON', 'start:A|"\\n"\nA :"a"\n', async (grammar) => {
    const edits = await grammar.ask<TextEdit[] | null>('textDocument/formatting', { options });
    if (grammar.inJson) expect(edits).toBeNull();
    else expect(grammar.edited(edits!)).toBe('start: A | "\\n"\nA: "a"\n');
  });
});

describe('call hierarchy', () => {
  const names = (calls: readonly (CallHierarchyIncomingCall | CallHierarchyOutgoingCall)[]): string[] =>
    calls.map((call) => `${'from' in call ? call.from.name : call.to.name} ${call.fromRanges.length}`);

  inBoth('both ways', 'start: pair x "\\n"\n⟦pair⟧: x ‸pair x | A\nx: A\nA: "a"\n', async (grammar) => {
    const { session } = grammar;
    const [item] = await grammar.ask<CallHierarchyItem[]>('textDocument/prepareCallHierarchy');
    expect(item).toMatchObject({ name: 'pair', selectionRange: grammar.ranges[0], uri: grammar.uri });
    const incoming = await session.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
    expect(names(incoming)).toEqual(['start 1', 'pair 1']);
    const outgoing = await session.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
    expect(names(outgoing)).toEqual(['x 2', 'pair 1', 'A 1']);
    expect(outgoing.flatMap(({ fromRanges }) => fromRanges.map((range) => grammar.at(range)))).toEqual([
      'x',
      'x',
      'pair',
      'A',
    ]);
  });

  inBoth(
    'across files',
    'start: ‸x\n%import .other.x\n',
    async (grammar) => {
      const { session } = grammar;
      const [item] = await grammar.ask<CallHierarchyItem[]>('textDocument/prepareCallHierarchy');
      expect(item!.uri).toBe(`${FOLDER}/other.lark`);
      const incoming = await session.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', { item });
      expect(names(incoming)).toEqual(['start 1']);
      const outgoing = await session.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
      expect(names(outgoing)).toEqual(['Y 1']);
    },
    { files: { [`${FOLDER}/other.lark`]: 'x: Y\nY: "y"\n' } },
  );
});
