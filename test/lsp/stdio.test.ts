import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  CompletionList,
  Diagnostic,
  DocumentDiagnosticReport,
  Hover,
  InitializeResult,
  PublishDiagnosticsParams,
} from 'vscode-languageserver';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { InitializationOptions } from '../../server/src/protocol';

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

/** A server as any other editor starts it: the shipped command, the plain protocol, files on disk. */
class Editor {
  readonly server: ChildProcess;
  readonly client: MessageConnection;
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec lsp ä '));
  readonly rootUri = pathToFileURL(this.folder).href;
  readonly asked: string[] = [];
  readonly published = new Map<string, Diagnostic[]>();
  #publishing: (() => void)[] = [];

  constructor() {
    const server = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.server = server;
    this.client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    this.client.onRequest((method) => {
      this.asked.push(method);
      return null;
    });
    this.client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.published.set(params.uri, params.diagnostics);
      for (const resolve of this.#publishing.splice(0)) resolve();
    });
    this.client.listen();
  }

  async start(capabilities: object, initializationOptions?: InitializationOptions): Promise<InitializeResult> {
    const result = await this.client.sendRequest<InitializeResult>('initialize', {
      processId: process.pid,
      rootUri: this.rootUri,
      capabilities,
      initializationOptions,
      workspaceFolders: [{ uri: this.rootUri, name: 'project' }],
    });
    await this.client.sendNotification('initialized', {});
    return result;
  }

  async open(name: string, text: string, languageId = 'json'): Promise<string> {
    const uri = `${this.rootUri}/${name}`;
    const textDocument = { uri, languageId, version: 1, text };
    await this.client.sendNotification('textDocument/didOpen', { textDocument });
    return uri;
  }

  request<T>(method: string, uri: string, params: object = {}): Promise<T> {
    return this.client.sendRequest<T>(method, { textDocument: { uri }, ...params });
  }

  /** Resolves when diagnostics of a document have come that fit. */
  async publishes(uri: string, fits: (codes: string[]) => boolean): Promise<void> {
    while (!fits((this.published.get(uri) ?? []).map(({ code }) => String(code)))) {
      await new Promise<void>((resolve) => this.#publishing.push(resolve));
    }
  }

  /** Ends the server in order and gives its exit code. */
  async end(): Promise<number> {
    await this.client.sendRequest('shutdown');
    const ended = once(this.server, 'exit');
    await this.client.sendNotification('exit');
    const [code] = await ended;
    this.client.dispose();
    rmSync(this.folder, { recursive: true, force: true });
    return code as number;
  }
}

test('an editor with initialization options: another language, files by name, lenses that its commands serve', async () => {
  const editor = new Editor();
  const uri = `${editor.rootUri}/mine.json`;
  const { capabilities } = await editor.start(
    { textDocument: { diagnostic: {} } },
    { commands: true, toolFiles: [uri], texts: { 'Preview wire': 'Vorschau' } },
  );
  expect(capabilities).toMatchObject({ hoverProvider: true, inlayHintProvider: expect.anything() });
  await editor.open('mine.json', TOOL);
  const report = await editor.request<DocumentDiagnosticReport>('textDocument/diagnostic', uri);
  const found = report.kind === 'full' ? report.items : [];
  expect(found.map(({ code }) => code)).toContain('codex/keyword-dropped');
  const lenses = await editor.request<CodeLens[]>('textDocument/codeLens', uri);
  expect(lenses.map(({ command }) => command?.title)).toContain('Vorschau');

  const at = TOOL.indexOf('minLength') + 1;
  const position = { line: 0, character: at };
  const hover = await editor.request<Hover>('textDocument/hover', uri, { position });
  expect((hover.contents as { value: string }).value).toContain('Not sent.');
  const strict = TOOL.replace('"name"', '"strict":true,"name"');
  await editor.client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: strict }],
  });
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: strict.length } };
  const actions = await editor.request<CodeAction[]>('textDocument/codeAction', uri, {
    range,
    context: { diagnostics: [] },
  });
  const fix = actions.find(({ title }) => title === 'Add "additionalProperties": false');
  expect(fix?.edit?.changes?.[uri] ?? fix?.edit?.documentChanges).toHaveLength(1);

  const grammar = 'start: WORD\nWORD: /[a-z]+/\n';
  const lark = await editor.open('query.lark', grammar, 'lark');
  const items = await editor.request<CompletionList | CompletionItem[]>('textDocument/completion', lark, {
    position: { line: 0, character: 'start: WO'.length },
  });
  expect((Array.isArray(items) ? items : items.items).map(({ label }) => label)).toContain('WORD');
  expect(await editor.end()).toBe(0);
});

test('an editor without dynamic registration that asks for no diagnostics gets them by itself', async () => {
  const editor = new Editor();
  writeFileSync(path.join(editor.folder, 'words.lark'), 'WORD: /[a-z]+/\n');
  const { capabilities } = await editor.start({ textDocument: { publishDiagnostics: {} } });
  // What would be registered later is announced at once.
  expect(capabilities.documentFormattingProvider).toBeTruthy();
  const uri = await editor.open('a.tools.json', TOOL);
  await editor.publishes(uri, (codes) => codes.includes('codex/keyword-dropped'));
  await editor.client.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: TOOL.replace(',"minLength":1', '') }],
  });
  await editor.publishes(uri, (codes) => !codes.includes('codex/keyword-dropped'));
  const lark = await editor.open('query.lark', '%import .words.WORD\nstart: WORD nowhere\n', 'lark');
  await editor.publishes(lark, (codes) => codes.includes('grammar/undefined-name'));
  await editor.client.sendNotification('textDocument/didClose', { textDocument: { uri: lark } });
  await editor.publishes(lark, (codes) => codes.length === 0);
  expect(editor.asked).toEqual([]);
  expect(await editor.end()).toBe(0);
});

test('an editor that goes away without a word leaves no server and no noise behind', async () => {
  const server = spawn(process.execPath, [CLI, 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let noise = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    noise += text;
  });
  server.stdin.on('error', () => {});
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities: {} } });
  const ask = (): boolean => server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}`);
  ask();
  await once(server.stdout, 'data');
  server.stdout.destroy();
  const ended = once(server, 'exit');
  const asking = setInterval(ask, 20);
  const [code] = await ended;
  clearInterval(asking);
  expect({ code, noise }).toEqual({ code: 1, noise: '' });
});
