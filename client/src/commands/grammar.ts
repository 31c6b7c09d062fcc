import * as vscode from 'vscode';
import { EXTRACT_GRAMMAR, INLINE_GRAMMAR } from '../server';
import { LANGUAGES } from '../toolFiles';
import type { CommandContext } from './context';

/** Moves the grammar under the cursor into a file of its own and opens that. */
export async function extractGrammar(context: CommandContext): Promise<void> {
  const message = vscode.l10n.t('Put the cursor into the grammar of a custom tool first.');
  const made = await refactor(context, EXTRACT_GRAMMAR, message);
  if (made !== undefined) await vscode.window.showTextDocument(made, { viewColumn: vscode.ViewColumn.Beside });
}

/** Puts the grammar of the file that the cursor names into the tool definition. */
export async function inlineGrammar(context: CommandContext): Promise<void> {
  const message = vscode.l10n.t('Put the cursor on the name of a grammar file in a custom tool first.');
  await refactor(context, INLINE_GRAMMAR, message);
}

/** Applies a refactoring at the cursor and gives the file that it makes; says what to do where there is none. */
async function refactor({ server }: CommandContext, kind: string, message: string): Promise<vscode.Uri | undefined> {
  const editor = vscode.window.activeTextEditor;
  const found =
    editor === undefined || !LANGUAGES.includes(editor.document.languageId)
      ? undefined
      : await server.refactoring(editor.document, editor.selection, kind);
  if (found === undefined) {
    void vscode.window.showInformationMessage(message);
    return undefined;
  }
  return (await vscode.workspace.applyEdit(found.edit)) ? found.made : undefined;
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
