import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './support';

suite('Activation in a multi-root workspace', () => {
  test('tool files in any folder activate the extension', async () => {
    assert.equal(vscode.workspace.workspaceFolders?.length, 2);
    await eventually('the extension is active', () => vscode.extensions.getExtension('toolspec.toolspec')?.isActive);
  });
});
