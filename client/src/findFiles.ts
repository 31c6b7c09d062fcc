import * as vscode from 'vscode';

/** Schemes whose files editors search. Of others a search may never come back, so they are walked through. */
const SEARCHED = new Set(['file', 'vscode-remote', 'vscode-vfs']);

/** Folders that hold nothing of the user's. */
const SKIPPED = new Set(['node_modules', '.git']);

/** A walk ends after so many folders. */
const MOST_FOLDERS = 2_000;

/** Uris of the files below a folder whose names end so, in workspaces of every kind. */
export async function findFiles(folder: vscode.Uri, ending: string): Promise<vscode.Uri[]> {
  if (SEARCHED.has(folder.scheme)) {
    return vscode.workspace.findFiles(new vscode.RelativePattern(folder, `**/*${ending}`));
  }
  const found: vscode.Uri[] = [];
  const pending = [folder];
  for (let walked = 0; walked < MOST_FOLDERS; walked++) {
    const next = pending.shift();
    if (next === undefined) break;
    const entries = await vscode.workspace.fs.readDirectory(next).then(
      (each) => each,
      () => [],
    );
    for (const [name, type] of entries) {
      const uri = vscode.Uri.joinPath(next, name);
      if ((type & vscode.FileType.Directory) !== 0) {
        // A link to a folder may lead back to where it stands.
        if ((type & vscode.FileType.SymbolicLink) === 0 && !SKIPPED.has(name)) pending.push(uri);
      } else if (name.endsWith(ending)) {
        found.push(uri);
      }
    }
  }
  return found;
}
