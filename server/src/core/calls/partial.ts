import type { JsonNode } from '../text/json';
import { effectiveProperties, pointerOf } from '../text/jsonTree';

/** The first place where a value is not what was expected. */
export interface ValueDifference {
  /** JSON Pointer into the actual value. */
  readonly pointer: string;
  readonly expected: JsonNode;
  /** `undefined` when nothing is there. */
  readonly actual: JsonNode | undefined;
}

/**
 * Where a value differs from what is expected of it: objects may have further keys, lists have as many items, numbers
 * are compared by their exact values whatever their spelling. `undefined` when it fits.
 */
export function valueDifference(expected: JsonNode, actual: JsonNode): ValueDifference | undefined {
  const stack: [JsonNode, JsonNode | undefined][] = [[expected, actual]];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    const [wanted, given] = pair;
    const differs = (): ValueDifference => ({ pointer: pointerOf(wanted, expected), expected: wanted, actual: given });
    if (given === undefined || given.kind !== wanted.kind) return differs();
    if (wanted.kind === 'array') {
      if (wanted.items.length !== given.items.length) return differs();
      for (let i = wanted.items.length - 1; i >= 0; i--) stack.push([wanted.items[i]!, given.items[i]]);
    } else if (wanted.kind === 'object') {
      const members = effectiveProperties(wanted);
      for (let i = members.length - 1; i >= 0; i--) stack.push([members[i]!.value!, given.value(members[i]!.key)]);
    } else if (wanted.kind === 'number' ? !sameNumber(wanted.text, given.text) : wanted.text !== given.text) {
      return differs();
    }
  }
  return undefined;
}

/** Whether two spellings are of the same number, to the last digit: `1`, `1.0` and `10e-1` are. */
export function sameNumber(a: string, b: string): boolean {
  if (a === b) return true;
  const [x, y] = [decimalOf(a), decimalOf(b)];
  return x === undefined || y === undefined ? Number(a) === Number(b) : x === y;
}

/** A number in one spelling: sign, digits without zeros at the edges, and the power of ten of the last digit. */
function decimalOf(spelling: string): string | undefined {
  // Exponents beyond this are not worth their work: such numbers are compared as floating-point numbers are.
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,30}))?$/.exec(spelling);
  if (match === null) return undefined;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const digits = (whole! + fraction).replace(/^0+/, '');
  if (digits === '') return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  const kept = digits.slice(0, end);
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length);
  return `${sign}${kept}e${power}`;
}
