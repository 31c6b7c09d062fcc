import type { HandlerStop } from '../../core/calls/handler';

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
): Stopped<'timed-out'> {
  const detail = `${what} within ${limitMs.toLocaleString('en-US')} ms, so it was ended.`;
  return { verdict: 'timed-out', detail, stop: { kind, limitMs } };
}

/** The outcome when something that should be an answer is none. */
export function crashed(detail: string, kind: HandlerStop['kind']): Stopped<'crashed'> {
  return { verdict: 'crashed', detail, stop: { kind } };
}
