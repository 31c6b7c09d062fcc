import {
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  ProtocolRequestType,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isSampleFileName } from '../core/calls/fileNames';
import { CONFIG_FILE_NAME } from '../core/check';
import { isToolFileName } from '../core/tools/fileNames';
import {
  type FindFilesParams,
  type FindFilesResult,
  type InitializationOptions,
  METHODS,
  type ReadFileParams,
  type ReadFileResult,
  type ToolFilesParams,
} from '../protocol';
import type { TrustParams } from '../samplesProtocol';
import { AttachedSamples, SAMPLES_ENDING } from './attached';
import { ClosedGrammars } from './closedGrammars';
import { ConfigHandlers } from './configHandlers';
import { Configs } from './configs';
import type { ClientFacts, ServerContext } from './context';
import { Differences } from './differences';
import { DriftSearches } from './driftSearches';
import { lazyEngine } from './engine';
import { diagnosticsOf } from './features/diagnostic';
import { Files } from './files';
import { GrammarChecks } from './grammarChecks';
import { Grammars } from './grammars';
import { Guard } from './guard';
import type { ServerHost } from './host';
import { setLanguage } from './language';
import { NewSamples } from './newSamples';
import { Outcomes } from './outcomes';
import { Panels } from './panel/panel';
import { PushedDiagnostics } from './pushed';
import { SampleRuns } from './sampleRuns';
import { Samples } from './samples';
import { readSettings, type Settings } from './settings';
import { Sources } from './sources';
import { ToolLists } from './toolLists';
import { baseName, canonicalUri, relativePath, spelledBelow } from './uris';
import { Verdicts } from './verdicts';
import { Views } from './views';
import { Walks } from './walks';
import { FEATURES } from './wiring';

const GRAMMAR_ENDING = '.lark';

/** Documents that depend on others are written again so many milliseconds after the last edit. */
const REFRESH_DELAY = 80;

/** A long check lets so many messages be read at once: a request takes some of them until it is answered. */
const TURN = 8;

/** Verdicts that come late are shown together when they come within so many milliseconds. */
const NEWS_DELAY = 20;

/** What the log says where the provider's engine does not run. */
const ENGINE_MISSING =
  "The provider's grammar engine does not run here, so grammars are judged by ToolSpec's own rules:";

/**
 * Wires the language server to a connection and listens. Speaks LSP 3.18; diagnostics are pulled, and settings are
 * asked for per resource where the client can answer.
 */
