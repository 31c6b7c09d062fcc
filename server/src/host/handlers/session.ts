import type { CancelSignal, HandlerOutcome, HandlerRequest } from '../../core/calls/handler';
import type { Message } from '../../core/text/message';
import type { Answer } from './answers';
import type { Force, ProcessEnd } from './handlerProcess';

/** A process that takes one call after the other. */
export interface Session {
  /** Whether it takes another call. */
  readonly alive: boolean;
  /** Whether it has answered a call. */
  readonly served: boolean;
  /** Runs a call; only when no other one runs. Settles once. */
  ask(request: HandlerRequest, timeoutMs: number, signal: CancelSignal | undefined): Promise<Asked>;
  /** Ends it with all that it has started. */
  end(force: Force): Promise<void>;
}

export interface Asked {
  readonly outcome: HandlerOutcome;
  /** The process has ended by itself without a word, maybe before it saw the call. */
  readonly unseen: boolean;
}

/** How a call in a session ended. */
export type Ending =
  | { readonly by: 'answer'; readonly answer: Answer }
  | { readonly by: 'time' }
  | { readonly by: 'cancel' }
  | { readonly by: 'end'; readonly why: Message; readonly end: ProcessEnd };

/** One call that waits. Whatever comes first ends it; everything after that is nothing to it. */
export class Waiting {
  readonly ending: Promise<Ending>;
  #settle: (ending: Ending) => void = () => {};
  #done = false;
  #timer: NodeJS.Timeout | undefined;
  readonly #cancel = (): void => this.finish({ by: 'cancel' });

  constructor(readonly signal: CancelSignal | undefined) {
    this.ending = new Promise((resolve) => {
      this.#settle = resolve;
    });
    if (signal?.aborted) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel);
  }

  get done(): boolean {
    return this.#done;
  }

  /** Starts the clock, or starts it anew. */
  within(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (!this.#done) this.#timer = setTimeout(() => this.finish({ by: 'time' }), milliseconds);
  }

  finish(ending: Ending): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    this.signal?.removeEventListener('abort', this.#cancel);
    this.#settle(ending);
  }
}
