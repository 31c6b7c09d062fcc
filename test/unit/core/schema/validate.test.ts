import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Judgment, SchemaValidator, validatorOf } from '../../../../server/src/core/schema/validate';
import { compileForms } from '../../../../server/src/core/schema/validateAjv';
import { Explainer } from '../../../../server/src/core/schema/validateExplain';
import { readForms } from '../../../../server/src/core/schema/validateForms';
import { type JsonNode, parseJson } from '../../../../server/src/core/text/json';
import { type JsonValue, pointerOf, resolvePointer, walkJson } from '../../../../server/src/core/text/jsonTree';
import { render } from '../../../../server/src/core/text/message';

const nodeOf = (value: unknown): JsonNode => parseJson(typeof value === 'string' ? value : JSON.stringify(value)).root!;
const judge = (schema: unknown, value: unknown): Judgment =>
  new SchemaValidator(nodeOf(schema)).judge(nodeOf(JSON.stringify(value)));

/** Each fault as `kind pointer keyword`. */
const faults = (schema: unknown, value: unknown): string[] =>
  judge(schema, value).faults.map(({ kind, node, keyword }) => `${kind} ${pointerOf(node)} ${keyword}`);
const words = (schema: unknown, value: unknown): string[] =>
  judge(schema, value).faults.map(({ message }) => render(message));
const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, ...more });

describe('places of faults', () => {
  test('each fault stands at the innermost value', () => {
    const schema = object({
      list: { type: 'array', items: object({ n: { type: 'integer', minimum: 1 } }, { required: ['n'] }) },
    });
    expect(faults(schema, { list: [{ n: 1 }, { n: '2' }, {}, { n: 0 }] })).toEqual([
      'type /list/1/n type',
      'required /list/2 required',
      'constraint /list/3/n minimum',
    ]);
  });

  test('a fault is told once, however many schemas say it', () => {
    const part = object({ a: { type: 'string' } });
    expect(faults({ allOf: [part, part], ...part }, { a: 1 })).toEqual(['type /a type']);
  });

  test('the pointer of the keyword leads into the schema', () => {
    const schema = nodeOf(
      object({ a: { $ref: '#/$defs/Name' } }, { $defs: { Name: { type: 'string', maxLength: 2 } } }),
    );
    const validator = new SchemaValidator(schema);
    const [fault] = validator.judge(nodeOf({ a: 'long' })).faults;
    expect(validator.pointerOf(fault!)).toBe('/$defs/Name/maxLength');
  });
});

describe('unions', () => {
  const car = object(
    { kind: { const: 'car' }, doors: { type: 'integer' } },
    { required: ['kind'], additionalProperties: false },
  );
  const bike = object(
    { kind: { const: 'bike' }, gears: { type: 'integer' } },
    { required: ['kind'], additionalProperties: false },
  );

  test.each(['anyOf', 'oneOf'])('%s is reduced to the arm that a fixed value chooses', (keyword) => {
    expect(faults({ [keyword]: [car, bike] }, { kind: 'bike', gears: 'x', doors: 2 })).toEqual([
      'type /gears type',
      'unknown-property /doors additionalProperties',
    ]);
  });

  test('a value that chooses no arm is told with all that would', () => {
    expect(words({ anyOf: [car, bike] }, { kind: 'boat' })).toEqual([
      'Expected "car" or "bike", found the string "boat".',
    ]);
  });

  test('arms of other types are told in one sentence', () => {
    expect(words({ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'integer' }] }, true)).toEqual([
      'Expected a string, null or an integer, found true.',
    ]);
  });

  test('null beside an object is no arm that an object is like', () => {
    expect(faults({ anyOf: [{ type: 'null' }, car] }, { kind: 'car', doors: 'x' })).toEqual(['type /doors type']);
  });

  test('an arm through a reference is an arm', () => {
    const schema = { anyOf: [{ $ref: '#/$defs/car' }, { $ref: '#/$defs/bike' }], $defs: { car, bike } };
    expect(faults(schema, { kind: 'bike', gears: 'x' })).toEqual(['type /gears type']);
  });

  test('more than one arm of oneOf', () => {
    expect(faults({ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, 4)).toEqual(['constraint  oneOf']);
  });
});

