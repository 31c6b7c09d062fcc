import * as vscode from 'vscode';
import type { CommandContext } from './context';

const EXTENSION = 'toolspec.toolspec';

/** Settings whose values say something about the user's files: how many there are is enough. */
const COUNTED = new Set(['files.include']);

/**
 * Copies what someone needs who looks for the cause of a fault: versions, settings that were changed, and how many files
 * there are. Neither names nor contents of files are part of it.
 */
export async function copyReport({ server, toolFiles }: CommandContext): Promise<void> {
  const extension = vscode.extensions.getExtension(EXTENSION);
  const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme !== 'output');
  const schemes = new Map<string, number>();
  for (const { uri } of documents) schemes.set(uri.scheme, (schemes.get(uri.scheme) ?? 0) + 1);
  const lines = [
    `ToolSpec ${extension?.packageJSON.version ?? 'unknown'}`,
    `${vscode.env.appName} ${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, ${vscode.env.language}`,
    `Host: ${hostName()}${vscode.env.remoteName === undefined ? '' : ', remote'}`,
    `Server: ${server.state}`,
    `Workspace: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, ${vscode.workspace.workspaceFolders?.length ?? 0} folder(s), ${toolFiles.treated.length} file(s) treated as tools`,
    `Open documents: ${[...schemes].map(([scheme, number]) => `${number} ${scheme}`).join(', ') || 'none'}`,
    'Last checks:',
    ...server.checked.map(
      (status) =>
        `  ${status.tools} tool(s), ${status.overBudget} over the budget, ${status.refused} refused, ${Math.round(status.milliseconds)} ms, ${status.profile || 'no profile'}${status.config === null ? '' : ', with a config file'}`,
    ),
    'Changed settings:',
    ...changedSettings(extension).map((line) => `  ${line}`),
  ];
  await vscode.env.clipboard.writeText(`${lines.join('\n')}\n`);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('The report is in the clipboard. It has versions, settings and counts, and no text of your files.'),
  );
}

/** Node and its platform, or the browser. */
function hostName(): string {
  const { process } = globalThis as { process?: { version?: string; platform?: string; arch?: string } };
  return process?.version === undefined ? 'browser' : `Node ${process.version}, ${process.platform} ${process.arch}`;
}

function changedSettings(extension: vscode.Extension<unknown> | undefined): string[] {
  const sections: { properties: Record<string, unknown> }[] = extension?.packageJSON.contributes?.configuration ?? [];
  const names = sections
    .flatMap(({ properties }) => Object.keys(properties))
    .map((name) => name.slice('toolspec.'.length));
  const settings = vscode.workspace.getConfiguration('toolspec');
  const changed = names.flatMap((name) => {
    const found = settings.inspect(name);
    const value = found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue;
    if (value === undefined) return [];
    if (COUNTED.has(name)) return [`${name}: ${Array.isArray(value) ? value.length : 0} pattern(s)`];
    return [`${name}: ${JSON.stringify(value)}`];
  });
  return changed.length === 0 ? ['none'] : changed;
}
