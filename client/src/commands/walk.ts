import * as vscode from 'vscode';
import { showBeside } from '../documents';
import type { CommandContext } from './context';
import { placeOf } from './place';

/**
 * Walks a text through the grammar at the cursor and shows what a generating model meets, byte by byte. On a sample call
 * the text is its input; elsewhere it is asked for.
 */
export async function stepThroughGeneration({ server }: CommandContext, argument: unknown): Promise<void> {
  const place = placeOf(argument);
  const nowhere = vscode.l10n.t('Put the cursor into a grammar, a custom tool or a sample call with an input first.');
  if (place === undefined) return void vscode.window.showInformationMessage(nowhere);
  const at = { uri: place.uri, offset: place.offset ?? 0 };
  let found = await server.walk(at);
  if (found?.kind === 'input') {
    const input = await vscode.window.showInputBox({
      title: vscode.l10n.t('Step through {0}', found.name),
      prompt: vscode.l10n.t('The text that the model writes. \\n is a line break, \\t a tab, \\\\ a backslash.'),
      placeHolder: vscode.l10n.t('Nothing shows how a text may begin'),
    });
    if (input === undefined) return;
    found = await server.walk({ ...at, input: unescaped(input) });
  }
  if (found === null) void vscode.window.showInformationMessage(nowhere);
  else if (found.kind === 'unavailable') {
    const message = vscode.l10n.t("The provider's grammar engine does not run here: {0}", found.detail);
    void vscode.window.showInformationMessage(message);
  } else if (found.kind === 'document') await showBeside(found.uri);
}

/** An input box has one line, so line breaks and tabs are written as escapes. */
function unescaped(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter === 't' ? '\t' : '\\'));
}
