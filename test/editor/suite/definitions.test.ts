import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { eventually, openFile, workspaceUri } from './support';

const RULE = 'codex/keyword-dropped';
const UNUSED = 'codex/unreachable-definition';

/** A function as a file holds it. */
function toolText(parameters: object, name = 'find'): string {
  const tool = { type: 'function', name, description: 'Finds a thing.', strict: false, parameters };
  return `${JSON.stringify([tool], null, 2)}\n`;
}

const DROPPING = toolText({ type: 'object', properties: { q: { type: 'string', minLength: 2 } } });
const WITH_UNUSED = toolText({
  type: 'object',
  properties: { q: { type: 'string' } },
  $defs: { Old: { type: 'string' } },
});
/** Over the budget by its descriptions and by its definitions. */
const LARGE = toolText({
  type: 'object',
  properties: {
    place: { $ref: '#/$defs/Place', description: 'x'.repeat(3000) },
    days: { type: 'integer', minimum: 1 },
  },
  $defs: { Place: { type: 'object', properties: { id: { type: 'string', enum: ['y'.repeat(5500)] } } } },
});

const mine = (uri: vscode.Uri): vscode.Diagnostic[] =>
  vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'ToolSpec');

const codeOf = ({ code }: vscode.Diagnostic): string => String(typeof code === 'object' ? code.value : code);

const has = (uri: vscode.Uri, rule: string): boolean => mine(uri).some((each) => codeOf(each) === rule);

/** Writes a file of the workspace and opens it. */
async function openText(name: string, text: string): Promise<vscode.TextEditor> {
  await vscode.workspace.fs.writeFile(workspaceUri(name), Buffer.from(text));
  return openFile(name);
}

async function replace(editor: vscode.TextEditor, from: string, to: string): Promise<void> {
  const { document } = editor;
  const at = document.getText().indexOf(from);
  assert.ok(at >= 0, `${from} is not in the document`);
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  assert.ok(await editor.edit((edit) => edit.replace(range, to)));
}

function positionOf(document: vscode.TextDocument, part: string, inside = 1): vscode.Position {
  return document.positionAt(document.getText().indexOf(part) + inside);
}

async function hints(document: vscode.TextDocument): Promise<string[]> {
  const whole = new vscode.Range(0, 0, document.lineCount, 0);
  const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider',
    document.uri,
    whole,
  );
  return found.map(({ label }) => String(label));
}

async function lenses(document: vscode.TextDocument): Promise<string[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    10,
  );
  return found.flatMap(({ command }) => command?.title ?? []);
}

async function hover(document: vscode.TextDocument, part: string): Promise<string> {
  const found = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    positionOf(document, part),
  );
  return found
    .flatMap(({ contents }) => contents.map((each) => (typeof each === 'string' ? each : each.value)))
    .join('\n');
}

/** The text of the newest read-only document whose address has this part in its path. */
const viewNamed = (part: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'toolspec' && uri.path.includes(part));

