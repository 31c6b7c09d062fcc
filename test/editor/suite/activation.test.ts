import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

const extension = (): vscode.Extension<unknown> => {
  const found = vscode.extensions.getExtension('toolspec.toolspec');
  assert.ok(found, 'the extension is not installed');
  return found;
};

suite('Activation', () => {
  test('the extension activates', async () => {
    await extension().activate();
    assert.equal(extension().isActive, true);
  });

  test('it runs from the place under test', () => {
    const home = process.env['TOOLSPEC_EXPECTED_HOME'] ?? '';
    assert.ok(home !== '' && extension().extensionPath.startsWith(home), `runs from ${extension().extensionPath}`);
  });

  test('every contributed command is registered', async () => {
    await extension().activate();
    const contributed: { command: string }[] = extension().packageJSON.contributes?.commands ?? [];
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = contributed.map((each) => each.command).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });
});
