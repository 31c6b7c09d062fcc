import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { CodeLens, DocumentDiagnosticReport, InitializeResult } from 'vscode-languageserver';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';

const CLI = path.resolve('dist/cli.js');
const TOOL =
  '[{"type":"function","name":"f","description":"d","parameters":{"type":"object","properties":{"q":{"type":"string","minLength":1}}}}]';

// What any other editor does: start the shipped command, speak the plain protocol, read the config file from disk.
test('the shipped server serves an editor over standard input and output', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec lsp ä '));
  try {
    writeFileSync(path.join(folder, 'toolspec.config.json'), '{"budgetBytes":12}');
    const server = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    client.listen();
    const rootUri = pathToFileURL(folder).href;
    const initialized = await client.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri,
      capabilities: {},
      workspaceFolders: [{ uri: rootUri, name: 'project' }],
    });
    expect(initialized.serverInfo).toMatchObject({
      name: 'ToolSpec',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    await client.sendNotification('initialized', {});
    const uri = `${rootUri}/a.tools.json`;
    const textDocument = { uri, languageId: 'json', version: 1, text: TOOL };
    await client.sendNotification('textDocument/didOpen', { textDocument });
    const report = await client.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
      textDocument: { uri },
    });
    const items = report.kind === 'full' ? report.items : [];
    expect(items.map(({ code }) => code)).toContain('codex/keyword-dropped');
    const lenses = await client.sendRequest<CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
    expect(lenses.map(({ command }) => command?.title)).toEqual([expect.stringContaining(' of 12 bytes · ')]);
    await client.sendRequest('shutdown');
    const ended = once(server, 'exit');
    await client.sendNotification('exit');
    expect((await ended)[0]).toBe(0);
    client.dispose();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
