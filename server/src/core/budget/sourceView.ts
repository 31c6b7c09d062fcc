import type { CodexProfile } from '../profiles/codex';
import { schemaSites } from '../schema/sites';
import type { JsonNode, JsonProperty } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { prettyJson } from '../text/pretty';
import { compareUtf8 } from '../text/utf8';
import type { ToolDefinition } from '../tools/model';

/** Keys of a tool in the order of the wire; others follow as written. */
const TOOL_KEYS = ['type', 'name', 'description', 'strict', 'defer_loading'];

/**
 * A tool as it is written, laid out in the order of the wire: keywords as Codex emits them and then those that it does
 * not send, names of properties and definitions sorted. So a comparison with the wire shows what changes, not what moves.
 */
export function sourceInWireOrder(tool: ToolDefinition, profile: CodexProfile): string {
  const toolRank = new Map([...TOOL_KEYS, tool.schemaKey].map((key, index) => [key, index]));
  const members = schemaMembers(tool.schemaNode, profile);
  return prettyJson(tool.node, { members: (node) => (node === tool.body ? ranked(node, toolRank) : members(node)) });
}

/** An input schema as it is written, laid out in the order of the wire: see `sourceInWireOrder`. */
export function schemaInWireOrder(schema: JsonNode, profile: CodexProfile): string {
  return prettyJson(schema, { members: schemaMembers(schema, profile) });
}

function schemaMembers(
  schema: JsonNode | undefined,
  profile: CodexProfile,
): (node: JsonNode) => readonly JsonProperty[] {
  const keywordRank = new Map<string, number>(profile.keptKeywords.map((key, index) => [key, index]));
  const schemas = new Set<JsonNode>();
  const maps = new Set<JsonNode>();
  for (const { node } of schema === undefined ? [] : schemaSites(schema)) {
    schemas.add(node);
    for (const key of ['properties', '$defs', 'definitions']) {
      const map = node.value(key);
      if (map?.kind === 'object') maps.add(map);
    }
  }
  return (node) => {
    if (schemas.has(node)) return ranked(node, keywordRank);
    if (maps.has(node)) return [...effectiveProperties(node)].sort((a, b) => compareUtf8(a.key, b.key));
    return effectiveProperties(node);
  };
}

function ranked(node: JsonNode, rank: ReadonlyMap<string, number>): JsonProperty[] {
  return [...effectiveProperties(node)].sort((a, b) => (rank.get(a.key) ?? rank.size) - (rank.get(b.key) ?? rank.size));
}
