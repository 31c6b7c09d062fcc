import { describe, expect, test } from 'vitest';
import { compile, history, property, sent } from './helper';

type Case = readonly [what: string, schema: string, becomes: string];

describe('what is sent', () => {
  test('fifteen keywords, always in the same order', () => {
    const reversed = {
      definitions: { Z: { type: 'null' } },
      $defs: { Y: { type: 'null' } },
      allOf: [{ $ref: '#/$defs/Y' }],
      oneOf: [{ $ref: '#/definitions/Z' }],
      anyOf: [],
      additionalProperties: false,
      required: ['b', 'a', 'b'],
      properties: {},
      minItems: 2,
      items: {},
      enum: [],
      encrypted: true,
      description: 'd',
      type: ['object', 'array'],
      $ref: '#',
    };
    const text = sent(reversed);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(Object.keys(reversed).reverse());
    expect(JSON.parse(text)).toEqual(reversed);
  });

  test.each([
    ['{"string":null}', '"string"'],
    ['[{"string":null},{"null":null}]', '["string","null"]'],
    ['[{"null":null}]', '["null"]'],
  ])('the other form of a type, %s, beside a reference', (type, becomes) => {
    expect(sent(JSON.parse(`{"properties":{"p":{"type":${type},"$ref":"#"}}}`))).toBe(
      `{"type":"object","properties":{"p":{"$ref":"#","type":${becomes}}}}`,
    );
  });

  test('a root of type null in that form is refused too', () => {
    expect(compile('{"type":{"null":null},"anyOf":[]}').refusal?.kind).toBe('null-root');
  });

  test.each(['{"string":{}}', '{"string":1}', '{"text":null}', '{}', '{"string":null,"null":null}', '[[]]'])(
    'no type beside a reference: %s',
    (type) => {
      const { refusal } = compile(`{"properties":{"p":{"type":${type},"$ref":"#"}}}`);
      expect(refusal?.message).toBe('data did not match any variant of untagged enum JsonSchemaType');
      expect(refusal?.pointer).toBe('/properties/p/type');
    },
  );

  test.each([
    ...['title', 'default', 'examples', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum'],
    ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'maxItems', 'uniqueItems', 'prefixItems', 'contains'],
    ...['not', 'if', 'then', 'else', 'patternProperties', 'propertyNames', 'minProperties', 'maxProperties'],
    ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'nullable', '$schema', '$id', '$anchor'],
    ...['$comment', '$dynamicRef', 'deprecated', 'readOnly', 'x-any', '', '__proto__', 'toString'],
  ])('"%s" is dropped, whatever it holds', (key) => {
    const result = compile(`{"type":"string","${key}":[{"$ref":null},-1]}`);
    expect(result.text).toBe('{"type":"string"}');
    expect(history(result)).toEqual([`read keyword-dropped ${key}`]);
  });

  test.each([
    ...[
      '$ref',
      'description',
      'encrypted',
      'enum',
      'minItems',
      'required',
      'additionalProperties',
      'anyOf',
      'oneOf',
      'allOf',
    ],
  ])('"%s" with null counts as absent', (key) => {
    const result = compile(`{"type":"string","${key}":null}`);
    expect(result.text).toBe('{"type":"string"}');
    expect(history(result)).toEqual([`read null-dropped ${key}`]);
  });

  test('keywords stay whatever the type is', () => {
    const odd = '{"type":"string","items":{},"minItems":3,"properties":{},"required":[],"additionalProperties":true}';
    expect(property(odd)).toBe(odd);
  });

  test('maps are sorted by UTF-8 bytes, which is not the order of UTF-16', () => {
    expect(
      sent('{"type":"object","properties":{"😀":{},"\ufffd":{},"é":{},"z":{},"9":{},"10":{},"":{},"__proto__":{}}}'),
    ).toBe('{"type":"object","properties":{"":{},"10":{},"9":{},"__proto__":{},"z":{},"é":{},"\ufffd":{},"😀":{}}}');
  });

  test('strings are raw but for quotes, backslashes and control characters', () => {
    expect(
      sent('{"type":"string","description":"\\u00e9 \\/ \\u2028 \\ud83d\\ude00 \\u007f \\u0007 \\t \\" \\\\"}'),
    ).toBe('{"type":"string","description":"é / \u2028 😀 \u007f \\u0007 \\t \\" \\\\"}');
  });
});

