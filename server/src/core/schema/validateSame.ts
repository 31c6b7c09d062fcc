import type { JsonNode } from '../text/json';
import { sameValue } from '../text/jsonTree';
import { compareNumbers } from './validateNumbers';

const sameNumber = (a: string, b: string): boolean => compareNumbers(a, b) === 0;

/** Whether two nodes are the same JSON value; numbers to the last digit, objects without regard to key order. */
export function sameExactly(a: JsonNode, b: JsonNode): boolean {
  return sameValue(a, b, sameNumber);
}
