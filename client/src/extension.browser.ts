import * as vscode from 'vscode';
import type { MessageTransports } from 'vscode-languageclient/browser';
import { METHODS, type ReadPartParams, type ReadPartResult } from '../../server/src/protocol';
import { activateToolSpec } from './activate';
import type { Server } from './server';

/** A worker of the browser, as far as it is used here. */
interface BrowserWorker {
  terminate(): void;
}

/** Bundles of ours that the server may ask for. */
const PARTS = new Set(['llguidance.wasm', 'browserEngineWorker.js', 'tokens.js']);

let server: Server | undefined;
let running: BrowserWorker | undefined;

/**
 * The same as on the desktop, with the server in a worker. There are no processes in a browser, so handlers do not run;
 * everything else does.
 */
export function activate(context: vscode.ExtensionContext): void {
  const { Worker } = globalThis as unknown as { Worker: new (address: string) => BrowserWorker };
  const file = (name: string): vscode.Uri => vscode.Uri.joinPath(context.extensionUri, 'dist', name);
  server = activateToolSpec(context, async (options) => {
    const { BrowserMessageReader, BrowserMessageWriter, LanguageClient } = await import(
      'vscode-languageclient/browser'
    );
    // An editor's host wraps `Worker`, so that the library does not know one when it sees it.
    const start = async (): Promise<MessageTransports> => {
      running?.terminate();
      running = new Worker(file('web/server.js').toString(true));
      return { reader: new BrowserMessageReader(running as never), writer: new BrowserMessageWriter(running as never) };
    };
    const client = new LanguageClient('toolspec', 'ToolSpec', start, options);
    client.onRequest(METHODS.readPart, async ({ name }: ReadPartParams): Promise<ReadPartResult> => {
      if (!PARTS.has(name)) return { bytes: null };
      try {
        return { bytes: await vscode.workspace.fs.readFile(file(name)) };
      } catch {
        return { bytes: null };
      }
    });
    return client;
  });
}

/** Stops the server in order, and its worker with it. */
export async function deactivate(): Promise<void> {
  await server?.stop();
  running?.terminate();
  running = undefined;
}
