import * as vscode from 'vscode';
import type { AddSampleParams, FindDriftParams } from '../../../server/src/samplesProtocol';
import { applyAdded } from './added';
import type { CommandContext } from './context';
import { placeOf } from './place';

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
  const uri = placeOf(argument)?.uri;
  if (uri === undefined) {
    void openFirst();
    return;
  }
  const { files } = await server.samples({});
  const chosen = files.filter((file) => file.uri === uri || file.dependencies.includes(uri));
  if (chosen.length === 0) {
    const add = vscode.l10n.t('Add Sample Call');
    const message = vscode.l10n.t('No sample calls are about this file. They stand in files named *.samples.json.');
    // Not awaited: the command has done its work, and the question may stay open.
    void vscode.window.showInformationMessage(message, add).then((choice) => {
      if (choice === add) void vscode.commands.executeCommand('toolspec.addSample');
    });
    return;
  }
  await tests.run(chosen.map((file) => ({ uri: file.uri })));
}

/** Adds a sample call for the tool at the cursor, or for one that is chosen, and shows it. */
export async function addSample({ server }: CommandContext, argument: unknown): Promise<void> {
  const place: AddSampleParams | undefined = isParams(argument) ? argument : placeOf(argument);
  if (place === undefined) {
    void openFirst();
    return;
  }
  const answer = await server.addSample(place);
  if (answer.kind !== 'tools') {
    await applyAdded(answer);
    return;
  }
  const items = answer.tools.map(({ tool, namespace, description }) => ({
    label: namespace === null ? tool : `${namespace}.${tool}`,
    detail: description.split('\n')[0] ?? '',
    chosen: { tool, ...(namespace === null ? {} : { namespace }) },
  }));
  const placeHolder = vscode.l10n.t('Which tool shall be called?');
  const choice = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  if (choice === undefined) return;
  const { uri } = place;
  await applyAdded(await server.addSample({ uri, ...choice.chosen }));
}

/** Looks for drift between contract and handler, of the tool of a lens or of what the file in front is about. */
export async function findDrift({ drift }: CommandContext, argument: unknown): Promise<void> {
  const place: Pick<FindDriftParams, 'uri'> | undefined = isParams(argument) ? argument : placeOf(argument);
  if (place === undefined) void openFirst();
  else await drift.command(place);
}

/** Stores the drift of a message of the Test Explorer. */
export async function storeDrift({ drift }: CommandContext, argument: unknown): Promise<void> {
  const message = (argument as { readonly message?: vscode.TestMessage } | undefined)?.message;
  if (message !== undefined) await drift.store(message);
}

function openFirst(): Thenable<unknown> {
  return vscode.window.showInformationMessage(
    vscode.l10n.t('Open a file with sample calls or tool definitions first.'),
  );
}

/** What a lens or a code action gives. The uri of a menu is another kind of object. */
function isParams(value: unknown): value is AddSampleParams {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}

function wantedOf(argument: unknown): Wanted[] {
  if (!Array.isArray(argument)) return [];
  return argument.filter(
    (each): each is Wanted => typeof each === 'object' && each !== null && typeof (each as Wanted).uri === 'string',
  );
}
