import { parseJson } from '../text/json';
import type { ContractRequest } from './contractModel';
import { findingAtOffset } from './findings';
import type { ContractVerdict } from './report';

/** Arguments against the schemas of a function. */
export async function judgeArguments({ text }: ContractRequest): Promise<ContractVerdict> {
  const { problems } = parseJson(text);
  const findings = problems.map(({ message, span }) =>
    findingAtOffset('call/invalid-json', 'error', message, text, span.start),
  );
  return { verdict: findings.length > 0 ? 'rejected' : 'accepted', findings };
}
