const U64_MAX = 18446744073709551615n;
const I64_MIN = -9223372036854775808n;
const U128_MAX = (1n << 128n) - 1n;
const I128_MIN = -(1n << 127n);

/** How an integer literal fits the machine integers of the client. */
export type IntegerWidth = '64' | '128' | 'wider';

/** The width of an integer literal, `undefined` for one with a fraction or an exponent. */
export function integerWidth(spelling: string): IntegerWidth | undefined {
  if (!/^-?\d+$/.test(spelling)) return undefined;
  if (spelling.length < 19) return '64';
  if (spelling.length > 41) return 'wider';
  const value = BigInt(spelling);
  if (value >= I64_MIN && value <= U64_MAX) return '64';
  return value >= I128_MIN && value <= U128_MAX ? '128' : 'wider';
}

/** How numbers in data are spelled by a version of the client. */
export interface NumberStyle {
  /** An exponent becomes `e` with an explicit sign. */
  readonly normalizesExponents: boolean;
}

/**
 * A JSON number as Codex writes it (0.171.0, observed; exponents in 0.148.0 as read in its source): digits stay as
 * they are, but `-0` becomes `0`, and an integer that no machine integer holds takes its shortest floating-point
 * form if that form has the very same value.
 */
export function writeNumber(spelling: string, style: NumberStyle): string {
  if (spelling === '-0') return '0';
  if (style.normalizesExponents) {
    const e = spelling.search(/[eE]/);
    if (e >= 0) {
      const exponent = spelling.slice(e + 1);
      return `${spelling.slice(0, e)}e${/^[+-]/.test(exponent) ? exponent : `+${exponent}`}`;
    }
    return integerWidth(spelling) === 'wider' ? shortInteger(spelling) : spelling;
  }
  const width = integerWidth(spelling);
  return width === undefined || width === '64' ? spelling : shortInteger(spelling).replace('e+', 'e');
}

/** The shortest floating-point form of an integer if it has the same decimal value, else the integer as written. */
function shortInteger(spelling: string): string {
  const short = Number(spelling).toExponential();
  const match = /^(-?)(\d)(?:\.(\d+))?e\+(\d+)$/.exec(short);
  if (match === null) return spelling;
  const [, sign, first, fraction = '', exponent] = match;
  const digits = first + fraction;
  return `${sign}${digits}${'0'.repeat(Number(exponent) + 1 - digits.length)}` === spelling ? short : spelling;
}
