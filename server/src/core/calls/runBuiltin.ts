import { render } from '../text/message';
import { builtinParser } from './builtin/registry';
import type { HandlerOutcome, HandlerRequest } from './handler';
import type { ContractVerdict } from './report';

/**
 * Runs a parser of ToolSpec itself; `undefined` when there is none of this name. `json-schema` and `grammar` say what
 * the contract says: the source schema, and Lark's reading of the grammar.
 */
export function runBuiltin(
  name: string,
  { kind, text }: HandlerRequest,
  contract: ContractVerdict,
): HandlerOutcome | undefined {
  if (name === 'json-schema' || name === 'grammar') return contractOutcome(name, kind, text, contract);
  const parse = builtinParser(name);
  if (parse === undefined) return undefined;
  const result = parse(text);
  if (result.ok) return { verdict: 'accepted', value: result.value, notes: result.notes };
  const { feedback, offset } = result;
  return { verdict: 'rejected', feedback, ...(offset === undefined ? {} : { offset }), notes: [] };
}

function contractOutcome(
  name: string,
  kind: HandlerRequest['kind'],
  text: string,
  contract: ContractVerdict,
): HandlerOutcome {
  const verdict = name === 'grammar' && contract.lark !== undefined ? contract.lark : contract.verdict;
  if (verdict === 'accepted') {
    // Arguments are JSON, and blank ones stand for an empty object; input is a text.
    const value = kind === 'custom' ? JSON.stringify(text) : text.trim() === '' ? '{}' : text;
    return { verdict: 'accepted', value, notes: [] };
  }
  const faults = contract.findings.filter(({ level }) => level === 'error');
  const offset = faults[0]?.offset;
  const feedback = faults.map(({ message }) => render(message)).join('\n');
  return { verdict: 'rejected', feedback, ...(offset === undefined ? {} : { offset }), notes: [] };
}
