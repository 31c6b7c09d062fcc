import * as vscode from 'vscode';
import type { CommandContext } from './context';

/** Moves the grammar under the cursor into a file of its own and opens that. */
export async function extractGrammar(context: CommandContext): Promise<void> {
  const message = vscode.l10n.t('Put the cursor into the grammar of a custom tool first.');
  const made = vscode.workspace.onDidCreateFiles(({ files: [uri] }) => {
    if (uri !== undefined) void vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside });
  });
  try {
    await refactor(context, vscode.CodeActionKind.RefactorExtract, message);
  } finally {
    made.dispose();
  }
}

/** Puts the grammar of the file that the cursor names into the tool definition. */
export async function inlineGrammar(context: CommandContext): Promise<void> {
  const message = vscode.l10n.t('Put the cursor on the name of a grammar file in a custom tool first.');
  await refactor(context, vscode.CodeActionKind.RefactorInline, message);
}

/** Applies our refactoring at the cursor; says what to do where there is none. */
async function refactor({ server }: CommandContext, kind: vscode.CodeActionKind, message: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    await server.start();
    const { document, selection } = editor;
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      selection,
      kind.value,
    );
    const edit = actions.find((action) => action.edit !== undefined && action.kind?.value.endsWith('.grammar'))?.edit;
    if (edit !== undefined && (await vscode.workspace.applyEdit(edit))) return;
  }
  void vscode.window.showInformationMessage(message);
}

/** Shows places in the peek view. A lens gives them as the protocol has them. */
export async function showReferences(_context: CommandContext, ...given: readonly unknown[]): Promise<void> {
  const [uri, position, locations] = given as [string, Place, { uri: string; range: { start: Place; end: Place } }[]];
  const toPosition = ({ line, character }: Place): vscode.Position => new vscode.Position(line, character);
  await vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri, true),
    toPosition(position),
    locations.map(
      ({ uri: where, range }) =>
        new vscode.Location(
          vscode.Uri.parse(where, true),
          new vscode.Range(toPosition(range.start), toPosition(range.end)),
        ),
    ),
  );
}

interface Place {
  readonly line: number;
  readonly character: number;
}
