import { describe, expect, test } from 'vitest';
import type { CodeLens, Diagnostic, DocumentLink, Location, TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { inBoth, jsonOf, type OpenGrammar } from './grammarSupport';
import { FOLDER, rangeOf, Session } from './harness';

const found = async (grammar: OpenGrammar, rule: string): Promise<Diagnostic[]> =>
  (await grammar.session.diagnostics(grammar.uri)).filter(({ code }) => code === rule);

/** A session whose client can create files. */
const EDITOR = {
  workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ['create'] }, configuration: true },
};

const TOOL = (definition: unknown): string =>
  `${JSON.stringify({ type: 'custom', name: 'patch', description: 'x', format: { type: 'grammar', syntax: 'lark', definition } }, null, 2)}\n`;

describe('a check that takes long', () => {
  /** A clock by which every part of a check takes a second. */
  const slow = (): { now: () => number } => {
    let time = 0;
    return { now: () => (time += 1_000) };
  };

  test('lets what comes in meanwhile be answered first', async () => {
    const session = await Session.start({ host: slow() });
    const uri = await session.open('own.lark', 'start: A\nA: "a"\nB: missing\n', 'lark');
    const order: string[] = [];
    const findings = session.diagnostics(uri).then((all) => {
      order.push('findings');
      return all;
    });
    const hover = session.client
      .sendRequest('textDocument/hover', { textDocument: { uri }, position: { line: 0, character: 7 } })
      .then(() => order.push('hover'));
    await Promise.all([findings, hover]);
    expect(order).toEqual(['hover', 'findings']);
    expect((await findings).map(({ code }) => code)).toContain('grammar/terminal-used-once');
    await session.stop();
  });

  test('is given up for the newest text', async () => {
    const session = await Session.start({ host: slow() });
    const uri = await session.open('own.lark', 'start: first\n', 'lark');
    const before = session.diagnostics(uri);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await session.replace(uri, 'first', 'second');
    const after = session.diagnostics(uri);
    for (const all of [await before, await after]) {
      expect(all.map(({ message }) => message).join()).toContain('second');
      expect(all.map(({ message }) => message).join()).not.toContain('first');
    }
    await session.stop();
  });
});

