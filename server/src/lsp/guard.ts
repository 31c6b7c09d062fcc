import {
  type CancellationToken,
  type Connection,
  ErrorCodes,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver';
import type { ServerHost } from './host';

/** One message is read per breath, and editors send about so many requests at once before an edit. */
const BREATHS = 4;

/**
 * Stands around every handler: sees cancellations before work begins, drops requests about a version that is no longer
 * the newest, and turns a fault of ours into an empty answer and one entry in the log.
 */
export class Guard {
  /** Requests are answered between `initialize` and `shutdown` alone, as the protocol wants it. */
  phase: 'before' | 'between' | 'after' = 'between';
  readonly #logged = new Set<string>();

  constructor(
    readonly connection: Connection,
    readonly host: ServerHost,
    readonly version: (uri: string) => number | undefined,
  ) {}

  /** Runs a handler. `uri` names the document that the request is about, if it is about one. */
  async run<T>(
    method: string,
    uri: string | undefined,
    token: CancellationToken,
    empty: T,
    handle: () => Promise<T> | T,
  ): Promise<T> {
    if (this.phase === 'before') {
      throw new ResponseError(ErrorCodes.ServerNotInitialized, 'The first request must be "initialize".');
    }
    if (this.phase === 'after') throw new ResponseError(ErrorCodes.InvalidRequest, 'The server has been shut down.');
    const version = uri === undefined ? undefined : this.version(uri);
    try {
      for (let i = 0; i < BREATHS; i++) await this.host.breathe();
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Canceled.');
      if (uri !== undefined && this.version(uri) !== version) {
        throw new ResponseError(LSPErrorCodes.ContentModified, 'The document has changed.');
      }
      return await handle();
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      this.log(method, error);
      return empty;
    }
  }

  /** A handler for failures that only the log need know, such as a refresh that a closing client no longer takes. */
  ignore(what: string): (error: unknown) => void {
    return (error) => this.log(what, error);
  }

  /** Logs a failure, each kind once, so that a fault that comes back with every key stroke does not fill the log. */
  log(where: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const key = `${where}: ${text}`;
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    this.connection.console.error(`${where} failed: ${text}`);
  }
}
