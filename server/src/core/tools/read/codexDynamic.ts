import type { JsonNode } from '../../text/json';
import type { ToolDefinition } from '../model';
import { deferBy, type ReadContext, readByPlan } from './common';

/** Reads a canonical entry of Codex `dynamicTools` (Codex 0.171.0). */
export function readCodexDynamic(node: JsonNode, context: ReadContext): ToolDefinition {
  return readByPlan(node, context, {
    shape: 'codex-dynamic',
    kind: 'function',
    outputSchemaKeys: ['outputSchema', 'output_schema'],
    defer: deferBy(node, 'deferLoading'),
  });
}

/**
 * Reads an entry of Codex `dynamicTools` in the older flat form: deferred by `deferLoading`, or, without it, when
 * `exposeToContext` is false (Codex 0.171.0).
 */
export function readCodexDynamicLegacy(node: JsonNode, context: ReadContext): ToolDefinition {
  const own = deferBy(node, 'deferLoading');
  const exposed = node.value('exposeToContext');
  const decided = own.node !== undefined && own.node.kind !== 'null';
  return readByPlan(node, context, {
    shape: 'codex-dynamic-legacy',
    kind: 'function',
    outputSchemaKeys: ['outputSchema', 'output_schema'],
    defer: decided || exposed === undefined ? own : { deferred: exposed.boolean === false, node: exposed },
  });
}
