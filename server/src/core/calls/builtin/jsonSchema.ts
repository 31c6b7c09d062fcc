import { render } from '../../text/message';
import type { HandlerOutcome } from '../handler';
import type { ContractVerdict } from '../report';

/**
 * The built-in handler `json-schema`: says what the source schema says. Its feedback is the first fault in words. Blank
 * arguments stand for `{}`, where that would do.
 */
export function jsonSchemaOutcome(text: string, contract: ContractVerdict): HandlerOutcome {
  if (contract.verdict === 'accepted') {
    return { verdict: 'accepted', value: text.trim() === '' ? '{}' : text, notes: [] };
  }
  const fault = contract.findings.find(({ level }) => level === 'error') ?? contract.findings[0];
  const feedback = fault === undefined ? 'The arguments do not fit the schema.' : render(fault.message);
  const place = fault?.pointer === undefined || fault.pointer === '' ? '' : `${fault.pointer}: `;
  const offset = fault?.offset;
  return { verdict: 'rejected', feedback: place + feedback, ...(offset !== undefined && { offset }), notes: [] };
}
