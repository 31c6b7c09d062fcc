import { type EngineHost, EngineService } from './service';
import type { EngineReply, EngineRequest, EngineStart } from './session';
import { compileEngine, type EngineModule, MAXIMUM_PAGES } from './wasm';

/** A worker of a browser, as far as it is used here. */
interface BrowserWorker {
  postMessage(message: EngineStart | EngineRequest): void;
  terminate(): void;
  onmessage: ((event: { readonly data: EngineReply }) => void) | null;
  onerror: ((event: { readonly message?: string }) => void) | null;
}

export interface BrowserEngineFiles {
  /** Gives the built engine, which the page or the editor's host has to read. */
  wasm(): Promise<Uint8Array>;
  /** Address of the bundle of `browserWorker.ts`. */
  readonly worker: string;
  readonly maximumPages?: number;
}

/**
 * The engine in a worker of a browser. The page's content security policy must allow `wasm-unsafe-eval`; where it does
 * not, every question is answered with `unavailable`.
 */
export function browserEngine(files: BrowserEngineFiles): EngineService {
  let module: Promise<EngineModule> | undefined;
  const host: EngineHost = {
    async start(events) {
      module ??= files.wasm().then(compileEngine);
      const start: EngineStart = { module: await module, maximumPages: files.maximumPages ?? MAXIMUM_PAGES };
      const { Worker } = globalThis as unknown as { Worker?: new (address: string) => BrowserWorker };
      if (Worker === undefined) throw new Error('There are no workers here.');
      const worker = new Worker(files.worker);
      worker.onmessage = ({ data }) => events.reply(data);
      worker.onerror = ({ message }) => {
        worker.terminate();
        events.ended(message ?? 'The worker broke.');
      };
      worker.postMessage(start);
      return {
        post: (request) => worker.postMessage(request),
        // A page lives as long as it is open.
        hold: () => undefined,
        terminate: async () => worker.terminate(),
      };
    },
    after(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  return new EngineService(host);
}
