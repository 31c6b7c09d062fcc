import * as vscode from 'vscode';
import type {
  BaseLanguageClient,
  CloseAction,
  CodeAction,
  DocumentFilter,
  LanguageClientOptions,
  Middleware,
} from 'vscode-languageclient';
import type {
  PanelCallParams,
  PanelCallResult,
  PanelGenerateParams,
  PanelGenerateResult,
  PanelModel,
  PanelParams,
  PanelRunParams,
  PanelRunResult,
  PanelSaveResult,
  PanelTextParams,
  PanelTextResult,
} from '../../server/src/panelProtocol';
import {
  type ConvertParams,
  type ConvertResult,
  type FileStatus,
  type FindFilesParams,
  type FindFilesResult,
  type InitializationOptions,
  METHODS,
  type ReadFileParams,
  type ReadFileResult,
  type ToolFilesParams,
  type ToolListParams,
  type ToolListResult,
  type ViewParams,
  type ViewResult,
  type WalkParams,
  type WalkResult,
} from '../../server/src/protocol';
import type {
  AddSampleParams,
  AddSampleResult,
  CallProgress,
  DriftProgressInfo,
  FindDriftParams,
  FindDriftResult,
  RunSamplesParams,
  RunSamplesResult,
  SamplesParams,
  SamplesResult,
  StoreDriftParams,
  TrustParams,
} from '../../server/src/samplesProtocol';
import type {
  ImportSourceParams,
  ImportSourceResult,
  SnapshotsParams,
  SnapshotsResult,
  SourceServersResult,
} from '../../server/src/sourcesProtocol';
import { findFiles } from './findFiles';
import { GRAMMAR_LANGUAGE, LANGUAGES, type ToolFiles } from './toolFiles';

/** Makes a language client; how the server is started differs between desktop and browser. */
export type MakeClient = (options: LanguageClientOptions) => Promise<BaseLanguageClient>;

/** What is used of the library of language clients, beyond types. */
type Library = Pick<typeof import('vscode-languageclient'), 'CloseAction' | 'ErrorAction' | 'RevealOutputChannelOn'>;

/** How the server is doing. */
export type ServerState = 'stopped' | 'starting' | 'running' | 'failed';

/**
 * Schemes of documents that people edit, besides those of the folders that are open. Diffs, output and our own documents
 * have others.
 */
const SCHEMES = [
  'file',
  'untitled',
  'vscode-vfs',
  'vscode-remote',
  'vscode-test-web',
  'memfs',
  'tmp',
  'vscode-userdata',
];

/** Kinds of the actions that move a grammar into a file and back. */
export const EXTRACT_GRAMMAR = 'refactor.extract.grammar';
export const INLINE_GRAMMAR = 'refactor.inline.grammar';

/** A server that ends so often within the time (milliseconds) is not started again by itself. */
const MAX_CRASHES = 4;
const CRASH_WINDOW = 180_000;

/** The language server, from the client's side: started on demand, restarted on request, never waited for. */
export class Server implements vscode.Disposable {
  readonly #stateChanged = new vscode.EventEmitter<ServerState>();
  readonly #statusChanged = new vscode.EventEmitter<FileStatus>();
  readonly #callProgressed = new vscode.EventEmitter<CallProgress>();
  readonly #driftProgressed = new vscode.EventEmitter<DriftProgressInfo>();
  readonly #trust: vscode.Disposable;
  readonly onDidChangeState = this.#stateChanged.event;
  /** Fires after each check of an open file. */
  readonly onDidCheck = this.#statusChanged.event;
  /** Fires while sample calls run. */
  readonly onCallProgress = this.#callProgressed.event;
  /** Fires while drift is looked for. */
  readonly onDriftProgress = this.#driftProgressed.event;
  #client: BaseLanguageClient | undefined;
  #ready: Promise<BaseLanguageClient> | undefined;
  #state: ServerState = 'stopped';
  #crashes: number[] = [];
  readonly #checked = new Map<string, FileStatus>();

