import { render } from '../../text/message';
import type { HandlerOutcome } from '../handler';
import type { ContractVerdict } from '../report';

/**
 * The built-in handler `grammar`: a parser that Lark 1.3.1 makes of the tool's grammar, with the dynamic lexer. Says what
 * Lark says, whatever the provider's engine says. Where Lark does not take the grammar there is no parser, which is no
 * verdict on the text.
 */
export function grammarOutcome(text: string, contract: ContractVerdict): HandlerOutcome {
  const verdict = contract.lark ?? contract.verdict;
  if (verdict === 'refused' || verdict === 'gave-up' || contract.judged === false) {
    const why = contract.larkFinding ?? contract.findings[0];
    const detail = why === undefined ? 'Lark makes no parser of the grammar.' : render(why.message);
    return { verdict: 'crashed', detail, stop: { kind: 'fault' }, notes: [] };
  }
  if (verdict === 'accepted') return { verdict: 'accepted', value: JSON.stringify(text), notes: [] };
  const fault = contract.larkFinding ?? contract.findings.find(({ level }) => level === 'error');
  const feedback = fault === undefined ? 'Lark does not take the input.' : render(fault.message);
  const offset = fault?.offset;
  return { verdict: 'rejected', feedback, ...(offset !== undefined && { offset }), notes: [] };
}
