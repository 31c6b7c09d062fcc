import { type LoweredObject, type LoweredValue, mapSubschemas, mapValue, withoutKey } from '../lowered';
import type { TraceEvent } from '../trace';

/**
 * First pass: `description` leaves every schema, those in definition tables at any level included. A property named
 * `description` and data in `enum` stay.
 */
export function dropDescriptions(root: LoweredValue, events: TraceEvent[]): LoweredValue {
  const drop = (schema: LoweredObject): LoweredObject => {
    const result = mapSubschemas(schema, true, drop);
    if (!result.has('description')) return result;
    const property = result.source.get('description');
    if (property?.value?.kind === 'string') {
      events.push({ stage: 'descriptions', action: 'description-removed', node: result.source, property });
    }
    return withoutKey(result, 'description');
  };
  return mapValue(root, drop);
}
