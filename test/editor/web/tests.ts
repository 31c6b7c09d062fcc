import * as vscode from 'vscode';
import { assert, eventually, type WebTest } from './support';

/** A file in the folder that is open, which is in the memory of the page: neither `file:` nor on any disk. */
const uriOf = (name: string): vscode.Uri => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name);

const WEATHER = {
  type: 'function',
  name: 'get_weather',
  description: 'Says how the weather is.',
  strict: true,
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

async function write(name: string, content: unknown): Promise<vscode.Uri> {
  const uri = uriOf(name);
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

async function open(name: string, content: unknown): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(await write(name, content)));
}

const codes = (uri: vscode.Uri): string[] =>
  vscode.languages.getDiagnostics(uri).map(({ code }) => String(typeof code === 'object' ? code.value : code));

const lensTitles = async (uri: vscode.Uri): Promise<string[]> => {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 50);
  return lenses.map(({ command }) => command?.title ?? '');
};

/** What has to work without a machine behind the editor. */
export const tests: readonly WebTest[] = [
  [
    'the extension runs in a worker of the browser, without Node',
    async () => {
      const extension = vscode.extensions.getExtension('toolspec.toolspec');
      assert(extension !== undefined, 'the extension is not there');
      await extension.activate();
      assert(extension.isActive, 'it is not active');
      assert(/^https?$/.test(extension.extensionUri.scheme), `it comes from ${extension.extensionUri}`);
      assert(vscode.env.remoteName === undefined, `there is a remote host: ${vscode.env.remoteName}`);
      assert(!('process' in globalThis) || !('versions' in (globalThis as never)['process']), 'there is a Node');
      const commands = new Set(await vscode.commands.getCommands(true));
      const wanted: { command: string }[] = extension.packageJSON.contributes.commands;
      const missing = wanted.filter(({ command }) => !commands.has(command)).map(({ command }) => command);
      assert(missing.length === 0, `commands are missing: ${missing}`);
    },
  ],
  [
    'findings in a virtual workspace follow an unsaved edit, and a fix applies',
    async () => {
      const editor = await open('weather.tool.json', WEATHER);
      const { uri } = editor.document;
      await eventually('a finding about strict mode', () =>
        codes(uri).includes('schema/strict-additional-properties') ? true : undefined,
      );
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        vscode.languages.getDiagnostics(uri)[0]!.range,
      );
      const fix = actions.find(({ title }) => title === 'Add "additionalProperties": false');
      assert(fix?.edit !== undefined, `no fix among ${actions.map(({ title }) => title)}`);
      await vscode.workspace.applyEdit(fix.edit);
      await eventually('no finding', () => (codes(uri).length === 0 ? true : undefined));
      assert(editor.document.isDirty, 'the file was saved');
    },
  ],
  [
    'lens, hints, hover and completion',
    async () => {
      const { document } = await open('hover.tool.json', { ...WEATHER, strict: false });
      const { uri } = document;
      await eventually('a lens', async () => (await lensTitles(uri)).find((title) => title.includes('bytes')));
      const place = document.positionAt(document.getText().indexOf('"city"') + 2);
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, place);
      const text = hovers.flatMap(({ contents }) => contents.map((each) => (each as vscode.MarkdownString).value));
      assert(text.join('\n').includes('Sent'), `hover: ${text}`);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        uri,
        whole,
      );
      assert(hints.length > 0, 'no hints');
    },
  ],
  [
    'the wire JSON opens as a document',
    async () => {
      await open('wire.tool.json', { ...WEATHER, strict: false });
      await vscode.commands.executeCommand('toolspec.previewWire.responses');
      const document = await eventually('the document', () =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'toolspec'),
      );
      assert(document.getText().includes('"get_weather"'), document.getText());
    },
  ],
  [
    "the provider's engine judges a grammar, in a worker of its own",
    async () => {
      const { document } = await open('query.lark', 'start: WORD\nWORD: /[a-z]+/\n');
      const verdict = await eventually('a verdict of the engine', async () =>
        (await lensTitles(document.uri)).find((title) => title.includes('OpenAI')),
      );
      assert(verdict.includes('accepts it'), verdict);
      const refused = await open('refused.lark', 'start: WORD\nWORD: /a(?=b)/\n');
      await eventually('a refusal', () =>
        codes(refused.document.uri).includes('grammar/lookaround') ? true : undefined,
      );
    },
  ],
  [
    'a tool takes its grammar from another file, and sample calls are judged by it',
    async () => {
      await write('digits.lark', 'start: DIGITS\nDIGITS: /[0-9]+/\n');
      const format = { type: 'grammar', syntax: 'lark', definition: { $file: './digits.lark' } };
      const tool = { type: 'custom', name: 'digits', description: 'Takes digits.', format };
      await write('digits.tool.json', tool);
      const calls = ['123', 'abc'].map((input) => ({ tool: 'digits', input, expect: { outcome: 'accepted' } }));
      const { document } = await open('digits.samples.json', { definitions: ['./digits.tool.json'], calls });
      await eventually('lenses over the calls', async () =>
        (await lensTitles(document.uri)).length > 1 ? true : undefined,
      );
      await vscode.commands.executeCommand('toolspec.runSamples');
      const title = await eventually('an outcome', async () =>
        (await lensTitles(document.uri)).find((each) => /passed/i.test(each)),
      );
      assert(title.includes('1 of 2'), title);
    },
  ],
  [
    'the panel opens',
    async () => {
      await open('panel.tool.json', WEATHER);
      await vscode.commands.executeCommand('toolspec.openPanel');
      await eventually('its tab', () =>
        vscode.window.tabGroups.all
          .flatMap(({ tabs }) => tabs)
          .find(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes('toolspec')),
      );
    },
  ],
];
