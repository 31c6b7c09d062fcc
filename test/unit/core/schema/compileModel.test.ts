import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codexProfile } from '../../../../server/src/core/profiles/codex';
import { compileSchema } from '../../../../server/src/core/schema/compile';
import { parseJson } from '../../../../server/src/core/text/json';
import { model } from '../../../model/codexModel';
import { brokenSchema, budget, budgetOf, way, wellFormedSchema } from '../../../model/schemas';
import { schemaVectors } from '../../../model/vectors';

const RUNS = 750;
const PASSES = ['descriptions', 'definitions', 'depth', 'compositions'];

/** What both sides say about a schema, in one form. */
interface Verdict {
  readonly error: string | undefined;
  readonly text: string | undefined;
  readonly bytes: number | undefined;
  readonly passes: readonly string[];
  readonly unreachable: readonly string[];
}

function expected(schema: string, via: 'dynamic' | 'mcp', budgetBytes: number): Verdict {
  const { error, text, bytes, passes, unreachable } = model(schema, { via, budgetBytes });
  const names = error === undefined ? passes.map((pass) => PASSES[pass - 1]!) : [];
  return { error, text, bytes, passes: names, unreachable };
}

function actual(schema: string, via: 'dynamic' | 'mcp', budgetBytes: number): Verdict {
  const profile = codexProfile('codex-0.171', budgetBytes)!;
  const result = compileSchema(parseJson(schema).root!, { profile, via });
  const { refusal, passes } = result;
  const unreachable = result.unreachable.map(({ pointer }) => pointer);
  if (refusal !== undefined) return { error: refusal.message, text: undefined, bytes: undefined, passes, unreachable };
  return { error: undefined, text: result.text, bytes: result.bytes, passes, unreachable };
}

/**
 * Two numbers about which nothing has been observed by way of MCP: -0 as `minItems`, and an integer of 65 to 128 bits
 * inside `additionalProperties`.
 */
const UNKNOWN_BY_MCP = /[:,[]-0(?=[,\]}])|additionalProperties[\s\S]*\d{19}/;

describe('recorded schemas', () => {
  const vectors = schemaVectors();

  test('there are recordings of both ways', () => {
    expect(vectors.filter(({ via }) => via === 'dynamic')).toHaveLength(293);
    expect(vectors.filter(({ via }) => via === 'mcp')).toHaveLength(299);
  });

  test.each(vectors)('$id by $via: $title', ({ schema, via, parameters, message }) => {
    const result = compileSchema(parseJson(schema).root!, { via });
    expect(result.refusal?.message).toBe(message);
    expect(result.text).toBe(parameters ?? '');
    expect(result.bytes).toBe(Buffer.byteLength(parameters ?? ''));
    expect(actual(schema, via, 5000)).toEqual(expected(schema, via, 5000));
  });
});

describe('the second model agrees', () => {
  for (const [kind, schemas] of [
    ['well-formed', wellFormedSchema],
    ['broken', brokenSchema],
  ] as const) {
    test(`on random ${kind} schemas`, () => {
      fc.assert(
        fc.property(schemas, budget, way, (schema, wanted, anyWay) => {
          const via = schema.startsWith('{') && !UNKNOWN_BY_MCP.test(schema) ? anyWay : 'dynamic';
          const whole = model(schema, { via, budgetBytes: Number.POSITIVE_INFINITY });
          const bytes = budgetOf(wanted, whole.bytes ?? 100);
          expect(actual(schema, via, bytes)).toEqual(expected(schema, via, bytes));
        }),
        { numRuns: RUNS, seed: 20_260_902 },
      );
    });
  }
});
