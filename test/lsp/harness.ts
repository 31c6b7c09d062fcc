import { PassThrough } from 'node:stream';
import {
  type CodeAction,
  type CodeLens,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type Hover,
  type InitializeResult,
  type InlayHint,
  type MessageConnection,
  type Range,
  StreamMessageReader,
  StreamMessageWriter,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { Provider } from '../../server/src/core/grammar/provider';
import { applyEdits } from '../../server/src/core/text/edits';
import { LineIndex } from '../../server/src/core/text/lines';
import type { ServerHost } from '../../server/src/lsp/host';
import { startServer } from '../../server/src/lsp/server';
import type { InitializationOptions, ViewParams, ViewResult } from '../../server/src/protocol';

/** What a test says about the client and the world. */
export interface SessionOptions {
  /** Files on disk, by uri. */
  readonly files?: Record<string, string>;
  /** What `workspace/configuration` answers for the section `toolspec`; by resource when it is a function. */
  readonly settings?: Record<string, unknown> | ((uri: string) => Record<string, unknown>);
  readonly folders?: readonly string[];
  readonly initialization?: InitializationOptions;
  /** More of the world: handlers, folders. */
  readonly host?: Partial<ServerHost>;
  /** Capabilities of the client instead of those of a modern editor. */
  readonly capabilities?: object;
  /** The provider's engine; without one there is none on this host. */
  readonly engine?: Provider;
}

const MODERN = {
  workspace: {
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true },
    didChangeConfiguration: { dynamicRegistration: true },
    didChangeWatchedFiles: { dynamicRegistration: true },
    diagnostics: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    codeLens: { refreshSupport: true },
    textDocumentContent: { dynamicRegistration: true },
  },
};

export const FOLDER = 'file:///project';

/** A client and a server in one process, over streams. */
export class Session {
  readonly client: MessageConnection;
  readonly logged: string[] = [];
  /** Requests and notifications that the server sent, by method. */
  readonly received: { readonly method: string; readonly params: unknown }[] = [];
  readonly files: Map<string, string>;
  settings: SessionOptions['settings'];
  result!: InitializeResult;
  readonly #versions = new Map<string, number>();
  readonly #texts = new Map<string, string>();
  readonly #waiting: { method: string; resolve: () => void }[] = [];

