import type { CancellationToken, ProtocolRequestType, ServerCapabilities } from 'vscode-languageserver';
import type { ServerContext } from './context';

/** One request: what is announced for it and who answers it. Kept together, so that neither exists without the other. */
export interface Feature {
  readonly method: string;
  /** Adds what this request needs to the announced capabilities. */
  announce(capabilities: ServerCapabilities): void;
  listen(context: ServerContext): void;
}

interface Parts<P, R, PR, E, RO> {
  readonly type: ProtocolRequestType<P, R, PR, E, RO>;
  readonly announce: (capabilities: ServerCapabilities) => void;
  /** The answer when there is nothing to say, and when the handler fails. */
  readonly empty: R;
  /** The document that a request is about. */
  readonly about: (params: P) => string | undefined;
  readonly handle: (params: P, context: ServerContext, token: CancellationToken) => Promise<R> | R;
}

/** Makes a feature out of its parts. */
export function feature<P, R, PR, E, RO>(parts: Parts<P, R, PR, E, RO>): Feature {
  const { type, announce, empty, about, handle } = parts;
  return {
    method: type.method,
    announce,
    listen(context) {
      context.connection.onRequest<unknown, unknown>(type.method, (params: P, token: CancellationToken) =>
        context.guard.run(type.method, about(params), token, empty, () => handle(params, context, token)),
      );
    },
  };
}
