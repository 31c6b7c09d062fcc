import * as vscode from 'vscode';
import type { CallsPage, PanelRunParams, PanelSaveResult, PanelStoredCall } from '../../../server/src/panelProtocol';
import type { Server } from '../server';
import type { Tests } from '../tests/controller';

/** Runs and stores calls for the panel. Stored calls run as tests, so that the Test Explorer says the same. */
export class PanelRuns implements vscode.Disposable {
  #source: vscode.CancellationTokenSource | undefined;

  constructor(
    readonly server: Server,
    readonly tests: Tests,
  ) {}

  /** Runs what the panel shows; a stored call as it is stored. */
  async run(params: PanelRunParams, stored: PanelStoredCall | null): Promise<void> {
    if (stored !== null) return this.runStored([{ uri: stored.uri, calls: [stored.index] }]);
    const { failure } = await this.#with((token) => this.server.panelRun(params, token));
    if (failure !== null) void vscode.window.showWarningMessage(failure);
  }

  runStored(files: CallsPage['files']): Promise<void> {
    return this.#with((token) => this.tests.run(files, token));
  }

  stop(): void {
    this.#source?.cancel();
  }

  dispose(): void {
    this.stop();
  }

  async #with<T>(work: (token: vscode.CancellationToken) => Promise<T>): Promise<T> {
    this.#source?.cancel();
    const source = new vscode.CancellationTokenSource();
    this.#source = source;
    try {
      return await work(source.token);
    } finally {
      source.dispose();
    }
  }
}

/** Stores a call: changes the samples file, or makes it. Nothing is written to disk but a new file. */
export async function storeCall({ uri, create, edits }: PanelSaveResult): Promise<boolean> {
  const target = vscode.Uri.parse(uri, true);
  const edit = new vscode.WorkspaceEdit();
  if (create !== null) edit.createFile(target, { contents: new TextEncoder().encode(create), ignoreIfExists: false });
  for (const { range, newText } of edits) {
    const { start, end } = range;
    edit.replace(target, new vscode.Range(start.line, start.character, end.line, end.character), newText);
  }
  return vscode.workspace.applyEdit(edit);
}
