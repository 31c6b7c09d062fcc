import type { Provider } from '../core/grammar/provider';

/** The provider's engine, made when there is a first question to it. What cannot be made is unavailable. */
export function lazyEngine(make: (() => Promise<Provider>) | undefined): Provider | undefined {
  if (make === undefined) return undefined;
  let engine: Promise<Provider> | undefined;
  return {
    async ask(job, options) {
      try {
        engine ??= make();
        return await (await engine).ask(job, options);
      } catch (error) {
        engine = undefined;
        const detail = error instanceof Error ? error.message : String(error);
        return { end: { state: 'unavailable', detail }, load: undefined, inputs: [], steps: [], texts: [] };
      }
    },
  };
}
