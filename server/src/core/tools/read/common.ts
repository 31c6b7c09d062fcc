import type { JsonNode } from '../../text/json';
import type { WrongKey } from '../detectItem';
import type { CustomFormat, LocalFacts, ToolDefinition, ToolKind, ToolNamespace, ToolShape } from '../model';
import { SCHEMA_KEYS } from '../shapes';

/** What a reader is told beside the tool's node. */
export interface ReadContext {
  readonly namespace: ToolNamespace | undefined;
  readonly local: LocalFacts;
  readonly wrongKey: WrongKey | undefined;
}

/** What differs between shapes; the rest of a tool is read the same way everywhere. */
export interface ReadPlan {
  readonly shape: ToolShape;
  readonly kind: ToolKind;
  readonly body?: JsonNode;
  readonly descriptionKey?: string;
  readonly schemaKey?: string;
  /** `null` counts as no schema. */
  readonly nullSchema?: boolean;
  readonly outputSchemaKeys?: readonly string[];
  /** No reader for `strict`: the shape has no such key. */
  readonly strict?: boolean;
  readonly defer?: { readonly deferred: boolean; readonly node: JsonNode | undefined };
  readonly format?: CustomFormat | undefined;
}

/** Reads a tool by its shape's plan. */
export function readByPlan(node: JsonNode, context: ReadContext, plan: ReadPlan): ToolDefinition {
  const body = plan.body ?? node;
  const descriptionNode = body.value(plan.descriptionKey ?? 'description');
  const nameNode = body.value('name');
  const schemaKey = plan.schemaKey ?? SCHEMA_KEYS[plan.shape];
  let schemaNode = body.value(context.wrongKey?.key ?? schemaKey);
  if (plan.nullSchema === true && schemaNode?.kind === 'null') schemaNode = undefined;
  const strictNode = plan.strict === true ? body.value('strict') : undefined;
  return {
    shape: plan.shape,
    kind: plan.kind,
    node,
    body,
    name: nameNode?.string,
    nameNode,
    description: descriptionNode?.string,
    descriptionNode,
    schemaNode: takesSchema(plan.kind) ? schemaNode : undefined,
    schemaKey,
    outputSchemaNode: firstValue(body, plan.outputSchemaKeys ?? []),
    strict: strictNode?.boolean,
    strictNode,
    deferred: plan.defer?.deferred ?? false,
    deferNode: plan.defer?.node,
    namespace: context.namespace,
    format: plan.format,
    local: context.local,
  };
}

function takesSchema(kind: ToolKind): boolean {
  return kind === 'function' || kind === 'tool-search';
}

function firstValue(node: JsonNode, keys: readonly string[]): JsonNode | undefined {
  for (const key of keys) {
    const value = node.value(key);
    if (value !== undefined && value.kind !== 'null') return value;
  }
  return undefined;
}

/** Deferral by one key, true or false. */
export function deferBy(node: JsonNode, key: string): { deferred: boolean; node: JsonNode | undefined } {
  const value = node.value(key);
  return { deferred: value?.boolean === true, node: value };
}