describe('properties of accepted values that nothing declares', () => {
  const undeclared = (schema: unknown, value: unknown): string[] =>
    judge(schema, value).undeclared.map(({ kind, node, meant, elsewhere }) =>
      [kind, pointerOf(node), meant ?? '', elsewhere ? 'elsewhere' : ''].join(' ').trim(),
    );
  const car = object({ kind: { const: 'car' }, doors: {} });
  const bike = object({ kind: { const: 'bike' }, gears: {} });

  test('the arm that matches does not declare it', () => {
    expect(undeclared({ anyOf: [car, bike] }, { kind: 'bike', doors: 2 })).toEqual(['arm /doors  elsewhere']);
  });

  test('properties around the union are declared', () => {
    expect(undeclared({ properties: { id: {} }, anyOf: [car, bike] }, { kind: 'bike', id: 1 })).toEqual([]);
    expect(undeclared({ properties: { id: {} }, allOf: [{ anyOf: [car, bike] }] }, { kind: 'bike', id: 1 })).toEqual(
      [],
    );
  });

  test('arms without properties of their own tell nothing', () => {
    const schema = object({ a: {}, b: {} }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] });
    expect(undeclared(schema, { a: 1, other: 2 })).toEqual([]);
  });

  test('an open object takes what it likes, but a slip is told', () => {
    expect(undeclared(object({ topic: {} }), { topci: 'x' })).toEqual(['slip /topci topic']);
    expect(undeclared(object({ topic: {} }), { other: 'x' })).toEqual([]);
    expect(undeclared(object({ topic: {} }, { additionalProperties: true }), { topci: 'x' })).toEqual([]);
  });
});

describe('words', () => {
  test.each([
    [
      { type: 'integer' },
      '3',
      'Expected an integer, found the string "3". The text within the quotes would be an integer.',
    ],
    [
      { type: 'boolean' },
      'true',
      'Expected a boolean, found the string "true". The text within the quotes would be a boolean.',
    ],
    [{ type: ['string', 'null'] }, 4, 'Expected a string or null, found the number 4.'],
    [
      { enum: ['open', 'closed'] },
      'Open',
      'Expected "open" or "closed", found the string "Open". Did you mean "open"?',
    ],
    [{ const: 1 }, 2, 'Expected 1, found the number 2.'],
    [{ minLength: 3 }, 'ab', 'The length of the string is 2; the minimum is 3.'],
    [{ maxItems: 1 }, [1, 2], 'The number of items is 2; the maximum is 1.'],
    [
      object({ topic: {} }, { additionalProperties: false }),
      { path: 1 },
      'The schema does not know the property "path", and takes no others than its own. Did you mean "topic"?',
    ],
    [
      object({ user_id: {} }, { required: ['user_id'] }),
      { userId: 1 },
      'The required property "user_id" is missing. Is "userId" meant for it?',
    ],
  ])('%j and %j', (schema, value, text) => {
    expect(words(schema, value)).toEqual([text]);
  });

  test('a string with the JSON text of the wanted container', () => {
    expect(faults(object({ a: { type: 'array' } }), { a: '[1]' })).toEqual(['stringified /a type']);
    expect(faults(object({ a: { type: 'array' } }), { a: '{}' })).toEqual(['type /a type']);
    expect(faults(object({ a: { anyOf: [{ type: 'object' }, { type: 'null' }] } }), { a: '{"b":1}' })).toEqual([
      'stringified /a anyOf',
    ]);
  });
});

