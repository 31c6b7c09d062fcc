import type { JsonNode } from '../../text/json';
import { effectiveProperties } from '../../text/jsonTree';
import { rustDebug } from '../../text/rustDebug';

/** The arguments of a call of tool search. `limit` is a decimal number, `undefined` for none. */
export type ToolSearchArguments =
  | { readonly ok: true; readonly query: string; readonly limit: string | undefined }
  /** In the words of serde_json 1, which has no places for a value that is already parsed. */
  | { readonly ok: false; readonly error: string; readonly node: JsonNode };

const STRUCT = 'struct SearchToolCallParams';
const U64_MAX = 18446744073709551615n;

/**
 * Reads the arguments of a call of tool search as Codex does while it routes the call (0.148.0, read; texts observed):
 * from a value, not from a text. Unknown keys are ignored. The error goes behind
 * `failed to parse tool_search arguments: `.
 */
export function readToolSearchArguments(node: JsonNode): ToolSearchArguments {
  if (node.kind === 'array') return positional(node);
  if (node.kind !== 'object') return wrongType(node, STRUCT);
  let query: string | undefined;
  let limit: string | undefined;
  for (const { key, value } of effectiveProperties(node)) {
    if (value === undefined) continue;
    if (key === 'query') {
      if (value.kind !== 'string') return wrongType(value, 'a string');
      query = value.text;
    } else if (key === 'limit') {
      const read = readLimit(value);
      if (!read.ok) return read;
      limit = read.limit;
    }
  }
  if (query === undefined) return { ok: false, error: 'missing field `query`', node };
  return { ok: true, query, limit };
}

/** A struct may be written as the list of its fields. */
function positional(node: JsonNode): ToolSearchArguments {
  const [query, limit, ...rest] = node.items;
  if (query === undefined) return { ok: false, error: `invalid length 0, expected ${STRUCT} with 2 elements`, node };
  if (query.kind !== 'string') return wrongType(query, 'a string');
  const read = limit === undefined ? { ok: true as const, limit: undefined } : readLimit(limit);
  if (!read.ok) return read;
  if (rest.length > 0) {
    return { ok: false, error: `invalid length ${node.items.length}, expected fewer elements in array`, node };
  }
  return { ok: true, query: query.text, limit: read.limit };
}

type Refused = Extract<ToolSearchArguments, { ok: false }>;

function readLimit(node: JsonNode): { readonly ok: true; readonly limit: string | undefined } | Refused {
  if (node.kind === 'null') return { ok: true, limit: undefined };
  if (node.kind !== 'number') return wrongType(node, 'usize');
  // The spelling decides, for numbers of any precision are kept as they are written.
  if (!/^\d{1,20}$/.test(node.text) || BigInt(node.text) > U64_MAX) return { ok: false, error: 'invalid number', node };
  return { ok: true, limit: node.text };
}

function wrongType(node: JsonNode, expected: string): Refused {
  return { ok: false, error: `invalid type: ${described(node)}, expected ${expected}`, node };
}

function described(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return `string ${rustDebug(node.text)}`;
    case 'boolean':
      return `boolean \`${node.text}\``;
    case 'array':
      return 'sequence';
    case 'object':
      return 'map';
    default:
      return node.kind;
  }
}
