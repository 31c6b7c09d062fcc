import type { HandlerStop } from '../../core/calls/handler';
import { wroteWords } from '../../core/calls/verdictWords';
import { type Message, render, sentences, t } from '../../core/text/message';

/** A call that got no answer, without what the process said. */
export interface Stopped<Verdict extends 'crashed' | 'timed-out' | 'aborted'> {
  readonly verdict: Verdict;
  readonly detail: string;
  readonly stop: HandlerStop;
}

/** The outcome when the run was canceled. */
export function canceled(): Stopped<'aborted'> {
  const detail = render(t('The run was canceled before the handler answered.'));
  return { verdict: 'aborted', detail, stop: { kind: 'canceled' } };
}

/** The outcome when a call took too long. `message` says for what, with the limit. */
export function tooSlow(
  limitMs: number,
  message: Message = t('The handler gave no answer within {0} ms, so it was ended.', limitMs),
  kind: 'timeout' | 'start-timeout' = 'timeout',
  wrote: Pick<HandlerStop, 'wrote'> = {},
): Stopped<'timed-out'> {
  const stop: HandlerStop = { kind, limitMs, ...wrote };
  return { verdict: 'timed-out', detail: withWrote(message, stop), stop };
}

/** A sentence about the end of a handler, with another one about what it wrote instead of an answer. */
export function withWrote(message: Message, stop: HandlerStop): string {
  return render(sentences(message, wroteWords(stop)));
}

/** The outcome when something that should be an answer is none. */
export function crashed(words: Message, kind: HandlerStop['kind']): Stopped<'crashed'> {
  return { verdict: 'crashed', detail: render(words), stop: { kind, words } };
}
