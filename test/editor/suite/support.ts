import * as path from 'node:path';
import * as vscode from 'vscode';

/** The uri of a file in the first workspace folder, which is a copy that a suite may change. */
export function workspaceUri(relative: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error('No folder is open.');
  return vscode.Uri.file(path.join(folder.uri.fsPath, relative));
}

/** Opens a file of the workspace in an editor. */
export async function openFile(relative: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(workspaceUri(relative)));
}

/**
 * Asks again until the probe gives something else than undefined, null or false; fails with the description when the
 * time (milliseconds) is over. An error thrown by the probe counts as "not yet" and is named when time is over.
 */
export async function eventually<T>(
  description: string,
  probe: () => T | PromiseLike<T>,
  timeout = 15_000,
): Promise<Exclude<NonNullable<T>, false>> {
  const end = Date.now() + timeout;
  let problem: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== null && value !== false) {
        return value as Exclude<NonNullable<T>, false>;
      }
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    if (Date.now() > end) {
      throw new Error(`Waited ${timeout} ms in vain: ${description}${problem ? ` (${String(problem)})` : ''}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
