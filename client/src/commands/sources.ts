import * as vscode from 'vscode';
import type { SnapshotInfo, SourceServer } from '../../../server/src/sourcesProtocol';
import { applyChange } from './added';
import type { CommandContext } from './context';

/** Makes an MCP server of the workspace a source: stores its tools in a file, and says in the config file how to do that. */
export async function importMcpServer(context: CommandContext): Promise<void> {
  const { failure, servers } = await context.server.sourceServers();
  if (failure !== null) {
    await explain(failure);
    return;
  }
  if (servers.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No MCP server is named in .vscode/mcp.json, .mcp.json or .cursor/mcp.json of this workspace.'),
    );
    return;
  }
  const server = await choose(servers);
  if (server === undefined) return;
  const out = await vscode.window.showInputBox({
    title: vscode.l10n.t('Import Tools from {0}', server.name),
    prompt: vscode.l10n.t('The file to store the tools in, from the workspace folder'),
    value: server.out,
    valueSelection: [0, server.out.replace(/\.tools\.json$/, '').length],
    validateInput: (value) =>
      /(?:^|[\\/])(?:[^\\/]+\.tools?|tools)\.jsonc?$/.test(value)
        ? undefined
        : vscode.l10n.t('The name of a file of definitions ends with .tools.json.'),
  });
  if (out === undefined) return;
  const { folder, from, name } = server;
  const title = vscode.l10n.t('Asking {0} for its tools', name);
  const answer = await inProgress(title, (token) => context.server.importSource({ folder, from, name, out }, token));
  if (answer.kind === 'failed') {
    tellFailure(context, vscode.l10n.t('{0} gave no tools. {1}', name, answer.failure), answer.notes);
    return;
  }
  await applyChange(answer.config);
  await (await vscode.workspace.openTextDocument(vscode.Uri.parse(answer.config.uri, true))).save();
  if (answer.text !== null) await write(answer.out, answer.text);
  await vscode.window.showTextDocument(vscode.Uri.parse(answer.out, true));
  const message =
    answer.tools === 1
      ? vscode.l10n.t('1 tool of {0} is stored. "Refresh Snapshot" asks the server again.', name)
      : vscode.l10n.t('{0} tools of {1} are stored. "Refresh Snapshot" asks the server again.', answer.tools, name);
  void vscode.window.showInformationMessage(message);
}

/** Stores what sources say now: that of the file in front, those of a config file, or all of the workspace. */
export function refreshSnapshot(context: CommandContext, argument: unknown): Promise<void> {
  return runSources(context, argument, true);
}

/** Says which stored files are not what their sources say now. They have findings then. */
export function checkSnapshots(context: CommandContext, argument: unknown): Promise<void> {
  return runSources(context, argument, false);
}

async function runSources(context: CommandContext, argument: unknown, store: boolean): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  const title = store ? vscode.l10n.t('Refreshing snapshots') : vscode.l10n.t('Checking snapshots');
  const result = await inProgress(title, async (token) => {
    const own = uri === undefined ? undefined : await context.server.snapshots({ uri: uri.toString() }, token);
    // A file that no source writes says nothing about which one is meant.
    return own !== undefined && own.snapshots.length > 0 ? own : context.server.snapshots({}, token);
  });
  if (result.failure !== null) {
    await explain(result.failure);
    return;
  }
  const failed = result.snapshots.filter(({ state }) => state === 'failed');
  for (const each of failed) {
    tellFailure(context, vscode.l10n.t('{0} stays as it is. {1}', shown(each), each.failure ?? ''), each.notes);
  }
  for (const each of result.snapshots) {
    for (const difference of each.differences) context.log.info(`${shown(each)}: ${difference}`);
  }
  const changed = result.snapshots.filter(({ state }) => state === 'stale' || state === 'missing');
  if (store) for (const { out, text } of changed) if (text !== null) await write(out, text);
  if (failed.length === result.snapshots.length) return;
  if (changed.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The stored definitions are what their sources say.'));
  } else if (store) tellStored(context, changed);
  else tellStale(changed);
}

function tellStored({ log }: CommandContext, changed: readonly SnapshotInfo[]): void {
  const show = vscode.l10n.t('Show Changes');
  const message = vscode.l10n.t('Stored anew: {0}.', changed.map(shown).join(', '));
  // Not awaited: the command has done its work, and the question may stay open.
  void vscode.window.showInformationMessage(message, show).then((choice) => {
    if (choice === show) log.show(true);
  });
}

function tellStale(changed: readonly SnapshotInfo[]): void {
  const refresh = vscode.l10n.t('Refresh');
  const message = vscode.l10n.t('Not what the source says now: {0}.', changed.map(shown).join(', '));
  const first = changed[0]!;
  void vscode.window.showWarningMessage(message, refresh).then(async (choice) => {
    if (choice !== refresh) return;
    for (const { out, text } of changed) if (text !== null) await write(out, text);
  });
  if (first.state === 'stale') void vscode.window.showTextDocument(vscode.Uri.parse(first.out, true));
}

async function choose(servers: readonly SourceServer[]): Promise<SourceServer | undefined> {
  const items = servers.map((server) => ({
    label: server.name,
    description: vscode.workspace.asRelativePath(vscode.Uri.parse(server.from, true)),
    detail: server.problem ?? server.command,
    server,
  }));
  const placeHolder = vscode.l10n.t('Which MCP server? It is started and asked for its tools.');
  const choice = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (choice === undefined) return undefined;
  if (choice.server.problem === null) return choice.server;
  void vscode.window.showWarningMessage(choice.server.problem);
  return undefined;
}

function inProgress<T>(title: string, work: (token: vscode.CancellationToken) => Promise<T>): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (_progress, token) => work(token));
}

/** Writes a file. One that is open is changed in its editor, so that the change can be undone. */
async function write(target: string, text: string): Promise<void> {
  const uri = vscode.Uri.parse(target, true);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open === undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, open.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await open.save();
}

function shown({ out }: SnapshotInfo): string {
  return vscode.workspace.asRelativePath(vscode.Uri.parse(out, true), false);
}

function tellFailure({ log }: CommandContext, message: string, notes: readonly string[]): void {
  log.warn(message);
  for (const note of notes) log.warn(note);
  const show = vscode.l10n.t('Show Output');
  void vscode.window.showErrorMessage(message, show).then((choice) => {
    if (choice === show) log.show(true);
  });
}

/** Why nothing was run, with the way to change that where it is trust. */
async function explain(failure: string): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const actions = vscode.workspace.isTrusted ? [] : [manage];
  // Not awaited by whoever calls a command: the question may stay open.
  void vscode.window.showWarningMessage(failure, ...actions).then((choice) => {
    if (choice === manage) void vscode.commands.executeCommand('workbench.trust.manage');
  });
}
