import * as vscode from 'vscode';
import type { ViewParams, ViewResult } from '../../../server/src/protocol';
import { LANGUAGES } from '../toolFiles';
import type { CommandContext } from './context';

/** What a command is about: a tool named by a lens, or the file in front with the place of the cursor. */
export type Place = Pick<ViewParams, 'uri' | 'tool' | 'offset'>;

/** Reads the place out of a command's argument: a lens gives parameters, a menu gives a uri, the palette gives nothing. */
export function placeOf(argument: unknown): Place | undefined {
  if (isPlace(argument)) return { uri: argument.uri, ...(argument.tool === undefined ? {} : { tool: argument.tool }) };
  const editor = vscode.window.activeTextEditor;
  const named = argument instanceof vscode.Uri ? argument : undefined;
  if (named !== undefined && named.toString() !== editor?.document.uri.toString()) return { uri: named.toString() };
  if (editor === undefined) return undefined;
  return { uri: editor.document.uri.toString(), offset: editor.document.offsetAt(editor.selection.active) };
}

function isPlace(value: unknown): value is Pick<ViewParams, 'uri' | 'tool'> {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}

/** Asks the server for a document; says why when there is none, and gives `undefined`. */
export async function findView(
  context: CommandContext,
  place: Place | undefined,
  wanted: Omit<ViewParams, 'uri' | 'tool' | 'offset'>,
): Promise<ViewResult | undefined> {
  if (place === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file with tool definitions first.'));
    return undefined;
  }
  const found = await context.server.view({ ...place, ...wanted });
  if (found === null) void explainAbsence(context, place);
  return found ?? undefined;
}

/** Says why there is no tool of a place to work with. */
export async function explainAbsence({ toolFiles }: CommandContext, place: Place): Promise<void> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === place.uri);
  if (document === undefined || !LANGUAGES.includes(document.languageId)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This is no JSON file, so it holds no tool definitions.'));
    return;
  }
  const name = vscode.workspace.asRelativePath(document.uri, false);
  if (toolFiles.isKnown(document)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is no tool in {0} to show.', name));
    return;
  }
  const treat = vscode.l10n.t('Treat This File as Tools');
  const message = vscode.l10n.t('The name of {0} is none of a tool definition file.', name);
  const choice = await vscode.window.showInformationMessage(message, treat);
  if (choice === treat) await vscode.commands.executeCommand('toolspec.treatAsTools', document.uri);
}
