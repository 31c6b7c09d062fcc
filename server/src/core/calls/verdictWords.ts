import { type Message, t } from '../text/message';
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

/** Whether both have a verdict, and not the same. */
export function verdictsDiffer(contract: ContractVerdict, { verdict }: HandlerVerdict): boolean {
  const compared = contract.judged !== false && (verdict === 'accepted' || verdict === 'rejected');
  return compared && contract.verdict !== verdict;
}
