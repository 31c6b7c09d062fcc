import { Ajv2020 } from 'ajv/dist/2020';
import { describe, expect, test } from 'vitest';
import { SchemaInputs } from '../../../../../server/src/core/calls/drift/schemaInputs';
import { parseJson } from '../../../../../server/src/core/text/json';

const inputs = (schema: object, seed = 1): SchemaInputs =>
  new SchemaInputs(parseJson(JSON.stringify(schema)).root!, seed);

const PLAN = {
  type: 'object',
  properties: {
    note: { type: ['string', 'null'], maxLength: 12 },
    steps: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
      items: { type: 'string', pattern: '^[a-z]{2,4}$' },
    },
    level: { type: 'integer', minimum: 3, maximum: 9 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    how: { anyOf: [{ enum: ['fast', 'slow'] }, { $ref: '#/$defs/Custom' }] },
    both: { allOf: [{ type: 'string', minLength: 2 }, { maxLength: 2 }] },
    fixed: { const: 7 },
  },
  required: ['steps', 'how'],
  additionalProperties: false,
  $defs: {
    Custom: {
      type: 'object',
      properties: { name: { type: 'string', minLength: 3 }, inner: { $ref: '#/$defs/Custom' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
};

describe('values out of a schema', () => {
  const validate = new Ajv2020({ strict: false }).compile(PLAN);

  test('those that take branches only are accepted by Ajv, and together take every branch', () => {
    const source = inputs(PLAN);
    const covered = new Set<string>();
    let accepted = 0;
    let refused = 0;
    for (const { text, branches } of source.systematic()) {
      if (!validate(JSON.parse(text))) {
        refused++;
        continue;
      }
      accepted++;
      for (const branch of branches) covered.add(branch);
    }
    expect([...source.branches.keys()].filter((branch) => !covered.has(branch))).toEqual([]);
    expect(accepted).toBeGreaterThan(30);
    // Near misses of every constraint are made on purpose.
    expect(refused).toBeGreaterThan(15);
  });

  test('most of those by chance are accepted', () => {
    const source = inputs(PLAN, 3);
    const made = [1, 2, 3, 4].flatMap(() => source.random());
    const accepted = made.filter(({ text }) => validate(JSON.parse(text)));
    expect(made.length).toBeGreaterThan(100);
    expect(accepted.length).toBeGreaterThan(made.length * 0.6);
  });

  test('the same seed makes the same, another one other values', () => {
    const texts = (seed: number): string[] => {
      const source = inputs(PLAN, seed);
      return [...source.systematic(), ...source.random()].map(({ text }) => text);
    };
    expect(texts(5)).toEqual(texts(5));
    expect(texts(5)).not.toEqual(texts(6));
  });

  test('of any two optional properties each combination occurs', () => {
    const names = ['a', 'b', 'c', 'd'];
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
    const made = [...inputs({ type: 'object', properties }).systematic()].map(({ text }) => JSON.parse(text) as object);
    for (const one of names) {
      for (const other of names.filter((name) => name !== one)) {
        const seen = new Set(made.map((value) => `${Object.hasOwn(value, one)} ${Object.hasOwn(value, other)}`));
        expect(seen.size).toBe(4);
      }
    }
  });
});

test.each([
  ['everything', {}],
  ['nothing that ends', { $ref: '#' }],
  ['an endless object', { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }],
  ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/None' } } }],
  ['bounds without a value between', { type: 'integer', minimum: 5, maximum: 1 }],
  ['an empty enumeration', { enum: [] }],
  ['keys of objects', { type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"}}') as object }],
])('%s comes to an end', (_what, schema) => {
  const source = inputs(schema);
  const made = [...source.systematic(), ...source.random()];
  expect(made.length).toBeLessThan(5000);
  for (const { text } of made) expect(() => JSON.parse(text)).not.toThrow();
});

describe('limits that count nothing', () => {
  test.each([
    { type: 'string', minLength: -5, maxLength: -10 },
    { type: 'string', minLength: 1.5, maxLength: 2.5 },
    { type: 'string', minLength: Number.POSITIVE_INFINITY },
    { type: 'array', minItems: -1, maxItems: -2 },
    { type: 'array', minItems: 1.5, maxItems: 0.5 },
    { type: 'number', minimum: 1e308, maximum: -1e308, multipleOf: 0 },
  ])('%j throws nothing', (schema) => {
    const text = JSON.stringify({ type: 'object', properties: { a: schema }, required: ['a'] }).replace(
      'null',
      '1e400',
    );
    const made = new SchemaInputs(parseJson(text).root!, 1);
    expect(() => [...made.systematic()]).not.toThrow();
  });
});

describe('the work is bounded', () => {
  /** Values that were tried for a search of both kinds, to its end. */
  const search = (schema: object): { source: SchemaInputs; texts: string[] } => {
    const source = inputs(schema);
    const texts = [...source.systematic()].map(({ text }) => text);
    for (let round = 0; round < 40; round++) texts.push(...source.random().map(({ text }) => text));
    return { source, texts };
  };
  const object = (...required: unknown[]): object => ({
    type: 'object',
    properties: Object.fromEntries(required.map((schema, i) => [`p${i}`, schema])),
    required: required.map((_, i) => `p${i}`),
    additionalProperties: false,
  });
  const root = { $ref: '#' };

  test.each<[string, object]>([
    ['itself', object(root)],
    ['itself twice', object(root, root)],
    ['itself in a list', object({ type: 'array', items: root, minItems: 2 })],
    ['itself in either arm', { anyOf: [object(root), object({ type: 'string' }, root)] }],
    ['itself by another', { ...object({ $ref: '#/$defs/a' }, root), $defs: { a: object(root, root) } }],
    ['itself by parts', { allOf: [{ required: ['a', 'b'] }, { properties: { a: root, b: root } }], type: 'object' }],
    ['a list too long to be made', object(object({ type: 'array', minItems: 1000 }), root)],
  ])('where a value needs %s', (_what, schema) => {
    const { source, texts } = search(schema);
    const validate = new Ajv2020({ strict: false }).compile(schema);
    // Near misses at most.
    expect(texts.filter((text) => validate(JSON.parse(text)))).toEqual([]);
    expect(source.work).toBeLessThan(250_000);
  });

  const chain = (length: number, arms: (next: object) => object, end: object): object => ({
    ...object({ $ref: '#/$defs/d0' }),
    $defs: Object.fromEntries(
      Array.from({ length: length + 1 }, (_, i) => [`d${i}`, i === length ? end : arms({ $ref: `#/$defs/d${i + 1}` })]),
    ),
  });
  const pair = (next: object): object => ({ anyOf: [next, { ...next }] });

  test.each([2, 20, 60, 100])('a chain of %i pairs of arms has its values', (length) => {
    const { source, texts } = search(chain(length, pair, { enum: ['x', 'y'] }));
    expect(texts).toEqual(expect.arrayContaining(['{"p0":"x"}', '{"p0":"y"}']));
    const missing = [...source.branches.keys()].filter((branch) => branch.includes('arm'));
    expect(missing).toHaveLength(length * 2);
    expect(source.work).toBeLessThan(400_000);
  });

  test.each<[string, object]>([
    ['arms', chain(5000, pair, { type: 'string' })],
    ['objects', chain(60, (next) => ({ anyOf: [object(next), object(next, next)] }), { type: 'string' })],
    ['parts', { allOf: Array.from({ length: 400 }, (_, i) => ({ anyOf: [{ title: `a${i}` }, { title: `b${i}` }] })) }],
    ['arms without an end', chain(60, pair, object(root))],
  ])('a longer chain of %s is left', (_what, schema) => {
    expect(search(schema).source.work).toBeLessThan(400_000);
  });

  test('an arm that leads back says nothing, and what it leads back to keeps its values', () => {
    const schema = {
      ...object({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }),
      $defs: {
        a: { anyOf: [{ $ref: '#/$defs/b' }, { const: 'end' }] },
        b: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] },
      },
    };
    const { source, texts } = search(schema);
    expect(texts).toContain('{"p0":"end","p1":"end"}');
    expect(source.branches.size).toBeLessThan(20);
  });
});
