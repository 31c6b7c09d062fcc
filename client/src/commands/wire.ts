import * as vscode from 'vscode';
import type { ViewParams, WireMode } from '../../../server/src/protocol';
import { showBeside } from '../documents';
import type { CommandContext } from './context';
import { findView, placeOf } from './place';

/** Forms of the wire, in the order of the pick. */
const MODES: readonly {
  readonly mode: WireMode;
  readonly label: string | (() => string);
  readonly description: () => string;
}[] = [
  { mode: 'responses', label: 'Responses', description: () => vscode.l10n.t('as Codex sends it to OpenAI') },
  { mode: 'lite', label: 'Responses Lite', description: () => vscode.l10n.t('tools in an input item') },
  {
    mode: 'deferred',
    label: () => vscode.l10n.t('Deferred'),
    description: () => vscode.l10n.t('as tool search gives it'),
  },
  { mode: 'chat', label: 'Chat Completions', description: () => vscode.l10n.t('tools under function') },
  { mode: 'mcp', label: 'MCP', description: () => vscode.l10n.t('an entry of tools/list') },
  { mode: 'anthropic', label: 'Anthropic', description: () => vscode.l10n.t('Messages API') },
];

interface Choice extends vscode.QuickPickItem {
  readonly view?: 'wire' | 'request';
  readonly whole?: boolean;
  readonly mode?: WireMode;
}

/**
 * Opens the wire JSON beside the source. A lens opens it at once; without a mode and from elsewhere the form is asked
 * for: this tool, all tools of the file, or the whole request.
 */
export async function previewWire(context: CommandContext, argument: unknown, mode?: WireMode): Promise<void> {
  const place = placeOf(argument);
  const fromLens = place?.tool !== undefined;
  if (mode !== undefined || fromLens || place === undefined) {
    const view = await findView(context, place, { view: 'wire', mode: mode ?? 'responses' });
    if (view !== undefined) await showBeside(view.uri);
    return;
  }
  const whole = await findView(context, { uri: place.uri }, { view: 'wire', mode: 'responses' });
  if (whole === undefined) return;
  const tool =
    place.offset === undefined ? null : await context.server.view({ ...place, view: 'wire', mode: 'responses' });
  const choice = await pick(tool?.name, whole.name);
  if (choice?.view === undefined) return;
  const params: ViewParams = {
    ...(choice.whole === true ? { uri: place.uri } : place),
    view: choice.view,
    ...(choice.mode === undefined ? {} : { mode: choice.mode }),
  };
  const found = await context.server.view(params);
  if (found !== null) await showBeside(found.uri);
}

async function pick(tool: string | undefined, file: string): Promise<Choice | undefined> {
  const separator = (label: string): Choice => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const each = (whole: boolean): Choice[] =>
    MODES.map(({ mode, label, description }) => ({
      label: typeof label === 'string' ? label : label(),
      description: description(),
      view: 'wire',
      whole,
      mode,
    }));
  const request = (mode: WireMode, label: string): Choice => ({
    label,
    description: vscode.l10n.t('the request body with all tools'),
    view: 'request',
    whole: true,
    mode,
  });
  const items = [
    ...(tool === undefined ? [] : [separator(tool), ...each(false)]),
    separator(vscode.l10n.t('All tools of {0}', file)),
    ...each(true),
    separator(vscode.l10n.t('Whole request')),
    request('responses', vscode.l10n.t('Request, Responses')),
    request('lite', vscode.l10n.t('Request, Responses Lite')),
  ];
  const placeHolder = vscode.l10n.t('Which form of the wire JSON?');
  return vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
}
