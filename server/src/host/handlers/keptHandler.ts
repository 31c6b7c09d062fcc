import type { CancelSignal, HandlerOutcome, HandlerRequest } from '../../core/calls/handler';
import { CANCELED, type Session } from './session';
import type { Turns } from './turns';

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
   */
  constructor(
    readonly start: () => Session | Promise<Session>,
    readonly stamp: () => string,
    readonly turns: Turns,
  ) {}

  #stamp = '';

  /** Runs a call when those before it are done. */
  call(request: HandlerRequest, timeoutMs: number, signal: CancelSignal | undefined): Promise<HandlerOutcome> {
    const fresh = this.busy++ === 0;
    const turn = this.#last.then(() => this.#run(request, timeoutMs, signal, fresh)).finally(() => this.busy--);
    this.#last = turn;
    return turn;
  }

  async #run(
    request: HandlerRequest,
    timeoutMs: number,
    signal: CancelSignal | undefined,
    fresh: boolean,
  ): Promise<HandlerOutcome> {
    await this.turns.take();
    try {
      for (;;) {
        if (signal?.aborted) return { verdict: 'aborted', detail: CANCELED, notes: [] };
        const session = await this.#ready(fresh);
        const { outcome, unseen } = await session.ask(request, timeoutMs, signal);
        // A program that ends after each answer may end while the next call is on its way. A new process has served
        // nobody, so this comes to an end.
        if (!unseen) return outcome;
      }
    } finally {
      this.turns.give();
    }
  }

  /** A process that takes a call: the kept one, unless it has ended or its files have changed since it was idle. */
  async #ready(fresh: boolean): Promise<Session> {
    const stamp = fresh || this.#session === undefined ? this.stamp() : this.#stamp;
    if (this.#session?.alive && stamp === this.#stamp) return this.#session;
    if (this.#session !== undefined) this.#retire(this.#session, 'gentle');
    this.#stamp = stamp;
    this.#session = await this.start();
    return this.#session;
  }

  #retire(session: Session, force: 'gentle' | 'firm'): void {
    const ending = session.end(force).finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends the process. Resolves when nothing of it is left; calls that wait start a new one. */
  async end(force: 'gentle' | 'firm' = 'gentle'): Promise<void> {
    if (this.#session !== undefined) this.#retire(this.#session, force);
    this.#session = undefined;
    await Promise.all(this.#ending);
  }
}
