import { describe, expect, test } from 'vitest';
import { compile, history } from './helper';

/** A schema after the passes that make it fit, and which these were. */
function shrunk(schema: unknown, budget: number): { passes: readonly string[]; text: string } {
  const { passes, text } = compile(schema, { budget });
  return { passes, text };
}

/** The text after a budget that no schema fits has made all four passes run. */
const behind = (schema: unknown, stage: 'descriptions' | 'definitions' | 'depth' | 'compositions'): string =>
  compile(schema, { budget: 1 })
    .stages.find(({ name }) => name === stage)!
    .text();

describe('the budget', () => {
  const ofBytes = (bytes: number, unit = 'x'): unknown => {
    const frame = Buffer.byteLength('{"type":"string","description":""}');
    return { type: 'string', description: unit.repeat((bytes - frame) / Buffer.byteLength(unit)) };
  };

  test('5,000 bytes fit, 5,001 do not', () => {
    const fits = compile(ofBytes(5000));
    expect([fits.bytes, fits.passes, fits.overBudget]).toEqual([5000, [], false]);
    const over = compile(ofBytes(5001));
    expect([over.sourceBytes, over.passes, over.text]).toEqual([5001, ['descriptions'], '{"type":"string"}']);
  });

  test('bytes count, not characters', () => {
    expect(compile(ofBytes(5000, 'é')).passes).toEqual([]);
    expect(compile(ofBytes(5002, 'é')).passes).toEqual(['descriptions']);
    expect(compile(ofBytes(5002, '😀')).sourceBytes).toBe(5002);
  });

  test('escapes count as they are sent', () => {
    expect(compile('{"type":"string","description":"\\u0007\\u00e9\\/\\t"}').bytes).toBe(34 + 6 + 2 + 1 + 2);
  });

  test('white space, dropped keywords and unused definitions are free; defaults that are put in count', () => {
    const long = 'x'.repeat(6000);
    const free = `{ "type" : "object", ${' '.repeat(6000)} "title":"${long}","default":"${long}","$defs":{"A":{"type":"string","description":"${long}"}}}`;
    const result = compile(free);
    expect([result.text, result.passes, result.sourceBytes]).toEqual(['{"type":"object","properties":{}}', [], 33]);
    expect(compile('{"type":"object"}', { budget: 33 }).passes).toEqual([]);
  });

  test('is measured again before each pass, and no pass is passed over', () => {
    const schema = {
      type: 'object',
      description: 'd'.repeat(30),
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { $ref: '#/$defs/B' } },
      $defs: { B: { enum: ['b'.repeat(50)] } },
    };
    const bytes = compile(schema).stages.map((stage) => stage.bytes);
    expect(bytes).toHaveLength(2);
    const all = compile(schema, { budget: 1 }).stages.map(({ name, bytes: size }) => [name, size] as const);
    expect(all.map(([name]) => name)).toEqual([
      'lowered',
      'pruned',
      'descriptions',
      'definitions',
      'depth',
      'compositions',
    ]);
    const size = new Map(all);
    expect(shrunk(schema, size.get('pruned')!).passes).toEqual([]);
    expect(shrunk(schema, size.get('pruned')! - 1).passes).toEqual(['descriptions']);
    expect(shrunk(schema, size.get('descriptions')!).passes).toEqual(['descriptions']);
    expect(shrunk(schema, size.get('descriptions')! - 1).passes).toEqual(['descriptions', 'definitions']);
    // Nothing is deep enough for the third pass, which runs all the same before the fourth.
    expect(size.get('depth')).toBe(size.get('definitions'));
    expect(shrunk(schema, size.get('definitions')! - 1).passes).toEqual([
      'descriptions',
      'definitions',
      'depth',
      'compositions',
    ]);
  });

  test('is a trigger, not a cap: what is still over after the fourth pass is sent', () => {
    const properties = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`property_${i}`, { type: 'string' }]));
    const result = compile({ type: 'object', properties });
    expect(result.passes).toHaveLength(4);
    expect(result.refusal).toBeUndefined();
    expect(result.overBudget).toBe(true);
    expect(result.bytes).toBeGreaterThan(5000);
    expect(Object.keys((JSON.parse(result.text) as { properties: object }).properties)).toHaveLength(400);
  });

  test('a schema that cannot be read is refused, even if a pass would have removed the fault', () => {
    const schema = { type: 'object', properties: { a: { anyOf: [5], description: 'x'.repeat(6000) } } };
    const result = compile(schema);
    expect([result.refusal!.message, result.passes, result.stages.length]).toEqual([
      'invalid type: number, expected struct JsonSchema',
      [],
      0,
    ]);
  });

  test('a trusted schema is not shrunk', () => {
    const result = compile(ofBytes(9000), { trusted: true });
    expect([result.bytes, result.passes, result.overBudget]).toEqual([9000, [], true]);
  });
});

