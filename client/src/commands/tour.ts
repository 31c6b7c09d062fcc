import * as vscode from 'vscode';
import type { CommandContext } from './context';

/** Files that *Create Sample Files* writes, each with what makes a step of the walkthrough worth seeing. */
const TOOLS_FILE = 'forecast.tools.json';
const SAMPLES_FILE = 'forecast.samples.json';

/** The walkthrough is a preview, and would be closed by another one. */
const KEPT = { preview: false };

const TOOLS = {
  type: 'function',
  name: 'get_forecast',
  description: 'Says what the weather will be at a place. Use it before planning anything outdoors.',
  strict: true,
  parameters: {
    type: 'object',
    properties: {
      place: { type: 'string', description: 'Name of the place, such as Lisbon.', minLength: 2 },
      days: { type: 'integer', description: 'How many days, from today on.', minimum: 1, maximum: 14 },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
    },
    required: ['place', 'days', 'unit'],
  },
};

const SAMPLES = {
  definitions: [`./${TOOLS_FILE}`],
  handlers: { get_forecast: { builtin: 'json-schema' } },
  calls: [
    {
      name: 'three days in Lisbon',
      tool: 'get_forecast',
      arguments: { place: 'Lisbon', days: 3, unit: 'celsius' },
      expect: { outcome: 'accepted' },
    },
    {
      name: 'the unit is none of the list',
      tool: 'get_forecast',
      arguments: { place: 'Lisbon', days: 3, unit: 'kelvin' },
      expect: { outcome: 'rejected' },
    },
  ],
};

/** Writes the sample files into the folder that is open, beside what is there, and opens the tool. */
export async function createSamples(): Promise<void> {
  const folder = await folderForSamples();
  if (folder === undefined) return;
  const kept: string[] = [];
  for (const [name, content] of [
    [TOOLS_FILE, [TOOLS]],
    [SAMPLES_FILE, SAMPLES],
  ] as const) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (await exists(uri)) kept.push(name);
    else await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(`${JSON.stringify(content, null, 2)}\n`));
  }
  if (kept.length > 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Files that were there are kept: {0}.', kept.join(', ')));
  }
  await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, TOOLS_FILE), KEPT);
}

/** Opens the tool of the walkthrough, where hints show what Codex drops. */
export async function tourHints(): Promise<void> {
  await openSample(TOOLS_FILE);
}

/** Shows what goes on the wire, in the panel beside the tool. */
export async function tourPanel({ panel }: CommandContext): Promise<void> {
  const editor = await openSample(TOOLS_FILE);
  if (editor !== undefined) panel.show({ uri: editor.document.uri.toString(), offset: 0, page: 'wire' });
}

/** Goes to the first finding of the tool and opens what can be done about it. */
export async function tourFix({ server }: CommandContext): Promise<void> {
  const editor = await openSample(TOOLS_FILE);
  if (editor === undefined) return;
  await server.start();
  const finding = await firstFinding(editor.document.uri);
  if (finding === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing is wrong with this tool any more.'));
    return;
  }
  editor.selection = new vscode.Selection(finding.range.start, finding.range.start);
  editor.revealRange(finding.range);
  // The walkthrough may still have the focus, and a menu without it closes at once.
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
  await vscode.commands.executeCommand('editor.action.quickFix');
}

/** Runs the sample calls of the walkthrough, with their file in front. */
export async function tourRun({ tests }: CommandContext): Promise<void> {
  const editor = await openSample(SAMPLES_FILE);
  if (editor !== undefined) await tests.run([{ uri: editor.document.uri.toString() }]);
}

/** Opens the walkthrough. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'toolspec.toolspec#start', false);
}

async function folderForSamples(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await vscode.window.showWorkspaceFolderPick())?.uri;
  if (folders[0] !== undefined) return folders[0].uri;
  const open = vscode.l10n.t('Open Folder…');
  const message = vscode.l10n.t('Sample files are written into a folder. Open an empty one first.');
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand('vscode.openFolder');
  }
  return undefined;
}

/** Opens a sample file in the group of the walkthrough; makes the files where there are none. */
async function openSample(name: string): Promise<vscode.TextEditor | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined || !(await exists(vscode.Uri.joinPath(folder, name)))) await createSamples();
  const home = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (home === undefined) return undefined;
  return vscode.window.showTextDocument(vscode.Uri.joinPath(home, name), {
    ...KEPT,
    viewColumn: vscode.ViewColumn.One,
  });
}

/** Waits until the server has looked at a file; it has just been started, perhaps. */
async function firstFinding(uri: vscode.Uri): Promise<vscode.Diagnostic | undefined> {
  const worst = (): vscode.Diagnostic | undefined =>
    [...vscode.languages.getDiagnostics(uri)]
      .filter(({ source, severity }) => source === 'ToolSpec' && severity <= vscode.DiagnosticSeverity.Warning)
      .sort((a, b) => a.severity - b.severity)[0];
  const found = worst();
  if (found !== undefined) return found;
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      changes.dispose();
      resolve(worst());
    };
    const timer = setTimeout(done, 5_000);
    const changes = vscode.languages.onDidChangeDiagnostics(() => {
      if (worst() !== undefined) done();
    });
  });
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
