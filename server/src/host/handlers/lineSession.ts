import type { CancelSignal, HandlerRequest } from '../../core/calls/handler';
import { type Message, t } from '../../core/text/message';
import { readLine, requestLine } from './answers';
import { type Force, HandlerProcess, type ProcessEnd, type ProcessOptions } from './handlerProcess';
import { START_MS } from './limits';
import { type Asked, type Session, Waiting } from './session';
import { canceled, tooSlow, withWrote } from './stops';

/** Ids that are remembered at least, so that late answers are told from wrong ones. */
const REMEMBERED = 1_000;

export interface LineSessionOptions extends ProcessOptions {
  /** It says when it is ready to take calls; the time of a call starts then. */
  readonly saysReady?: boolean;
}

/** A program that reads a JSON line per call and writes a JSON line per answer. */
export class LineSession implements Session {
  served = false;
  readonly #process: HandlerProcess;
  /** Ids of the latest calls, and of those before them. */
  #ids = new Set<string>();
  #earlier: ReadonlySet<string> = new Set();
  #times = 0;
  #current: { readonly id: string; readonly waiting: Waiting } | undefined;
  #ready: boolean;
  #whenReady: (() => void) | undefined;
  #over: { readonly why: Message; readonly end: ProcessEnd } | undefined;

  constructor(options: LineSessionOptions) {
    this.#ready = options.saysReady !== true;
    this.#process = new HandlerProcess(options, {
      line: (text) => this.#line(text),
      ended: (why, end) => {
        this.#over = { why, end };
        this.#current?.waiting.finish({ by: 'end', why, end });
      },
    });
  }

  get alive(): boolean {
    return this.#over === undefined && this.#process.alive;
  }

  async ask(request: HandlerRequest, timeoutMs: number, signal: CancelSignal | undefined): Promise<Asked> {
    const process = this.#process;
    const id = this.#newId(request.id);
    const waiting = new Waiting(signal);
    this.#current = { id, waiting };
    process.beginCall();
    if (this.#over !== undefined) waiting.finish({ by: 'end', ...this.#over });
    const begin = (): void => {
      waiting.within(timeoutMs);
      process.send(requestLine(id, request));
    };
    if (this.#ready) begin();
    else {
      waiting.within(START_MS);
      this.#whenReady = begin;
    }
    const ending = await waiting.ending;
    this.#current = undefined;
    this.#whenReady = undefined;
    if (ending.by === 'answer') {
      const notes = process.notes.take();
      this.served = true;
      return { outcome: { ...ending.answer, notes }, unseen: false };
    }
    if (ending.by === 'end') {
      const { why, end } = ending;
      const { spoke } = end;
      const exited = end.stop.kind === 'exited';
      const stop = exited ? { ...end.stop, ...process.wrote } : end.stop;
      const unseen = this.served && stop.exitCode === 0 && !spoke;
      return {
        outcome: { verdict: 'crashed', detail: withWrote(why, stop), stop, notes: process.notes.take() },
        unseen,
      };
    }
    const { wrote } = process;
    void process.end('firm');
    const notes = process.notes.take();
    if (ending.by === 'cancel') return { outcome: { ...canceled(), notes }, unseen: false };
    const late = this.#ready
      ? tooSlow(timeoutMs, undefined, 'timeout', wrote)
      : tooSlow(
          START_MS,
          t('The process for the module did not start within {0} ms, so it was ended.', START_MS),
          'start-timeout',
        );
    return { outcome: { ...late, notes }, unseen: false };
  }

  end(force: Force): Promise<void> {
    return this.#process.end(force);
  }

  #line(text: string): void {
    const current = this.#current?.waiting.done === false ? this.#current : undefined;
    if (!this.#ready && text === READY) {
      this.#ready = true;
      if (current !== undefined) this.#whenReady?.();
      return;
    }
    const line = readLine(text, current?.id, (id) => this.#isKnown(id));
    if (line.kind === 'answer') current?.waiting.finish({ by: 'answer', answer: line.outcome });
    else if (line.kind === 'noise') {
      this.#process.junk++;
      this.#process.notes.add(text);
    } else this.#process.notes.add(`Another answer for the call "${line.id}" came when it had one; it does not count.`);
  }

  #isKnown(id: string): boolean {
    return this.#ids.has(id) || this.#earlier.has(id);
  }

  /** The id of a call on the line: its own, or a new one where this process has seen that before. */
  #newId(wanted: string): string {
    if (this.#ids.size >= REMEMBERED) {
      this.#earlier = this.#ids;
      this.#ids = new Set();
    }
    let id = wanted;
    while (this.#isKnown(id)) id = `${wanted}#${++this.#times}`;
    this.#ids.add(id);
    return id;
  }
}

/** The line by which a process says that it is ready. */
const READY = '{"ready":true}';