describe('the first pass, texts', () => {
  test('takes the description of every schema', () => {
    const schema = {
      description: 'a',
      type: 'object',
      properties: { p: { type: 'array', description: 'b', items: { type: 'string', description: 'c' } } },
      additionalProperties: { type: 'null', description: 'd' },
      anyOf: [{ type: 'null', description: 'e' }],
      oneOf: [{ type: 'null', description: 'f' }],
      allOf: [{ $ref: '#/$defs/A', description: 'g' }],
      $defs: { A: { $ref: '#/definitions/B', description: 'h', $defs: { N: { type: 'null', description: 'i' } } } },
      definitions: { B: { type: 'null', description: 'j' } },
    };
    const text = behind(schema, 'descriptions');
    expect(text).not.toContain('description');
    expect(JSON.parse(text)).toEqual(
      JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === 'description' ? undefined : value))),
    );
  });

  test('leaves properties of that name and data', () => {
    const text = '{"type":"object","properties":{"description":{"type":"string","enum":[{"description":"d"}]}}}';
    expect(behind(text, 'descriptions')).toBe(text);
  });

  test('is told for each', () => {
    const result = compile(
      { type: 'array', description: 'a', items: { type: 'null', description: 'b' } },
      { budget: 60 },
    );
    expect(history(result, '')).toEqual(['descriptions description-removed description']);
    expect(history(result, '/items')).toEqual(['descriptions description-removed description']);
  });
});

describe('the second pass, definitions', () => {
  test('a reference becomes {} with all beside it, and the tables go', () => {
    const schema = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A', type: 'string', enum: ['x'] }, b: { items: { $ref: '#/definitions/B' } } },
      $defs: { A: { type: 'string' } },
      definitions: { B: { type: 'string' } },
    };
    expect(behind(schema, 'definitions')).toBe(
      '{"type":"object","properties":{"a":{},"b":{"type":"array","items":{}}}}',
    );
  });

  test('also a reference to a definition that is not there', () => {
    expect(behind('{"type":"array","items":{"$ref":"#/$defs/None"}}', 'definitions')).toBe(
      '{"type":"array","items":{}}',
    );
  });

  test('also the root: nothing is left of it', () => {
    const result = compile(
      '{"$ref":"#/$defs/A","properties":{"p":{"type":"string"}},"$defs":{"A":{"type":"string"}}}',
      { budget: 2 },
    );
    expect([result.text, result.root]).toEqual(['{}', { kind: 'empty' }]);
    expect(history(result, '')).toContain('definitions emptied (A)');
  });

  test('other references stay', () => {
    const text =
      '{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#/properties/a"},"c":{"$ref":"x.json#/$defs/A"}}}';
    expect(behind(text, 'definitions')).toBe(text);
  });

  test('tables of subschemas are neither visited nor removed', () => {
    const text = '{"type":"array","items":{"type":"string","$defs":{"N":{"$ref":"#/$defs/A"}}}}';
    expect(behind(text, 'definitions')).toBe(text);
  });

  test('the tables of the root are removed after it has been searched', () => {
    const result = compile('{"type":"array","items":{"$ref":"#/$defs/A"},"$defs":{"A":{"type":"string"}}}', {
      budget: 30,
    });
    expect(history(result, '')).toEqual(['definitions table-removed $defs']);
    expect(history(result, '/items')).toEqual(['definitions emptied (A)']);
  });
});

