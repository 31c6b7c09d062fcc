import type { PassName } from '../profiles/codex';
import type { JsonNode, JsonProperty } from '../text/json';

/** A step of the compilation that can change something. `read` is the last: only the kept keywords are read. */
export type StageName = 'lower' | 'prune' | PassName | 'read';

/**
 * One change to one node. `node` is always the source schema at which it happens, `property` the member concerned.
 *
 * - `boolean-to-string`: `true` or `false` becomes `{"type":"string"}`
 * - `emptied`: the schema becomes `{}` with all that it held
 * - `type-inferred`: no usable type; one is derived from other keywords (`detail`: the type)
 * - `type-filtered`: unknown words leave the type, or words in the form of an object become words (`detail`: what is left)
 * - `const-to-enum`: `const` becomes a one-value `enum` (`replaced`: an `enum` stood beside it and is lost)
 * - `properties-added`, `items-added`: a default was put in
 * - `table-removed`: a definition table goes (not a map, nothing left in it, or the second pass)
 * - `definition-removed`: no reference reaches this definition (`node` is the definition)
 * - `description-removed`: the first pass takes the text
 * - `keyword-dropped`: the reader does not know the keyword
 * - `null-dropped`: a known keyword with the value null counts as absent
 */
export type TraceAction =
  | 'boolean-to-string'
  | 'emptied'
  | 'type-inferred'
  | 'type-filtered'
  | 'const-to-enum'
  | 'properties-added'
  | 'items-added'
  | 'table-removed'
  | 'definition-removed'
  | 'description-removed'
  | 'keyword-dropped'
  | 'null-dropped';

/** A change that one stage made to one place of the source. */
export interface TraceEvent {
  readonly stage: StageName;
  readonly action: TraceAction;
  readonly node: JsonNode;
  readonly property?: JsonProperty;
  /** The type inferred, the types left, the definition a reference names, … see `TraceAction`. */
  readonly detail?: string;
  /** For `const-to-enum`: an `enum` beside it was overwritten. */
  readonly replaced?: boolean;
}

/**
 * What became of one node of the source.
 *
 * - `kept`: stands on the wire at the same pointer with the same value (children apart)
 * - `changed`: stands at the same pointer with another value (a schema that became `{}`, a filtered type list)
 * - `dropped`: is not on the wire
 */
export type FateStatus = 'kept' | 'changed' | 'dropped';

/** The fate of a node and the event that decided it; `event.node` may be an ancestor. */
export interface Fate {
  readonly status: FateStatus;
  readonly event: TraceEvent | undefined;
}
