import * as vscode from 'vscode';
import type { ToolListFile, ToolListResult, ToolListTool } from '../../server/src/protocol';
import { toRange } from './commands/added';
import type { Server } from './server';

/** The id of the view in the manifest. */
const VIEW = 'toolspec.tools';

const FILES = '**/*.{json,jsonc}';
const TOOL_FILE = /(?:\.tools?\.jsonc?|\/tools\.json|\/toolspec\.config\.json)$/;

/** Changes that come within so many milliseconds are shown together. */
const SETTLE = 300;

type Limits = ToolListResult['limits'];

interface FolderNode {
  readonly kind: 'folder';
  readonly uri: string;
  readonly name: string;
}

interface FileNode {
  readonly kind: 'file';
  readonly uri: string;
  readonly file: ToolListFile;
  readonly limits: Limits;
}

interface NamespaceNode {
  readonly kind: 'namespace';
  readonly uri: string;
  readonly name: string;
  readonly tools: readonly ToolListTool[];
  readonly limits: Limits;
}

/** Commands read `uri` and `tool` of what they are called for. */
interface ToolNode {
  readonly kind: 'tool';
  readonly uri: string;
  readonly tool: string;
  readonly facts: ToolListTool;
}

type Node = FolderNode | FileNode | NamespaceNode | ToolNode;

/** The tools of the workspace as a tree: folder, where there are several, file, namespace, tool. */
export class ToolsView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<Node | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #subscriptions: vscode.Disposable[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stale = false;

  constructor(readonly server: Server) {
    this.#view = vscode.window.createTreeView<Node>(VIEW, { treeDataProvider: this, showCollapseAll: true });
    const watcher = vscode.workspace.createFileSystemWatcher(FILES);
    const note = (uri: vscode.Uri): void => {
      if (TOOL_FILE.test(uri.path)) this.#settle();
    };
    this.#subscriptions = [
      this.#changed,
      this.#view,
      watcher,
      watcher.onDidCreate(note),
      watcher.onDidChange(note),
      watcher.onDidDelete(note),
      server.onDidCheck(({ isToolFile }) => {
        if (isToolFile) this.#settle();
      }),
      this.#view.onDidChangeVisibility(({ visible }) => {
        if (visible && this.#stale) this.#settle();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#settle()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('toolspec')) this.#settle();
      }),
    ];
  }

  /** Shows everything anew. */
  refresh(): void {
    this.#changed.fire(undefined);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const each of this.#subscriptions) each.dispose();
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return this.#folders();
    if (node.kind === 'folder') return this.#files(node);
    if (node.kind === 'file') return childrenOf(node);
    return node.kind === 'namespace' ? node.tools.map((tool) => toolNode(node.uri, tool)) : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'folder':
        return folderItem(node);
      case 'file':
        return fileItem(node);
      case 'namespace':
        return namespaceItem(node);
      default:
        return toolItem(node);
    }
  }

  async #folders(): Promise<Node[]> {
    const nodes = (vscode.workspace.workspaceFolders ?? []).map(
      ({ uri, name }): FolderNode => ({ kind: 'folder', uri: uri.toString().replace(/\/+$/, ''), name }),
    );
    // Without a single tool the view is empty, so that it says what can be done.
    const listed = await Promise.all(nodes.map((node) => this.#files(node)));
    const files = listed.flat();
    const tools = files.reduce((sum, { file }) => sum + file.tools.length, 0);
    this.#view.description = files.length === 0 ? '' : count(tools);
    if (nodes.length === 1) return files;
    return nodes.filter((_, index) => listed[index]!.length > 0);
  }

  async #files({ uri }: FolderNode): Promise<FileNode[]> {
    const { files, limits } = await this.server.toolList({ folder: uri });
    return files.map((file) => ({ kind: 'file', uri: file.uri, file, limits }));
  }

  #settle(): void {
    if (!this.#view.visible) {
      this.#stale = true;
      return;
    }
    this.#stale = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.refresh(), SETTLE);
  }
}

/** Tools in the order of the file; those of one namespace stand where its first one is. */
function childrenOf({ uri, file, limits }: FileNode): Node[] {
  const spaces = new Map<string, ToolListTool[]>();
  const nodes: Node[] = [];
  for (const tool of file.tools) {
    const name = tool.namespace;
    const others = spaces.get(name);
    if (name === '') nodes.push(toolNode(uri, tool));
    else if (others !== undefined) others.push(tool);
    else {
      const tools = [tool];
      spaces.set(name, tools);
      nodes.push({ kind: 'namespace', uri, name, tools, limits });
    }
  }
  return nodes;
}

