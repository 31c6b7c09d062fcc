import type { HandlerStop } from '../../core/calls/handler';
import { wroteWords } from '../../core/calls/verdictWords';
import { render } from '../../core/text/message';

/** A call that got no answer, without what the process said. */
export interface Stopped<Verdict extends 'crashed' | 'timed-out' | 'aborted'> {
  readonly verdict: Verdict;
  readonly detail: string;
  readonly stop: HandlerStop;
}

/** The outcome when the run was canceled. */
export function canceled(): Stopped<'aborted'> {
  const detail = 'The run was canceled before the handler answered.';
  return { verdict: 'aborted', detail, stop: { kind: 'canceled' } };
}

/** The outcome when a call took too long. */
export function tooSlow(
  limitMs: number,
  what = 'The handler gave no answer',
  kind: 'timeout' | 'start-timeout' = 'timeout',
  wrote: Pick<HandlerStop, 'wrote'> = {},
): Stopped<'timed-out'> {
  const stop: HandlerStop = { kind, limitMs, ...wrote };
  const detail = `${what} within ${limitMs.toLocaleString('en-US')} ms, so it was ended.`;
  return { verdict: 'timed-out', detail: withWrote(detail, stop), stop };
}

/** A sentence about the end of a handler, with another one about what it wrote instead of an answer. */
export function withWrote(detail: string, stop: HandlerStop): string {
  const wrote = wroteWords(stop);
  return wrote === undefined ? detail : `${detail} ${render(wrote)}`;
}

/** The outcome when something that should be an answer is none. */
export function crashed(detail: string, kind: HandlerStop['kind']): Stopped<'crashed'> {
  return { verdict: 'crashed', detail, stop: { kind } };
}
