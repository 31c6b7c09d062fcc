import type {
  Attempt,
  ProviderEngine,
  ProviderGrammar,
  ProviderJob,
  ProviderMatcher,
  ProviderPart,
} from '../../core/grammar/provider';
import { runJob } from '../../core/grammar/providerJobs';
import { EngineDead, type EngineModule, WasmEngine } from './wasm';

/** What a worker is given when it starts. */
export interface EngineStart {
  readonly module: EngineModule;
  readonly maximumPages: number;
}

/** A job, or a fault that tests ask for. */
export interface EngineRequest {
  readonly id: number;
  readonly job: ProviderJob | { readonly kind: 'panic' };
}

export type EngineReply =
  | { readonly id: number; readonly part: ProviderPart }
  | { readonly id: number; readonly done: true; readonly memoryBytes: number }
  | { readonly id: number; readonly crashed: 'panic' | 'memory' | 'stack'; readonly detail: string };

/** Grammars that stay compiled: whoever types a text asks about the same few again and again. */
const KEPT_GRAMMARS = 4;

/** Longer grammars are compiled anew each time, lest they fill the memory. */
const MOST_KEPT_UNITS = 200_000;

/** Keeps the last few grammars compiled. Its matchers are used by one job at a time. */
class KeepingEngine implements ProviderEngine {
  readonly #kept = new Map<string, ProviderMatcher>();

  constructor(readonly engine: ProviderEngine) {}

  compile(grammar: ProviderGrammar): Attempt<ProviderMatcher> {
    if (grammar.text.length > MOST_KEPT_UNITS) return this.engine.compile(grammar);
    const key = `${grammar.syntax} ${JSON.stringify(grammar.limits ?? {})} ${grammar.text}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      // The last one used stands last.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      known.reset();
      return { ok: true, value: unowned(known) };
    }
    const compiled = this.engine.compile(grammar);
    if (!compiled.ok) return compiled;
    this.#kept.set(key, compiled.value);
    for (const [oldest, matcher] of this.#kept) {
      if (this.#kept.size <= KEPT_GRAMMARS) break;
      this.#kept.delete(oldest);
      matcher.free();
    }
    return { ok: true, value: unowned(compiled.value) };
  }
}

/** The same matcher, for one who may not free it. */
function unowned(matcher: ProviderMatcher): ProviderMatcher {
  return {
    warnings: matcher.warnings,
    consume: (bytes) => matcher.consume(bytes),
    accepting: () => matcher.accepting(),
    allowedNext: () => matcher.allowedNext(),
    triedNext: () => matcher.triedNext(),
    forced: () => matcher.forced(),
    reset: () => matcher.reset(),
    fork: () => matcher.fork(),
    free: () => undefined,
  };
}

/**
 * What runs in a worker, of whatever kind: answers each request with parts and an end. An instance that broke is
 * replaced before the next request.
 */
export function engineSession(
  start: EngineStart,
  reply: (message: EngineReply) => void,
): (request: EngineRequest) => void {
  let current: { readonly wasm: WasmEngine; readonly keeping: KeepingEngine } | undefined;
  return ({ id, job }) => {
    try {
      if (current === undefined || current.wasm.dead) {
        const wasm = new WasmEngine(start.module, start.maximumPages);
        current = { wasm, keeping: new KeepingEngine(wasm) };
      }
      if (job.kind === 'panic') current.wasm.testPanic();
      else for (const part of runJob(current.keeping, job)) reply({ id, part });
      reply({ id, done: true, memoryBytes: current.wasm.memoryBytes });
    } catch (error) {
      if (error instanceof EngineDead) reply({ id, crashed: error.reason, detail: error.detail });
      else if (error instanceof RangeError) reply({ id, crashed: 'stack', detail: error.message });
      else throw error;
    }
  };
}