describe('dialects', () => {
  test('lists under items and additionalItems, dependencies, exclusive flags', () => {
    expect(faults({ items: [{ type: 'string' }], additionalItems: { type: 'number' } }, [1, 'x'])).toEqual([
      'type /0 type',
      'type /1 type',
    ]);
    expect(faults({ dependencies: { a: ['b'], c: { required: ['d'] } } }, { a: 1, c: 1 })).toEqual([
      'required  dependentRequired',
      'required  required',
    ]);
    expect(faults({ minimum: 3, exclusiveMinimum: true }, 3)).toEqual(['constraint  exclusiveMinimum']);
  });

  test('a reference hides its siblings up to draft 7 only', () => {
    const schema = { $ref: '#/definitions/a', maxLength: 1, definitions: { a: { type: 'string' } } };
    expect(faults(schema, 'xx')).toEqual(['constraint  maxLength']);
    expect(faults({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }, 'xx')).toEqual([]);
  });

  test('references by anchor, recursive and dynamic ones', () => {
    expect(faults({ $ref: '#n', $defs: { n: { $anchor: 'n', type: 'string' } } }, 1)).toEqual(['type  type']);
    const tree = object({ child: { $recursiveRef: '#' }, n: { type: 'number' } });
    expect(faults(tree, { child: { child: { n: 'x' } } })).toEqual(['type /child/child/n type']);
    const dynamic = { $dynamicRef: '#d', $defs: { d: { $dynamicAnchor: 'd', type: 'string' } } };
    expect(faults(dynamic, 1)).toEqual(['type  type']);
  });

  test('unevaluated properties and items look through what applies', () => {
    const schema: unknown = JSON.parse(`{
      "allOf": [{ "properties": { "a": {} } }],
      "if": { "required": ["b"] },
      "then": { "properties": { "b": {} } },
      "unevaluatedProperties": false
    }`);
    expect(faults(schema, { a: 1, b: 2, c: 3 })).toEqual(['unknown-property /c unevaluatedProperties']);
    expect(faults({ prefixItems: [{}], unevaluatedItems: false }, [1, 2])).toEqual(['constraint /1 unevaluatedItems']);
  });

  test('types in capitals, as Gemini writes them', () => {
    expect(faults({ type: 'OBJECT', properties: { n: { type: 'INTEGER' } } }, { n: 'x' })).toEqual(['type /n type']);
  });

  test('nullable and discriminator mean nothing', () => {
    expect(faults({ type: 'string', nullable: true }, null)).toEqual(['type  type']);
    expect(faults({ nullable: false, discriminator: { propertyName: 'x' } }, null)).toEqual([]);
  });
});

describe('what cannot be enforced is told', () => {
  const notes = (schema: unknown, value: unknown): string[] =>
    judge(schema, value).notes.map(({ kind, pointer }) => `${kind} ${pointer}`);

  test('patterns, references and values', () => {
    expect(notes({ pattern: '(?=a)b' }, 'x')).toEqual(['pattern /pattern']);
    expect(notes(object({ a: { $ref: '#/$defs/no' } }), { a: 1 })).toEqual(['reference /properties/a/$ref']);
    expect(notes({ required: null, type: 'strng', minLength: -1 }, 'x')).toEqual([
      'value /required',
      'value /type',
      'value /minLength',
    ]);
  });

  test('only where the value comes by', () => {
    expect(notes(object({ a: { pattern: '(?!a)' } }), {})).toEqual([]);
  });

  test('a pattern that hangs backtracking engines answers', () => {
    expect(faults({ pattern: '^(a+)+$' }, `${'a'.repeat(40_000)}!`)).toEqual(['constraint  pattern']);
  });
});

describe('numbers and names', () => {
  test('compared to the last digit', () => {
    const atMost = nodeOf('{"maximum":9007199254740992}');
    expect(new SchemaValidator(atMost).accepts(nodeOf('9007199254740993'))).toBe(false);
    expect(new SchemaValidator(nodeOf('{"enum":[9007199254740993]}')).accepts(nodeOf('9007199254740992'))).toBe(false);
    expect(faults({ multipleOf: 0.01 }, 19.99)).toEqual([]);
    expect(faults({ multipleOf: 0.01 }, 19.995)).toEqual(['constraint  multipleOf']);
    expect(new SchemaValidator(nodeOf('{"type":"integer"}')).accepts(nodeOf('123456789012345678901234567890'))).toBe(
      true,
    );
  });

  test('names that JavaScript gives a meaning of its own', () => {
    const schema = nodeOf(
      '{"properties":{"__proto__":{"type":"string"}},"required":["toString"],"additionalProperties":false}',
    );
    const { faults: found } = new SchemaValidator(schema).judge(nodeOf('{"__proto__":1,"constructor":2}'));
    expect(found.map(({ kind, node }) => `${kind} ${pointerOf(node)}`)).toEqual([
      'required ',
      'type /__proto__',
      'unknown-property /constructor',
    ]);
  });

  test('an empty enum takes nothing', () => {
    expect(faults({ enum: [] }, 1)).toEqual(['enum  enum']);
  });
});

