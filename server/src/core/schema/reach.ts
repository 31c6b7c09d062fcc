import { JsonNode, type JsonProperty } from '../text/json';
import { escapePointerToken } from '../text/jsonTree';
import { definitionPointer } from './definitionPointer';
import { LoweredObject, type LoweredValue, mapSubschemas, withoutKey } from './lowered';
import type { TraceEvent } from './trace';

/** A definition at the root that no reference reaches. */
export interface UnreachableDefinition {
  readonly node: JsonNode;
  readonly property: JsonProperty;
  /** From the schema's root: `/$defs/Name`. */
  readonly pointer: string;
}

/** The outcome of pruning. */
export interface Pruned {
  readonly schema: LoweredValue;
  readonly unreachable: readonly UnreachableDefinition[];
  /** For each definition that stays, the reference that reached it first, by table and name (`$defs/Name`). */
  readonly reachedBy: ReadonlyMap<string, string>;
}

const TABLES = ['$defs', 'definitions'] as const;

/**
 * Removes the definitions that nothing uses from the root's two tables, as Codex 0.171.0 does (observed).
 * Used are those named by a `$ref` outside of all tables, then whatever any value inside a used definition names,
 * data and keywords that are dropped later included. Tables of subschemas are left alone.
 */
export function pruneDefinitions(root: LoweredValue, events: TraceEvent[]): Pruned {
  if (!(root instanceof LoweredObject)) return { schema: root, unreachable: [], reachedBy: new Map() };
  const tables = TABLES.filter((table) => root.get(table) instanceof LoweredObject);
  if (tables.length === 0) return { schema: root, unreachable: [], reachedBy: new Map() };

  const reachedBy = new Map<string, string>();
  const pending: { table: string; name: string }[] = [];
  const reach = (reference: LoweredValue | undefined): void => {
    if (!(reference instanceof JsonNode) || reference.kind !== 'string') return;
    const target = definitionPointer(reference.text);
    if (target === undefined) return;
    const id = `${target.table}/${target.name}`;
    if (reachedBy.has(id)) return;
    reachedBy.set(id, reference.text);
    pending.push(target);
  };
  const seed = (schema: LoweredObject): LoweredObject => {
    reach(schema.get('$ref'));
    return mapSubschemas(schema, false, seed);
  };
  seed(root);
  for (let target = pending.pop(); target !== undefined; target = pending.pop()) {
    const table = root.get(target.table);
    const definition = table instanceof LoweredObject ? table.get(target.name) : undefined;
    if (definition !== undefined) everyReference(definition, reach);
  }

  let schema = root;
  const unreachable: UnreachableDefinition[] = [];
  for (const name of tables) {
    const table = root.get(name) as LoweredObject;
    const kept = table.keys.map((key) => reachedBy.has(`${name}/${key}`));
    table.keys.forEach((key, i) => {
      const property = table.source.get(key);
      if (kept[i] || property?.value === undefined) return;
      unreachable.push({ node: property.value, property, pointer: `/${name}/${escapePointerToken(key)}` });
      events.push({ stage: 'prune', action: 'definition-removed', node: property.value, property });
    });
    if (kept.includes(true)) {
      if (!kept.includes(false)) continue;
      const keep = (_: unknown, i: number): boolean => kept[i]!;
      const rest = new LoweredObject(table.source, table.keys.filter(keep), table.values.filter(keep));
      schema = new LoweredObject(
        schema.source,
        schema.keys,
        schema.values.map((value) => (value === table ? rest : value)),
      );
    } else {
      schema = withoutKey(schema, name);
      events.push({ stage: 'prune', action: 'table-removed', node: root.source, property: root.source.get(name)! });
    }
  }
  return { schema, unreachable, reachedBy };
}

/** Every string under a key `$ref`, anywhere inside a value. */
function everyReference(value: LoweredValue, found: (reference: LoweredValue) => void): void {
  const stack: LoweredValue[] = [value];
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    if (current instanceof LoweredObject) {
      for (let i = current.keys.length - 1; i >= 0; i--) {
        if (current.keys[i] === '$ref') found(current.values[i]!);
        stack.push(current.values[i]!);
      }
    } else if (current.kind === 'array') {
      for (let i = current.items.length - 1; i >= 0; i--) stack.push(current.items[i]!);
    } else if (current.kind === 'object') {
      for (const property of current.properties) {
        if (property.value === undefined || current.get(property.key) !== property) continue;
        if (property.key === '$ref') found(property.value);
        stack.push(property.value);
      }
    }
  }
}
