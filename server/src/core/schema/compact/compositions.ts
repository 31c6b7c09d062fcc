import { emptySchema, type LoweredObject, type LoweredValue, mapSubschemas, mapValue } from '../lowered';
import type { TraceEvent } from '../trace';

const COMBINERS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Fourth pass: a schema with a combiner becomes `{}`, the root too. Tables are not visited. */
export function dropCompositions(root: LoweredValue, events: TraceEvent[]): LoweredValue {
  const drop = (schema: LoweredObject): LoweredObject => {
    const combiner = COMBINERS.find((key) => schema.has(key));
    if (combiner === undefined) return mapSubschemas(schema, false, drop);
    events.push({ stage: 'compositions', action: 'emptied', node: schema.source, detail: combiner });
    return emptySchema(schema.source);
  };
  return mapValue(root, drop);
}