describe('depth', () => {
  test('schemas and values of any depth get a verdict', () => {
    const deepSchema = parseJson(`${'{"properties":{"a":'.repeat(30_000)}{}${'}}'.repeat(30_000)}`).root!;
    expect(new SchemaValidator(deepSchema).judge(nodeOf({ a: { a: 1 } })).accepted).toBe(true);
    const deepValue = parseJson(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).root!;
    expect(new SchemaValidator(nodeOf({ type: 'array', items: { $ref: '#' } })).judge(deepValue).faults).toHaveLength(
      1,
    );
    expect(new SchemaValidator(nodeOf({ type: 'array' })).judge(deepValue).accepted).toBe(true);
  });

  test('a schema that comes back to itself', () => {
    expect(faults({ $ref: '#' }, 1)).toEqual([]);
    expect(faults({ anyOf: [{ $ref: '#' }, { type: 'string' }] }, 'x')).toEqual([]);
  });
});

describe('large schemas', () => {
  const many = (count: number, schema: object): object =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema]));
  const judgeAll = (schema: object, texts: readonly string[]) => {
    const validator = new SchemaValidator(nodeOf(JSON.stringify(schema)));
    return texts.map((text) => {
      const { accepted, faults: found } = validator.judge(nodeOf(text));
      return [accepted, found.length, ...found.slice(0, 1).map(({ message }) => render(message))];
    });
  };

  test('each value meets what it reaches', () => {
    const schema = {
      properties: many(40_000, { type: 'string', minLength: 1 }),
      patternProperties: { '^q': { type: 'integer' } },
      additionalProperties: false,
    };
    expect(
      judgeAll(schema, ['{}', '{"p39999":"x"}', '{"p1":"x","p39999":""}', '{"q":1,"p1":"x"}', '{"q":"x"}']),
    ).toEqual([
      [true, 0],
      [true, 0],
      [false, 1, 'The length of the string is 0; the minimum is 1.'],
      [true, 0],
      [false, 1, 'Expected an integer, found the string "x".'],
    ]);
  });

  test('all that is missing is told', () => {
    const schema = {
      properties: many(40_000, {}),
      required: Object.keys(many(40_000, {})),
      additionalProperties: false,
    };
    expect(judgeAll(schema, ['{"P1":1}'])).toEqual([[false, 40_001, 'The required property "p0" is missing.']]);
    expect(judgeAll(schema, [JSON.stringify(many(40_000, { a: 1 }))])).toEqual([[true, 0]]);
  });

  test('alternatives without number', () => {
    const schema = { anyOf: Array.from({ length: 5_000 }, (_, i) => ({ const: i })) };
    expect(judgeAll(schema, ['4999', '5000']).map(([accepted]) => accepted)).toEqual([true, false]);
  });
});

test('a schema is compiled once per text', () => {
  const text = '{"type":"string"}';
  expect(validatorOf(nodeOf(text))).toBe(validatorOf(nodeOf(text)));
});

// Laws over random schemas and values.

const keys = fc.constantFrom('a', 'b', 'c', 'kind', 'toString');
const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 1.5, -3, '', 'a', 'ab', 'abc', '2024-01-01', '7'),
  fc.integer({ min: -5, max: 5 }),
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');
const counts = fc.integer({ min: 0, max: 3 });

