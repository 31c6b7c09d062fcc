import * as vscode from 'vscode';

/** Opens a read-only document beside the source, in the column where another one is open already. */
export async function showBeside(uri: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const viewColumn = columnOfViews() ?? vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: true });
}

function columnOfViews(): vscode.ViewColumn | undefined {
  const active = vscode.window.tabGroups.activeTabGroup;
  const group = vscode.window.tabGroups.all.find((each) =>
    each.tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === 'toolspec'),
  );
  return group === undefined || group === active ? undefined : group.viewColumn;
}
