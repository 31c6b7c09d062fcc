import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, openFile, workspaceUri } from './support';

const TOOL = {
  type: 'function',
  name: 'find',
  description: 'Finds a thing.',
  strict: true,
  parameters: { type: 'object', properties: { q: { type: 'string' } } },
};

suite('converting tools', () => {
  test('opens the tools in another shape as a new document, and leaves the file alone', async () => {
    const name = 'convert.tools.json';
    await vscode.workspace.fs.writeFile(workspaceUri(name), Buffer.from(`${JSON.stringify([TOOL], null, 2)}\n`));
    const { document: source } = await openFile(name);
    const before = source.getText();
    await vscode.commands.executeCommand('toolspec.convertTools', source.uri, 'anthropic');
    const made = await eventually('the converted document', () => {
      const { activeTextEditor } = vscode.window;
      return activeTextEditor?.document.isUntitled === true ? activeTextEditor.document : undefined;
    });
    assert.equal(made.languageId, 'json');
    assert.deepEqual(JSON.parse(made.getText()), [
      { name: 'find', description: 'Finds a thing.', input_schema: TOOL.parameters, strict: true },
    ]);
    assert.equal(source.getText(), before);
    assert.equal(source.isDirty, false);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('what is typed and not saved is converted', async () => {
    const name = 'convert-typed.tools.json';
    await vscode.workspace.fs.writeFile(workspaceUri(name), Buffer.from(`${JSON.stringify([TOOL], null, 2)}\n`));
    const editor = await openFile(name);
    const at = editor.document.positionAt(editor.document.getText().indexOf('find'));
    assert.ok(await editor.edit((edit) => edit.insert(at, 're')));
    await vscode.commands.executeCommand('toolspec.convertTools', editor.document.uri, 'mcp');
    // An untitled document of another test may be in front until this one comes.
    const made = await eventually('the converted document', () =>
      vscode.workspace.textDocuments.find(({ isUntitled, getText }) => isUntitled && getText().includes('refind')),
    );
    assert.equal((JSON.parse(made.getText()) as { tools: { name: string }[] }).tools[0]?.name, 'refind');
    await vscode.window.showTextDocument(made);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
