import * as vscode from 'vscode';
import { SCHEME } from './memory';
import { assert, eventually, type WebTest } from './support';

/** The extension; asking for it does not wake it. */
function toolspec(): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension('toolspec.toolspec');
  assert(extension !== undefined, 'the extension is not there');
  return extension;
}

const inFolder = (name: string): vscode.Uri => vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, name);

/** VS Code looks at what a folder contains before it runs tests, so this is final. */
function assertAsleep(when: string): void {
  assert(!toolspec().isActive, `the extension is awake ${when}`);
}

/** A finding shows that the second stage and the server have followed. */
async function assertServes(uri: vscode.Uri): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
  await eventually('a finding', () =>
    vscode.languages.getDiagnostics(uri).some(({ source }) => source === 'ToolSpec') ? true : undefined,
  );
}

/** In a folder that holds nothing of ours. The order matters: once awake, the extension stays so. */
const byName: readonly WebTest[] = [
  [
    'a folder without tools does not wake the extension, nor does plain JSON',
    async () => {
      assertAsleep('at the start');
      const uri = inFolder('data.json');
      const document = await vscode.workspace.openTextDocument(uri);
      assert(document.languageId === 'json', document.languageId);
      await vscode.window.showTextDocument(document);
      // The extension of these tests asks to be woken by JSON: it tells that JSON has been told to every extension.
      const tester = vscode.extensions.getExtension('toolspec.tester');
      await eventually('the other extension', () => (tester?.isActive === true ? true : undefined));
      await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', uri);
      await vscode.commands.executeCommand('vscode.executeHoverProvider', uri, new vscode.Position(0, 3));
      assertAsleep('after JSON');
    },
  ],
  [
    'the schema of a tool definition wakes it, and comes out of the package',
    async () => {
      assertAsleep('before the schema');
      const schema = vscode.Uri.parse('toolspec-schema:/tool.schema.json');
      const document = await vscode.workspace.openTextDocument(schema);
      assert(toolspec().isActive, 'the extension still sleeps');
      const packed = vscode.Uri.joinPath(toolspec().extensionUri, 'schemas/tool.schema.json');
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(packed));
      assert(document.getText() === text && text.includes('"$schema"'), `the schema is: ${document.getText()}`);
      for (const [name, match] of [
        ['samples.schema.json', true],
        ['config.schema.json', true],
        ['other.json', false],
        ['../package.json', false],
      ] as const) {
        const opened = await vscode.workspace.openTextDocument(schema.with({ path: `/${name}` })).then(
          (each) => each.getText().includes('"$schema"'),
          () => false,
        );
        assert(opened === match, `${name}: ${opened}`);
      }
      const tool = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', minProperties: 1 } };
      const first = inFolder('first.tool.json');
      await vscode.workspace.fs.writeFile(first, new TextEncoder().encode(JSON.stringify(tool)));
      await assertServes(first);
    },
  ],
];

/** In a folder that holds a file of ours by name, which has a fault. */
const byFolder = (name: string): readonly WebTest[] => [
  [
    `a folder with ${name} wakes the extension before a file is opened`,
    async () => {
      assert(
        vscode.workspace.textDocuments.every(({ uri }) => uri.scheme !== SCHEME),
        'a file is open',
      );
      await eventually('the extension', () => (toolspec().isActive ? true : undefined));
      await assertServes(inFolder(name));
    },
  ],
];

/** Tests of what wakes the extension, by the folder that is open. */
export const wakingTests: ReadonlyMap<string, readonly WebTest[]> = new Map([
  ['/plain', byName],
  ['/definition', byFolder('deep/forecast.tool.json')],
  ['/config', byFolder('toolspec.config.json')],
]);
