import { emptySchema, type LoweredObject, mapSubschemas } from '../lowered';
import type { TraceEvent } from '../trace';

const COMBINERS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Fourth pass: a schema with a combiner becomes `{}`, the root too. Tables are not visited. */
export function dropCompositions(root: LoweredObject, events: TraceEvent[]): LoweredObject {
  const drop = (schema: LoweredObject): LoweredObject => {
    const combiner = COMBINERS.find((key) => schema.has(key));
    if (combiner === undefined) return mapSubschemas(schema, false, drop);
    events.push({ stage: 'compositions', action: 'emptied', node: schema.source, detail: combiner });
    return emptySchema(schema.source);
  };
  return drop(root);
}
