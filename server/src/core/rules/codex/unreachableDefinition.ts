import type { CompileResult } from '../../schema/compile';
import { definitionPointer } from '../../schema/definitionPointer';
import type { UnreachableDefinition } from '../../schema/reach';
import { joinEdits, removeProperties } from '../../text/edits';
import type { Fix } from '../../text/finding';
import type { JsonNode, JsonProperty } from '../../text/json';
import { propertySpan, walkJson } from '../../text/jsonTree';
import { t } from '../../text/message';
import type { Rule, ToolContext } from '../rule';

/** Codex prunes definitions of the root that no reference reaches (0.171.0, observed). */
export const unreachableDefinition: Rule = {
  id: 'codex/unreachable-definition',
  section: 'codex',
  summary: 'No reference that Codex follows reaches this definition, so it is not sent',
  levels: { codex: 'hint' },
  tool(context) {
    const result = context.compile();
    if (result === undefined || result.unreachable.length === 0) return;
    const users = referrers(result);
    for (const definition of result.unreachable) {
      context.report({
        node: definition.node,
        span: propertySpan(definition.property),
        message: t('Nothing refers to "{0}", so Codex does not send it.', definition.property.key),
        unnecessary: true,
        fixes: fixesOf(context, result, definition, users),
      });
    }
  },
};

/** Unreachable definitions that refer to another, by the node of the other; `outside` if anything else does. */
interface Referrers {
  readonly inside: ReadonlyMap<JsonNode, ReadonlySet<UnreachableDefinition>>;
  readonly outside: ReadonlySet<JsonNode>;
  /** A reference names a definition that is missing, so an unreachable one may be what it means. */
  readonly dangling: boolean;
}

function referrers(result: CompileResult): Referrers {
  const byNode = new Map(result.unreachable.map((definition) => [definition.node, definition]));
  const inside = new Map<JsonNode, Set<UnreachableDefinition>>();
  const outside = new Set<JsonNode>();
  let dangling = false;
  const target = (reference: string): JsonNode | undefined => {
    const pointer = definitionPointer(reference);
    const node = pointer && result.source.value(pointer.table)?.value(pointer.name);
    if (pointer !== undefined && node === undefined) dangling = true;
    return node !== undefined && byNode.has(node) ? node : undefined;
  };
  const collect = (root: JsonNode, owner: UnreachableDefinition | undefined): void => {
    walkJson(root, (node) => {
      if (owner === undefined && byNode.has(node)) return false;
      const reference = node.value('$ref')?.string;
      const found = reference === undefined ? undefined : target(reference);
      if (found === undefined) return true;
      if (owner === undefined) outside.add(found);
      else {
        const users = inside.get(found) ?? new Set();
        inside.set(found, users.add(owner));
      }
      return true;
    });
  };
  collect(result.source, undefined);
  for (const definition of result.unreachable) collect(definition.node, definition);
  return { inside, outside, dangling };
}

/** Removing is right only if nothing is left that refers to what goes: its unreachable users go with it. */
function fixesOf(
  context: ToolContext,
  result: CompileResult,
  definition: UnreachableDefinition,
  users: Referrers,
): Fix[] {
  const removed = new Set<UnreachableDefinition>([definition]);
  for (const each of removed) {
    if (users.outside.has(each.node)) return [];
    for (const user of users.inside.get(each.node) ?? []) removed.add(user);
  }
  const others = removed.size - 1;
  return [
    {
      title:
        others === 0
          ? t('Remove the definition "{0}"', definition.property.key)
          : t('Remove the definition "{0}" and {1} that refer to it', definition.property.key, others),
      safe: !users.dangling,
      preferred: true,
      kind: 'quickfix',
      edits: () => {
        const gone = withEmptyTables(result, removed);
        const owners = [...new Set(gone.map((property) => property.owner))];
        const { text } = context.document;
        const of = (owner: JsonNode): JsonProperty[] => gone.filter((property) => property.owner === owner);
        return joinEdits(...owners.map((owner) => removeProperties(text, of(owner))));
      },
    },
  ];
}

/** The members to remove: a table of which nothing would be left goes as a whole. */
function withEmptyTables(result: CompileResult, removed: ReadonlySet<UnreachableDefinition>): JsonProperty[] {
  const properties = new Set([...removed].map((definition) => definition.property));
  for (const key of ['$defs', 'definitions']) {
    const table = result.source.get(key);
    const members = table?.value?.properties ?? [];
    if (members.length === 0 || !members.every((member) => properties.has(member))) continue;
    for (const member of members) properties.delete(member);
    properties.add(table!);
  }
  return [...properties];
}
