import * as vscode from 'vscode';

/** Scheme of folders that are there before the workbench starts, as those of repositories are in vscode.dev. Nobody knows it. */
export const SCHEME = 'memory';

const TOOL = '{ "type": "function", "name": "f", "description": "d", "parameters": { "type": "array" } }';

/** What the folders hold. */
const FILES: Readonly<Record<string, string>> = {
  '/plain/data.json': '{ "tools": [] }',
  '/definition/deep/forecast.tool.json': TOOL,
  '/config/toolspec.config.json': '{ "rules": { "no/such-rule": "off" } }',
};

/** Files in the memory of the extension host. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changed.event;
  readonly #files = new Map(Object.entries(FILES).map(([path, text]) => [path, new TextEncoder().encode(text)]));

  /** Paths of the files below a folder. */
  below(folder: string): string[] {
    return [...this.#files.keys()].filter((path) => path.startsWith(`${folder.replace(/\/$/, '')}/`));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const bytes = this.#files.get(path);
    if (bytes === undefined && this.below(path).length === 0) throw vscode.FileSystemError.FileNotFound(path);
    const type = bytes === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: 0, mtime: 0, size: bytes?.length ?? 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const found = new Map<string, vscode.FileType>();
    for (const each of this.below(path)) {
      const [name, ...rest] = each.slice(path.replace(/\/$/, '').length + 1).split('/');
      found.set(name!, rest.length > 0 ? vscode.FileType.Directory : vscode.FileType.File);
    }
    return [...found];
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const bytes = this.#files.get(uri.path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return bytes;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    const type = this.#files.has(uri.path) ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created;
    this.#files.set(uri.path, new Uint8Array(content));
    this.#changed.fire([{ type, uri }]);
  }

  createDirectory(): void {}

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

/** The proposed interface by which file systems of extensions let their files be found, as far as it is used here. */
interface FileSearch {
  registerFileSearchProvider(
    scheme: string,
    provider: { provideFileSearchResults(query: unknown, options: { folder: vscode.Uri }): vscode.Uri[] },
  ): vscode.Disposable;
}

export function activate(context: vscode.ExtensionContext): void {
  const files = new MemoryFiles();
  const search = vscode.workspace as unknown as FileSearch;
  context.subscriptions.push(
    vscode.workspace.registerFileSystemProvider(SCHEME, files),
    search.registerFileSearchProvider(SCHEME, {
      // VS Code filters what it is given.
      provideFileSearchResults: (_query, { folder }) => files.below(folder.path).map((path) => folder.with({ path })),
    }),
  );
}
