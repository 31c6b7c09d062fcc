import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, openFile, workspaceUri } from './support';

/** A grammar that the editor has open: as a file, or in a string of a tool definition. */
interface Open {
  readonly editor: vscode.TextEditor;
  readonly document: vscode.TextDocument;
  readonly inJson: boolean;
  /** The place of the n-th time that a part of the grammar comes, so many characters inside of it. */
  at(part: string, inside?: number, index?: number): vscode.Position;
  /** The grammar as it stands now. */
  text(): string;
  /** What stands in a range, as the grammar has it. */
  slice(range: vscode.Range): string;
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

const jsonOf = (definition: unknown): string =>
  `${JSON.stringify({ type: 'custom', name: 'patch', description: 'Changes files.', format: { type: 'grammar', syntax: 'lark', definition } }, null, 2)}\n`;

let count = 0;

async function open(text: string, inJson: boolean): Promise<Open> {
  const name = inJson ? `grammar-${++count}.tool.json` : `grammar-${++count}.lark`;
  await vscode.workspace.fs.writeFile(workspaceUri(name), Buffer.from(inJson ? jsonOf(text) : text));
  const editor = await openFile(name);
  const { document } = editor;
  assert.equal(document.languageId, inJson ? 'json' : 'lark');
  return {
    editor,
    document,
    inJson,
    at(part, inside = 0, index = 0) {
      const written = inJson ? escaped(part) : part;
      let found = inJson ? document.getText().indexOf('"definition"') : -1;
      for (let i = 0; i <= index; i++) found = document.getText().indexOf(written, found + 1);
      assert.ok(found >= 0, `${part} is not in the document`);
      return document.positionAt(found + (inJson ? escaped(part.slice(0, inside)).length : inside));
    },
    text() {
      if (!inJson) return document.getText();
      return (JSON.parse(document.getText()) as { format: { definition: string } }).format.definition;
    },
    slice(range) {
      const part = document.getText(range);
      return inJson ? (JSON.parse(`"${part}"`) as string) : part;
    },
  };
}

/** Runs a test twice: on the grammar in a file of its own, and on the same text in an escaped JSON string. */
function inBoth(title: string, text: string, run: (grammar: Open) => Promise<void>): void {
  test(`${title}, in a file`, async () => run(await open(text, false)));
  test(`${title}, inside JSON`, async () => run(await open(text, true)));
}

const command = <T>(name: string, ...given: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(`vscode.${name}`, ...given);

const mine = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'ToolSpec');

const codeOf = ({ code }: vscode.Diagnostic): string => String(typeof code === 'object' ? code.value : code);

const PATCH = String.raw`start: head section+ tail
head: "*** Begin Patch" LF
tail: "*** End Patch" LF?
section: adding | deleting
adding: "*** Add File: \"" PATH "\"" LF -> add
deleting: "*** Delete File: " PATH LF
PATH: /[^\n"]{1,255}/
%import common.LF
`;

suite('Grammars', () => {
  suiteSetup(async () => {
    await vscode.extensions.getExtension('toolspec.toolspec')?.activate();
  });

  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  inBoth(
    'diagnostics come and go, and a fix makes them go',
    PATCH.replace('deleting: ', 'removing: '),
    async (grammar) => {
      const { document } = grammar;
      const found = await eventually('a finding', () =>
        mine(document.uri).find((each) => codeOf(each) === 'grammar/undefined-name'),
      );
      assert.equal(grammar.slice(found.range), 'deleting');
      const actions = await command<vscode.CodeAction[]>(
        'executeCodeActionProvider',
        document.uri,
        found.range,
        vscode.CodeActionKind.QuickFix.value,
      );
      const fix = actions.find(({ title, edit }) => edit !== undefined && /define/i.test(title));
      assert.ok(fix?.edit, actions.map(({ title }) => title).join(' | '));
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      assert.match(grammar.text(), /^deleting:/m);
      await eventually('no finding', () =>
        mine(document.uri).every((each) => codeOf(each) !== 'grammar/undefined-name'),
      );
    },
  );

  inBoth('completion', PATCH, async (grammar) => {
    const { document } = grammar;
    const list = await eventually('items', async () => {
      const found = await command<vscode.CompletionList>(
        'executeCompletionItemProvider',
        document.uri,
        grammar.at('section+', 3),
      );
      return found.items.some(({ label }) => label === 'section') && found;
    });
    const item = list.items.find(({ label }) => label === 'section')!;
    const { range } = item;
    assert.ok(range !== undefined);
    assert.equal(grammar.slice('inserting' in range ? range.replacing : range), 'section');
    const common = await command<vscode.CompletionList>(
      'executeCompletionItemProvider',
      document.uri,
      grammar.at('common.LF', 7),
    );
    assert.ok(common.items.some(({ label }) => label === 'ESCAPED_STRING'));
  });

  test('completion of the built-in JSON support stays', async () => {
    const grammar = await open(PATCH, true);
    const { document } = grammar;
    const at = document.positionAt(document.getText().indexOf('"custom"') + 1);
    const list = await eventually('items', async () => {
      const found = await command<vscode.CompletionList>('executeCompletionItemProvider', document.uri, at);
      return found.items.length > 0 && found;
    });
    const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(
      labels.some((label) => label.includes('custom')),
      labels.join(' | '),
    );
    assert.ok(!labels.includes('section'));
  });

  inBoth('hover', PATCH, async (grammar) => {
    const text = await eventually('a hover', async () => {
      const found = await command<vscode.Hover[]>(
        'executeHoverProvider',
        grammar.document.uri,
        grammar.at('adding |', 1),
      );
      const own = found.filter(({ contents }) =>
        JSON.stringify(contents.map((each) => (each as vscode.MarkdownString).value)).includes('rule'),
      );
      return own[0] && { hover: own[0], value: (own[0].contents[0] as vscode.MarkdownString).value };
    });
    assert.match(text.value, /\*\*adding\*\* rule, used in \[section\]\(file:/);
    assert.match(text.value, /Tree: `add\(PATH, LF\)`/);
    assert.match(text.value, /\*\*\* Add File: "a"⏎/);
    assert.equal(grammar.slice(text.hover.range!), 'adding');
  });

  inBoth('definition', PATCH, async (grammar) => {
    const [place] = await eventually('a place', async () => {
      const found = await command<(vscode.Location | vscode.LocationLink)[]>(
        'executeDefinitionProvider',
        grammar.document.uri,
        grammar.at('PATH LF', 1),
      );
      return found.length > 0 && found;
    });
    const range = 'targetUri' in place! ? place.targetRange : place!.range;
    assert.deepEqual(range.start, grammar.at('PATH: /'));
  });

  inBoth('definition in a library', PATCH, async (grammar) => {
    const place = await eventually('a place', async () => {
      const [found] = await command<(vscode.Location | vscode.LocationLink)[]>(
        'executeDefinitionProvider',
        grammar.document.uri,
        grammar.at('common.LF', 8),
      );
      return found;
    });
    const [uri, range] = 'targetUri' in place ? [place.targetUri, place.targetRange] : [place.uri, place.range];
    const library = await vscode.workspace.openTextDocument(uri);
    assert.equal(library.languageId, 'lark');
    assert.equal(library.lineAt(range.start.line).text, 'LF : /\\n/');
  });

  inBoth('references', PATCH, async (grammar) => {
    const found = await eventually('places', async () => {
      const places = await command<vscode.Location[]>(
        'executeReferenceProvider',
        grammar.document.uri,
        grammar.at('PATH: /', 1),
      );
      return places.length > 0 && places;
    });
    assert.deepEqual(
      found.map(({ range }) => grammar.slice(range)),
      ['PATH', 'PATH', 'PATH'],
    );
  });

  inBoth('highlights', PATCH, async (grammar) => {
    const found = await eventually('places', async () => {
      const places = await command<vscode.DocumentHighlight[]>(
        'executeDocumentHighlights',
        grammar.document.uri,
        grammar.at('adding |', 1),
      );
      return places?.some(({ kind }) => kind === vscode.DocumentHighlightKind.Write) && places;
    });
    assert.deepEqual(
      found.map(({ range, kind }) => `${grammar.slice(range)} ${kind}`),
      ['adding 1', 'adding 2'],
    );
  });

  inBoth('rename', PATCH, async (grammar) => {
    const { document } = grammar;
    const edit = await eventually('an edit', async () => {
      const found = await command<vscode.WorkspaceEdit>(
        'executeDocumentRenameProvider',
        document.uri,
        grammar.at('adding |', 1),
        'creating',
      );
      return found.size > 0 && found;
    });
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(grammar.text(), PATCH.replaceAll('adding', 'creating'));
  });

  inBoth('rename says what it is about, and refuses what is no name', PATCH, async (grammar) => {
    const { document } = grammar;
    const found = await eventually('a range', () =>
      command<{ range: vscode.Range; placeholder: string }>('prepareRename', document.uri, grammar.at('PATH: /', 2)),
    );
    assert.equal(found.placeholder, 'PATH');
    await assert.rejects(async () =>
      command('executeDocumentRenameProvider', document.uri, grammar.at('PATH: /', 2), 'path'),
    );
  });

  inBoth('symbols of the document', PATCH, async (grammar) => {
    const found = await eventually('symbols', async () => {
      const symbols = await command<vscode.DocumentSymbol[]>('executeDocumentSymbolProvider', grammar.document.uri);
      const top = grammar.inJson ? symbols?.find(({ detail }) => detail === 'Lark')?.children : symbols;
      return top !== undefined && top.length > 0 && top;
    });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['start', 'head', 'tail', 'section', 'adding', 'deleting', 'PATH', 'LF'],
    );
    assert.deepEqual(
      found[4]!.children.map(({ name }) => name),
      ['add'],
    );
  });

  inBoth('symbols of the workspace', PATCH.replaceAll('deleting', 'vanishing'), async (grammar) => {
    await eventually('a symbol', async () => {
      const found = await command<vscode.SymbolInformation[]>('executeWorkspaceSymbolProvider', 'vanishing');
      return found.some(
        ({ name, location }) => name === 'vanishing' && location.uri.path === grammar.document.uri.path,
      );
    });
  });

  test('folds', async () => {
    const grammar = await open(`// one\n// two\nx: "a"\n  | "b"\n${PATCH}`, false);
    await eventually('folds', async () => {
      const found = await command<vscode.FoldingRange[]>('executeFoldingRangeProvider', grammar.document.uri);
      const shown = found?.map(({ start, end }) => `${start}-${end}`).join(' ');
      return shown?.includes('0-1') && shown.includes('2-3');
    });
  });

  inBoth('selection grows by parts of the grammar', PATCH, async (grammar) => {
    const [first] = await eventually('ranges', async () => {
      const found = await command<vscode.SelectionRange[]>('executeSelectionRangeProvider', grammar.document.uri, [
        grammar.at('section+', 2),
      ]);
      return found?.[0]?.parent !== undefined && found;
    });
    const steps: string[] = [];
    for (let step: vscode.SelectionRange | undefined = first; step !== undefined; step = step.parent) {
      if (steps.length < 5) steps.push(grammar.document.getText(step.range));
    }
    assert.ok(steps.includes('section') && steps.includes('section+'), steps.join(' | '));
    assert.ok(steps.includes('head section+ tail'), steps.join(' | '));
  });

  inBoth('semantic tokens', PATCH, async (grammar) => {
    const { uri } = grammar.document;
    const legend = await eventually('a legend', () =>
      command<vscode.SemanticTokensLegend>('provideDocumentSemanticTokensLegend', uri),
    );
    const tokens = await eventually('tokens', async () => {
      const found = await command<vscode.SemanticTokens>('provideDocumentSemanticTokens', uri);
      return found?.data.length > 0 && found;
    });
    const start = grammar.at('start: head');
    assert.deepEqual([tokens.data[0], tokens.data[1], tokens.data[2]], [start.line, start.character, 'start'.length]);
    assert.equal(legend.tokenTypes[tokens.data[3]!], 'function');
    const part = await command<vscode.SemanticTokens>(
      'provideDocumentRangeSemanticTokens',
      uri,
      new vscode.Range(grammar.at('PATH: /'), grammar.at('PATH: /', 4)),
    );
    assert.ok(part.data.length > 0 && part.data.length < tokens.data.length);
    assert.equal(legend.tokenTypes[part.data[3]!], 'type');
  });

  test('layout of a file, and of a part', async () => {
    const grammar = await open('start:head|tail\nhead:"a"\ntail:"b"\n', false);
    const { document } = grammar;
    const options = { tabSize: 2, insertSpaces: true };
    const edits = await eventually('edits', async () => {
      const found = await command<vscode.TextEdit[]>('executeFormatDocumentProvider', document.uri, options);
      return found?.length > 0 && found;
    });
    const part = await command<vscode.TextEdit[]>(
      'executeFormatRangeProvider',
      document.uri,
      document.lineAt(1).range,
      options,
    );
    assert.deepEqual([...new Set(part.map(({ range }) => range.start.line))], [1]);
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), 'start: head | tail\nhead: "a"\ntail: "b"\n');
  });