  constructor(
    readonly makeClient: MakeClient,
    readonly log: vscode.LogOutputChannel,
    readonly toolFiles: ToolFiles,
  ) {
    this.#trust = vscode.workspace.onDidGrantWorkspaceTrust(() => {
      const params: TrustParams = { trusted: true };
      void this.#ready?.then((client) => client.sendNotification(METHODS.trust, params));
    });
  }

  /** What the latest checks of open files said. */
  get checked(): readonly FileStatus[] {
    return [...this.#checked.values()];
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Starts the server if it does not run; gives it as soon as it answers. */
  start(): Promise<BaseLanguageClient> {
    if (this.#ready === undefined) {
      this.#enter('starting');
      const ready = this.#launch();
      this.#ready = ready;
      // Whoever waits for the server sees the failure; without anyone waiting it is in the log.
      ready.catch(() => {
        if (this.#ready === ready) this.#ready = undefined;
      });
    }
    return this.#ready;
  }

  async #launch(): Promise<BaseLanguageClient> {
    // The library is large, and most windows never need it.
    const library = await import('vscode-languageclient');
    const client = await this.makeClient(this.#options(library));
    this.#client = client;
    client.onDidChangeState(({ newState }) => {
      if (client !== this.#client) return;
      if (newState === library.State.Running) this.#enter('running');
      else if (newState === library.State.Starting) this.#enter('starting');
      else this.#enter(this.#state === 'failed' ? 'failed' : 'stopped');
    });
    client.onNotification(METHODS.status, (status: FileStatus) => {
      this.#note(status);
      this.#statusChanged.fire(status);
    });
    client.onNotification(METHODS.callProgress, (progress: CallProgress) => this.#callProgressed.fire(progress));
    client.onNotification(METHODS.driftProgress, (info: DriftProgressInfo) => this.#driftProgressed.fire(info));
    client.onRequest(METHODS.readFile, readFile);
    client.onRequest(METHODS.findFiles, async ({ folder, ending }: FindFilesParams): Promise<FindFilesResult> => {
      const uris = await findFiles(vscode.Uri.parse(folder, true), ending);
      return { uris: uris.map((uri) => uri.toString()) };
    });
    try {
      await client.start();
      return client;
    } catch (error) {
      this.#enter('failed');
      this.log.error(`The server did not start: ${String(error)}`);
      throw error;
    }
  }

  async stop(): Promise<void> {
    const ready = this.#ready;
    this.#ready = undefined;
    try {
      const client = await ready;
      if (client === this.#client) this.#client = undefined;
      await client?.stop();
    } catch (error) {
      this.log.warn(`Stopping failed: ${error}`);
    }
    this.#enter('stopped');
  }

  async restart(): Promise<void> {
    this.#crashes = [];
    await this.stop();
    await this.start();
  }

  /** The read-only document about a file, or `null`. */
  async view(params: ViewParams): Promise<ViewResult | null> {
    const client = await this.start();
    return client.sendRequest<ViewResult | null>(METHODS.view, params);
  }

  /** The walk at a place of a grammar or of a sample call, or `null` where neither stands. */
  async walk(params: WalkParams): Promise<WalkResult | null> {
    const client = await this.start();
    return client.sendRequest<WalkResult | null>(METHODS.walk, params);
  }

  /** A page of the panel about a file, or `null`. Rejects when the document changes meanwhile. */
  async panel(params: PanelParams, token: vscode.CancellationToken): Promise<PanelModel | null> {
    const client = await this.start();
    return client.sendRequest<PanelModel | null>(METHODS.panel, params, token);
  }

  /** The exact text behind the panel's page Wire, or `null`. */
  async panelText(params: PanelTextParams): Promise<PanelTextResult | null> {
    const client = await this.start();
    return client.sendRequest<PanelTextResult | null>(METHODS.panelText, params);
  }

  /** Runs the call that the panel shows. */
  async panelRun(params: PanelRunParams, token: vscode.CancellationToken): Promise<PanelRunResult> {
    const client = await this.start();
    return client.sendRequest<PanelRunResult>(METHODS.panelRun, params, token);
  }

  /** What stores the call that the panel shows, or `null`. */
  async panelSave(params: PanelRunParams): Promise<PanelSaveResult | null> {
    const client = await this.start();
    return client.sendRequest<PanelSaveResult | null>(METHODS.panelSave, params);
  }

  /** The tool that is called at a place of a samples file, or `null` where the panel stays as it is. */
  async panelCall(params: PanelCallParams): Promise<PanelCallResult | null> {
    const client = await this.start();
    return client.sendRequest<PanelCallResult | null>(METHODS.panelCall, params);
  }

  /** An input that the grammar of the panel takes. */
  async panelGenerate(params: PanelGenerateParams): Promise<PanelGenerateResult> {
    const client = await this.start();
    return client.sendRequest<PanelGenerateResult>(METHODS.panelGenerate, params);
  }

  /** The tools of a file in another shape, or `null`. */
  async convert(params: ConvertParams): Promise<ConvertResult | null> {
    const client = await this.start();
    return client.sendRequest<ConvertResult | null>(METHODS.convert, params);
  }

  /** Samples files with their calls: one, or all of the workspace. */
  async samples(params: SamplesParams): Promise<SamplesResult> {
    const client = await this.start();
    return client.sendRequest<SamplesResult>(METHODS.samples, params);
  }

  /** Runs sample calls; `onCallProgress` tells of each. */
  async runSamples(params: RunSamplesParams, token: vscode.CancellationToken): Promise<RunSamplesResult> {
    const client = await this.start();
    return client.sendRequest<RunSamplesResult>(METHODS.runSamples, params, token);
  }

  /** What adding a sample call changes. */
  async addSample(params: AddSampleParams): Promise<AddSampleResult> {
    const client = await this.start();
    return client.sendRequest<AddSampleResult>(METHODS.addSample, params);
  }

  /** Looks for drift between contract and handler; `onDriftProgress` tells how far it is. */
  async findDrift(params: FindDriftParams, token: vscode.CancellationToken): Promise<FindDriftResult> {
    const client = await this.start();
    return client.sendRequest<FindDriftResult>(METHODS.findDrift, params, token);
  }

  /** What storing drifts changes. */
  async storeDrift(params: StoreDriftParams): Promise<AddSampleResult> {
    const client = await this.start();
    return client.sendRequest<AddSampleResult>(METHODS.storeDrift, params);
  }

  /** The MCP servers that the workspace names. */
  async sourceServers(): Promise<SourceServersResult> {
    const client = await this.start();
    return client.sendRequest<SourceServersResult>(METHODS.sourceServers, {});
  }

  /** What makes an MCP server a source; the server is started. */
  async importSource(params: ImportSourceParams, token: vscode.CancellationToken): Promise<ImportSourceResult> {
    const client = await this.start();
    return client.sendRequest<ImportSourceResult>(METHODS.importSource, params, token);
  }

  /** Runs sources and compares what they give with what is stored. */
  async snapshots(params: SnapshotsParams, token: vscode.CancellationToken): Promise<SnapshotsResult> {
    const client = await this.start();
    return client.sendRequest<SnapshotsResult>(METHODS.snapshots, params, token);
  }

  /**
   * The edit of a refactoring at a place of an open document, with the file that it makes; `undefined` where there is
   * none. Kinds are those of code actions.
   */
  async refactoring(
    document: vscode.TextDocument,
    range: vscode.Range,
    kind: string,
  ): Promise<{ edit: vscode.WorkspaceEdit; made: vscode.Uri | undefined } | undefined> {
    const client = await this.start();
    const { code2ProtocolConverter: toProtocol, protocol2CodeConverter: toCode } = client;
    const actions = await client.sendRequest<CodeAction[] | null>('textDocument/codeAction', {
      textDocument: toProtocol.asTextDocumentIdentifier(document),
      range: toProtocol.asRange(range),
      context: { diagnostics: [], only: [kind] },
    });
    const edit = await toCode.asWorkspaceEdit(actions?.find((action) => action.edit !== undefined)?.edit);
    if (edit === undefined) return undefined;
    const made = edit.entries().find(([uri]) => uri.toString() !== document.uri.toString())?.[0];
    return { edit: withContents(edit, document.uri), made };
  }

  /** The tools of a folder of the workspace, or of a file. */
  async toolList(params: ToolListParams): Promise<ToolListResult> {
    const client = await this.start();
    return client.sendRequest<ToolListResult>(METHODS.toolList, params);
  }

  /** Tells the server which files hold tools by the user's word. */
  async sendToolFiles(): Promise<void> {
    const params: ToolFilesParams = { uris: this.toolFiles.treated };
    const client = await this.start();
    await client.sendNotification(METHODS.toolFiles, params);
  }

  dispose(): void {
    this.#stateChanged.dispose();
    this.#statusChanged.dispose();
    this.#callProgressed.dispose();
    this.#driftProgressed.dispose();
    this.#trust.dispose();
  }

  /** Keeps what was said of files of ours, as long as they are open. */
  #note(status: FileStatus): void {
    if (status.isToolFile || status.grammar !== null) this.#checked.set(status.uri, status);
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    for (const uri of this.#checked.keys()) if (!open.has(uri)) this.#checked.delete(uri);
  }

  #enter(state: ServerState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#stateChanged.fire(state);
  }

  #options(library: Library): LanguageClientOptions {
    const texts: unknown = vscode.l10n.bundle;
    const initialization: InitializationOptions = {
      commands: true,
      readsFiles: true,
      findsFiles: true,
      status: true,
      validatesConfig: true,
      trusted: vscode.workspace.isTrusted,
      toolFiles: this.toolFiles.treated,
      ...(typeof texts === 'object' ? { texts: texts as Record<string, string> } : {}),
    };
    const folders = vscode.workspace.workspaceFolders ?? [];
    const schemes = [...new Set([...SCHEMES, ...folders.map(({ uri }) => uri.scheme)])];
    const documentSelector = schemes.flatMap((scheme) =>
      [...LANGUAGES, GRAMMAR_LANGUAGE].map((language): DocumentFilter => ({ scheme, language })),
    );
    return {
      documentSelector,
      initializationOptions: initialization,
      outputChannel: this.log,
      revealOutputChannelOn: library.RevealOutputChannelOn.Never,
      middleware: { provideCodeActions },
      diagnosticPullOptions: { onChange: true, onSave: false, onFocus: false },
      textSynchronization: { delayOpenNotifications: true },
      initializationFailedHandler: (error) => {
        this.log.error(`The server refused to start: ${error instanceof Error ? error.message : String(error)}`);
        return false;
      },
      errorHandler: {
        error: () => ({ action: library.ErrorAction.Continue }),
        closed: () => this.#closed(library),
      },
    };
  }

  /** The server has ended without being asked to. No toast: the status item says it, with a way out. */
  #closed(library: Library): { action: CloseAction; handled: boolean } {
    const now = Date.now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < CRASH_WINDOW), now];
    if (this.#crashes.length <= MAX_CRASHES) {
      this.log.warn('The server ended unexpectedly and is started again.');
      return { action: library.CloseAction.Restart, handled: true };
    }
    this.log.error('The server ended several times in a short while and stays down. See above for the reason.');
    this.#enter('failed');
    this.#ready = undefined;
    return { action: library.CloseAction.DoNotRestart, handled: true };
  }
}

async function readFile({ uri }: ReadFileParams): Promise<ReadFileResult> {
  try {
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.parse(uri, true));
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { text: null };
  }
}

/** Actions of our server that make files come with the texts of these. */
const provideCodeActions: NonNullable<Middleware['provideCodeActions']> = async (
  document,
  range,
  context,
  token,
  next,
) => {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    if ('edit' in action && action.edit !== undefined && action.kind?.value === EXTRACT_GRAMMAR) {
      action.edit = withContents(action.edit, document.uri);
    }
  }
  return actions;
};

/**
 * The edit with the text of a new file in the file itself. The protocol knows empty new files alone, and filling one
 * would leave an unsaved document behind that nobody has opened.
 */
function withContents(edit: vscode.WorkspaceEdit, own: vscode.Uri): vscode.WorkspaceEdit {
  const filled = new vscode.WorkspaceEdit();
  for (const [uri, edits] of edit.entries()) {
    if (uri.toString() === own.toString()) filled.set(uri, edits);
    else filled.createFile(uri, { contents: new TextEncoder().encode(edits.map(({ newText }) => newText).join('')) });
  }
  return filled;
}
