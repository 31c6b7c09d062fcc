import * as vscode from 'vscode';
import type { StageInfo } from '../../../server/src/protocol';
import { showBeside } from '../documents';
import type { CommandContext } from './context';
import { findView, placeOf } from './place';

/** Opens every stage of the compilation of a tool in one document beside the source. */
export async function showStages(context: CommandContext, argument: unknown): Promise<void> {
  const view = await findView(context, placeOf(argument), { view: 'stages' });
  if (view !== undefined) await showBeside(view.uri);
}

/** Opens the native diff editor: the tool as written, in the order of the wire, against what is sent. */
export async function compareWithSource(context: CommandContext, argument: unknown): Promise<void> {
  const place = placeOf(argument);
  const source = await findView(context, place, { view: 'source' });
  if (source === undefined || place === undefined) return;
  const wire = await findView(context, place, { view: 'wire', mode: 'responses' });
  if (wire === undefined) return;
  await showDiff(source.uri, wire.uri, vscode.l10n.t('{0}: source ↔ wire', source.name));
}

interface Pair extends vscode.QuickPickItem {
  readonly before: StageInfo;
  readonly after: StageInfo;
}

/** Asks for a stage and opens the native diff editor with the one before it. */
export async function compareStages(context: CommandContext, argument: unknown): Promise<void> {
  const place = placeOf(argument);
  const view = await findView(context, place, { view: 'stages' });
  if (view === undefined || place === undefined) return;
  const pairs = view.stages
    .slice(1)
    .map((after, index): Pair => ({ label: after.label, before: view.stages[index]!, after }));
  if (pairs.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Codex refuses this tool before there are stages to compare.'),
    );
    return;
  }
  const placeHolder = vscode.l10n.t('Which stage of {0}, against the one before it?', view.name);
  const choice = await vscode.window.showQuickPick(pairs, { placeHolder });
  if (choice === undefined) return;
  const [before, after] = await Promise.all(
    [choice.before, choice.after].map(({ name }) => context.server.view({ ...place, view: 'stage', stage: name })),
  );
  if (before == null || after == null) return;
  await showDiff(
    before.uri,
    after.uri,
    vscode.l10n.t('{0}: {1} ↔ {2}', view.name, choice.before.name, choice.after.name),
  );
}

async function showDiff(left: string, right: string, title: string): Promise<void> {
  const [before, after] = [vscode.Uri.parse(left, true), vscode.Uri.parse(right, true)];
  await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
}
