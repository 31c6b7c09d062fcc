import * as vscode from 'vscode';
import type { AddSampleResult, RangeLike } from '../../../server/src/samplesProtocol';

/** Makes the change that stores calls, and shows what is new. Gives whether there was something to change. */
export async function applyAdded(answer: AddSampleResult): Promise<boolean> {
  if (answer.kind === 'none') void vscode.window.showInformationMessage(answer.reason);
  if (answer.kind === 'none' || answer.kind === 'tools') return false;
  const uri = vscode.Uri.parse(answer.uri, true);
  await applyChange(answer);
  const document = await vscode.workspace.openTextDocument(uri);
  const selection = toRange(answer.selection);
  await vscode.window.showTextDocument(document, { selection });
  return true;
}

/** Makes a file, or changes one that is there as an edit that can be undone. */
export async function applyChange(change: Extract<AddSampleResult, { kind: 'edit' | 'new' }>): Promise<void> {
  const uri = vscode.Uri.parse(change.uri, true);
  const edit = new vscode.WorkspaceEdit();
  if (change.kind === 'new') edit.createFile(uri, { contents: new TextEncoder().encode(change.text) });
  else edit.replace(uri, toRange(change.edit.range), change.edit.newText);
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error(`${change.uri} could not be changed.`);
}

export function toRange({ start, end }: RangeLike): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
