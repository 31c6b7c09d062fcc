import * as vscode from 'vscode';
import {
  PANEL_PAGES,
  type PanelAction,
  type PanelModel,
  type PanelParams,
  type PanelPlace,
  type PanelRunParams,
  type PanelTarget,
  type WireAsk,
} from '../../../server/src/panelProtocol';
import { showBeside } from '../documents';
import { isSamples } from '../sampleFiles';
import type { Server } from '../server';
import type { Tests } from '../tests/controller';
import { GRAMMAR_LANGUAGE, LANGUAGES } from '../toolFiles';
import { PanelRuns, storeCall } from './calls';
import { panelHtml, panelRoot } from './html';
import { type FromPanel, isFromPanel, type PanelState, type ToPanel } from './messages';

/** The type of the panel, under which the workbench brings it back after a reload. */
const PANEL_TYPE = 'toolspec.panel';

/** Edits are answered together when they come within so many milliseconds: one frame. */
const FRAME = 16;

/** Opens the panel and brings it back after a reload. There is one at most. */
export class PanelHost implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #registration: vscode.Disposable;
  #panel: Panel | undefined;

  constructor(
    readonly extension: vscode.Uri,
    readonly server: Server,
    readonly tests: Tests,
  ) {
    this.#registration = vscode.window.registerWebviewPanelSerializer(PANEL_TYPE, this);
  }

  /** Shows the panel beside the editor, with what it is wanted for. */
  show(target: PanelTarget): void {
    if (this.#panel === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.#adopt(vscode.window.createWebviewPanel(PANEL_TYPE, 'ToolSpec', column), target);
    } else this.#panel.show(target);
  }

  /** Keeps the panel on its tool, or lets it follow the editor again. */
  togglePin(): void {
    this.#panel?.togglePin();
  }

  async deserializeWebviewPanel(view: vscode.WebviewPanel, _state: unknown): Promise<void> {
    // What the page has kept comes with its first message.
    this.#adopt(view, {});
  }

  dispose(): void {
    this.#registration.dispose();
    this.#panel?.dispose();
  }

  #adopt(view: vscode.WebviewPanel, target: PanelTarget): void {
    this.#panel?.dispose();
    const panel = new Panel(view, this.extension, this.server, new PanelRuns(this.server, this.tests), target);
    this.#panel = panel;
    void vscode.commands.executeCommand('setContext', 'toolspec.hasPanel', true);
    view.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      void vscode.commands.executeCommand('setContext', 'toolspec.hasPanel', false);
    });
  }
}

const START: PanelState = { uri: null, tool: null, page: 'wire', pinned: false };

/** One open panel: follows the editor, asks the server, and passes on what it answers. */
class Panel implements vscode.Disposable {
  readonly #subscriptions: vscode.Disposable[] = [];
  #state: PanelState = START;
  /** A place to look for the tool, where no tool is named. */
  #offset: number | undefined;
  #list: string | undefined;
  #loaded = false;
  /** Counts the states of the page that have come. */
  #serial = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asking: vscode.CancellationTokenSource | undefined;
  /** Counts what the panel has gone to, so that an answer about samples does not take it back. */
  #aims = 0;
  /** Watches the file on disk, whose document no editor may hold open. */
  #watched: { readonly uri: string; readonly watcher: vscode.Disposable } | undefined;