describe('the third pass, depth', () => {
  const nested = (deepest: unknown): unknown => ({
    type: 'object',
    properties: { l1: { type: 'object', properties: { l2: { type: 'object', properties: { l3: deepest } } } } },
  });
  const third = (deepest: unknown): string =>
    behind(nested(deepest), 'depth').slice(
      '{"type":"object","properties":{"l1":{"type":"object","properties":{"l2":{"type":"object","properties":{"l3":'
        .length,
      -6,
    );

  test.each([
    ['an object', '{"type":"object"}'],
    ['an array', '{"type":"array"}'],
    ['properties of a scalar', '{"type":"string","properties":{}}'],
    ['additionalProperties', '{"type":"string","additionalProperties":false}'],
    ['a combiner without branches', '{"type":"string","anyOf":[]}'],
    ['a combiner that is null', '{"type":"string","oneOf":null}'],
    ['another reference', '{"$ref":"#"}'],
    ['items that are null', '{"type":"string","items":null}'],
  ])('at depth 3 empties %s', (_, schema) => {
    expect(third(JSON.parse(schema))).toBe('{}');
  });

  test.each([
    ['scalars', '{"type":"string"}'],
    ['scalars with an enum', '{"type":"string","enum":[{"properties":{}}]}'],
    ['keywords without schemas', '{"type":"string","minItems":3,"required":["a"]}'],
    ['definitions', '{"type":"string","$defs":{"N":{"type":"array","items":{}}}}'],
  ])('at depth 3 leaves %s', (_, schema) => {
    expect(third(JSON.parse(schema))).toBe(schema);
  });

  test('depth 2 stays, and parents still require what was emptied', () => {
    const schema = {
      type: 'object',
      properties: { a: { properties: { b: { properties: { c: {} }, required: ['c'] } } } },
    };
    expect(behind(schema, 'depth')).toBe(
      '{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{}},"required":["c"]}}}}}',
    );
  });

  test.each([
    ['items', (x: unknown) => ({ type: 'array', items: x })],
    ['additionalProperties', (x: unknown) => ({ type: 'object', properties: {}, additionalProperties: x })],
    ['branches, whose list adds nothing', (x: unknown) => ({ allOf: [x] })],
  ])('each step through %s counts one', (_, wrap) => {
    const leaf = { type: 'array', items: { type: 'string' } };
    expect(behind(wrap(wrap(leaf)), 'depth')).toBe(JSON.stringify(wrap(wrap(leaf))));
    expect(behind(wrap(wrap(wrap(leaf))), 'depth')).toBe(JSON.stringify(wrap(wrap(wrap({})))));
  });

  test('is told with the depth', () => {
    const result = compile(nested({ type: 'object' }), { budget: 120 });
    expect(history(result, '/properties/l1/properties/l2/properties/l3')).toEqual([
      'lower properties-added',
      'depth emptied (3)',
    ]);
  });
});

describe('the fourth pass, combiners', () => {
  test.each(['anyOf', 'oneOf', 'allOf'])('%s: its holder becomes {}, not its branches', (key) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', [key]: [{ type: 'string' }] }, b: { type: 'null' } },
    };
    expect(behind(schema, 'compositions')).toBe('{"type":"object","properties":{"a":{},"b":{"type":"null"}}}');
  });

  test.each(['[]', 'null'])('also when it is %s', (value) => {
    expect(behind(`{"type":"array","items":{"type":"string","anyOf":${value}}}`, 'compositions')).toBe(
      '{"type":"array","items":{}}',
    );
  });

  test('also at the root', () => {
    const result = compile('{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{}]}', { budget: 10 });
    expect([result.text, result.root.kind]).toEqual(['{}', 'empty']);
    expect(history(result, '')).toEqual(['compositions emptied (anyOf)']);
  });

  test('leaves properties of that name, data and tables of subschemas', () => {
    const text =
      '{"type":"object","properties":{"anyOf":{"type":"string","enum":[{"oneOf":[]}],"$defs":{"N":{"allOf":[]}}}}}';
    expect(behind(text, 'compositions')).toBe(text);
  });

  test('a root of type null that it empties is no longer refused', () => {
    expect(compile('{"type":"null","anyOf":[]}').refusal!.kind).toBe('null-root');
    expect(compile('{"type":"null","anyOf":[]}', { budget: 5 }).text).toBe('{}');
  });
});
