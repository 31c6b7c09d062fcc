/** A decimal number to the last digit: `digits` × 10^`exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** Beyond this many places, numbers are compared as doubles. */
const MOST_PLACES = 400;

function decimal(spelling: string): Decimal | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(spelling);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', power = '0'] = match;
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > MOST_PLACES || whole.length + fraction.length > MOST_PLACES) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, exponent };
}

/** Both as whole numbers of the same power of ten. */
function scaled(a: string, b: string): readonly [bigint, bigint] | undefined {
  const x = decimal(a);
  const y = decimal(b);
  if (x === undefined || y === undefined) return undefined;
  const least = Math.min(x.exponent, y.exponent);
  return [x.digits * 10n ** BigInt(x.exponent - least), y.digits * 10n ** BigInt(y.exponent - least)];
}

/** Compares two JSON numbers by their exact values: negative, 0 or positive. */
export function compareNumbers(a: string, b: string): number {
  // Few digits without an exponent are exact as doubles, or at least keep their order.
  if (a.length < 16 && b.length < 16) return Number(a) - Number(b);
  const pair = scaled(a, b);
  if (pair === undefined) return Number(a) - Number(b);
  return pair[0] < pair[1] ? -1 : pair[0] > pair[1] ? 1 : 0;
}

/** Whether a JSON number is a multiple of another, exactly. */
export function isMultiple(a: string, of: string): boolean {
  const pair = scaled(a, of);
  if (pair !== undefined) return pair[1] !== 0n && pair[0] % pair[1] === 0n;
  const quotient = Number(a) / Number(of);
  return Math.abs(Math.round(quotient) - quotient) <= 1e-9;
}

/** Whether a JSON number has no fraction. Numbers that no double holds count as the double that they become. */
export function isInteger(spelling: string): boolean {
  return /^-?\d+$/.test(spelling) ? Number.isFinite(Number(spelling)) : Number.isInteger(Number(spelling));
}