const schemas = fc.letrec<{ schema: unknown }>((tie) => {
  const sub = tie('schema');
  const map = fc.dictionary(keys, sub, { maxKeys: 3, noNullPrototype: true });
  const list = fc.array(sub, { minLength: 1, maxLength: 3 });
  const keyword = fc.oneof(
    fc.record({ type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })) }),
    fc.record({ enum: fc.array(values, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: scalars }),
    fc.record({ minimum: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ exclusiveMaximum: fc.integer({ min: -3, max: 3 }) }),
    fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
    fc.record({ minLength: counts }),
    fc.record({ maxLength: counts }),
    fc.record({ pattern: fc.constantFrom('^a', 'b$', '[0-9]+', '.') }),
    fc.record({ format: fc.constantFrom('date', 'email', 'unknown') }),
    fc.record({ properties: map }),
    fc.record({
      patternProperties: fc.dictionary(fc.constantFrom('^a', 'b', 'kind'), sub, { maxKeys: 2, noNullPrototype: true }),
    }),
    fc.record({ additionalProperties: sub }),
    fc.record({ unevaluatedProperties: sub }),
    fc.record({ propertyNames: sub }),
    fc.record({ required: fc.uniqueArray(keys, { maxLength: 2 }) }),
    fc.record({
      dependentRequired: fc.dictionary(keys, fc.uniqueArray(keys, { maxLength: 2 }), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    }),
    fc.record({ dependentSchemas: map }),
    fc.record({ minProperties: counts }),
    fc.record({ maxProperties: counts }),
    fc.record({ prefixItems: list }),
    fc.record({ items: sub }),
    fc.record({ unevaluatedItems: sub }),
    fc.record({ contains: sub, minContains: counts, maxContains: counts }),
    fc.record({ contains: sub }),
    fc.record({ uniqueItems: fc.boolean() }),
    fc.record({ minItems: counts }),
    fc.record({ maxItems: counts }),
    fc.record({ allOf: list }),
    fc.record({ anyOf: list }),
    fc.record({ oneOf: list }),
    fc.record({ not: sub }),
    fc.tuple(sub, sub, sub).map(([test, yes, no]) =>
      Object.fromEntries([
        ['if', test],
        ['then', yes],
        ['else', no],
      ]),
    ),
    fc.record({ $ref: fc.constantFrom('#/$defs/x', '#/$defs/y', '#') }),
  );
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<unknown>(true, false, {}),
      fc.array(keyword, { minLength: 1, maxLength: 4 }).map((parts) => Object.assign({}, ...parts) as unknown),
    ),
  };
}).schema;

const roots = fc
  .tuple(schemas, schemas, schemas)
  .map(([root, x, y]) => ({ ...(typeof root === 'object' ? root : { not: { not: root } }), $defs: { x, y } }));

/** Ajv as it is, without anything of ours. */
function plainAjv(schema: object): ((value: unknown) => boolean) | undefined {
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    logger: false,
    formats: fullFormats,
    multipleOfPrecision: 9,
  });
  try {
    const validate = ajv.compile(schema);
    return (value) => validate(value) as boolean;
  } catch {
    return undefined;
  }
}

test('a part that is compiled for the keys of a value says what the whole does', () => {
  fc.assert(
    fc.property(roots, values, (schema, value) => {
      fc.pre(plainAjv(schema) !== undefined);
      const forms = readForms(nodeOf(JSON.stringify(schema)));
      fc.pre(!forms.hasLongNumber);
      const names = new Set<string>();
      walkJson(nodeOf(JSON.stringify(value)), ({ properties }) => {
        for (const { key } of properties) names.add(key);
      });
      const whole = verdictOf(() => compileForms(forms, { most: 1_000 }), value);
      expect(verdictOf(() => compileForms(forms, { keys: names, most: 1_000 }), value)).toBe(whole);
    }),
    { seed: 20261130, numRuns: 400 },
  );
});

/** `undefined` where schemas refer to themselves without end. */
function verdictOf(compile: () => (value: JsonValue) => boolean, value: unknown): boolean | undefined {
  try {
    return compile()(value as JsonValue);
  } catch {
    return undefined;
  }
}