suite('Definitions', () => {
  suiteSetup(async () => {
    await vscode.extensions.getExtension('toolspec.toolspec')?.activate();
  });

  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  test('diagnostics appear, change and go', async () => {
    const editor = await openText('diagnostics.tools.json', DROPPING);
    const { uri } = editor.document;
    const found = await eventually('a finding', () => mine(uri).find((each) => codeOf(each) === RULE));
    assert.equal(editor.document.getText(found.range), '"minLength"');
    assert.ok(
      typeof found.code === 'object' && found.code.target.path.endsWith('/docs/rules/codex/keyword-dropped.md'),
    );
    await replace(editor, '"minLength": 2', '"maxLength": 2');
    await eventually('the finding about the new text', () =>
      mine(uri).some((each) => editor.document.getText(each.range) === '"maxLength"'),
    );
    await replace(editor, ',\n          "maxLength": 2', '');
    await eventually('no finding', () => !has(uri, RULE));
  });

  test('an unreachable definition is faded', async () => {
    const { document } = await openText('unused.tools.json', WITH_UNUSED);
    const found = await eventually('a finding', () => mine(document.uri).find((each) => codeOf(each) === UNUSED));
    assert.deepEqual(found.tags, [vscode.DiagnosticTag.Unnecessary]);
  });

  test('hints and lens tell the sizes and follow an edit', async () => {
    const editor = await openText('large.tools.json', LARGE);
    const { document } = editor;
    const first = await eventually('hints', async () => {
      const found = await hints(document);
      return found.length > 0 ? found : undefined;
    });
    assert.ok(
      first.some((label) => /^[\d,]+ → [\d,]+ bytes$/.test(label)),
      first.join(' | '),
    );
    assert.ok(first.includes('→ {}'), first.join(' | '));
    assert.match(
      (await lenses(document)).join(' | '),
      /of 5,000 bytes · descriptions and definitions go \| Preview wire \| Compare/,
    );
    await replace(editor, 'y'.repeat(5500), 'y');
    await replace(editor, 'x'.repeat(3000), 'x');
    await eventually('a lens that fits', async () => !(await lenses(document)).join(' ').includes(' go'));
    assert.ok(!(await hints(document)).includes('→ {}'));
  });

  test('hover says what happens and why', async () => {
    const { document } = await openText('hover.tools.json', LARGE);
    const text = await eventually('a hover', async () => {
      const found = await hover(document, '"place"');
      return found.includes('Sent as') ? found : undefined;
    });
    assert.match(text, /\*\*Sent as `\{\}`\.\*\* The model can put anything into `place`\./);
    assert.match(text, /Pass&nbsp;2/);
    assert.match(text, /over the budget/);
    assert.match(await hover(document, '"minimum"'), /The model never sees `minimum`/);
  });

  test('a quick fix removes the cause', async () => {
    const { document } = await openText('fix.tools.json', WITH_UNUSED);
    const found = await eventually('a finding', () => mine(document.uri).find((each) => codeOf(each) === UNUSED));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      found.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const preferred = actions.filter(({ isPreferred }) => isPreferred);
    assert.equal(preferred.length, 1);
    assert.ok(preferred[0]?.edit);
    assert.ok(await vscode.workspace.applyEdit(preferred[0].edit));
    assert.ok(!document.getText().includes('Old'));
    await eventually('no finding', () => !has(document.uri, UNUSED));
  });

  test('all safe fixes apply on save', async () => {
    const configuration = vscode.workspace.getConfiguration('editor', null);
    await configuration.update(
      'codeActionsOnSave',
      { 'source.fixAll.toolspec': 'explicit' },
      vscode.ConfigurationTarget.Workspace,
    );
    try {
      const editor = await openText('save.tools.json', WITH_UNUSED);
      const { document } = editor;
      await eventually('a finding', () => has(document.uri, UNUSED));
      await replace(editor, 'Finds a thing.', 'Finds one thing.');
      assert.ok(await document.save());
      await eventually('the saved text', () => {
        const saved = fs.readFileSync(document.uri.fsPath, 'utf8');
        return !saved.includes('$defs') && saved.includes('Finds one thing.');
      });
    } finally {
      await configuration.update('codeActionsOnSave', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  test('the wire document opens beside, and follows while the source is typed', async () => {
    const editor = await openText('wire.tools.json', DROPPING);
    editor.selection = new vscode.Selection(
      positionOf(editor.document, '"find"'),
      positionOf(editor.document, '"find"'),
    );
    await vscode.commands.executeCommand('toolspec.previewWire.responses');
    const wire = await eventually('the wire document', () => viewNamed('find.responses'));
    assert.equal(wire.languageId, 'json');
    assert.equal(JSON.parse(wire.getText()).parameters.properties.q.minLength, undefined);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), editor.document.uri.toString());
    assert.ok(vscode.window.visibleTextEditors.some(({ document }) => document === wire));
    await replace(editor, 'Finds a thing.', 'Finds what is typed.');
    await eventually('the typed text on the wire', () => wire.getText().includes('Finds what is typed.'));
    assert.ok(editor.document.isDirty);
  });

  test('every form of the wire opens', async () => {
    const { document } = await openText('forms.tools.json', DROPPING);
    for (const mode of ['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic']) {
      const argument = { uri: document.uri.toString(), view: 'wire', tool: '/0' };
      await vscode.commands.executeCommand(`toolspec.previewWire.${mode}`, argument);
      const wire = await eventually(mode, () => viewNamed(`find.${mode}.json`));
      assert.match(JSON.stringify(JSON.parse(wire.getText())), /"find"/);
    }
  });

  test('the comparison is a native diff of the source in wire order and the wire', async () => {
    const { document } = await openText('compare.tools.json', DROPPING);
    await vscode.commands.executeCommand('toolspec.compareWithSource', { uri: document.uri.toString(), tool: '/0' });
    const tab = await eventually('a diff', () => {
      const active = vscode.window.tabGroups.activeTabGroup.activeTab;
      return active?.input instanceof vscode.TabInputTextDiff && { label: active.label, input: active.input };
    });
    assert.equal(tab.label, 'find: source ↔ wire');
    const source = await vscode.workspace.openTextDocument(tab.input.original);
    const wire = await vscode.workspace.openTextDocument(tab.input.modified);
    // A line that becomes the last one loses its comma, which is no difference of the value.
    const linesOf = (document: vscode.TextDocument): string[] =>
      document
        .getText()
        .split('\n')
        .map((line) => line.trim().replace(/,$/, ''));
    const kept = new Set(linesOf(wire));
    assert.deepEqual(
      linesOf(source).filter((line) => !kept.has(line)),
      ['"minLength": 2'],
    );
  });

  test('the stages open in one document', async () => {
    const { document } = await openText('stages.tools.json', LARGE);
    await vscode.commands.executeCommand('toolspec.showStages', { uri: document.uri.toString(), tool: '/0' });
    const stages = await eventually('the stages', () => viewNamed('find.stages'));
    assert.equal(stages.languageId, 'jsonc');
    assert.match(stages.getText(), /\/\/ 3\. Pass 1, descriptions go: −[\d,]+, [\d,]+ bytes/);
  });

  test('settings apply at once', async () => {
    const { document } = await openText('settings.tools.json', DROPPING);
    const { uri } = document;
    await eventually('a hint', () => mine(uri).some((each) => codeOf(each) === RULE && each.severity === 3));
    const settings = vscode.workspace.getConfiguration('toolspec', uri);
    try {
      await settings.update('rules', { [RULE]: 'error' }, vscode.ConfigurationTarget.Workspace);
      await eventually('an error', () => mine(uri).some((each) => codeOf(each) === RULE && each.severity === 0));
      await settings.update('rules', { [RULE]: 'off' }, vscode.ConfigurationTarget.Workspace);
      await eventually('silence', () => !has(uri, RULE));
      await settings.update('codeLens.enabled', false, vscode.ConfigurationTarget.Workspace);
      await eventually('no lens', async () => (await lenses(document)).length === 0);
    } finally {
      await settings.update('rules', undefined, vscode.ConfigurationTarget.Workspace);
      await settings.update('codeLens.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    }
    await eventually('the hint again', () => has(uri, RULE));
  });

  test('a fault of a config file is said once', async () => {
    const uri = workspaceUri('toolspec.config.json');
    try {
      await vscode.workspace.fs.writeFile(
        uri,
        Buffer.from('{\n  "budgetBytes": "many",\n  "rules": { "codex/none": "off" }\n}'),
      );
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
      await eventually('the rule that is none', () => has(uri, 'config/unknown-rule'));
      await eventually('the budget that is none', () =>
        vscode.languages.getDiagnostics(uri).some(({ range }) => range.start.line === 1),
      );
      assert.equal(vscode.languages.getDiagnostics(uri).filter(({ range }) => range.start.line === 1).length, 1);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(uri);
    }
  });

  test('a config file applies at once and wins over settings', async () => {
    const { document } = await openText('config.tools.json', DROPPING);
    const { uri } = document;
    await eventually('a finding', () => has(uri, RULE));
    const config = workspaceUri('toolspec.config.json');
    try {
      await vscode.workspace.fs.writeFile(config, Buffer.from('{"budgetBytes":7}'));
      await eventually('the budget of the config', async () => (await lenses(document)).join().includes(' of 7 bytes'));
      await vscode.workspace.fs.writeFile(config, Buffer.from('{"budgetBytes":8}'));
      await eventually('its new budget', async () => (await lenses(document)).join().includes(' of 8 bytes'));
      // Emptied before it goes: a watcher may be late to tell that a file is gone, and other tests share the folder.
      await vscode.workspace.fs.writeFile(config, Buffer.from('{}'));
      await eventually('the default budget', async () => (await lenses(document)).join().includes(' of 5,000 bytes'));
    } finally {
      await vscode.workspace.fs.delete(config);
    }
  });

  test('JSON with comments is read as well', async () => {
    const text = DROPPING.replace('[', '[ // tools').replace('"minLength": 2', '"minLength": 2, // two');
    const { document } = await openText('comments.tools.jsonc', text);
    assert.equal(document.languageId, 'jsonc');
    const found = await eventually('a finding', () => mine(document.uri).find((each) => codeOf(each) === RULE));
    assert.equal(document.getText(found.range), '"minLength"');
  });

  test('a file outside of the patterns is treated as tools on request, and no longer', async () => {
    const { document } = await openText('plain.json', DROPPING);
    assert.deepEqual(await lenses(document), []);
    await vscode.commands.executeCommand('toolspec.treatAsTools', document.uri);
    await eventually('a finding', () => has(document.uri, RULE));
    await vscode.commands.executeCommand('toolspec.treatAsTools', document.uri);
    await eventually('silence', () => !has(document.uri, RULE));
  });

  test('a file outside of every folder is checked by its name', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'toolspec-outside-'));
    try {
      const file = path.join(folder, 'outside.tool.json');
      fs.writeFileSync(file, DROPPING);
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
      await vscode.window.showTextDocument(document);
      await eventually('a finding', () => has(document.uri, RULE));
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('text without a file can be tools', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'json', content: DROPPING });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('toolspec.treatAsTools');
    await eventually('a finding', () => has(document.uri, RULE));
    await vscode.commands.executeCommand('toolspec.treatAsTools');
  });

  test('the server restarts on request and goes on', async () => {
    const { document } = await openText('restart.tools.json', DROPPING);
    await eventually('a finding', () => has(document.uri, RULE));
    await vscode.commands.executeCommand('toolspec.restartServer');
    await eventually('the finding again', () => has(document.uri, RULE));
    await eventually('lenses again', async () => (await lenses(document)).length === 3);
  });
});
