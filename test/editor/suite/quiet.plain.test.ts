import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { eventually, openFile, workspaceUri } from './support';

/** Command lines of the processes that this extension host has started; Linux only. */
function children(): string[] {
  return fs.readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const parent = / (\d+) /.exec(fs.readFileSync(`/proc/${entry}/stat`, 'utf8').replace(/^.*\) \w/, ''))?.[1];
      return parent === String(process.pid) ? [fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8')] : [];
    } catch {
      return []; // It has ended meanwhile.
    }
  });
}

const servers = (): string[] => children().filter((line) => line.includes('dist/server.js'));

suite('A folder without tools', () => {
  test('does not wake the extension for plain JSON, and does for the first tool definition', async function () {
    if (process.platform !== 'linux') this.skip();
    const extension = vscode.extensions.getExtension('toolspec.toolspec');
    assert.ok(extension);
    const { document } = await openFile('data.json');
    // The built-in JSON support has answered, so the document has been around for everybody.
    await eventually('symbols', async () => {
      const symbols = await vscode.commands.executeCommand<unknown[]>(
        'vscode.executeDocumentSymbolProvider',
        document.uri,
      );
      return symbols?.length > 0;
    });
    assert.equal(extension.isActive, false);
    assert.deepEqual(servers(), []);
    const tool = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', minProperties: 1 } };
    await vscode.workspace.fs.writeFile(workspaceUri('first.tool.json'), Buffer.from(JSON.stringify(tool)));
    const opened = await openFile('first.tool.json');
    await eventually('the first stage', () => extension.isActive);
    await eventually('a server', () => servers().length === 1);
    await eventually('a finding', () =>
      vscode.languages.getDiagnostics(opened.document.uri).some(({ source }) => source === 'ToolSpec'),
    );
  });
});
