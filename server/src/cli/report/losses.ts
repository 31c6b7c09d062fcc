import type { PassName } from '../../core/profiles/codex';
import type { CompileResult } from '../../core/schema/compile';
import type { StageName, TraceEvent } from '../../core/schema/trace';
import type { JsonNode, JsonProperty } from '../../core/text/json';
import { effectiveProperties, pointerOf } from '../../core/text/jsonTree';
import { count } from '../style';

/** Something that the model never sees, or sees in another form. */
export interface Loss {
  /** From the schema's root; `(root)` for the root itself. */
  readonly pointer: string;
  readonly why: string;
  /** Where it stands in the file. */
  readonly offset: number;
}

/** A keyword that is dropped in one or more places. */
export interface DroppedKeyword {
  readonly keyword: string;
  readonly offsets: readonly number[];
}

/** What a compilation takes away, sorted out. */
export interface Losses {
  readonly unreachable: readonly Loss[];
  readonly emptied: readonly Loss[];
  readonly changed: readonly Loss[];
  readonly gone: readonly Loss[];
  readonly dropped: readonly DroppedKeyword[];
}

/** The losses of a compilation, each list in the order of the text. */
export function lossesOf(compiled: CompileResult): Losses {
  const emptied: Loss[] = [];
  const changed: Loss[] = [];
  const gone: Loss[] = [];
  const dropped = new Map<string, number[]>();
  for (const event of compiled.events) {
    const { node, property } = event;
    if (event.action === 'keyword-dropped') {
      if (property === undefined) continue;
      const offsets = dropped.get(property.key);
      if (offsets === undefined) dropped.set(property.key, [property.keyStart]);
      else offsets.push(property.keyStart);
    } else if (event.action === 'emptied') {
      emptied.push({ pointer: place(node, compiled), why: emptiedWhy(event), offset: headOffset(node) });
    } else if (event.action === 'table-removed' && property !== undefined) {
      gone.push({
        pointer: `${pointerOf(node, compiled.source)}/${property.key}`,
        why: tableWhy(event, property, compiled),
        offset: property.keyStart,
      });
    } else {
      const why = changeWhy(event);
      if (why !== undefined) changed.push({ pointer: place(node, compiled), why, offset: headOffset(node) });
    }
  }
  return {
    unreachable: compiled.unreachable.map(({ pointer, property }) => ({
      pointer,
      why: 'no reference reaches it',
      offset: property.keyStart,
    })),
    emptied: emptied.sort(byOffset),
    changed: changed.sort(byOffset),
    gone: gone.sort(byOffset),
    dropped: [...dropped].map(([keyword, offsets]) => ({ keyword, offsets: offsets.sort((a, b) => a - b) })),
  };
}

function byOffset(a: Loss, b: Loss): number {
  return a.offset - b.offset;
}

/** The pointer of a schema, from the schema's root. */
function place(node: JsonNode, compiled: CompileResult): string {
  return pointerOf(node, compiled.source) || '(root)';
}

/** Where a schema is shown: at the key that holds it. */
function headOffset(node: JsonNode): number {
  return node.property?.keyStart ?? node.offset;
}

function emptiedWhy(event: TraceEvent): string {
  switch (event.stage) {
    case 'definitions':
      return event.detail === undefined ? 'it holds a $ref' : `$ref to ${event.detail}`;
    case 'depth':
      return 'it has structure, and lies too deep';
    case 'compositions':
      return `it has ${event.detail ?? 'anyOf, oneOf or allOf'}`;
    default:
      return 'no type, and nothing to infer one from';
  }
}

function tableWhy(event: TraceEvent, table: JsonProperty, compiled: CompileResult): string {
  if (event.stage === 'lower') return 'this is no table of definitions';
  const unreachable = new Set(compiled.unreachable.map(({ property }) => property));
  const names = table.value === undefined ? [] : effectiveProperties(table.value);
  const left = names.filter((name) => !unreachable.has(name)).length;
  return left === 0 ? 'nothing is left in it' : count(left, 'definition');
}

function changeWhy(event: TraceEvent): string | undefined {
  switch (event.action) {
    case 'boolean-to-string':
      return 'a boolean schema becomes {"type":"string"}';
    case 'type-inferred':
      return `no usable type, ${event.detail ?? 'one'} is inferred`;
    case 'type-filtered':
      return `of the type only ${event.detail ?? 'a part'} is left`;
    case 'const-to-enum':
      return event.replaced === true ? 'const becomes enum and replaces the one beside it' : 'const becomes enum';
    case 'properties-added':
      return 'an empty properties is added';
    case 'items-added':
      return 'items of type string are added';
    default:
      return undefined;
  }
}

/** What one stage takes, as a fragment for a table: `9 definitions, 5 references`. */
export function stageLosses(compiled: CompileResult, stage: 'lowered' | 'pruned' | PassName): string {
  const stages: readonly StageName[] = stage === 'lowered' ? ['lower', 'read'] : [stage === 'pruned' ? 'prune' : stage];
  const events = compiled.events.filter((event) => stages.includes(event.stage));
  const times = (action: TraceEvent['action']): number => events.filter((event) => event.action === action).length;
  const tables = events.filter((event) => event.action === 'table-removed' && event.stage === 'definitions');
  const unreachable = new Set(compiled.unreachable.map(({ property }) => property));
  const inTables = tables.flatMap(({ property }) => property?.value?.properties ?? []);
  const definitions = times('definition-removed') + inTables.filter((each) => !unreachable.has(each)).length;
  const emptied = times('emptied');
  const parts = [
    times('keyword-dropped') > 0 ? count(times('keyword-dropped'), 'keyword') : '',
    times('description-removed') > 0 ? count(times('description-removed'), 'description') : '',
    definitions > 0 ? count(definitions, 'definition') : '',
    emptied > 0 ? `${count(emptied, stage === 'definitions' ? 'reference' : 'schema')} → {}` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
