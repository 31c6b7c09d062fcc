import * as vscode from 'vscode';
import { DOCUMENT_SCHEME } from '../../server/src/protocol';

const CONFIG_FILE_NAME = 'toolspec.config.json';
const TOOL_FILE = /(?:\.(?:tools?|samples)\.jsonc?|[/\\]tools\.json|[/\\]toolspec\.config\.json)$/;
const MEMORY_KEY = 'toolFiles';

/** Languages that tool definition files have. */
export const LANGUAGES = ['json', 'jsonc'];

/** The language of grammar files. */
export const GRAMMAR_LANGUAGE = 'lark';

/** Knows which files the user treats as tools, and when the first file appears that the server should look at. */
export class ToolFiles implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[] = [];
  #configs: Promise<boolean> | undefined;

  constructor(readonly memory: vscode.Memento) {}

  /** Files that are treated as tools whatever their names, remembered for the workspace. */
  get treated(): readonly string[] {
    return this.memory.get<string[]>(MEMORY_KEY, []);
  }

  /** Whether a file is one of tools by its name or by the user's word. Settings and config files are the server's to read. */
  isKnown({ uri }: vscode.TextDocument): boolean {
    return TOOL_FILE.test(uri.path) || this.treated.includes(uri.toString());
  }

  /** Adds a file to those, or takes it away. Gives whether it is treated as tools now. */
  async toggle(uri: vscode.Uri): Promise<boolean> {
    const name = uri.toString();
    const others = this.treated.filter((each) => each !== name);
    const added = others.length === this.treated.length;
    await this.memory.update(MEMORY_KEY, added ? [...others, name] : others);
    return added;
  }

  /**
   * Calls back once, as soon as an open document is a grammar or may hold tools. Most people who open a JSON file have no tools in it,
   * and for them no server is started.
   */
  whenNeeded(call: () => void): void {
    let called = false;
    const look = async (document: vscode.TextDocument): Promise<void> => {
      if (called || !(await this.#mayHoldTools(document)) || called) return;
      called = true;
      this.dispose();
      call();
    };
    this.#subscriptions.push(
      vscode.workspace.onDidOpenTextDocument((document) => void look(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => void look(document)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('toolspec')) for (const each of vscode.workspace.textDocuments) void look(each);
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#configs = undefined;
      }),
    );
    for (const document of vscode.workspace.textDocuments) void look(document);
  }

  dispose(): void {
    for (const each of this.#subscriptions.splice(0)) each.dispose();
  }

  async #mayHoldTools(document: vscode.TextDocument): Promise<boolean> {
    if (document.uri.scheme === 'output' || document.uri.scheme === DOCUMENT_SCHEME) return false;
    if (document.languageId === GRAMMAR_LANGUAGE) return true;
    if (!LANGUAGES.includes(document.languageId)) return false;
    const { uri } = document;
    if (this.isKnown(document)) return true;
    if (uri.path.endsWith('/package.json')) return document.getText().includes('"languageModelTools"');
    if (vscode.workspace.getConfiguration('toolspec', uri).get<string[]>('files.include', []).length > 0) return true;
    // A config file may name further files; the server knows how to read it.
    this.#configs ??= anyConfig();
    return this.#configs;
  }
}

async function anyConfig(): Promise<boolean> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const found = vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, CONFIG_FILE_NAME));
    if (
      await found.then(
        () => true,
        () => false,
      )
    ) {
      return true;
    }
  }
  return false;
}