test('accepts and refuses what Ajv does, and every place is in the value and the schema', () => {
  fc.assert(
    fc.property(roots, fc.array(values, { minLength: 1, maxLength: 4 }), (schema, list) => {
      const plain = plainAjv(schema);
      fc.pre(plain !== undefined);
      const node = nodeOf(JSON.stringify(schema));
      const validator = new SchemaValidator(node);
      for (const value of list) {
        let wanted: boolean;
        try {
          wanted = plain!(value);
        } catch {
          // Schemas that refer to themselves without end.
          continue;
        }
        const root = nodeOf(JSON.stringify(value));
        const { accepted, faults: found } = validator.judge(root);
        expect({ schema, value, accepted }).toEqual({ schema, value, accepted: wanted });
        expect(found.length > 0).toBe(!accepted);
        // The search for faults comes to the same verdict by itself. Ajv has readings of its own of what is unevaluated.
        if (!JSON.stringify(schema).includes('"unevaluated')) {
          expect(new Explainer(validator.forms).faults(validator.forms.root, root).length === 0).toBe(wanted);
        }
        for (const fault of found) {
          expect(resolvePointer(root, pointerOf(fault.node))).toBe(fault.node);
          if (fault.keyword !== '') expect(resolvePointer(node, validator.pointerOf(fault))).toBeDefined();
          expect(render(fault.message)).not.toContain('{0}');
        }
      }
    }),
    { seed: 20261130, numRuns: 250 },
  );
}, 60_000);

describe('schemas that unfold to more than anyone can walk', () => {
  /** 60 definitions, each of which names the next one twice. */
  const unfolding = (key: 'anyOf' | 'allOf' | 'oneOf', leaf: object): object => {
    const next = (i: number): object => ({ $ref: `#/$defs/${i + 1}` });
    const definitions = Array.from({ length: 60 }, (_, i) => [`${i}`, { [key]: [next(i), next(i)] }]);
    return object({ a: { $ref: '#/$defs/0' } }, { $defs: { ...Object.fromEntries(definitions), 60: leaf } });
  };

  test.each([
    ['anyOf', 'anyOf'],
    ['allOf', 'type'],
  ] as const)('%s: the verdict comes from the search that sees each once', (key, keyword) => {
    const schema = unfolding(key, { type: 'string' });
    expect(judge(schema, { a: 'x' })).toMatchObject({ accepted: true, faults: [] });
    expect(judge(schema, { a: 1 }).accepted).toBe(false);
    expect(faults(schema, { a: 1 })).toEqual([`type /a ${keyword}`]);
    expect(words(schema, { a: 1 })).toEqual(['Expected a string, found the number 1.']);
  });

  test('values that are wanted are named once', () => {
    const schema = unfolding('anyOf', { enum: ['left', 'right'] });
    expect(words(schema, { a: 'lift' })).toEqual([
      'Expected "left" or "right", found the string "lift". Did you mean "left"?',
    ]);
    expect(faults(unfolding('anyOf', { const: 1 }), { a: 2 })).toEqual(['enum /a anyOf']);
  });

  test('many values, one after the other', () => {
    const schema = nodeOf(unfolding('oneOf', { type: 'string' }));
    const accepts = (value: unknown): boolean => validatorOf(schema).accepts(nodeOf(value));
    expect(Array.from({ length: 500 }, (_, i) => accepts({ a: `x${i}` }))).not.toContain(true);
    expect([accepts({ a: 1 }), accepts({})]).toEqual([false, true]);
  });

  test('oneOf: both alternatives match, so nothing fits', () => {
    expect(judge(unfolding('oneOf', { type: 'string' }), { a: 'x' }).accepted).toBe(false);
  });

  test('values that go down twice at each level', () => {
    const arm = object({ next: { $ref: '#/$defs/n' } }, { required: ['next'] });
    const schema = { $ref: '#/$defs/n', $defs: { n: { anyOf: [arm, { ...arm, title: 'same' }, { const: 1 }] } } };
    const value = (leaf: unknown): unknown =>
      Array.from({ length: 60 }).reduce((inner: unknown) => ({ next: inner }), leaf);
    expect(judge(schema, value(1)).accepted).toBe(true);
    expect(judge(schema, value(2)).accepted).toBe(false);
  });
});
