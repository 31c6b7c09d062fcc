import type { HandlerRunner } from '../core/calls/handler';
import type { Provider } from '../core/grammar/provider';
import type { ClosableProvider, Io } from './io';

/** What runs outside of this process: started on first use, ended together. */
export class Processes {
  #engine: Promise<ClosableProvider> | undefined;
  #runner: Promise<HandlerRunner> | undefined;

  constructor(
    readonly io: Io,
    readonly parallel: number,
  ) {}

  readonly provider: Provider = {
    ask: async (job, options) => {
      this.#engine ??= this.io.engine();
      return (await this.#engine).ask(job, options);
    },
  };

  readonly handlers: HandlerRunner = {
    call: async (spec, folder, request, signal) => {
      this.#runner ??= this.io.handlers(this.parallel);
      return (await this.#runner).call(spec, folder, request, signal);
    },
    dispose: () => this.close(),
  };

  async close(): Promise<void> {
    const [engine, runner] = await Promise.all([this.#engine, this.#runner]);
    await Promise.all([engine?.close(), runner?.dispose()]);
  }
}
