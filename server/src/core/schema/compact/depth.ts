import { emptySchema, type LoweredObject, type LoweredValue, mapSubschemas, mapValue } from '../lowered';
import type { TraceEvent } from '../trace';

const COMPLEX = ['items', 'anyOf', 'oneOf', 'allOf', 'properties', 'additionalProperties', '$ref'];

/**
 * Third pass: from `limit` steps below the root on, a schema with any structure becomes `{}`. Each step through
 * `properties`, `items`, a branch or `additionalProperties` counts one. Scalars stay; tables are not visited.
 */
export function collapseDepth(root: LoweredValue, limit: number, events: TraceEvent[]): LoweredValue {
  const at =
    (depth: number) =>
    (schema: LoweredObject): LoweredObject => {
      if (depth >= limit && COMPLEX.some((key) => schema.has(key))) {
        events.push({ stage: 'depth', action: 'emptied', node: schema.source, detail: String(depth) });
        return emptySchema(schema.source);
      }
      return mapSubschemas(schema, false, at(depth + 1));
    };
  return mapValue(root, at(0));
}
