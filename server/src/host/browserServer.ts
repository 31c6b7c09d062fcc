import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
  ProposedFeatures,
} from 'vscode-languageserver/browser';
import { startServer } from '../lsp/server';
import {
  type FindFilesParams,
  type FindFilesResult,
  METHODS,
  type ReadFileParams,
  type ReadFileResult,
  type ReadPartParams,
  type ReadPartResult,
} from '../protocol';

/** What a worker of a browser has, as far as it is used here. */
interface WorkerScope {
  readonly URL: { createObjectURL(blob: object): string };
  readonly Blob: new (parts: readonly unknown[], options: { type: string }) => object;
  readonly MessageChannel: new () => {
    readonly port1: { onmessage: (() => void) | null; close(): void };
    readonly port2: { postMessage(message: unknown): void };
  };
}

/** The version of the product, which the build puts in. */
declare const TOOLSPEC_VERSION: string;

const scope = globalThis as unknown as WorkerScope;
const connection = createConnection(
  ProposedFeatures.all,
  new BrowserMessageReader(globalThis as never),
  new BrowserMessageWriter(globalThis as never),
);

/** Another bundle of ours. A worker does not read files, and where they lie is the client's to know. */
async function part(name: string): Promise<Uint8Array> {
  const params: ReadPartParams = { name };
  const { bytes } = await connection.sendRequest<ReadPartResult>(METHODS.readPart, params);
  if (bytes === null) throw new Error(`The client gave no ${name}.`);
  return bytes;
}

/** What a bundle in the form of CommonJS exports. */
async function exportsOf<T>(name: string): Promise<T> {
  const module = { exports: {} };
  const text = new TextDecoder().decode(await part(name));
  new Function('module', 'exports', text)(module, module.exports);
  return module.exports as T;
}

/** The tokenizer, once it has been asked for; `undefined` where the client does not give it or the page forbids it. */
let counting: Promise<((text: string) => number) | undefined> | undefined;

startServer(connection, {
  version: TOOLSPEC_VERSION,
  async readFile(uri) {
    const params: ReadFileParams = { uri };
    const answer = await connection.sendRequest<ReadFileResult>(METHODS.readFile, params).catch(() => undefined);
    return answer?.text ?? undefined;
  },
  async findFiles(folder, ending) {
    const params: FindFilesParams = { folder, ending };
    const answer = await connection.sendRequest<FindFilesResult>(METHODS.findFiles, params).catch(() => undefined);
    return answer?.uris ?? [];
  },
  async engine() {
    const { browserEngine } = await import('./engine/browserEngine');
    const source = await part('browserEngineWorker.js');
    // The page of an editor seldom has the address of its extensions, and starts workers of its own address alone.
    const worker = scope.URL.createObjectURL(new scope.Blob([source], { type: 'text/javascript' }));
    return browserEngine({ wasm: () => part('llguidance.wasm'), worker });
  },
  now: () => performance.now(),
  countTokens() {
    type Tokens = typeof import('../core/budget/tokensO200k');
    counting ??= exportsOf<Tokens>('tokens.js').then(
      ({ o200kCounter }) => o200kCounter().count,
      () => undefined,
    );
    return counting;
  },
  breathe: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new scope.MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(0);
    }),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
});
