import * as vscode from 'vscode';
import { registerCommands } from './commands/register';
import { type MakeClient, Server } from './server';
import { StatusItem } from './status';
import { ToolFiles } from './toolFiles';

/**
 * First stage of the activation: commands, the log, the status item and a watch for tool definition files. Nothing here
 * waits for anything; the server is the second stage.
 */
export function activateToolSpec(context: vscode.ExtensionContext, makeClient: MakeClient): Server {
  const log = vscode.window.createOutputChannel('ToolSpec', { log: true });
  const toolFiles = new ToolFiles(context.workspaceState);
  const server = new Server(makeClient, log, toolFiles);
  context.subscriptions.push(log, toolFiles, server, new StatusItem(server));
  context.subscriptions.push(...registerCommands({ server, log, toolFiles }));
  toolFiles.whenNeeded(() => {
    server.start();
  });
  return server;
}
