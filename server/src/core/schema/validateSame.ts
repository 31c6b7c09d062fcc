import type { JsonNode } from '../text/json';
import { effectiveProperties } from '../text/jsonTree';
import { compareNumbers } from './validateNumbers';

/** Whether two nodes are the same JSON value; numbers to the last digit, objects without regard to key order. */
export function sameExactly(a: JsonNode, b: JsonNode): boolean {
  const pairs: [JsonNode, JsonNode][] = [[a, b]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [x, y] = pair;
    if (x.kind !== y.kind) return false;
    if (x.kind === 'array') {
      if (x.items.length !== y.items.length) return false;
      for (let i = 0; i < x.items.length; i++) pairs.push([x.items[i]!, y.items[i]!]);
    } else if (x.kind === 'object') {
      const left = effectiveProperties(x);
      if (left.length !== effectiveProperties(y).length) return false;
      for (const property of left) {
        const other = y.value(property.key);
        if (other === undefined) return false;
        pairs.push([property.value!, other]);
      }
    } else if (x.text !== y.text && (x.kind !== 'number' || compareNumbers(x.text, y.text) !== 0)) return false;
  }
  return true;
}