describe('diagnostics', () => {
  inBoth('stand at the culprit', 'start: "\\"\\n" ⟦missing⟧\n', async (grammar) => {
    const [first] = await found(grammar, 'grammar/undefined-name');
    expect(first).toMatchObject({ source: 'ToolSpec', severity: 1, range: grammar.ranges[0] });
    expect(first!.codeDescription!.href).toMatch(/docs\/rules\/grammar\/undefined-name\.md$/);
  });

  inBoth('are none for a good grammar', 'start: "\\"" NAME\nNAME: /[a-z]{1,20}/\n', async (grammar) => {
    const all = await grammar.session.diagnostics(grammar.uri);
    expect(all.filter(({ code }) => String(code).startsWith('grammar/'))).toEqual([]);
  });

  inBoth('name related places', 'start: A\n⟦A⟧: "\\t"\nA: "b"\n', async (grammar) => {
    const all = await grammar.session.diagnostics(grammar.uri);
    const places = all.flatMap(({ relatedInformation = [] }) => relatedInformation.map(({ location }) => location));
    expect(places.filter(({ uri }) => uri === grammar.uri).map(({ range }) => range)).toContainEqual(grammar.ranges[0]);
  });

  inBoth('have fixes', 'start: "\\"" missing\n', async (grammar) => {
    const [first] = await found(grammar, 'grammar/undefined-name');
    const actions = await grammar.session.actions(grammar.uri, first!.range, ['quickfix']);
    const action = actions.find(({ title }) => /missing/i.test(title) && /define/i.test(title));
    expect(action?.diagnostics?.[0]?.code).toBe('grammar/undefined-name');
    expect(grammar.changed(action!.edit!)).toMatch(/^start: "\\"" missing\n+missing: /);
  });

  inBoth(
    'levels are those of the settings',
    'start: missing\n',
    async (grammar) => {
      expect((await found(grammar, 'grammar/undefined-name')).map(({ severity }) => severity)).toEqual([2]);
    },
    { settings: { rules: { 'grammar/undefined-name': 'warning' } } },
  );

  test('follow edits of the grammar and of what it imports', async () => {
    const session = await Session.start({ settings: { targets: ['lark'] } });
    const other = await session.open('other.lark', 'y: "y"\n', 'lark');
    const uri = await session.open('own.lark', 'start: x\n%import .other.x\n', 'lark');
    const errors = async (): Promise<number> =>
      (await session.diagnostics(uri)).filter(({ severity }) => severity === 1).length;
    expect(await errors()).toBeGreaterThan(0);
    await session.replace(other, 'y: "y"', 'x: "y"');
    expect(await errors()).toBe(0);
    await session.replace(uri, 'start: x', 'start: x z');
    expect(await errors()).toBeGreaterThan(0);
    await session.stop();
  });

  test('nothing new is sent while nothing has changed', async () => {
    const session = await Session.start();
    const uri = await session.open('own.lark', 'start: missing\n', 'lark');
    const params = { textDocument: { uri } };
    const first = await session.request<{ resultId: string }>('textDocument/diagnostic', params);
    const again = { ...params, previousResultId: first.resultId };
    expect(await session.request('textDocument/diagnostic', again)).toMatchObject({ kind: 'unchanged' });
    await session.replace(uri, 'missing', 'absent');
    expect(await session.request('textDocument/diagnostic', again)).toMatchObject({ kind: 'full' });
    await session.stop();
  });

  test('a config file may take grammars out', async () => {
    const files = { [`${FOLDER}/toolspec.config.json`]: '{"exclude": ["old/"]}' };
    const session = await Session.start({ files });
    const old = await session.open('old/own.lark', 'start: missing\n', 'lark');
    const own = await session.open('own.lark', 'start: missing\n', 'lark');
    expect(await session.diagnostics(old)).toEqual([]);
    expect((await session.diagnostics(own)).length).toBeGreaterThan(0);
    await session.stop();
  });
});

describe('grammars from which others import', () => {
  const errors = async (session: Session, uri: string): Promise<unknown[]> =>
    (await session.diagnostics(uri)).filter(({ severity }) => severity === 1).map(({ code }) => code);

  test('need no start as long as another one does so', async () => {
    const files = { [`${FOLDER}/main.lark`]: '%import .words.word\nstart: word\n' };
    const session = await Session.start({ settings: { targets: ['lark', 'openai'] }, files });
    const uri = await session.open('words.lark', 'word: "w"\n', 'lark');
    expect(await errors(session, uri)).toEqual([]);
    const main = await session.open('main.lark', files[`${FOLDER}/main.lark`]!, 'lark');
    await session.replace(main, '%import .words.word', 'word: "v"');
    expect(await errors(session, uri)).toEqual(['grammar/start-undefined']);
    await session.replace(main, 'word: "v"', '%import .words (word)');
    expect(await errors(session, uri)).toEqual([]);
  });

  test('may be files of terminals, and may be imported by the string of a tool', async () => {
    const session = await Session.start({ settings: { targets: ['lark', 'openai'] } });
    const uri = await session.open('terms.lark', 'WORD: "w"\n', 'lark');
    expect(await errors(session, uri)).toEqual(['grammar/empty']);
    await session.open('a.tools.json', TOOL('%import .terms.WORD\nstart: WORD'));
    expect(await errors(session, uri)).toEqual([]);
  });

  test('have all other findings, and are missed where they are empty', async () => {
    const session = await Session.start({ settings: { targets: ['lark', 'openai'] } });
    await session.open('main.lark', '%import .parts.x\nstart: x\n', 'lark');
    const uri = await session.open('parts.lark', 'x: "x" gone\n', 'lark');
    expect(await errors(session, uri)).toEqual(['grammar/undefined-name']);
    await session.replace(uri, 'x: "x" gone\n', '// Nothing.\n');
    expect(await errors(session, uri)).toEqual(['grammar/empty']);
  });
});

describe('grammars and files', () => {
  const GRAMMAR = 'start: "\\"" A // é\nA: "\\n"\n';

  test('a grammar goes into a file', async () => {
    const session = await Session.start({ capabilities: EDITOR, files: { [`${FOLDER}/patch.lark`]: 'x: "x"\n' } });
    const text = TOOL(GRAMMAR);
    const uri = await session.open('patch.tool.json', text);
    const [action] = await session.actions(uri, rangeOf(text, 'start'), ['refactor.extract']);
    expect(action).toMatchObject({ title: 'Extract grammar to patch-2.lark', kind: 'refactor.extract.grammar' });
    const target = `${FOLDER}/patch-2.lark`;
    const [create, fill, replace] = action!.edit!.documentChanges!;
    expect(create).toEqual({ kind: 'create', uri: target, options: { overwrite: false, ignoreIfExists: false } });
    expect(fill).toMatchObject({ textDocument: { uri: target }, edits: [{ newText: GRAMMAR }] });
    expect(replace).toMatchObject({ textDocument: { uri, version: 1 } });
    const after = JSON.parse(session.applied(uri, { title: '', edit: { documentChanges: [replace!] } })) as {
      format: object;
    };
    expect(after.format).toEqual({ type: 'grammar', syntax: 'lark', definition: { $file: './patch-2.lark' } });
    await session.stop();
  });

  test('a client that cannot create files is offered none', async () => {
    const session = await Session.start();
    const text = TOOL(GRAMMAR);
    const uri = await session.open('patch.tool.json', text);
    expect(await session.actions(uri, rangeOf(text, 'start'), ['refactor.extract'])).toEqual([]);
    await session.stop();
  });

  test('a grammar comes out of its file', async () => {
    const session = await Session.start({ files: { [`${FOLDER}/patch.lark`]: GRAMMAR } });
    const text = TOOL({ $file: './patch.lark' });
    const uri = await session.open('patch.tool.json', text);
    const [action] = await session.actions(uri, rangeOf(text, '$file'), ['refactor.inline']);
    expect(action).toMatchObject({ title: 'Inline grammar file ./patch.lark', kind: 'refactor.inline.grammar' });
    expect(session.applied(uri, action!)).toBe(TOOL(GRAMMAR));
    await session.stop();
  });

  test('a grammar that is open is taken as it stands in the editor', async () => {
    const session = await Session.start({ files: { [`${FOLDER}/patch.lark`]: 'old: "x"\n' } });
    const text = TOOL({ $file: './patch.lark' });
    await session.open('patch.lark', GRAMMAR, 'lark');
    const uri = await session.open('patch.tool.json', text);
    const [action] = await session.actions(uri, rangeOf(text, '$file'), ['refactor.inline']);
    expect(session.applied(uri, action!)).toBe(TOOL(GRAMMAR));
    await session.stop();
  });

  test('a grammar inside JSON is laid out where it stands', async () => {
    const session = await Session.start();
    const text = TOOL('start:"\\""|A\nA :"a"\n');
    const uri = await session.open('patch.tool.json', text);
    const [action] = await session.actions(uri, rangeOf(text, 'start:'), ['refactor.rewrite.grammar']);
    expect(action!.title).toBe('Lay out grammar');
    expect(session.applied(uri, action!)).toBe(TOOL('start: "\\"" | A\nA: "a"\n'));
    await session.stop();
  });

  test('the name of a grammar file leads to it', async () => {
    const session = await Session.start();
    const text = TOOL({ $file: './grammars/patch.lark' });
    const uri = await session.open('patch.tool.json', text);
    const range = rangeOf(text, './grammars/patch.lark');
    const links = await session.request<DocumentLink[]>('textDocument/documentLink', { textDocument: { uri } });
    expect(links).toEqual([{ range, target: `${FOLDER}/grammars/patch.lark` }]);
    const params = { textDocument: { uri }, position: range.start };
    const [place] = await session.request<Location[]>('textDocument/definition', params);
    expect(place!.uri).toBe(`${FOLDER}/grammars/patch.lark`);
    await session.stop();
  });

  test('an address that a client spells in its own way is the same file', async () => {
    const session = await Session.start({ files: { [`${FOLDER}/a+b/other.lark`]: 'x: "disk"\n' } });
    await session.open('file:///project/a%2Bb/other.lark', '\n\nx: "open"\n', 'lark');
    const uri = await session.open('file:///project/a%2Bb/own.lark', 'start: x\n%import .other.x\n', 'lark');
    const params = { textDocument: { uri }, position: { line: 0, character: 7 } };
    const [place] = await session.request<Location[]>('textDocument/definition', params);
    expect(place).toMatchObject({ uri: 'file:///project/a%2Bb/other.lark', range: { start: { line: 2 } } });
    await session.stop();
  });
});

describe('lenses', () => {
  const TEXT = 'start: pair pair\npair: A\nA: "a"\nB: "b"\n';

  test('tell how often a definition is used where that is asked for', async () => {
    const settings = { codeLens: { references: true } };
    const session = await Session.start({ settings, initialization: { commands: true } });
    const uri = await session.open('own.lark', TEXT, 'lark');
    const lenses = (await session.lenses(uri)).filter(({ command }) => !/^Lark/.test(command!.title));
    const shown = lenses.map(({ range, command }: CodeLens) => `${range.start.line} ${command!.title}`);
    expect(shown).toEqual(['0 entry', '1 used 2 times', '2 used once', '3 not used']);
    expect(lenses[1]!.command).toMatchObject({ command: 'toolspec.showReferences' });
    expect(lenses[1]!.command!.arguments![2]).toHaveLength(2);
    await session.stop();
  });

  test('are none by default, and none inside JSON', async () => {
    const session = await Session.start();
    const titles = (await session.lenses(await session.open('own.lark', TEXT, 'lark'))).map(
      (each) => each.command!.title,
    );
    expect(titles).toEqual(['Lark accepts it']);
    session.settings = { codeLens: { references: true } };
    await session.client.sendNotification('workspace/didChangeConfiguration', { settings: null });
    const uri = await session.open('patch.tool.json', jsonOf(TEXT));
    expect((await session.lenses(uri)).filter(({ command }) => command!.title.includes('used'))).toEqual([]);
    await session.stop();
  });
});

describe('half-typed grammars', () => {
  const TEXT =
    'start: pair{A, "\\""}+ -> one\n?pair{a, b}: a "=" [b] | (\n%import common (INT, WS)\nA[lazy, stop="x"]: /a\\/[b]/i | "x".."y"\n%ignore WS\n%extend x: %lark {\ns: "a"\n}\n';
  const place = ['completion', 'hover', 'definition', 'documentHighlight', 'prepareRename', 'prepareCallHierarchy'];
  const whole = ['documentSymbol', 'foldingRange', 'semanticTokens/full', 'diagnostic', 'codeLens'];

  for (const inJson of [false, true]) {
    test(`every state is answered, ${inJson ? 'inside JSON' : 'in a file'}`, async () => {
      const session = await Session.start();
      const name = inJson ? 'patch.tool.json' : 'own.lark';
      for (let end = 0; end <= TEXT.length; end += 3) {
        // Inside JSON the string is cut too, with all that follows.
        const json = jsonOf(TEXT.slice(0, end));
        const text = inJson ? json.slice(0, json.lastIndexOf('"')) : TEXT.slice(0, end);
        const uri = await session.open(name, text, inJson ? 'json' : 'lark');
        const position = { line: text.split('\n').length - 1, character: text.length - text.lastIndexOf('\n') - 1 };
        const textDocument = { uri };
        const asked = [
          ...place.map((method) => session.request(`textDocument/${method}`, { textDocument, position })),
          ...whole.map((method) => session.request(`textDocument/${method}`, { textDocument })),
          session.request('textDocument/selectionRange', { textDocument, positions: [position] }),
          session.request('textDocument/references', { textDocument, position, context: { includeDeclaration: true } }),
          session.request('textDocument/formatting', { textDocument, options: { tabSize: 2, insertSpaces: true } }),
        ];
        await Promise.all(asked);
        await session.close(uri);
      }
      expect(session.logged.filter((line) => line.includes(' failed: '))).toEqual([]);
      await session.stop();
    });
  }
});

describe('JSON outside of grammars', () => {
  test('gets nothing of ours', async () => {
    const session = await Session.start();
    const text = TOOL('start: "a"\n');
    const uri = await session.open('patch.tool.json', text);
    const { start: position } = rangeOf(text, 'custom');
    for (const method of ['completion', 'definition', 'documentHighlight', 'prepareRename', 'prepareCallHierarchy']) {
      expect(await session.request(`textDocument/${method}`, { textDocument: { uri }, position })).toBeNull();
    }
    await session.stop();
  });

  test('has no Lark in an expression or in free text', async () => {
    const session = await Session.start();
    const text = TOOL('[a-z]+').replace('"lark"', '"regex"');
    const uri = await session.open('patch.tool.json', text);
    expect(await session.request('textDocument/documentSymbol', { textDocument: { uri } })).toBeNull();
    await session.stop();
  });

  test('an edit of another part keeps the escapes of the author', async () => {
    const session = await Session.start();
    const text = TOOL('start: pair A\npair: "é"\nA: "a"\n').replace('é', '\\u00e9').replace('start', '\\u0073tart');
    const uri = await session.open('patch.tool.json', text);
    const params = { textDocument: { uri }, position: rangeOf(text, 'pair A').start, newName: 'entry' };
    const edit = await session.request<WorkspaceEdit>('textDocument/rename', params);
    const edits = edit.documentChanges!.flatMap((change) => ('edits' in change ? (change.edits as TextEdit[]) : []));
    const after = session.applied(uri, { title: '', edit: { changes: { [uri]: edits } } });
    expect(after).toBe(text.replaceAll('pair', 'entry'));
    await session.stop();
  });
});
