import {
  type CancellationToken,
  type ClientCapabilities,
  ErrorCodes,
  type ProtocolRequestType,
  ResponseError,
  type ServerCapabilities,
} from 'vscode-languageserver';
import type { ServerContext } from './context';

/** One request: what is announced for it and who answers it. Kept together, so that neither exists without the other. */
export interface Feature {
  readonly method: string;
  /** Adds what this request needs to the announced capabilities. */
  announce(capabilities: ServerCapabilities, client: ClientCapabilities): void;
  /** What it is registered with after the start, for a request that is not announced to such a client. */
  register(client: ClientCapabilities): object | undefined;
  listen(context: ServerContext): void;
}

interface Parts<P, R, PR, E, RO> {
  readonly type: ProtocolRequestType<P, R, PR, E, RO>;
  readonly announce: (capabilities: ServerCapabilities, client: ClientCapabilities) => void;
  readonly register?: (client: ClientCapabilities) => object | undefined;
  /** The answer when there is nothing to say, and when the handler fails. */
  readonly empty: R;
  /** The document that a request is about. */
  readonly about: (params: P) => string | undefined;
  readonly handle: (params: P, context: ServerContext, token: CancellationToken) => Promise<R> | R;
}

/** Makes a feature out of its parts. */
export function feature<P, R, PR, E, RO>(parts: Parts<P, R, PR, E, RO>): Feature {
  const { type, announce, register = () => undefined, empty, about, handle } = parts;
  return {
    method: type.method,
    announce,
    register,
    listen(context) {
      const answer = (params: P, token: CancellationToken): Promise<R> =>
        context.guard.run(type.method, subject(type.method, about, params), token, empty, () =>
          handle(params, context, token),
        );
      // Of a request without parameters the library gives the token alone.
      context.connection.onRequest<unknown, unknown>(type.method, (params: P, token?: CancellationToken) =>
        token === undefined ? Promise.reject(malformed(type.method)) : answer(params, token),
      );
    },
  };
}

/** The document that a request is about. Refuses parameters that have no place for it, or something else there. */
function subject<P>(method: string, about: (params: P) => string | undefined, params: P): string | undefined {
  let uri: unknown;
  try {
    uri = about(params);
  } catch {
    uri = null;
  }
  if (uri === undefined || typeof uri === 'string') return uri;
  throw malformed(method);
}

function malformed(method: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `${method}: the parameters are not those of the protocol.`);
}
