import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseUpdatePlan } from '../../server/src/core/calls/builtin/updatePlan';

// Texts near those that are taken, with what serde 1.0.229 and serde_json 1.0.154 (with `arbitrary_precision` and
// `preserve_order`) say of them for the same types. Left out are the two points in which that version differs from
// what was observed of Codex 0.171.0 or read in 0.148.0: `-0`, and keys that are no string in place of a variant.
const VECTORS = JSON.parse(
  readFileSync(new URL('../vectors/serde/updatePlan.json', import.meta.url), 'utf8'),
) as readonly (readonly [text: string, answer: string])[];

test.each(VECTORS)('%j', (text, answer) => {
  const result = parseUpdatePlan(text);
  expect(result.ok ? 'ok' : result.feedback).toBe(
    answer === 'ok' ? 'ok' : `failed to parse function arguments: ${answer}`,
  );
});