const toolNode = (uri: string, facts: ToolListTool): ToolNode => ({ kind: 'tool', uri, tool: facts.pointer, facts });

const count = (tools: number): string => (tools === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', tools));

function folderItem({ name, uri }: FolderNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = uri;
  item.iconPath = vscode.ThemeIcon.Folder;
  item.contextValue = 'folder';
  return item;
}

function fileItem({ uri, file, limits }: FileNode): vscode.TreeItem {
  const item = new vscode.TreeItem(file.name, vscode.TreeItemCollapsibleState.Collapsed);
  const tooMany = file.tools.length > limits.tools;
  const manyAtStart = file.start >= limits.start;
  const bad = file.tools.filter(({ state }) => state !== 'fine').length;
  const notes = [
    vscode.l10n.t('{0} of {1} tools in a request', file.tools.length, limits.tools),
    vscode.l10n.t('{0} of {1} sent at the start', file.start, limits.start),
    ...(tooMany ? [vscode.l10n.t('A request takes {0} tools, so this one is refused.', limits.tools)] : []),
    ...(manyAtStart ? [vscode.l10n.t('The provider advises fewer than {0} tools at the start.', limits.start)] : []),
    ...(bad > 0 ? [vscode.l10n.t('{0} over the budget or refused.', count(bad))] : []),
    ...(file.problem === null ? [] : [file.problem]),
  ];
  const wrong = tooMany || bad > 0 || file.problem !== null;
  item.id = uri;
  item.resourceUri = vscode.Uri.parse(uri, true);
  item.description = tooMany
    ? vscode.l10n.t('{0} of {1} tools', file.tools.length, limits.tools)
    : manyAtStart
      ? vscode.l10n.t('{0} of {1} at start', file.start, limits.start)
      : count(file.tools.length);
  item.tooltip = notes.join('\n');
  item.iconPath = icon(wrong ? 'warning' : manyAtStart ? 'info' : 'file');
  item.contextValue = 'file';
  item.command = { title: vscode.l10n.t('Open File'), command: 'vscode.open', arguments: [item.resourceUri] };
  item.accessibilityInformation = { label: [file.name, ...notes].map(sentence).join(' ') };
  return item;
}

const sentence = (text: string): string => (/[.!?。！？]$/.test(text) ? text : `${text}.`);

function namespaceItem({ uri, name, tools, limits }: NamespaceNode): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
  const many = tools.length >= limits.namespace;
  const note = vscode.l10n.t('The provider advises fewer than {0} tools in a namespace.', limits.namespace);
  item.id = `${uri}#${name}`;
  item.description = count(tools.length);
  item.tooltip = [vscode.l10n.t('Namespace with {0}', count(tools.length)), ...(many ? [note] : [])].join('\n');
  item.iconPath = icon(many ? 'info' : 'symbol-namespace');
  item.contextValue = 'namespace';
  item.accessibilityInformation = { label: [name, ...item.tooltip.split('\n')].map(sentence).join(' ') };
  return item;
}

function toolItem({ uri, facts }: ToolNode): vscode.TreeItem {
  const name = facts.name === '' ? vscode.l10n.t('(without a name)') : facts.name;
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.None);
  item.id = `${uri}#${facts.pointer}`;
  item.description = facts.short;
  item.tooltip = [name, facts.status, facts.description].filter((line) => line !== '').join('\n');
  item.iconPath = icon(
    {
      fine: facts.exposure === 'direct' ? 'tools' : facts.exposure === 'deferred' ? 'search' : 'eye-closed',
      over: 'warning',
      refused: 'error',
    }[facts.state],
  );
  item.contextValue = 'tool';
  item.command = {
    title: vscode.l10n.t('Go to Tool'),
    command: 'vscode.open',
    arguments: [vscode.Uri.parse(uri, true), { selection: startOf(facts) }],
  };
  item.accessibilityInformation = { label: `${name}. ${facts.status}` };
  return item;
}

/** The cursor goes to the start of the tool; selecting all of it would hide what it says. */
function startOf({ range }: ToolListTool): vscode.Range {
  const { start } = toRange(range);
  return new vscode.Range(start, start);
}

const COLORS: Readonly<Record<string, string>> = {
  warning: 'list.warningForeground',
  error: 'list.errorForeground',
};

function icon(name: string): vscode.ThemeIcon {
  const color = COLORS[name];
  return new vscode.ThemeIcon(name, color === undefined ? undefined : new vscode.ThemeColor(color));
}