describe('numbers in data', () => {
  test.each([
    ['a fraction keeps its zeros', '1.50', '1.50'],
    ['a whole number keeps its fraction', '1.0', '1.0'],
    ['forty digits', '0.1234567890123456789012345678901234567890', '0.1234567890123456789012345678901234567890'],
    ['an exponent gets a sign', '1e3', '1e+3'],
    ['a capital exponent becomes small', '2.5E10', '2.5e+10'],
    ['signs of exponents stay', '1E-3', '1e-3'],
    ['beyond floating-point numbers', '1e400', '1e+400'],
    ['minus zero as an integer', '-0', '0'],
    ['minus zero with a fraction', '-0.0', '-0.0'],
    ['the largest of 64 bits', '18446744073709551615', '18446744073709551615'],
    ['the smallest of 64 bits', '-9223372036854775808', '-9223372036854775808'],
    ['beyond 128 bits, short as a float', '10000000000000000000000000000000000000000', '1e+40'],
    ['beyond 128 bits, with a fraction', '12300000000000000000000000000000000000000000', '1.23e+43'],
    ['beyond 128 bits and negative', '-20000000000000000000000000000000000000000', '-2e+40'],
    [
      'beyond 128 bits, not exact as a float',
      '1361129467683753853853498429727072845824',
      '1361129467683753853853498429727072845824',
    ],
  ])('%s: %s', (_, written, becomes) => {
    expect(sent(`{"enum":[${written}]}`)).toBe(`{"type":"string","enum":[${becomes}]}`);
    expect(sent(`{"type":"string","const":{"a":${written}}}`)).toBe(`{"type":"string","enum":[{"a":${becomes}}]}`);
  });

  test.each([
    ['18446744073709551616', 'u128'],
    ['340282366920938463463374607431768211455', 'u128'],
    ['-9223372036854775809', 'i128'],
    ['-170141183460469231731687303715884105728', 'i128'],
  ])('%s is refused for a dynamic tool, wherever it stands, and passes by MCP', (written, width) => {
    const message = `Invalid request: invalid type: integer \`${written}\` as ${width}, expected any value`;
    const refusal = compile(`{"type":"string","default":[1,${written}]}`).refusal!;
    expect([refusal.kind, refusal.message, refusal.pointer]).toEqual(['request', message, '/default/1']);
    expect(sent(`{"type":"string","enum":[${written}]}`, { via: 'mcp' })).toBe(
      `{"type":"string","enum":[${written}],"properties":{}}`,
    );
  });

  test('one step beyond 128 bits passes again', () => {
    expect(sent('{"enum":[340282366920938463463374607431768211456]}')).toBe(
      '{"type":"string","enum":[340282366920938463463374607431768211456]}',
    );
  });
});

describe('what refuses the tool', () => {
  test.each<Case>([
    ['$ref that is a number', '{"$ref":5}', 'invalid type: number, expected a string'],
    [
      'description that is a list',
      '{"type":"string","description":["a"]}',
      'invalid type: sequence, expected a string',
    ],
    [
      'encrypted that is a word',
      '{"type":"string","encrypted":"yes"}',
      'invalid type: string "yes", expected a boolean',
    ],
    ['enum that is an object', '{"enum":{"a":1}}', 'invalid type: map, expected a sequence'],
    ['items that are a number', '{"items":3}', 'invalid type: number, expected struct JsonSchema'],
    ['items that are a word', '{"items":"a"}', 'invalid type: string "a", expected struct JsonSchema'],
    ['properties that are a list', '{"properties":[]}', 'invalid type: sequence, expected a map'],
    ['a property that is null', '{"properties":{"a":null}}', 'invalid type: null, expected struct JsonSchema'],
    ['required that is true', '{"type":"string","required":true}', 'invalid type: boolean `true`, expected a sequence'],
    ['a required name that is a number', '{"required":["a",1]}', 'invalid type: number, expected a string'],
    ['a combiner that is a map', '{"anyOf":{"type":"string"}}', 'invalid type: map, expected a sequence'],
    ['a branch that is null', '{"allOf":[null]}', 'invalid type: null, expected struct JsonSchema'],
    ['minItems that is a word', '{"type":"array","minItems":"1"}', 'invalid type: string "1", expected usize'],
    [
      'additionalProperties that are a word',
      '{"additionalProperties":"no"}',
      'data did not match any variant of untagged enum AdditionalProperties',
    ],
    [
      'any fault under additionalProperties',
      '{"additionalProperties":{"items":{"$ref":1}}}',
      'data did not match any variant of untagged enum AdditionalProperties',
    ],
    ['a definition of a subschema', '{"$ref":"#","$defs":{"A":5}}', 'invalid type: number, expected struct JsonSchema'],
    ['a quote in the word', '{"items":"a\\"b\\\\c"}', 'invalid type: string "a\\"b\\\\c", expected struct JsonSchema'],
  ])('%s', (_, schema, message) => {
    expect(property(schema)).toBe(message);
  });

  test.each<Case>([
    ['null', 'null', 'invalid type: null, expected struct JsonSchema'],
    ['a word', '"object"', 'invalid type: string "object", expected struct JsonSchema'],
    ['a number', '5', 'invalid type: number, expected struct JsonSchema'],
    ['an empty list', '[]', 'invalid length 0, expected struct JsonSchema with 15 elements'],
  ])('a root that is %s', (_, schema, message) => {
    expect(sent(schema)).toBe(message);
  });

  test.each(['1.0', '1e1', '-1', '18446744073709551616', '0.5', '10000000000000000000000000000000000000000'])(
    'minItems of %s',
    (number) => {
      expect(property(`{"type":"array","minItems":${number}}`, { via: 'mcp' })).toBe('invalid number');
    },
  );

  test.each(['0', '1', '18446744073709551615'])('but not minItems of %s', (number) => {
    expect(property(`{"type":"array","minItems":${number}}`)).toBe(
      `{"type":"array","items":{"type":"string"},"minItems":${number}}`,
    );
  });

  test('minus zero as minItems is zero by the time a dynamic schema is read', () => {
    expect(property('{"type":"array","minItems":-0}')).toBe('{"type":"array","items":{"type":"string"},"minItems":0}');
  });
});

