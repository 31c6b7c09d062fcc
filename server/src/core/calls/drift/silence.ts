import { type Message, t } from '../../text/message';
import { stopWords } from '../verdictWords';
import type { DriftJudge } from './model';

/** Inputs that a handler is asked first, and that it may not all leave unanswered. */
const PROBES = 3;

/**
 * Why a handler is not worth a search: it cannot be started, or answers none of some plain inputs in time. Each input
 * of a search would wait as long.
 */
export async function silence(
  judge: DriftJudge,
  kind: 'function' | 'custom',
  seeds: readonly string[],
): Promise<Message | undefined> {
  const plain = kind === 'function' ? ['{}', 'null', ''] : ['', 'x', '{}'];
  let late = 0;
  for (const text of [...new Set([...seeds, ...plain])].slice(0, PROBES)) {
    const [side] = await judge.handler([text]);
    if (side?.stop?.kind === 'not-started') {
      return t('Its handler could not be started, so nothing was searched: {0}', side.stop.words ?? side.feedback);
    }
    if (side?.verdict !== 'timed-out') return undefined;
    if (++late === PROBES) {
      const words = stopWords(side.verdict, side.stop, side.feedback);
      return t('Its handler answered none of {0} inputs in time, so nothing was searched: {1}', PROBES, words);
    }
  }
  return undefined;
}
