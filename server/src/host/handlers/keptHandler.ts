import type { CancelSignal, HandlerOutcome, HandlerRequest } from '../../core/calls/handler';
import type { Session } from './session';
import { canceled } from './stops';
import type { Turns } from './turns';

/** Milliseconds for which files are taken as unchanged: looking at them takes as long as a good part of a call. */
const LOOK_MS = 50;

/** One handler: a process that is started on the first call, kept, and replaced when it has ended. Calls wait in line. */
export class KeptHandler {
  /** Calls that run or wait. */
  busy = 0;
  #session: Session | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #ending = new Set<Promise<void>>();

  /**
   * @param start starts a process
   * @param stamp a text that changes when the files that the process was started from change
   * @param turns what this handler shares with others
   * @param now a clock in milliseconds
   */
  constructor(
    readonly start: () => Session | Promise<Session>,
    readonly stamp: () => string,
    readonly turns: Turns,
    readonly now: () => number,
  ) {}

  #closed = false;
  #stamp = '';
  /** When the stamp was looked at. */
  #looked = Number.NEGATIVE_INFINITY;

  /** Runs a call when those before it are done. */
  call(request: HandlerRequest, timeoutMs: number, signal: CancelSignal | undefined): Promise<HandlerOutcome> {
    const before = this.busy === 0 ? undefined : this.#last;
    this.busy++;
    const turn = this.#run(before, request, timeoutMs, signal);
    // A call that is canceled while it waits is done before those before it.
    this.#last = before === undefined ? turn : before.then(() => turn);
    return turn;
  }

  async #run(
    before: Promise<unknown> | undefined,
    request: HandlerRequest,
    timeoutMs: number,
    signal: CancelSignal | undefined,
  ): Promise<HandlerOutcome> {
    try {
      if (before !== undefined) await settledOrCanceled(before, signal);
      if (signal?.aborted || this.#closed) return ABORTED;
      const turn = this.turns.take();
      if (turn !== undefined) await turn;
      try {
        return await this.#ask(before === undefined, request, timeoutMs, signal);
      } finally {
        this.turns.give();
      }
    } finally {
      this.busy--;
    }
  }

  async #ask(
    idle: boolean,
    request: HandlerRequest,
    timeoutMs: number,
    signal: CancelSignal | undefined,
  ): Promise<HandlerOutcome> {
    for (;;) {
      if (signal?.aborted || this.#closed) return ABORTED;
      const session = this.#kept(idle) ?? (await this.#start());
      const { outcome, unseen } = await session.ask(request, timeoutMs, signal);
      if (this.#closed && outcome.verdict === 'crashed') return { ...ABORTED, notes: outcome.notes };
      // A program that ends after each answer may end while the next call is on its way. A new process has served
      // nobody, so this comes to an end.
      if (!unseen) return outcome;
    }
  }

  /** The kept process, unless it has ended or its files have changed. They are looked at when nothing waits. */
  #kept(idle: boolean): Session | undefined {
    const session = this.#session;
    if (session?.alive !== true) return undefined;
    if (!idle || this.now() - this.#looked < LOOK_MS) return session;
    this.#looked = this.now();
    return this.stamp() === this.#stamp ? session : undefined;
  }

  async #start(): Promise<Session> {
    if (this.#session !== undefined) this.#retire(this.#session, 'gentle');
    this.#stamp = this.stamp();
    this.#looked = this.now();
    this.#session = await this.start();
    return this.#session;
  }

  #retire(session: Session, force: 'gentle' | 'firm'): void {
    const ending = session.end(force).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends the process for good. Calls that run or wait are aborted. Resolves when nothing of it is left. */
  async end(): Promise<void> {
    this.#closed = true;
    if (this.#session !== undefined) this.#retire(this.#session, this.busy > 0 ? 'firm' : 'gentle');
    await this.#last;
    // A call may have been about to start a process.
    if (this.#session !== undefined) this.#retire(this.#session, 'firm');
    await Promise.all(this.#ending);
  }
}

const ABORTED: HandlerOutcome & { readonly verdict: 'aborted' } = { ...canceled(), notes: [] };

function settledOrCanceled(promise: Promise<unknown>, signal: CancelSignal | undefined): Promise<void> {
  if (signal === undefined) return promise.then(() => {});
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
    void promise.then(done);
  });
}