describe('the fault that is reported', () => {
  const place = (schema: string, via: 'dynamic' | 'mcp' = 'dynamic'): string =>
    compile(schema, { via }).refusal!.pointer;

  test('is the first in the order of the keys', () => {
    expect(place('{"type":"object","required":1,"properties":[]}')).toBe('/required');
    expect(place('{"type":"object","properties":{"b":null,"a":5},"required":1}')).toBe('/properties/b');
  });

  test('an overwritten value comes at the place of the first of its keys', () => {
    expect(place('{"type":"string","description":1,"enum":1,"description":2}')).toBe('/description');
  });

  test('what is added comes last', () => {
    expect(place('{"anyOf":5,"type":"any"}')).toBe('/anyOf');
    expect(place('{"type":"any","anyOf":5}')).toBe('/type');
  });

  test('when const or a table is removed, the last key moves to its place', () => {
    expect(place('{"const":1,"description":1,"required":1}')).toBe('/required');
    expect(place('{"type":"string","$defs":[],"description":1,"required":1}')).toBe('/required');
    expect(place('{"type":"string","description":1,"required":1,"const":1}')).toBe('/description');
    expect(place('{"$defs":[],"const":1,"description":1,"required":1,"minItems":-1}')).toBe('/minItems');
  });

  test('is inside additionalProperties, not at them', () => {
    expect(place('{"additionalProperties":{"type":"array","items":{"type":"null","description":4}}}')).toBe(
      '/additionalProperties/items/description',
    );
  });
});

describe('a list in the place of a schema is read field by field', () => {
  const nulls = (count: number): string[] => Array(count).fill('null');
  const list = (changes: Record<number, string>): string =>
    `[${nulls(15).map((value, index) => changes[index] ?? value)}]`;

  test.each<Case>([
    ['fifteen nulls are an empty schema', `{"items":[${nulls(15)}]}`, '{"type":"array","items":{}}'],
    [
      'fourteen are too few',
      `{"items":[${nulls(14)}]}`,
      'invalid length 14, expected struct JsonSchema with 15 elements',
    ],
    ['sixteen are too many', `{"items":[${nulls(16)}]}`, 'invalid length 16, expected fewer elements in array'],
    [
      'a tuple fails at its first element, the $ref',
      '{"items":[{"type":"string"}]}',
      'invalid type: map, expected a string',
    ],
    ['a boolean in it has become a map', '{"items":[true]}', 'invalid type: map, expected a string'],
    ['a description', `{"items":${list({ 2: '"d"' })}}`, '{"type":"array","items":{"description":"d"}}'],
    [
      'an enum, whose booleans were taken for schemas',
      `{"items":${list({ 4: '[1,true,[false]]' })}}`,
      '{"type":"array","items":{"enum":[1,{"type":"string"},[{"type":"string"}]]}}',
    ],
    [
      'properties, which were taken for a schema',
      `{"items":${list({ 7: '{"a":{"type":"string"}}' })}}`,
      '{"type":"array","items":{"properties":{}}}',
    ],
    [
      'properties that look like one',
      `{"items":${list({ 7: '{"$ref":{"type":"null"},"x":{"items":{"enum":[1]}}}' })}}`,
      '{"type":"array","items":{"properties":{"$ref":{"type":"null"},"x":{"items":{"enum":[1]}}}}}',
    ],
    [
      'a list inside such properties',
      `{"items":${list({ 7: '{"$ref":[{}]}' })}}`,
      'invalid type: map, expected a string',
    ],
    [
      'branches',
      `{"items":${list({ 10: '[{"const":1}]' })}}`,
      '{"type":"array","items":{"anyOf":[{"type":"string","enum":[1]}]}}',
    ],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('at the root too', () => {
    expect(sent(list({ 1: '["string","null"]', 2: '"d"' }))).toBe('{"type":["string","null"],"description":"d"}');
    expect(sent(list({ 1: '"null"' }))).toBe('tool input schema must not be a singleton null type');
    expect(compile(list({ 1: '"object"' })).root).toEqual({ kind: 'object' });
    expect(compile(list({})).root).toEqual({ kind: 'empty' });
  });

  test('the passes go into it', () => {
    const inner = '{"type":"string","description":"long enough to be over"}';
    expect(compile(list({ 5: inner, 2: '"d"' }), { budget: 20 }).text).toBe(
      '{"description":"d","items":{"type":"string"}}',
    );
  });
});
