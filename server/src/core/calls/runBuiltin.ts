import { grammarOutcome } from './builtin/grammar';
import { jsonSchemaOutcome } from './builtin/jsonSchema';
import { builtinParser } from './builtin/registry';
import type { HandlerOutcome, HandlerRequest } from './handler';
import type { ContractVerdict } from './report';

/**
 * Runs a parser of ToolSpec itself; `undefined` when there is none of this name. `json-schema` and `grammar` say what
 * the contract says: the source schema, and Lark's reading of the grammar.
 */
export function runBuiltin(
  name: string,
  { text }: HandlerRequest,
  contract: ContractVerdict,
): HandlerOutcome | undefined {
  if (name === 'json-schema') return jsonSchemaOutcome(text, contract);
  if (name === 'grammar') return grammarOutcome(text, contract);
  const parse = builtinParser(name);
  if (parse === undefined) return undefined;
  const result = parse(text);
  if (result.ok) return { verdict: 'accepted', value: result.value, notes: result.notes };
  const { feedback, offset } = result;
  return { verdict: 'rejected', feedback, ...(offset === undefined ? {} : { offset }), notes: [] };
}