  test('JSON keeps its one formatter', async () => {
    const { document, editor } = await open('start:"a"\n', true);
    await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), '      '));
    await vscode.commands.executeCommand('editor.action.formatDocument');
    const indentOf = (line: number): number => document.lineAt(line).firstNonWhitespaceCharacterIndex;
    await eventually('the JSON laid out', () => indentOf(1) > 0 && indentOf(1) === indentOf(2));
    assert.ok(document.getText().includes(escaped('start:"a"\n')));
  });

  inBoth('call hierarchy', PATCH, async (grammar) => {
    const [item] = await eventually('an item', async () => {
      const found = await command<vscode.CallHierarchyItem[]>(
        'prepareCallHierarchy',
        grammar.document.uri,
        grammar.at('section: ', 1),
      );
      return found?.length > 0 && found;
    });
    assert.equal(item!.name, 'section');
    const incoming = await command<vscode.CallHierarchyIncomingCall[]>('provideIncomingCalls', item);
    assert.deepEqual(
      incoming.map(({ from }) => from.name),
      ['start'],
    );
    const outgoing = await command<vscode.CallHierarchyOutgoingCall[]>('provideOutgoingCalls', item);
    assert.deepEqual(
      outgoing.map(({ to }) => to.name),
      ['adding', 'deleting'],
    );
  });

  test('lenses tell uses where the setting asks for them', async () => {
    const { document } = await open(PATCH, false);
    const settings = vscode.workspace.getConfiguration('toolspec', document.uri);
    const titles = async (): Promise<string[]> => {
      const found = await command<vscode.CodeLens[]>('executeCodeLensProvider', document.uri, 20);
      return found.flatMap(({ command: each }) => each?.title ?? []);
    };
    const uses = async (): Promise<string[]> => (await titles()).filter((title) => title.includes('used'));
    assert.deepEqual(await uses(), []);
    try {
      await settings.update('codeLens.references', true, vscode.ConfigurationTarget.Workspace);
      await eventually('lenses', async () => (await titles()).includes('used 2 times'));
    } finally {
      await settings.update('codeLens.references', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  inBoth('above start stands what both engines say', 'start: /(.*)/ "\\n"\n', async ({ document }) => {
    const titles = async (): Promise<string[]> => {
      const found = await command<vscode.CodeLens[]>('executeCodeLensProvider', document.uri, 20);
      return found.flatMap(({ command: each }) => each?.title ?? []);
    };
    await eventually('both verdicts', async () =>
      (await titles()).some((title) => /^OpenAI accepts it · Lark refuses it: /.test(title)),
    );
  });

  inBoth(
    'the engine itself has a word among the findings',
    'start: a\na: %json {"type": "array", "x-guidance": {"lenient": true}, "uniqueItems": true}\n',
    async ({ document }) => {
      await eventually('a remark', () => mine(document.uri).some((each) => codeOf(each) === 'grammar/provider-warns'));
    },
  );

  test('a text is walked through a grammar, and a sample through its own', async () => {
    const grammar = await open('start: "ab" /[0-9]+/\n', true);
    const name = grammar.document.uri.path.split('/').at(-1)!;
    const calls = [{ name: 'one', tool: 'patch', input: 'ab7' }];
    const samples = JSON.stringify({ definitions: [`./${name}`], calls }, null, 2);
    await vscode.workspace.fs.writeFile(workspaceUri('walk.samples.json'), Buffer.from(samples));
    const { document, selection } = await openFile('walk.samples.json');
    assert.ok(selection);
    const at = document.positionAt(samples.indexOf('ab7'));
    vscode.window.activeTextEditor!.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('toolspec.stepThroughGeneration');
    const walk = await eventually('the walk', () =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'toolspec' && uri.path.includes('walk')),
    );
    await eventually('its text', () => walk.getText().includes('The text is accepted.'));
    assert.ok(walk.getText().includes('must be "ab" 2 bytes'));
  });

  test('a grammar goes into a file and comes back', async () => {
    const grammar = await open(PATCH, true);
    const { document, editor } = grammar;
    await eventually('findings or none', async () => {
      const found = await command<vscode.DocumentSymbol[]>('executeDocumentSymbolProvider', document.uri);
      return found?.some(({ detail }) => detail === 'Lark');
    });
    editor.selection = new vscode.Selection(grammar.at('start'), grammar.at('start'));
    await vscode.commands.executeCommand('toolspec.extractGrammar');
    const file = await eventually('the file in front', () => {
      const active = vscode.window.activeTextEditor?.document;
      return active?.languageId === 'lark' && active;
    });
    assert.equal(file.getText(), PATCH);
    assert.equal(file.uri.path.split('/').at(-1), 'patch.lark');
    const { format } = JSON.parse(document.getText()) as { format: object };
    assert.deepEqual(format, { type: 'grammar', syntax: 'lark', definition: { $file: './patch.lark' } });

    const links = await eventually('a link', async () => {
      const found = await command<vscode.DocumentLink[]>('executeLinkProvider', document.uri);
      return found.find(({ target }) => target?.path === file.uri.path);
    });
    assert.equal(document.getText(links.range), './patch.lark');

    const shown = await vscode.window.showTextDocument(document);
    const at = document.positionAt(document.getText().indexOf('$file'));
    shown.selection = new vscode.Selection(at, at);
    await vscode.commands.executeCommand('toolspec.inlineGrammar');
    const again = await eventually(
      'the grammar again',
      () => !document.getText().includes('$file') && document.getText(),
    );
    assert.equal(again, jsonOf(PATCH));
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.workspace.fs.delete(file.uri).then(undefined, () => {});
  });

  test('names lead across files', async () => {
    await vscode.workspace.fs.writeFile(workspaceUri('shared.lark'), Buffer.from('// Shared.\nentry: "x"\n'));
    const grammar = await open('start: entry\n%import .shared.entry\n', false);
    const { document } = grammar;
    const edit = await eventually('an edit of both', async () => {
      const found = await command<vscode.WorkspaceEdit>(
        'executeDocumentRenameProvider',
        document.uri,
        grammar.at('start: entry', 8),
        'item',
      );
      return found.size === 2 && found;
    });
    const files = edit.entries().map(([uri]) => uri.path.split('/').at(-1));
    assert.ok(files.includes('shared.lark'));
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), 'start: item\n%import .shared.item\n');
    const other = await vscode.workspace.openTextDocument(workspaceUri('shared.lark'));
    assert.equal(other.getText(), '// Shared.\nitem: "x"\n');
    await vscode.workspace.saveAll();
  });
});
