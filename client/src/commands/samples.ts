import * as vscode from 'vscode';
import type { CommandContext } from './context';

/** Calls to run, as lenses give them. */
interface Wanted {
  readonly uri: string;
  readonly calls?: readonly number[];
}

/** Runs the sample calls of a lens, or those of the file in front: of a samples file, or for a tool definition file. */
export async function runSamples({ tests, server }: CommandContext, argument: unknown): Promise<void> {
  const given = wantedOf(argument);
  if (given.length > 0) {
    await tests.run(given);
    return;
  }
  const uri = vscode.window.activeTextEditor?.document.uri.toString();
  if (uri === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a file with sample calls or tool definitions first.'),
    );
    return;
  }
  const { files } = await server.samples({});
  const chosen = files.filter((file) => file.uri === uri || file.dependencies.includes(uri));
  if (chosen.length === 0) {
    const message = vscode.l10n.t('No sample calls are about this file. They stand in files named *.samples.json.');
    void vscode.window.showInformationMessage(message);
    return;
  }
  await tests.run(chosen.map((file) => ({ uri: file.uri })));
}

function wantedOf(argument: unknown): Wanted[] {
  if (!Array.isArray(argument)) return [];
  return argument.filter(
    (each): each is Wanted => typeof each === 'object' && each !== null && typeof (each as Wanted).uri === 'string',
  );
}
