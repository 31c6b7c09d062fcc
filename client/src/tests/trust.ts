import * as vscode from 'vscode';

/** Why handlers were not run, with the way to change that. */
export async function explainTrust(calls: number): Promise<void> {
  const manage = vscode.l10n.t('Manage Workspace Trust');
  const message =
    calls === 1
      ? vscode.l10n.t('One handler was not run: the workspace is not trusted, so its code does not run.')
      : vscode.l10n.t('{0} handlers were not run: the workspace is not trusted, so its code does not run.', calls);
  if ((await vscode.window.showWarningMessage(message, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.trust.manage');
  }
}
