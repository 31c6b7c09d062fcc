import type {
  Provider,
  ProviderAnswer,
  ProviderAskOptions,
  ProviderEnd,
  ProviderJob,
} from '../../core/grammar/provider';
import { AnswerParts } from '../../core/grammar/providerText';
import type { EngineReply, EngineRequest } from './session';

/** A worker as this file needs it: one of Node or one of a browser. */
export interface EngineWorker {
  post(request: EngineRequest): void;
  /** While a worker is held, it keeps its process alive. */
  hold(held: boolean): void;
  terminate(): Promise<void>;
}

export interface EngineHost {
  /** Starts a worker. Rejects where the host forbids WebAssembly or has no workers; that is asked once only. */
  start(events: {
    reply(message: EngineReply): void;
    /** The worker ended by itself. */
    ended(reason: string): void;
  }): Promise<EngineWorker>;
  /** Calls later; gives what takes the call back. */
  after(milliseconds: number, call: () => void): () => void;
}

/** A request may take this long unless it says otherwise. */
const DEFAULT_MILLISECONDS = 3_000;

/** A request that has become outdated is let finish this long: less than a fresh worker would take. */
const OUTDATED_MILLISECONDS = 100;

interface Pending {
  readonly id: number;
  readonly job: EngineRequest['job'];
  readonly key: string | undefined;
  readonly milliseconds: number;
  readonly parts: AnswerParts;
  readonly resolve: (answer: ProviderAnswer) => void;
}

/** The request that the worker has, with what stops it. */
interface Running extends Pending {
  cancelTimer: () => void;
  outdated: boolean;
}

/**
 * The engine in a worker of its own. Requests wait for each other; one that takes too long costs the worker, and the
 * next one gets a fresh one. Never rejects.
 */
export class EngineService implements Provider {
  readonly #host: EngineHost;
  #worker: Promise<EngineWorker> | undefined;
  /** Counts workers, so that late words of an ended one are not taken for those of its successor. */
  #generation = 0;
  readonly #waiting: Pending[] = [];
  #running: Running | undefined;
  #starting = false;
  #lastId = 0;
  #unavailable: string | undefined;
  #closed = false;
  #restarts = 0;
  #memoryBytes = 0;

  constructor(host: EngineHost) {
    this.#host = host;
  }

  /** Why there is no engine here; `undefined` as long as nothing speaks against it. */
  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  /** Workers that were started in place of others. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Memory that the engine had taken when it last answered. */
  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  ask(job: ProviderJob, options: ProviderAskOptions = {}): Promise<ProviderAnswer> {
    return this.#ask(job, job.grammar.text, options);
  }

  /** Makes the engine panic, for tests. */
  provokePanic(): Promise<ProviderAnswer> {
    return this.#ask({ kind: 'panic' }, '', {});
  }

  #ask(job: EngineRequest['job'], grammar: string, options: ProviderAskOptions): Promise<ProviderAnswer> {
    const { key, milliseconds = DEFAULT_MILLISECONDS } = options;
    return new Promise((resolve) => {
      const parts = new AnswerParts(grammar);
      if (this.#closed) return resolve(parts.answer({ state: 'unavailable', detail: 'The engine has been closed.' }));
      if (key !== undefined) this.#outdate(key);
      this.#waiting.push({ id: ++this.#lastId, job, key, milliseconds, parts, resolve });
      void this.#next();
    });
  }

  /** Ends the worker. Requests that are under way are answered with what is known. */
  async close(): Promise<void> {
    this.#closed = true;
    const end: ProviderEnd = { state: 'unavailable', detail: 'The engine has been closed.' };
    for (const pending of this.#waiting.splice(0)) pending.resolve(pending.parts.answer(end));
    const worker = this.#worker;
    this.#finish(end);
    await this.#drop(worker);
  }

  /** Drops older requests about the same text. */
  #outdate(key: string): void {
    const kept = this.#waiting.filter((pending) => {
      if (pending.key !== key) return true;
      pending.resolve(pending.parts.answer({ state: 'outdated' }));
      return false;
    });
    this.#waiting.splice(0, this.#waiting.length, ...kept);
    const running = this.#running;
    if (running === undefined || running.key !== key || running.outdated) return;
    running.outdated = true;
    running.cancelTimer();
    running.cancelTimer = this.#host.after(OUTDATED_MILLISECONDS, () => this.#stop({ state: 'outdated' }));
  }

  async #next(): Promise<void> {
    if (this.#running !== undefined || this.#starting || this.#waiting.length === 0) return;
    this.#starting = true;
    let worker: EngineWorker;
    try {
      this.#worker ??= this.#start();
      worker = await this.#worker;
    } catch (error) {
      this.#worker = undefined;
      this.#unavailable ??= error instanceof Error ? error.message : String(error);
      const end: ProviderEnd = { state: 'unavailable', detail: this.#unavailable };
      for (const pending of this.#waiting.splice(0)) pending.resolve(pending.parts.answer(end));
      return;
    } finally {
      this.#starting = false;
    }
    const pending = this.#waiting.shift();
    if (pending === undefined) return;
    const { milliseconds } = pending;
    const cancelTimer = this.#host.after(milliseconds, () => this.#stop({ state: 'timed-out', milliseconds }));
    this.#running = { ...pending, cancelTimer, outdated: false };
    worker.hold(true);
    worker.post({ id: pending.id, job: pending.job });
  }

  #start(): Promise<EngineWorker> {
    if (this.#unavailable !== undefined) return Promise.reject(new Error(this.#unavailable));
    const generation = ++this.#generation;
    if (generation > 1) this.#restarts++;
    return this.#host.start({
      reply: (message) => {
        if (generation === this.#generation) this.#reply(message);
      },
      ended: (detail) => {
        if (generation !== this.#generation) return;
        this.#worker = undefined;
        this.#generation++;
        this.#finish({ state: 'crashed', cause: 'worker', detail });
        void this.#next();
      },
    });
  }

  #reply(message: EngineReply): void {
    const running = this.#running;
    if (running === undefined || running.id !== message.id) return;
    if ('part' in message) {
      running.parts.add(message.part);
      return;
    }
    if ('done' in message) this.#memoryBytes = message.memoryBytes;
    const end: ProviderEnd =
      'done' in message ? { state: 'done' } : { state: 'crashed', cause: message.crashed, detail: message.detail };
    void this.#worker?.then((worker) => {
      if (this.#running === undefined) worker.hold(false);
    });
    this.#finish(end);
    void this.#next();
  }

  /** Answers the running request, if there is one. */
  #finish(end: ProviderEnd): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.cancelTimer();
    running.resolve(running.parts.answer(running.outdated && end.state !== 'done' ? { state: 'outdated' } : end));
  }

  /** Ends the running request together with its worker. */
  #stop(end: ProviderEnd): void {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#generation++;
    this.#finish(end);
    void this.#drop(worker);
    void this.#next();
  }

  async #drop(worker: Promise<EngineWorker> | undefined): Promise<void> {
    try {
      await (await worker)?.terminate();
    } catch {
      // It never started, so there is nothing to end.
    }
  }
}
