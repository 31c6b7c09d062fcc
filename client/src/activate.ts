import * as vscode from 'vscode';
import { registerCommands } from './commands/register';
import { GrammarStatusItems } from './grammarStatus';
import { PanelHost } from './panel/panel';
import { serveSchemas } from './schemas';
import { type MakeClient, Server } from './server';
import { StatusItem } from './status';
import { Tests } from './tests/controller';
import { ToolFiles } from './toolFiles';
import { ToolsView } from './toolsView';

/**
 * Second stage of the activation: commands, views, the log, the status items and a watch for tool definition files.
 * Nothing here waits for anything; the server is started when such a file is there.
 */
export function activateToolSpec(context: vscode.ExtensionContext, makeClient: MakeClient): Server {
  const log = vscode.window.createOutputChannel('ToolSpec', { log: true });
  const toolFiles = new ToolFiles(context.workspaceState);
  const server = new Server(makeClient, log, toolFiles);
  const tests = new Tests(server, log);
  const tools = new ToolsView(server);
  const panel = new PanelHost(context.extensionUri, server, tests);
  context.subscriptions.push(
    log,
    toolFiles,
    server,
    panel,
    tests,
    tools,
    new StatusItem(server),
    new GrammarStatusItems(server),
    serveSchemas(context.extensionUri),
  );
  context.subscriptions.push(...registerCommands({ server, log, toolFiles, panel, tests, tools, drift: tests.drift }));
  // In a turn of its own, so that the editor does not wait for it.
  toolFiles.whenNeeded(() => {
    setTimeout(() => void server.start(), 0);
  });
  return server;
}
