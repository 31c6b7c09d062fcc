import * as vscode from 'vscode';
import type { ConvertLoss, ConvertTarget } from '../../../server/src/protocol';
import type { CommandContext } from './context';
import { explainAbsence, placeOf } from './place';

/** Shapes, in the order of the pick. The labels are names of products and protocols. */
const TARGETS: readonly {
  readonly target: ConvertTarget;
  readonly label: string;
  readonly description: () => string;
}[] = [
  { target: 'responses', label: 'OpenAI Responses', description: () => vscode.l10n.t('flat, with namespaces') },
  { target: 'chat', label: 'Chat Completions', description: () => vscode.l10n.t('tools under function') },
  { target: 'mcp', label: 'MCP', description: () => vscode.l10n.t('a list as tools/list gives it') },
  { target: 'anthropic', label: 'Anthropic', description: () => vscode.l10n.t('Messages API') },
  {
    target: 'codex-dynamic',
    label: 'Codex dynamic tools',
    description: () => vscode.l10n.t('for the app server of Codex'),
  },
];

/**
 * Opens the tools of a file in another shape as a new, unsaved document beside it. The file itself stays as it is. What
 * the shape cannot hold is listed in the output, and a notification says how much that is.
 */
export async function convertTools(context: CommandContext, argument: unknown, given?: unknown): Promise<void> {
  const place = placeOf(argument);
  if (place === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file with tool definitions first.'));
    return;
  }
  const chosen = TARGETS.find(({ target }) => target === given) ?? (await pick());
  if (chosen === undefined) return;
  const result = await context.server.convert({ uri: place.uri, target: chosen.target });
  if (result === null) {
    await explainAbsence(context, place);
    return;
  }
  const name = vscode.workspace.asRelativePath(vscode.Uri.parse(place.uri, true), false);
  if (result.text === null) {
    const line = (result.problem?.range.start.line ?? 0) + 1;
    const message = vscode.l10n.t('Line {0} of {1} is not JSON, so it cannot be converted yet.', line, name);
    void vscode.window.showWarningMessage(message);
    return;
  }
  const document = await vscode.workspace.openTextDocument({ language: 'json', content: result.text });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: false });
  report(context, name, chosen.label, result.losses);
}

async function pick(): Promise<(typeof TARGETS)[number] | undefined> {
  const items = TARGETS.map(({ target, label, description }) => ({ target, label, description: description() }));
  const placeHolder = vscode.l10n.t('Which shape shall the tools have?');
  const choice = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return TARGETS.find(({ target }) => target === choice?.target);
}

/** Lists the losses in the output, and says in a notification how many there are. */
function report({ log }: CommandContext, name: string, label: string, losses: readonly ConvertLoss[]): void {
  for (const { level, range, tool, message } of losses) {
    const text = `${name}:${range.start.line + 1}:${range.start.character + 1} ${tool === null ? '' : `${tool}: `}${message}`;
    if (level === 'error' || level === 'warning') log.warn(text);
    else log.info(text);
  }
  const heavy = losses.filter(({ level }) => level === 'error' || level === 'warning').length;
  if (heavy === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The tools of {0} are now in the shape of {1}, with nothing lost.', name, label),
    );
    return;
  }
  const show = vscode.l10n.t('Show Losses');
  const message =
    heavy === 1
      ? vscode.l10n.t('{0} cannot hold 1 thing of {1}. The output says which.', label, name)
      : vscode.l10n.t('{0} cannot hold {1} things of {2}. The output says which.', label, heavy, name);
  // Not awaited: the command has done its work, and the question may stay open.
  void vscode.window.showWarningMessage(message, show).then((choice) => {
    if (choice === show) log.show(true);
  });
}
