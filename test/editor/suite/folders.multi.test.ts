import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from './support';

/** Opens a file of the folder with this name. */
async function open(folderName: string, file: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.find(({ name }) => name === folderName);
  assert.ok(folder, `no folder ${folderName}`);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, file));
  await vscode.window.showTextDocument(document);
  return document;
}

async function firstLens(document: vscode.TextDocument): Promise<string> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    10,
  );
  return lenses[0]?.command?.title ?? '';
}

suite('Several folders', () => {
  test('each folder has its own settings', async () => {
    const orders = await open('shop', 'orders.tools.json');
    const weather = await open('weather', 'weather.tool.json');
    await eventually('both lenses', async () => (await firstLens(orders)) !== '' && (await firstLens(weather)) !== '');
    const settings = vscode.workspace.getConfiguration('toolspec', orders.uri);
    await settings.update('budgetBytes', 30, vscode.ConfigurationTarget.WorkspaceFolder);
    await eventually('the new budget', async () => (await firstLens(orders)).includes(' of 30 bytes'));
    assert.match(await firstLens(weather), / of 5,000 bytes$/);
    await settings.update('budgetBytes', undefined, vscode.ConfigurationTarget.WorkspaceFolder);
    await eventually('the old budget', async () => (await firstLens(orders)).includes(' of 5,000 bytes'));
  });

  test('each folder has its own config file', async () => {
    const orders = await open('shop', 'orders.tools.json');
    const weather = await open('weather', 'weather.tool.json');
    const config = vscode.Uri.joinPath(weather.uri, '../toolspec.config.json');
    await vscode.workspace.fs.writeFile(config, Buffer.from('{"budgetBytes":40}'));
    await eventually('the budget of the config', async () => (await firstLens(weather)).includes(' of 40 bytes'));
    assert.match(await firstLens(orders), / of 5,000 bytes$/);
    await vscode.workspace.fs.delete(config);
    await eventually('the default budget', async () => (await firstLens(weather)).includes(' of 5,000 bytes'));
  });
});
