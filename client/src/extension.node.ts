import * as vscode from 'vscode';
import { activateToolSpec } from './activate';
import type { Server } from './server';

let server: Server | undefined;

/** Registers what is always there. The server is started later, and only when there is something for it to do. */
export function activate(context: vscode.ExtensionContext): void {
  const module = vscode.Uri.joinPath(context.extensionUri, 'dist', 'server.js').fsPath;
  server = activateToolSpec(context, async (options) => {
    const { LanguageClient, TransportKind } = await import('vscode-languageclient/node');
    const run = { module, transport: TransportKind.ipc };
    return new LanguageClient('toolspec', 'ToolSpec', { run, debug: run }, options);
  });
}

/** Stops the server in order. */
export async function deactivate(): Promise<void> {
  await server?.stop();
}
