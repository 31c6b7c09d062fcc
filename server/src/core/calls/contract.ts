import { judgeArguments } from './contractArguments';
import { judgeInput } from './contractInput';
import type { ContractRequest } from './contractModel';
import type { ContractVerdict } from './report';

/**
 * Whether the model could have generated this payload: arguments against the source schema and against the schema that
 * Codex compiles of it, input against the grammar by the provider's engine and by Lark. Never rejects.
 */
export async function judgeContract(request: ContractRequest): Promise<ContractVerdict> {
  return request.kind === 'function' ? judgeArguments(request) : judgeInput(request);
}
