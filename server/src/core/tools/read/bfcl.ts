import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { type ReadContext, readByPlan } from './common';

/** Reads a function of the Berkeley Function Calling Leaderboard (BFCL v4), whose types are those of Python. */
export function readBfcl(node: JsonNode, context: ReadContext): ToolDefinition {
  return readByPlan(node, context, { shape: 'bfcl', kind: 'function' });
}