  private constructor(options: SessionOptions) {
    this.files = new Map(Object.entries(options.files ?? {}));
    this.settings = options.settings;
    const up = new PassThrough();
    const down = new PassThrough();
    startServer(createConnection(new StreamMessageReader(up), new StreamMessageWriter(down)), {
      version: '0.0.0',
      readFile: async (uri) => this.files.get(uri),
      findFiles: async (folder, ending) =>
        [...this.files.keys()].filter((uri) => uri.startsWith(`${folder}/`) && uri.endsWith(ending)),
      now: () => 0,
      ...options.host,
      breathe: () => new Promise((resolve) => setImmediate(resolve)),
      ...(options.engine === undefined ? {} : { engine: async () => options.engine! }),
      after(milliseconds, call) {
        const timer = setTimeout(call, milliseconds);
        return () => clearTimeout(timer);
      },
    });
    this.client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    this.client.onRequest('workspace/configuration', ({ items }: { items: { scopeUri: string }[] }) =>
      items.map(({ scopeUri }) =>
        typeof this.settings === 'function' ? this.settings(scopeUri) : (this.settings ?? {}),
      ),
    );
    this.client.onNotification('window/logMessage', ({ message }: { message: string }) => {
      this.logged.push(message);
    });
    this.client.onRequest((method, params) => {
      this.#note(method, params);
      return null;
    });
    this.client.onNotification((method, params) => this.#note(method, params));
    this.client.listen();
  }

  static async start(options: SessionOptions = {}): Promise<Session> {
    const session = new Session(options);
    await session.initialize(options);
    return session;
  }

  /** A client that has not said a word yet. */
  static raw(): Session {
    return new Session({});
  }

  async initialize(options: SessionOptions = {}): Promise<void> {
    const folders = (options.folders ?? [FOLDER]).map((uri) => ({ uri, name: uri }));
    this.result = await this.client.sendRequest<InitializeResult>('initialize', {
      processId: null,
      rootUri: null,
      capabilities: options.capabilities ?? MODERN,
      workspaceFolders: folders,
      initializationOptions: options.initialization,
    });
    await this.client.sendNotification('initialized', {});
  }

  async stop(): Promise<void> {
    this.client.dispose();
  }

  /** Resolves when the server next sends this request or notification. */
  next(method: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ method, resolve }));
  }

  /** Opens a file and gives its uri. */
  async open(name: string, text: string, languageId = name.endsWith('c') ? 'jsonc' : 'json'): Promise<string> {
    const uri = name.includes(':') ? name : `${FOLDER}/${name}`;
    this.#versions.set(uri, 1);
    this.#texts.set(uri, text);
    const textDocument = { uri, languageId, version: 1, text };
    await this.client.sendNotification('textDocument/didOpen', { textDocument });
    return uri;
  }

  /** Replaces the part `from` of an open file by `to`, as one incremental change. */
  async replace(uri: string, from: string, to: string): Promise<void> {
    const text = this.#texts.get(uri)!;
    const at = text.indexOf(from);
    if (at < 0) throw new Error(`${from} is not in ${uri}`);
    const range = new LineIndex(text).range({ start: at, end: at + from.length });
    await this.change(uri, [{ range, text: to }]);
    this.#texts.set(uri, text.slice(0, at) + to + text.slice(at + from.length));
  }

  async change(uri: string, contentChanges: { range?: Range; text: string }[]): Promise<void> {
    const version = this.#versions.get(uri)! + 1;
    this.#versions.set(uri, version);
    await this.client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
  }

  async close(uri: string): Promise<void> {
    await this.client.sendNotification('textDocument/didClose', { textDocument: { uri } });
  }

  request<T>(method: string, params: object): Promise<T> {
    return this.client.sendRequest(method, params);
  }

  async diagnostics(uri: string): Promise<Diagnostic[]> {
    const report = await this.request<{ items?: Diagnostic[] }>('textDocument/diagnostic', { textDocument: { uri } });
    return report.items ?? [];
  }

  /** Rule ids of the diagnostics, sorted and each once. */
  async rules(uri: string): Promise<string[]> {
    return [...new Set((await this.diagnostics(uri)).map(({ code }) => String(code)))].sort();
  }

  /** Hints as `line: label`, lines counted from 1. */
  async hints(uri: string, range: Range = WHOLE): Promise<string[]> {
    const hints = await this.request<InlayHint[] | null>('textDocument/inlayHint', { textDocument: { uri }, range });
    return (hints ?? []).map(({ position, label }) => `${position.line + 1}: ${String(label)}`);
  }

  async lenses(uri: string): Promise<CodeLens[]> {
    return (await this.request<CodeLens[] | null>('textDocument/codeLens', { textDocument: { uri } })) ?? [];
  }

  /** The hover at the mark `‸` of a text, or `null`. */
  async hover(name: string, marked: string): Promise<string | null> {
    const offset = marked.indexOf('‸');
    const text = marked.replace('‸', '');
    const uri = await this.open(name, text);
    const position = new LineIndex(text).position(offset);
    const hover = await this.request<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
    return hover === null ? null : (hover.contents as { value: string }).value;
  }

  async actions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]> {
    const context = { diagnostics: [], ...(only === undefined ? {} : { only }) };
    const params = { textDocument: { uri }, range, context };
    return (await this.request<CodeAction[] | null>('textDocument/codeAction', params)) ?? [];
  }

  view(params: ViewParams): Promise<ViewResult | null> {
    return this.request('toolspec/view', params);
  }

  async content(uri: string): Promise<string> {
    return (await this.request<{ text: string }>('workspace/textDocumentContent', { uri })).text;
  }

  /** The text of an open file after a code action. */
  applied(uri: string, action: CodeAction): string {
    const text = this.#texts.get(uri)!;
    const lines = new LineIndex(text);
    const changes = action.edit?.documentChanges ?? [];
    const versioned = changes.flatMap((change) => ('edits' in change ? (change.edits as TextEdit[]) : []));
    const edits = [...versioned, ...(action.edit?.changes?.[uri] ?? [])];
    return applyEdits(
      text,
      edits.map(({ range, newText }) => ({
        span: { start: lines.offset(range.start), end: lines.offset(range.end) },
        newText,
      })),
    );
  }

  #note(method: string, params: unknown): void {
    this.received.push({ method, params });
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      if (this.#waiting[i]!.method === method) this.#waiting.splice(i, 1)[0]!.resolve();
    }
  }
}

export const WHOLE: Range = { start: { line: 0, character: 0 }, end: { line: 1_000_000, character: 0 } };

/** The range of a part of a text. */
export function rangeOf(text: string, part: string): Range {
  const at = text.indexOf(part);
  if (at < 0) throw new Error(`${part} is not in the text`);
  return new LineIndex(text).range({ start: at, end: at + part.length });
}
