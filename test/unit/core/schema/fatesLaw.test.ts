import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codexProfile } from '../../../../server/src/core/profiles/codex';
import { type CompileResult, compileSchema } from '../../../../server/src/core/schema/compile';
import { type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { pointerOf, walkJson } from '../../../../server/src/core/text/jsonTree';
import { readJson, writeJson } from '../../../model/codexModel';
import { difference } from '../../../model/differ';
import { brokenSchema, budget, budgetOf, way, wellFormedSchema } from '../../../model/schemas';
import { schemaVectors } from '../../../model/vectors';

const RUNS = 750;

const utf8 = (text: string): number => Buffer.byteLength(text);

/** Whether `node` is `other` or stands inside it. */
function within(node: JsonNode, other: JsonNode | undefined): boolean {
  let current: JsonNode | undefined = node;
  while (current !== undefined && current !== other) current = current.parent;
  return other !== undefined && current === other;
}

/** Everything the trace gets wrong about a compiled schema, in words. */
function complaints(schema: string, result: CompileResult): string[] {
  const root = result.source;
  const found: string[] = [];
  if (result.refusal !== undefined) {
    walkJson(root, (node) => {
      if (result.fate(node).status !== 'dropped') found.push(`${pointerOf(node)} of a refused schema is not dropped`);
      if (result.sizeAfter(node) !== undefined) found.push(`${pointerOf(node)} of a refused schema has a size`);
    });
    return found;
  }
  const wire = readJson(result.text);
  const { fates, schemas, lists, added } = difference(root, wire);
  walkJson(root, (node) => {
    const want = fates.get(node)!;
    const got = result.fate(node);
    const at = pointerOf(node);
    if (want.status !== 'any' && got.status !== want.status) found.push(`${at} is ${want.status}, not ${got.status}`);
    if (want.explained && got.event === undefined) found.push(`${at} is ${got.status} without an event`);
    const cause = got.event;
    if (cause !== undefined && !within(node, cause.node) && !within(node, cause.property?.value)) {
      found.push(`${at} is explained by ${cause.action} at ${pointerOf(cause.node)}`);
    }
    if (got.status === 'kept' && got.event !== undefined) found.push(`${at} is kept with an event`);
  });
  for (const { node, key, value } of added) {
    const actions = {
      type: 'type-inferred',
      properties: 'properties-added',
      items: 'items-added',
      enum: 'const-to-enum',
    };
    const event = result.eventsAt(node).find(({ action }) => action === actions[key as keyof typeof actions]);
    if (event === undefined) found.push(`${pointerOf(node)} got ${key} from nowhere`);
    if (key === 'type' && event?.detail !== value) found.push(`${pointerOf(node)} is said to be ${event?.detail}`);
  }
  const pruned = readJson(result.stages.find(({ name }) => name === 'pruned')!.text());
  const before = difference(root, pruned);
  walkJson(root, (node) => {
    const sizes = [
      ['before', result.sizeBefore(node), before.schemas.get(node)],
      ['after', result.sizeAfter(node), schemas.get(node)],
    ] as const;
    for (const [when, got, value] of sizes) {
      const want = value === undefined ? undefined : utf8(writeJson(value));
      if (got !== want) found.push(`${pointerOf(node)} takes ${want} bytes ${when}, not ${got}`);
    }
    return !lists.has(node) && !before.lists.has(node);
  });
  return found.length === 0 ? found : [schema, result.text, ...found];
}

describe('what is told about each node of a schema', () => {
  test.each(schemaVectors())('$id by $via', ({ schema, via }) => {
    expect(complaints(schema, compileSchema(parseJson(schema).root!, { via }))).toEqual([]);
  });

  for (const [kind, schemas] of [
    ['well-formed', wellFormedSchema],
    ['broken', brokenSchema],
  ] as const) {
    test(`random ${kind} schemas`, () => {
      fc.assert(
        fc.property(schemas, budget, way, (schema, wanted, via) => {
          const root = parseJson(schema).root!;
          const profile = codexProfile(
            'codex-0.171',
            budgetOf(wanted, compileSchema(root, { via, trusted: true }).bytes),
          )!;
          expect(complaints(schema, compileSchema(root, { profile, via }))).toEqual([]);
        }),
        { numRuns: RUNS, seed: 20_260_901 },
      );
    });
  }
});
