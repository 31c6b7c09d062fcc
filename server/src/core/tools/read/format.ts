import type { JsonNode } from '../../text/json';
import type { CustomFormat } from '../model';

/**
 * The format of a custom tool. OpenAI Responses has `syntax` and `definition` in the format itself, Chat
 * Completions one level deeper under `grammar`; both places are read, the right one of the shape first.
 */
export function readFormat(body: JsonNode, nested: boolean): CustomFormat | undefined {
  const node = body.value('format');
  if (node?.kind !== 'object') return undefined;
  const grammar = node.value('grammar');
  const inner = grammar?.kind === 'object' && (nested || !node.has('definition')) ? grammar : node;
  const definition = inner.value('definition');
  const file = definition?.kind === 'object' ? definition.value('$file') : undefined;
  const isGrammar = node.value('type')?.string === 'grammar' || inner.has('definition') || inner.has('syntax');
  return {
    type: isGrammar ? 'grammar' : 'text',
    syntax: inner.value('syntax')?.string,
    definitionNode:
      definition?.kind === 'object' ? (file?.kind === 'string' ? file : undefined) : stringOnly(definition),
    file: file?.string,
    node,
  };
}

function stringOnly(node: JsonNode | undefined): JsonNode | undefined {
  return node?.kind === 'string' ? node : undefined;
}