export function startServer(connection: Connection, host: ServerHost): void {
  const documents = new TextDocuments(TextDocument);
  const settings = new Map<string, Promise<Settings>>();
  let client: ClientFacts = { capabilities: {}, options: {} };
  let folders: string[] = [];
  let pushedSettings: unknown;

  const settingsFor = (uri: string): Promise<Settings> => {
    let found = settings.get(uri);
    if (found === undefined) {
      found =
        client.capabilities.workspace?.configuration === true
          ? connection.workspace
              .getConfiguration({ scopeUri: uri, section: 'toolspec' })
              .then(readSettings, () => readSettings(pushedSettings))
          : Promise.resolve(readSettings(pushedSettings));
      settings.set(uri, found);
    }
    return found;
  };
  /** Open documents by the one spelling of their addresses: files that name others spell them in ways of their own. */
  const spellings = new Map<string, string>();
  const openDocument = (uri: string): TextDocument | undefined =>
    documents.get(uri) ?? documents.get(spellings.get(canonicalUri(uri)) ?? uri);
  const readText = async (uri: string): Promise<string | undefined> => {
    const open = openDocument(uri);
    if (open !== undefined) return open.getText();
    if (uri.startsWith('file:')) return host.readFile(uri);
    if (client.options.readsFiles !== true) return undefined;
    const params: ReadFileParams = { uri };
    const answer = await connection.sendRequest<ReadFileResult>(METHODS.readFile, params).catch(() => undefined);
    return answer?.text ?? undefined;
  };
  const findFiles = async (ending: string): Promise<string[]> => {
    const asked = folders;
    const found = await Promise.all(
      asked.map(async (folder): Promise<readonly string[]> => {
        if (folder.startsWith('file:')) return host.findFiles(folder, ending);
        if (client.options.findsFiles !== true) return [];
        const params: FindFilesParams = { folder, ending };
        const answer = await connection.sendRequest<FindFilesResult>(METHODS.findFiles, params).catch(() => undefined);
        return answer?.uris ?? [];
      }),
    );
    // Below the folder as the client spells it, so that both can be compared.
    return [...new Set(found.flatMap((uris, i) => uris.map((uri) => spelledBelow(asked[i]!, uri))))];
  };
  const configs = new Configs(readText);
  const refreshLenses = (): void => {
    if (client.capabilities.workspace?.codeLens?.refreshSupport !== true) return;
    connection.sendRequest('workspace/codeLens/refresh').catch(guard.ignore('refresh'));
  };
  let engine: ReturnType<NonNullable<ServerHost['engine']>> | undefined;
  const makeEngine =
    host.engine &&
    (() => {
      engine ??= host.engine!();
      return engine;
    });
  let newsComing = false;
  const verdicts = new Verdicts({
    engine: makeEngine,
    after: (milliseconds, call) => host.after(milliseconds, call),
    late() {
      if (newsComing) return;
      newsComing = true;
      host.after(NEWS_DELAY, () => {
        newsComing = false;
        if (client.capabilities.workspace?.diagnostics?.refreshSupport) {
          connection.languages.diagnostics.refresh().catch(guard.ignore('refresh'));
        }
        refreshLenses();
        pushed.changedAround();
      });
    },
    missing: (detail) => connection.console.warn(`${ENGINE_MISSING} ${detail}`),
  });
  const files = new Files({
    document: openDocument,
    open: () => documents.keys(),
    settings: settingsFor,
    workspaceFolder: (uri) =>
      folders.filter((folder) => relativePath(folder, uri) !== undefined).sort((a, b) => b.length - a.length)[0],
    configs,
    opinions: {
      of: (syntax, text) => verdicts.known({ syntax, text }),
      arrivals: (uri) => verdicts.arrivals(uri),
    },
    around: (uri, text) => grammars.around(uri, text),
    clientValidatesConfig: () => client.options.validatesConfig === true,
    read: readText,
    now: () => host.now(),
  });
  const findJson = async (): Promise<string[]> => (await Promise.all(['.json', '.jsonc'].map(findFiles))).flat();
  const findTools = async (): Promise<string[]> => (await findJson()).filter((uri) => isToolFileName(baseName(uri)));
  const watched = (): boolean => client.capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
  const grammars = new Grammars(files, () => findFiles(GRAMMAR_ENDING), findTools, watched);
  const configHandlers = new ConfigHandlers({ files, find: findJson, watched });
  const attached = new AttachedSamples(files, () => findFiles(SAMPLES_ENDING));
  const differences = new Differences({ files, attached, verdicts });
  const grammarChecks = new GrammarChecks({ files, grammars, verdicts }, async () => {
    for (let i = 0; i < TURN; i++) await host.breathe();
  });
  const closedGrammars = new ClosedGrammars({
    files,
    grammarChecks,
    send(uri, diagnostics) {
      connection.sendDiagnostics({ uri, diagnostics }).catch(guard.ignore('publishDiagnostics'));
    },
  });
  const samples = new Samples(
    files,
    async () => (await Promise.all(['.samples.json', '.samples.jsonc'].map(findFiles))).flat(),
    () => client.options.validatesConfig === true,
    async () => {
      const endings = ['.json', '.jsonc', '.mjs', '.cjs', '.js'];
      const found = (await Promise.all(endings.map(findFiles))).flat();
      return {
        definitions: found.filter((uri) => isToolFileName(baseName(uri))),
        modules: found.filter((uri) => /\.[cm]?js$/.test(uri)),
      };
    },
  );
  const outcomes = new Outcomes(files, samples);
  const runHost = {
    handlers: async () => host.handlers?.(),
    engine: lazyEngine(makeEngine),
    folderOf: (uri: string) => host.folderOf?.(uri) ?? '',
    now: () => host.now(),
    pause: () => host.breathe(),
  };
  const sampleRuns = new SampleRuns(files, runHost, outcomes);
  const newSamples = new NewSamples(files, samples);
  const guard = new Guard(connection, host, (uri) => documents.get(uri)?.version);
  const context: ServerContext = {
    connection,
    files,
    grammars,
    grammarChecks,
    closedGrammars,
    verdicts,
    attached,
    differences,
    walks: new Walks({ files, grammars, attached, verdicts }),
    views: new Views(files),
    toolLists: new ToolLists({ files, findTools, open: () => documents.keys() }),
    samples,
    sampleRuns,
    newSamples,
    outcomes,
    configHandlers,
    sources: new Sources({
      files,
      sampleRuns,
      folders: () => folders,
      host: async () => host.sources?.(),
      configs: async () => (await findFiles(CONFIG_FILE_NAME)).filter((uri) => baseName(uri) === CONFIG_FILE_NAME),
    }),
    driftSearches: new DriftSearches({ files, samples, newSamples, sampleRuns }),
    panels: new Panels({
      files,
      grammars,
      grammarChecks,
      verdicts,
      attached,
      samples,
      newSamples,
      sampleRuns,
      outcomes,
      processes: host.handlers !== undefined,
      findTools,
      countTokens: async () => host.countTokens?.(),
    }),
    guard,
    get client() {
      return client;
    },
  };

  const pushed = new PushedDiagnostics({
    wanted() {
      const { textDocument } = client.capabilities;
      return textDocument?.publishDiagnostics !== undefined && textDocument.diagnostic === undefined;
    },
    open: () => documents.keys(),
    after: (milliseconds, call) => host.after(milliseconds, call),
    publish(uri) {
      const failed = guard.ignore('publishDiagnostics');
      diagnosticsOf(uri, context)
        .then((diagnostics) => connection.sendDiagnostics({ uri, diagnostics }))
        .catch(failed);
    },
  });

  /** Settings, config or folders have changed: whatever is shown is made anew. */
  const refreshAll = (): void => {
    settings.clear();
    configs.forget();
    files.invalidate();
    grammars.forget();
    attached.forget();
    samples.forget();
    const { workspace } = client.capabilities;
    const failed = guard.ignore('refresh');
    if (workspace?.diagnostics?.refreshSupport) connection.languages.diagnostics.refresh().catch(failed);
    if (workspace?.inlayHint?.refreshSupport) connection.languages.inlayHint.refresh().catch(failed);
    refreshLenses();
    pushed.changedAround();
    closedGrammars.settle().catch(failed);
    refreshViews(context.views.all());
  };
  /** Config files are judged by files that stand in other editors. */
  const pushConfigs = (): void => {
    for (const uri of documents.keys()) if (baseName(uri) === CONFIG_FILE_NAME) pushed.changed(uri);
  };
  const refreshViews = (uris: readonly string[]): void => {
    if (client.capabilities.workspace?.textDocumentContent === undefined) return;
    for (const uri of uris) {
      connection.workspace.textDocumentContent.refresh(uri).catch(guard.ignore('refresh'));
    }
  };

  guard.phase = 'before';
  connection.onShutdown(() => {
    guard.phase = 'after';
  });
  connection.onInitialize((params): InitializeResult => {
    if (guard.phase !== 'before')
      throw new ResponseError(ErrorCodes.InvalidRequest, 'The server has been initialized.');
    const options = (params.initializationOptions ?? {}) as InitializationOptions;
    client = { capabilities: params.capabilities, options };
    setLanguage(options.texts);
    folders = rootsOf(params).map((uri) => uri.replace(/\/+$/, ''));
    files.named = Array.isArray(options.toolFiles) ? options.toolFiles.filter((uri) => typeof uri === 'string') : [];
    sampleRuns.trusted = options.trusted === true;
    const capabilities: InitializeResult['capabilities'] = {
      textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
    };
    for (const feature of FEATURES) feature.announce(capabilities, client.capabilities);
    guard.phase = 'between';
    return { capabilities, serverInfo: { name: 'ToolSpec', version: host.version } };
  });

  connection.onInitialized(() => {
    connection.console.info(`ToolSpec ${host.version}, ${folders.length} folder(s).`);
    const { workspace } = client.capabilities;
    const failed = guard.ignore('registration');
    if (workspace?.didChangeConfiguration?.dynamicRegistration) {
      connection.client.register(DidChangeConfigurationNotification.type, { section: 'toolspec' }).catch(failed);
    }
    if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
      const watchers = [
        CONFIG_FILE_NAME,
        `*${GRAMMAR_ENDING}`,
        `*${SAMPLES_ENDING}`,
        '{*.tool,*.tools,tools}.{json,jsonc}',
      ].map((name) => ({
        globPattern: `**/${name}`,
      }));
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(failed);
    }
    for (const { method, register } of FEATURES) {
      const options = register(client.capabilities);
      if (options !== undefined)
        connection.client
          .register(new ProtocolRequestType<never, never, never, void, object>(method), options)
          .catch(failed);
    }
    if (workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => uri.replace(/\/+$/, '')));
        folders = [...folders.filter((each) => !gone.has(each)), ...added.map(({ uri }) => uri.replace(/\/+$/, ''))];
        configHandlers.forget();
        refreshAll();
      });
    }
  });

  connection.onDidChangeConfiguration(({ settings: all }) => {
    pushedSettings = (all as { toolspec?: unknown } | null | undefined)?.toolspec;
    refreshAll();
  });
  connection.onDidChangeWatchedFiles(() => {
    configHandlers.forget();
    refreshAll();
  });
  connection.onNotification(METHODS.toolFiles, ({ uris }: ToolFilesParams) => {
    files.named = uris;
    refreshAll();
  });

  connection.onNotification(METHODS.trust, ({ trusted }: TrustParams) => {
    sampleRuns.trusted = trusted;
  });

  const pending = new Map<string, () => void>();
  documents.onDidChangeContent(({ document: { uri } }) => {
    pushed.changed(uri);
    pushConfigs();
    pending.get(uri)?.();
    const isConfig = baseName(uri) === CONFIG_FILE_NAME;
    const affected = [...context.views.of(uri), ...context.walks.of(uri)];
    const isSamples = isSampleFileName(baseName(uri));
    if (!isConfig && !isSamples && affected.length === 0) return;
    const run = (): void => {
      pending.delete(uri);
      if (isConfig) refreshAll();
      else refreshViews(affected);
      if (isSamples) refreshLenses();
    };
    pending.set(uri, host.after(REFRESH_DELAY, run));
  });
  documents.onDidOpen(({ document: { uri } }) => {
    spellings.set(canonicalUri(uri), uri);
    closedGrammars.settle().catch(guard.ignore('diagnostics of grammar files'));
  });
  documents.onDidClose(({ document: { uri } }) => {
    pending.get(uri)?.();
    pending.delete(uri);
    const spelled = canonicalUri(uri);
    const other = documents.keys().find((each) => canonicalUri(each) === spelled);
    if (other === undefined) spellings.delete(spelled);
    else spellings.set(spelled, other);
    settings.delete(uri);
    files.forget(uri);
    grammars.close(uri);
    grammarChecks.close(uri);
    samples.close(uri);
    verdicts.close(uri);
    pushed.closed(uri);
    pushConfigs();
    closedGrammars.close(uri).catch(guard.ignore('diagnostics of grammar files'));
    if (baseName(uri) !== CONFIG_FILE_NAME) return;
    configHandlers.forget();
    refreshAll();
  });

  for (const feature of FEATURES) feature.listen(context);
  documents.listen(connection);
  connection.listen();
}

/** The folders that a client has open. One without workspace folders has at most one, its root. */
function rootsOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  if (Array.isArray(workspaceFolders)) return workspaceFolders.map(({ uri }) => uri);
  return typeof rootUri === 'string' ? [rootUri] : [];
}