  constructor(
    readonly view: vscode.WebviewPanel,
    readonly extension: vscode.Uri,
    readonly server: Server,
    readonly runs: PanelRuns,
    target: PanelTarget,
  ) {
    view.iconPath = vscode.Uri.joinPath(extension, 'media', 'icon.png');
    view.webview.options = { enableScripts: true, localResourceRoots: [panelRoot(extension)] };
    this.#aim(target);
    this.#subscriptions.push(
      view.webview.onDidReceiveMessage((message: unknown) => {
        if (isFromPanel(message)) this.#receive(message);
      }),
      view.onDidDispose(() => this.dispose()),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#follow(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
        // The cursor that the panel itself has set does not come from the user.
        if (kind !== undefined) this.#follow(textEditor);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.#dependsOn(document)) this.#askSoon();
      }),
      // Runs of the Test Explorer are shown too.
      server.onCallProgress(() => {
        if (this.#state.page === 'calls') this.#askSoon();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#askSoon()),
      vscode.workspace.onDidRenameFiles(({ files }) => this.#renamed(files)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (isSamples(uri)) this.#askSoon();
      }),
      runs,
      server.onDidCheck(({ uri }) => {
        if (uri === this.#state.uri) this.#askSoon();
      }),
    );
    view.webview.html = panelHtml(view.webview, extension, vscode.l10n.bundle);
  }

  show(target: PanelTarget): void {
    this.#aim(target);
    this.view.reveal(undefined, true);
    this.#askSoon();
  }

  /** The file, or a folder that it lies in, has got another name. */
  #renamed(files: vscode.FileRenameEvent['files']): void {
    const { uri } = this.#state;
    for (const { oldUri, newUri } of files) {
      const old = oldUri.toString();
      if (uri === null || (uri !== old && !uri.startsWith(`${old}/`))) continue;
      this.#state = { ...this.#state, uri: newUri.toString() + uri.slice(old.length) };
      this.#askSoon();
      return;
    }
  }

  /** Asks again when the file changes, goes away or is there again, also where no document of it is open. */
  #watch(uri: string): void {
    if (this.#watched?.uri === uri) return;
    this.#watched?.watcher.dispose();
    this.#watched = undefined;
    const file = vscode.Uri.parse(uri, true);
    // What was never saved is in no file system.
    if (vscode.workspace.fs.isWritableFileSystem(file.scheme) === undefined) return;
    const folder = vscode.Uri.joinPath(file, '..');
    // The name of a file may hold what a pattern takes for a sign.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const ask = (touched: vscode.Uri): void => {
      if (touched.toString() === this.#state.uri) this.#askSoon();
    };
    watcher.onDidCreate(ask);
    watcher.onDidChange(ask);
    watcher.onDidDelete(ask);
    this.#watched = { uri, watcher };
  }

  togglePin(): void {
    this.#state = { ...this.#state, pinned: !this.#state.pinned };
    if (!this.#state.pinned) this.#follow(vscode.window.activeTextEditor);
    this.#askSoon();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asking?.cancel();
    this.#watched?.watcher.dispose();
    for (const each of this.#subscriptions.splice(0)) each.dispose();
    this.view.dispose();
  }

  #aim({ uri, key, offset, page }: PanelTarget): void {
    this.#aims++;
    if (uri !== undefined && isSamples(vscode.Uri.parse(uri, true))) {
      void this.#aimAtCall(uri, offset ?? 0);
    } else if (uri !== undefined) {
      this.#state = { ...this.#state, uri, tool: uri === this.#state.uri ? this.#state.tool : null };
      if (key !== undefined) {
        this.#offset = undefined;
        this.#state = { ...this.#state, tool: key };
      } else if (offset !== undefined) {
        this.#offset = offset;
        this.#state = { ...this.#state, tool: null };
      }
    }
    if (page !== undefined) this.#state = { ...this.#state, page };
  }

  /** What the page shows may come from files beside the one in front: grammars and samples. */
  #dependsOn({ uri, languageId }: vscode.TextDocument): boolean {
    if (uri.toString() === this.#state.uri) return true;
    const { page } = this.#state;
    if (languageId === GRAMMAR_LANGUAGE) return page === 'grammar' || page === 'calls' || page === 'wire';
    return isSamples(uri) && (page === 'calls' || page === 'grammar');
  }

  /** The editor in front decides, unless the panel is pinned or that is a file of another kind. */
  #follow(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || this.#state.pinned) return;
    const { document, selection } = editor;
    if (![...LANGUAGES, GRAMMAR_LANGUAGE].includes(document.languageId) || document.uri.scheme === 'toolspec') return;
    this.#aim({ uri: document.uri.toString(), offset: document.offsetAt(selection.active) });
    this.#askSoon();
  }

  /** In a samples file, the call at a place decides. */
  async #aimAtCall(samples: string, offset: number): Promise<void> {
    const aim = this.#aims;
    const { uri, tool } = this.#state;
    const shown = uri === null || tool === null ? {} : { shown: { uri, tool } };
    // While samples are typed, there may be no answer: the panel stays.
    const found = await this.server.panelCall({ uri: samples, offset, ...shown }).catch(() => null);
    if (found === null || this.#aims !== aim || this.#state.pinned) return;
    this.#state = {
      ...this.#state,
      uri: found.uri,
      tool: found.tool,
      ...(found.sample === undefined ? {} : { calls: { sample: found.sample } }),
    };
    this.#offset = undefined;
    this.#askSoon();
  }

  #receive(message: FromPanel): void {
    switch (message.type) {
      case 'ready':
        this.#loaded = true;
        this.#serial = 0;
        this.#list = undefined;
        if (message.state !== null && this.#state === START) this.#state = { ...START, ...message.state };
        if (this.#state.uri === null) this.#follow(vscode.window.activeTextEditor);
        this.#askSoon();
        return;
      case 'state':
        if (message.state.tool !== null) this.#offset = undefined;
        this.#state = message.state;
        this.#serial = message.serial;
        this.#askSoon();
        return;
      case 'act':
        void this.#act(message.action);
        return;
      case 'copy':
        void vscode.env.clipboard.writeText(message.text);
        return;
      case 'copyWire':
        void this.#copyWire(message.wire);
        return;
      case 'openWire':
        void this.#openWire(message.wire);
        return;
      case 'run':
        void this.#run(() => this.runs.run(this.#callParams(), message.stored));
        return;
      case 'runAll':
        void this.#run(() => this.runs.runStored(message.files));
        return;
      case 'stop':
        this.runs.stop();
        return;
      case 'save':
        void this.#save();
        return;
      case 'generate':
        void this.#generate(message.seed);
        return;
    }
  }

  #askSoon(): void {
    if (!this.#loaded) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#ask();
    }, FRAME);
  }

  async #ask(): Promise<void> {
    this.#asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.#asking = asking;
    const state = this.#state;
    const after = this.#serial;
    if (state.uri === null) {
      this.#send({ type: 'none', state, reason: 'no-file', after });
      return;
    }
    const { uri, tool, ...options } = state;
    this.#watch(uri);
    this.#send({ type: 'busy' });
    const params: PanelParams = {
      ...options,
      uri,
      ...(tool === null ? {} : { tool }),
      ...(this.#offset === undefined ? {} : { offset: this.#offset }),
      ...(this.#list === undefined ? {} : { list: this.#list }),
    };
    try {
      // The server knows open documents only; a file that is shown nowhere is opened in the background.
      await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    } catch {
      if (asking !== this.#asking) return;
      this.#send({ type: 'none', state, reason: 'gone', after });
      return;
    }
    try {
      const model = await this.server.panel(params, asking.token);
      if (asking !== this.#asking) return;
      if (model === null) this.#send({ type: 'none', state, reason: 'not-ours', after });
      else this.#take(model, after);
    } catch (error) {
      if (asking !== this.#asking) return;
      // The document has changed meanwhile: the change itself asks again.
      if (isOutdated(error)) this.#askSoon();
      else this.#send({ type: 'none', state, reason: 'failed', after });
    }
  }

  #take(model: PanelModel, after: number): void {
    if (model.tool !== null) {
      this.#state = { ...this.#state, tool: model.tool.key };
      this.#offset = undefined;
    }
    this.#list = model.list.stamp;
    this.#send({ type: 'model', state: this.#state, model, after });
  }

  async #act(action: PanelAction): Promise<void> {
    switch (action.kind) {
      case 'page':
        if (PANEL_PAGES.includes(action.page)) this.#state = { ...this.#state, page: action.page };
        this.#askSoon();
        return;
      case 'search-all':
        this.#state = { ...this.#state, search: { query: '', limit: 8, ...this.#state.search, all: true } };
        this.#askSoon();
        return;
      case 'tool':
        this.#state = {
          ...this.#state,
          uri: action.uri ?? this.#state.uri,
          tool: action.tool,
          page: action.page ?? this.#state.page,
        };
        this.#offset = undefined;
        this.#askSoon();
        return;
      case 'place':
        await reveal(action.place);
        return;
      case 'rule':
        await vscode.env.openExternal(vscode.Uri.parse(action.href, true));
        return;
      case 'command':
        if (action.command.startsWith('toolspec.') || action.command === 'workbench.trust.manage') {
          await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
        }
        return;
    }
  }

  /** The call that the page shows. */
  #callParams(): PanelRunParams {
    const { uri, tool, calls, drafts } = this.#state;
    return {
      uri: uri ?? '',
      ...(tool === null ? {} : { tool }),
      ...(calls === undefined ? {} : { calls }),
      ...(drafts === undefined ? {} : { drafts }),
    };
  }

  /** A run shows itself at its beginning and at its end. */
  async #run(work: () => Promise<void>): Promise<void> {
    const running = work();
    this.#askSoon();
    try {
      await running;
    } catch (error) {
      void vscode.window.showErrorMessage(vscode.l10n.t('The call could not be run: {0}', String(error)));
    }
    this.#askSoon();
  }

  async #save(): Promise<void> {
    const result = await this.server.panelSave(this.#callParams());
    if (result === null || !(await storeCall(result))) {
      void vscode.window.showErrorMessage(vscode.l10n.t('The call could not be stored.'));
      return;
    }
    // The stored call is shown from now on; what was typed is no draft any more.
    this.#state = { ...this.#state, calls: { sample: result.sample }, drafts: [] };
    this.#askSoon();
  }

  async #generate(seed: number): Promise<void> {
    const { uri, tool, drafts = [] } = this.#state;
    if (uri === null) return;
    const result = await this.server.panelGenerate({ uri, seed, ...(tool === null ? {} : { tool }) });
    if (result.failure !== null) {
      void vscode.window.showInformationMessage(result.failure);
      return;
    }
    const { of, text } = result;
    this.#state = { ...this.#state, drafts: [...drafts.filter((each) => each.of !== of), { of, text }] };
    this.#askSoon();
  }

  async #copyWire(wire: WireAsk): Promise<void> {
    const { uri, tool } = this.#state;
    if (uri === null) return;
    const exact = await this.server.panelText({ uri, wire, ...(tool === null ? {} : { tool }) });
    if (exact !== null) await vscode.env.clipboard.writeText(exact.text);
  }

  async #openWire({ mode, scope }: WireAsk): Promise<void> {
    const { uri, tool } = this.#state;
    if (uri === null) return;
    const view = scope === 'request' ? 'request' : 'wire';
    const about = scope === 'tool' && tool !== null ? { tool: tool.pointer } : {};
    const found = await this.server.view({ uri, view, mode, ...about });
    if (found !== null) await showBeside(found.uri);
  }

  #send(message: ToPanel): void {
    void this.view.webview.postMessage(message);
  }
}

/** Shows a place in the editor that has the file already, or in the first one that is not the panel's. */
async function reveal({ uri, line, character, endLine, endCharacter }: PanelPlace): Promise<void> {
  const target = vscode.Uri.parse(uri, true);
  const open = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === target.toString());
  await vscode.window.showTextDocument(target, {
    selection: new vscode.Range(line, character, endLine, endCharacter),
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
  });
}

/** `ContentModified`, `RequestCancelled` and `ServerCancelled` of the protocol. */
function isOutdated(error: unknown): boolean {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return code === -32801 || code === -32800 || code === -32802;
}
