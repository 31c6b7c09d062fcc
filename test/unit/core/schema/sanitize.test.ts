import { describe, expect, test } from 'vitest';
import { compile, history, property, sent } from './helper';

type Case = readonly [what: string, schema: string, becomes: string];

describe('boolean schemas', () => {
  test.each<Case>([
    ['true becomes a string', 'true', '{"type":"string"}'],
    ['false becomes a string as well', 'false', '{"type":"string"}'],
    ['in items', '{"items":false}', '{"type":"array","items":{"type":"string"}}'],
    ['in a branch', '{"anyOf":[true,false]}', '{"anyOf":[{"type":"string"},{"type":"string"}]}'],
    ['in a nested table', '{"$ref":"#","$defs":{"A":true}}', '{"$ref":"#","$defs":{"A":{"type":"string"}}}'],
    [
      'not in additionalProperties',
      '{"additionalProperties":true}',
      '{"type":"object","properties":{},"additionalProperties":true}',
    ],
    ['not in data', '{"enum":[true,{"items":true}]}', '{"type":"string","enum":[true,{"items":true}]}'],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('a dynamic root may be one', () => {
    expect(sent('true')).toBe('{"type":"string"}');
    expect(sent('false')).toBe('{"type":"string"}');
    expect(history(compile('false'))).toEqual(['lower boolean-to-string']);
  });
});

describe('const', () => {
  test.each<Case>([
    ['becomes an enum of one', '{"type":"integer","const":7}', '{"type":"integer","enum":[7]}'],
    ['without a type becomes a string, whatever its value', '{"const":7}', '{"type":"string","enum":[7]}'],
    ['may be null', '{"const":null}', '{"type":"string","enum":[null]}'],
    ['overwrites an enum beside it', '{"const":"k","enum":["a","b"]}', '{"type":"string","enum":["k"]}'],
    ['overwrites an enum that is not a list', '{"enum":5,"const":"k"}', '{"type":"string","enum":["k"]}'],
    ['counts as the hint of an enum', '{"const":"k","minimum":3}', '{"type":"string","enum":["k"]}'],
    ['beside a reference brings no type', '{"$ref":"#A","const":"k"}', '{"$ref":"#A","enum":["k"]}'],
    [
      'keeps the order of keys of an object',
      '{"const":{"z":1,"10":2,"9":3}}',
      '{"type":"string","enum":[{"z":1,"10":2,"9":3}]}',
    ],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('is told with and without an enum beside it', () => {
    expect(history(compile('{"const":1,"type":"integer"}'))).toEqual(['lower const-to-enum const']);
    expect(history(compile('{"const":1,"type":"integer","enum":[1]}'))).toEqual(['lower const-to-enum const replaced']);
  });
});

describe('types', () => {
  test.each<Case>([
    ['a known word stays', '{"type":"integer"}', '{"type":"integer"}'],
    ['a list keeps order and repeats', '{"type":["null","string","null"]}', '{"type":["null","string","null"]}'],
    ['unknown words leave a list', '{"type":["string","date","null"]}', '{"type":["string","null"]}'],
    ['other values leave a list', '{"type":[1,"number",null]}', '{"type":"number"}'],
    ['a list of one becomes the word', '{"type":["string"]}', '{"type":"string"}'],
    ['a word with capitals is unknown', '{"type":"String"}', '{}'],
    ['an empty list counts as none', '{"type":[],"enum":["a"]}', '{"type":"string","enum":["a"]}'],
    ['null counts as none', '{"type":null,"format":"uri"}', '{"type":"string"}'],
    ['an object counts as none', '{"type":{"a":1},"items":{}}', '{"type":"array","items":{}}'],
    ['a known word wins over all hints', '{"type":"string","properties":{}}', '{"type":"string","properties":{}}'],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('a change of the type is told once, with what is left', () => {
    expect(history(compile('{"type":["string","date","null"]}'))).toEqual(['lower type-filtered type (string, null)']);
    expect(history(compile('{"type":["string"]}'))).toEqual(['lower type-filtered type (string)']);
    expect(history(compile('{"type":["string","null"]}'))).toEqual([]);
    expect(history(compile('{"type":"wat","enum":[1]}'))).toEqual(['lower type-inferred type (string)']);
  });
});

describe('a type is inferred from the presence of keys', () => {
  test.each<Case>([
    ['properties', '{"properties":{}}', '{"type":"object","properties":{}}'],
    ['properties that are null, which then block the default', '{"properties":null}', '{"type":"object"}'],
    ['required', '{"required":["a"]}', '{"type":"object","properties":{},"required":["a"]}'],
    [
      'additionalProperties',
      '{"additionalProperties":false}',
      '{"type":"object","properties":{},"additionalProperties":false}',
    ],
    ['items', '{"items":{"type":"null"}}', '{"type":"array","items":{"type":"null"}}'],
    ['items that are null, which then block the default', '{"items":null}', '{"type":"array"}'],
    ['prefixItems', '{"prefixItems":[]}', '{"type":"array","items":{"type":"string"}}'],
    ['enum, of numbers too', '{"enum":[1,2]}', '{"type":"string","enum":[1,2]}'],
    ['enum that is null', '{"enum":null}', '{"type":"string"}'],
    ['format', '{"format":"date"}', '{"type":"string"}'],
    ['minimum', '{"minimum":0}', '{"type":"number"}'],
    ['maximum', '{"maximum":null}', '{"type":"number"}'],
    ['exclusiveMinimum', '{"exclusiveMinimum":0}', '{"type":"number"}'],
    ['exclusiveMaximum', '{"exclusiveMaximum":true}', '{"type":"number"}'],
    ['multipleOf', '{"multipleOf":2}', '{"type":"number"}'],
    [
      'an object before a list',
      '{"items":{},"required":[]}',
      '{"type":"object","items":{},"properties":{},"required":[]}',
    ],
    [
      'a list before a string',
      '{"enum":["a"],"prefixItems":[]}',
      '{"type":"array","enum":["a"],"items":{"type":"string"}}',
    ],
    ['a string before a number', '{"minimum":1,"format":"x"}', '{"type":"string"}'],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test.each([
    ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'default', 'examples', 'title'],
    ...['description', 'not', 'if', 'patternProperties', 'propertyNames', 'minProperties', 'encrypted', 'contains'],
    ...['$schema', '$id', '$anchor', '$comment', 'nullable', 'dependentRequired', '$defs', 'definitions', 'x-any'],
  ])('%s is no hint: the schema is emptied', (key) => {
    expect(property(`{"${key}":1}`)).toBe('{}');
  });

  test('mistakes in an emptied schema do not matter', () => {
    expect(property('{"description":["no text"],"$defs":{"A":null},"minItems":-1}')).toBe('{}');
  });

  test('an emptied schema is told once; an empty one is none', () => {
    expect(history(compile('{"description":"a","title":"b"}'))).toEqual(['lower emptied']);
    expect(history(compile('{}'))).toEqual([]);
  });
});

describe('beside a reference or a combiner nothing is inferred', () => {
  test.each<Case>([
    ['with properties', '{"$ref":"#A","properties":{"a":true}}', '{"$ref":"#A","properties":{"a":{"type":"string"}}}'],
    ['with a description', '{"anyOf":[{}],"description":"d"}', '{"description":"d","anyOf":[{}]}'],
    ['with an empty type list', '{"type":[],"allOf":[]}', '{"type":[],"allOf":[]}'],
    ['with a combiner that is null', '{"description":"d","oneOf":null}', '{"description":"d"}'],
    ['with a reference that is null', '{"minimum":1,"$ref":null}', '{}'],
    [
      'unless a known type is there',
      '{"type":["object","any"],"$ref":"#A"}',
      '{"$ref":"#A","type":"object","properties":{}}',
    ],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('a bad type stays and refuses the tool', () => {
    const message = 'data did not match any variant of untagged enum JsonSchemaType';
    for (const type of ['"text"', '["text"]', '[null]', '5', '{}', 'true']) {
      expect(property(`{"$ref":"#/$defs/A","type":${type}}`)).toBe(message);
      expect(property(`{"oneOf":null,"type":${type}}`)).toBe(message);
    }
  });
});

describe('defaults', () => {
  test.each<Case>([
    ['an object gets properties', '{"type":"object"}', '{"type":"object","properties":{}}'],
    ['an array gets items', '{"type":"array"}', '{"type":"array","items":{"type":"string"}}'],
    [
      'a type list with both gets both',
      '{"type":["array","object"]}',
      '{"type":["array","object"],"items":{"type":"string"},"properties":{}}',
    ],
    ['null keeps properties out', '{"type":"object","properties":null}', '{"type":"object"}'],
    ['null keeps items out', '{"type":"array","items":null}', '{"type":"array"}'],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test('are told', () => {
    expect(history(compile('{"type":["array","object"]}'))).toEqual(['lower properties-added', 'lower items-added']);
  });
});

describe('what lowering visits', () => {
  test.each<Case>([
    ['elements of a list of items', '{"items":[true]}', 'invalid type: map, expected a string'],
    ['a combiner that is a schema itself', '{"anyOf":true}', 'invalid type: map, expected a sequence'],
    [
      'additionalProperties',
      '{"additionalProperties":{"minLength":2}}',
      '{"type":"object","properties":{},"additionalProperties":{}}',
    ],
    [
      'definitions of a subschema',
      '{"$ref":"#","definitions":{"A":{"const":1}}}',
      '{"$ref":"#","definitions":{"A":{"type":"string","enum":[1]}}}',
    ],
  ])('%s', (_, schema, becomes) => {
    expect(property(schema)).toBe(becomes);
  });

  test.each(['[]', 'null', 'true', '5', '"x"'])('a definition table that is %s is removed at any level', (table) => {
    expect(property(`{"$ref":"#A","$defs":${table},"definitions":${table}}`)).toBe('{"$ref":"#A"}');
    expect(sent(`{"type":"object","$defs":${table}}`)).toBe('{"type":"object","properties":{}}');
    expect(history(compile(`{"type":"string","$defs":${table}}`))).toEqual(['lower table-removed $defs']);
  });

  test('repeated keys: the last counts, at the place of the first', () => {
    expect(sent('{"type":"array","type":"object","properties":{"a":true,"a":{"type":"null"}}}')).toBe(
      '{"type":"object","properties":{"a":{"type":"null"}}}',
    );
    expect(property('{"description":1,"enum":5,"description":2}')).toBe('invalid type: number, expected a string');
  });
});

test('prefixItems are lowered, so that they lead to definitions as such, but nothing is told of what is never sent', () => {
  const result = compile(
    '{"type":"array","items":{},"prefixItems":[{"enum":[1]},true,{"title":"t"},{"type":"array"}]}',
  );
  expect(result.text).toBe('{"type":"array","items":{}}');
  expect(history(result)).toEqual(['read keyword-dropped prefixItems']);
  const definitions =
    '{"A":{"type":"array","prefixItems":[{"const":{"$ref":"#/$defs/B"}},{"not":{"$ref":"#/$defs/C"}}]},"B":{},"C":{}}';
  expect(sent(`{"$ref":"#/$defs/A","$defs":${definitions}}`)).toBe(
    '{"$ref":"#/$defs/A","$defs":{"A":{"type":"array","items":{"type":"string"}},"B":{}}}',
  );
});

describe('MCP', () => {
  test.each<Case>([
    ['an empty root becomes an object', '{}', '{"type":"object","properties":{}}'],
    ['null properties become a map', '{"type":"object","properties":null}', '{"type":"object","properties":{}}'],
    ['a constant root becomes an object', '{"const":1}', '{"type":"object","enum":[1],"properties":{}}'],
    ['a string root gets properties', '{"type":"string"}', '{"type":"string","properties":{}}'],
    ['a reference gets properties beside it', '{"$ref":"#A"}', '{"$ref":"#A","properties":{}}'],
    [
      'properties that are there stay',
      '{"properties":{"a":true}}',
      '{"type":"object","properties":{"a":{"type":"string"}}}',
    ],
    ['properties that are no map stay too', '{"properties":[]}', 'invalid type: sequence, expected a map'],
    [
      'only the root gets them',
      '{"properties":{"a":{"properties":null}}}',
      '{"type":"object","properties":{"a":{"type":"object"}}}',
    ],
  ])('%s', (_, schema, becomes) => {
    expect(sent(schema, { via: 'mcp' })).toBe(becomes);
  });

  test('the added properties are told', () => {
    expect(history(compile('{"type":"string"}', { via: 'mcp' }))).toEqual(['lower properties-added']);
    expect(history(compile('{"type":"object","properties":null}', { via: 'mcp' }))).toEqual(['lower properties-added']);
  });
});
