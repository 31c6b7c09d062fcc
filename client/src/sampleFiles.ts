import type * as vscode from 'vscode';

/** Whether a file holds sample calls, by its name. */
export function isSamples({ path }: Pick<vscode.Uri, 'path'>): boolean {
  return /\.samples\.jsonc?$/.test(path);
}
