import { emitString } from '../text/emit';
import { emitSpecs, type ToolSpec } from './spec';

/** Stands for the name of the model, which a tool definition does not know. */
export const MODEL_PLACEHOLDER = '<model>';

/** What fills the body of a Codex request. */
export interface RequestParts {
  readonly mode: 'responses' | 'lite' | 'deferred';
  /** Tools that stand in every request. */
  readonly direct: readonly ToolSpec[];
  /** Tools that a search gives back; only for `deferred`. */
  readonly found: readonly ToolSpec[];
}

/**
 * The body of a request as far as tools decide over it: keys in the order that Codex 0.171.0 sends (observed), a
 * placeholder for the model, only the items of the input that hold tools; no ids, cache key and metadata. Of
 * `reasoning` only what the kind of request decides is known.
 */
export function codexRequest({ mode, direct, found }: RequestParts): string {
  const lite = mode === 'lite';
  const input: string[] = [];
  if (lite) input.push(`{"type":"additional_tools","role":"developer","tools":${emitSpecs(direct)}}`);
  if (mode === 'deferred') {
    const head = '"type":"tool_search_output","status":"completed","execution":"client"';
    input.push(`{${head},"tools":${emitSpecs(found)}}`);
  }
  const members = [
    `"model":${emitString(MODEL_PLACEHOLDER)}`,
    '"stream":true',
    `"input":[${input.join(',')}]`,
    ...(lite ? [] : [`"tools":${emitSpecs(direct)}`]),
    '"tool_choice":"auto"',
    `"parallel_tool_calls":${!lite}`,
    `"reasoning":${lite ? '{"context":"all_turns"}' : '{}'}`,
    '"store":false',
    '"include":["reasoning.encrypted_content"]',
  ];
  return `{${members.join(',')}}`;
}

/** The body of a request of another target around its tool list, or MCP's answer to `tools/list`. */
export function portableRequest(mode: 'chat' | 'mcp' | 'anthropic', tools: string): string {
  if (mode === 'mcp') return `{"tools":${tools}}`;
  return `{"model":${emitString(MODEL_PLACEHOLDER)},"messages":[],"tools":${tools}}`;
}
