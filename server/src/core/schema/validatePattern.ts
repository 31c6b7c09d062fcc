import { RE2JS } from 're2js';

/** A pattern of a schema; `test` is missing when the engine does not take it. */
export interface ValidatePattern {
  readonly source: string;
  readonly test: ((text: string) => boolean) | undefined;
}

/** So many patterns are kept ready. */
const MOST_KEPT = 2_000;
/** A longer pattern is not compiled. */
const LONGEST = 20_000;

const kept = new Map<string, ValidatePattern>();

/**
 * A pattern of a schema, compiled by an engine that takes linear time (RE2's), so that no pattern can hang. JavaScript's
 * spellings are translated. What that engine does not have (look-around, back-references) stays without `test`.
 */
export function compilePattern(source: string): ValidatePattern {
  const known = kept.get(source);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const pattern = { source, test: tester(source) };
  kept.set(source, pattern);
  return pattern;
}

function tester(source: string): ValidatePattern['test'] {
  if (source.length > LONGEST) return undefined;
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(source));
    return (text) => expression.matcher(text).find();
  } catch {
    return undefined;
  }
}
