import { JsonNode } from '../../text/json';
import { definitionPointer } from '../definitionPointer';
import { emptySchema, LoweredObject, type LoweredValue, mapSubschemas, mapValue, withoutKey } from '../lowered';
import type { TraceEvent } from '../trace';

/**
 * Second pass: every schema whose `$ref` names a definition, existing or not, becomes `{}` with all beside it, the root
 * too; then the root's tables go. Tables of subschemas are neither visited nor removed.
 */
export function dropDefinitions(root: LoweredValue, events: TraceEvent[]): LoweredValue {
  const drop = (schema: LoweredObject): LoweredObject => {
    const reference = schema.get('$ref');
    if (reference instanceof JsonNode && reference.kind === 'string') {
      const target = definitionPointer(reference.text);
      if (target !== undefined) {
        events.push({ stage: 'definitions', action: 'emptied', node: schema.source, detail: target.name });
        return emptySchema(schema.source);
      }
    }
    return mapSubschemas(schema, false, drop);
  };
  let result = mapValue(root, drop);
  if (!(result instanceof LoweredObject)) return result;
  for (const table of ['$defs', 'definitions']) {
    if (!result.has(table)) continue;
    events.push({
      stage: 'definitions',
      action: 'table-removed',
      node: result.source,
      property: result.source.get(table)!,
    });
    result = withoutKey(result, table);
  }
  return result;
}
