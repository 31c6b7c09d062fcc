import * as vscode from 'vscode';
import { LANGUAGES } from '../toolFiles';
import type { CommandContext } from './context';

/**
 * Treats the file in front as tool definitions whatever its name, or stops doing so. It is remembered for the
 * workspace; on request the file is added to the setting, so that others who open the folder see the same.
 */
export async function treatAsTools(context: CommandContext, argument: unknown): Promise<void> {
  const named = argument instanceof vscode.Uri ? argument : undefined;
  const editor = vscode.window.activeTextEditor;
  const document = named === undefined ? editor?.document : await vscode.workspace.openTextDocument(named);
  if (document === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file with tool definitions first.'));
    return;
  }
  if (!LANGUAGES.includes(document.languageId)) await vscode.languages.setTextDocumentLanguage(document, 'jsonc');
  const { uri } = document;
  const added = await context.toolFiles.toggle(uri);
  await context.server.sendToolFiles();
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const name = vscode.workspace.asRelativePath(uri, false);
  if (!added) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is no longer treated as tools.', name));
    return;
  }
  if (folder === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is now treated as tools.', name));
    return;
  }
  const remember = vscode.l10n.t('Add to Settings');
  const message = vscode.l10n.t(
    '{0} is now treated as tools in this workspace. The settings can say so from the start of each window, and to others.',
    name,
  );
  // Not awaited: the command has done its work, and the question may stay open.
  void vscode.window.showInformationMessage(message, remember).then(async (choice) => {
    if (choice !== remember) return;
    const settings = vscode.workspace.getConfiguration('toolspec', uri);
    const include = settings.get<string[]>('files.include', []);
    const pattern = `/${name}`;
    if (include.includes(pattern)) return;
    const multiRoot = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
    const target = multiRoot ? vscode.ConfigurationTarget.WorkspaceFolder : vscode.ConfigurationTarget.Workspace;
    await settings.update('files.include', [...include, pattern], target);
  });
}
