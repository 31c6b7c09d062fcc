import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, openFile } from './support';

suite('Diagnostic report', () => {
  test('it has versions, settings and counts, and no text or name of a file', async () => {
    const settings = vscode.workspace.getConfiguration('toolspec');
    await settings.update('budgetBytes', 4321, vscode.ConfigurationTarget.Workspace);
    await settings.update('files.include', ['secret-folder/*.json'], vscode.ConfigurationTarget.Workspace);
    try {
      const { document } = await openFile('weather.tool.json');
      const report = await eventually('a check in the report', async () => {
        await vscode.commands.executeCommand('toolspec.copyReport');
        const text = await vscode.env.clipboard.readText();
        return text.includes(' ms, codex-') ? text : undefined;
      });
      const { version } = vscode.extensions.getExtension('toolspec.toolspec')?.packageJSON ?? {};
      assert.match(report, new RegExp(`^ToolSpec ${version}\n`));
      assert.match(report, /Server: running\n/);
      assert.match(report, /Node v\d+/);
      assert.match(report, /\n {2}\d+ tool\(s\), \d+ over the budget, \d+ refused, \d+ ms, codex-/);
      assert.match(report, /\n {2}budgetBytes: 4321\n/);
      assert.match(report, /\n {2}files\.include: 1 pattern\(s\)\n/);
      for (const part of ['weather', 'secret', document.uri.fsPath, 'get_']) assert.ok(!report.includes(part), report);
    } finally {
      await settings.update('budgetBytes', undefined, vscode.ConfigurationTarget.Workspace);
      await settings.update('files.include', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });
});
