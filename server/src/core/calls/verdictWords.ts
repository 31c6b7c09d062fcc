import { type Message, sentences, t } from '../text/message';
import type { HandlerStop } from './handler';
import type { CallReport, ContractVerdict, HandlerVerdict } from './report';

/** The label of what the contract says of a call. */
export function contractLabel({ verdict, judged }: Pick<ContractVerdict, 'verdict' | 'judged'>): Message {
  if (judged === false) return t('Not judged');
  return verdict === 'accepted' ? t('Accepted') : t('Rejected');
}

/** The label of what the handler of a call says, or of what kept it from saying something. */
export function handlerLabel({ verdict, reason }: Pick<HandlerVerdict, 'verdict' | 'reason'>): Message {
  switch (verdict) {
    case 'accepted':
      return t('Accepted');
    case 'rejected':
      return t('Rejected');
    case 'crashed':
      return reason?.kind === 'not-started' ? t('Not started') : t('Crashed');
    case 'timed-out':
      return t('Timed out');
    case 'aborted':
      return t('Canceled');
    default:
      return reason?.kind === 'no-handler' ? t('No handler') : t('Not run');
  }
}

/** Both labels in a line. */
export function verdictsLine({ contract, handler }: Pick<CallReport, 'contract' | 'handler'>): Message {
  return t('Contract: {0}. Handler: {1}.', contractLabel(contract), handlerLabel(handler));
}

/** What kept a handler from an answer, as a sentence. `detail` are the words of its runner. */
export function stopWords(
  verdict: 'crashed' | 'timed-out' | 'aborted',
  stop: HandlerStop | undefined,
  detail: string,
): Message {
  const { exitCode, signal, limitMs } = stop ?? {};
  switch (stop?.kind) {
    case 'exited':
      return sentences(t('The handler ended with exit code {0} before it answered.', exitCode ?? 0), wroteWords(stop));
    case 'signal':
      return t('The handler was ended by the signal {0} before it answered.', signal ?? '');
    case 'timeout':
      if (limitMs === undefined) break;
      return sentences(t('The handler gave no answer within {0} ms, so it was ended.', limitMs), wroteWords(stop));
    case 'start-timeout':
      if (limitMs === undefined) break;
      return t('The handler was not ready within {0} ms, so it was ended.', limitMs);
    case 'canceled':
      return t('The run was canceled before the handler answered.');
    case undefined:
      break;
    default:
      return stop?.words ?? t('{0}', detail);
  }
  if (verdict === 'timed-out') return t('The handler did not answer in time: {0}', detail);
  return verdict === 'aborted' ? t('The call was aborted: {0}', detail) : t('The handler crashed: {0}', detail);
}

/** What kept the handler of a call from an answer; `undefined` where it gave one, or was not run. */
export function stoppedWords({ verdict, reason, detail = '' }: HandlerVerdict): Message | undefined {
  if (verdict !== 'crashed' && verdict !== 'timed-out' && verdict !== 'aborted') return undefined;
  return stopWords(verdict, reason === undefined || 'message' in reason ? undefined : reason, detail);
}

/** What a program wrote that waited for an answer in vain. */
export function wroteWords({ wrote }: HandlerStop): Message | undefined {
  if (wrote === 'unfinished') return t('It wrote a line without a line feed at its end.');
  if (wrote === 'junk')
    return t('What it wrote is no answer: that is a line with a JSON object that has "id" and "ok".');
  return undefined;
}

/** Whether both have a verdict, and not the same. */
export function verdictsDiffer(contract: ContractVerdict, { verdict }: HandlerVerdict): boolean {
  const compared = contract.judged !== false && (verdict === 'accepted' || verdict === 'rejected');
  return compared && contract.verdict !== verdict;
}
