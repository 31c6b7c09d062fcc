import { describe, expect, test } from 'vitest';
import { CODEX_PROFILES, codexProfile } from '../../../../server/src/core/profiles/codex';
import { compileSchema } from '../../../../server/src/core/schema/compile';
import { parseJson } from '../../../../server/src/core/text/json';
import { at, compile, sent } from './helper';

describe('roots', () => {
  const message = 'tool input schema must not be a singleton null type';

  test.each(['{"type":"null"}', '{"type":["null"]}', '{"type":["null","void"]}', '{"type":"null","$ref":"#A"}'])(
    '%s is refused at its type',
    (schema) => {
      const { refusal } = compile(schema);
      expect([refusal!.message, refusal!.kind, refusal!.pointer]).toEqual([message, 'null-root', '/type']);
    },
  );

  test.each([
    ['{"type":["null","null"]}', '{"type":["null","null"]}', 'other'],
    ['{"type":["null","object"]}', '{"type":["null","object"],"properties":{}}', 'other'],
    ['{"anyOf":[{"type":"null"}]}', '{"anyOf":[{"type":"null"}]}', 'other'],
    ['{"enum":[null]}', '{"type":"string","enum":[null]}', 'other'],
    ['{"type":"array"}', '{"type":"array","items":{"type":"string"}}', 'other'],
    ['{"$ref":"#A"}', '{"$ref":"#A"}', 'other'],
    ['{"type":["object"]}', '{"type":"object","properties":{}}', 'object'],
    ['{"required":[]}', '{"type":"object","properties":{},"required":[]}', 'object'],
    ['{"title":"t"}', '{}', 'empty'],
    ['{}', '{}', 'empty'],
  ] as const)('%s is sent', (schema, text, kind) => {
    const result = compile(schema);
    expect([result.text, result.root]).toEqual([text, { kind }]);
  });

  test('null inside a property is fine', () => {
    expect(sent('{"type":"object","properties":{"p":{"type":"null"}}}')).toBe(
      '{"type":"object","properties":{"p":{"type":"null"}}}',
    );
  });
});

describe('a refusal', () => {
  test('names the value in the source, with its pointer from the root of the schema', () => {
    const root = parseJson('{"tools":[{"inputSchema":{"type":"object","properties":{"a/b":{"items":[1]}}}}]}').root!;
    const schema = root.value('tools')!.items[0]!.value('inputSchema')!;
    const { refusal } = compileSchema(schema);
    expect([refusal!.message, refusal!.pointer, refusal!.kind]).toEqual([
      'invalid type: number, expected a string',
      '/properties/a~1b/items',
      'schema',
    ]);
    expect(refusal!.node).toBe(schema.value('properties')!.value('a/b')!.value('items'));
  });

  test('leaves no text, no bytes, no sizes and no fates', () => {
    const result = compile('{"type":"object","properties":{"a":{"type":"string"},"b":5}}');
    expect([result.text, result.bytes, result.sourceBytes, result.overBudget]).toEqual(['', 0, 0, false]);
    const a = at(result, '/properties/a');
    expect([result.sizeBefore(a), result.sizeAfter(a), result.fate(a)]).toEqual([
      undefined,
      undefined,
      { status: 'dropped', event: undefined },
    ]);
  });
});

describe('nesting', () => {
  const nested = (levels: number): string => `${'{"properties":{"p":'.repeat(levels)}{}${'}}'.repeat(levels)}`;

  test('61 objects inside each other are read, 62 are not', () => {
    expect(compile(nested(61)).refusal).toBeUndefined();
    const { refusal } = compile(nested(62));
    expect([refusal!.kind, refusal!.message]).toEqual(['nesting', 'recursion limit exceeded']);
    expect(refusal!.pointer).toBe(`${'/properties/p'.repeat(61)}/properties`);
  });

  test('a namespace around the tool takes two levels', () => {
    expect(compile(nested(60), { extraNesting: 2 }).refusal).toBeUndefined();
    expect(compile(nested(61), { extraNesting: 2 }).refusal!.kind).toBe('nesting');
  });

  test('counts in dropped keywords as well', () => {
    const deep = '['.repeat(123) + ']'.repeat(123);
    expect(compile(`{"type":"string","default":${deep.slice(1, -1)}}`).text).toBe('{"type":"string"}');
    expect(compile(`{"type":"string","default":${deep}}`).refusal!.kind).toBe('nesting');
  });
});

describe('stages', () => {
  test('show the schema before and after pruning, then after each pass', () => {
    const result = compile('{"type":"string","description":"d","$defs":{"A":{}}}', { budget: 20 });
    expect(result.stages.map((stage) => [stage.name, stage.bytes, stage.text()])).toEqual([
      ['lowered', 52, '{"type":"string","description":"d","$defs":{"A":{}}}'],
      ['pruned', 35, '{"type":"string","description":"d"}'],
      ['descriptions', 17, '{"type":"string"}'],
    ]);
    expect([result.sourceBytes, result.bytes]).toEqual([35, 17]);
  });

  test('an unused definition that cannot be read leaves out the first', () => {
    expect(compile('{"type":"string","$defs":{"A":5}}').stages.map(({ name }) => name)).toEqual(['pruned']);
  });

  test('both of the first are there when nothing is pruned', () => {
    const { stages } = compile('{"type":"string"}');
    expect(stages.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['lowered', 17],
      ['pruned', 17],
    ]);
  });
});

describe('profiles', () => {
  test('0.171 is the default', () => {
    expect(CODEX_PROFILES[0]!.id).toBe('codex-0.171');
    expect(compileSchema(parseJson('{}').root!).profile).toBe(CODEX_PROFILES[0]);
  });

  test('an unknown version is none', () => {
    expect(codexProfile('codex-0.1')).toBeUndefined();
  });

  test('another budget makes another profile, the same budget the same', () => {
    expect(codexProfile('codex-0.171', 4000)!.budgetBytes).toBe(4000);
    expect(codexProfile('codex-0.171', 5000)).toBe(CODEX_PROFILES[0]);
  });

  const old = (schema: string): string => sent(schema, { profile: 'codex-0.148' });

  test('0.148 sends 14 keywords: no minItems, which may then be anything', () => {
    expect(codexProfile('codex-0.148')!.keptKeywords).toHaveLength(14);
    expect(old('{"type":"array","minItems":2}')).toBe('{"type":"array","items":{"type":"string"}}');
    expect(old('{"type":"array","minItems":"two"}')).toBe('{"type":"array","items":{"type":"string"}}');
  });

  test('0.148 reads a list of 14 values as a schema', () => {
    const nulls = (count: number): string => `{"items":[${Array(count).fill('null')}]}`;
    expect(old(nulls(14))).toBe('{"type":"array","items":{}}');
    expect(old(nulls(15))).toBe('invalid length 15, expected fewer elements in array');
    expect(old('{"items":[]}')).toBe('invalid length 0, expected struct JsonSchema with 14 elements');
    const changed = Array(14).fill('null');
    changed[6] = '{"$ref":{"type":"null"}}';
    expect(old(`{"items":[${changed}]}`)).toBe('{"type":"array","items":{"properties":{"$ref":{"type":"null"}}}}');
  });

  test('0.148 leaves exponents as written and shortens integers beyond 64 bits', () => {
    expect(old('{"enum":[1e3,1E+2,1.0,0.10,1e400,-0]}')).toBe('{"type":"string","enum":[1e3,1E+2,1.0,0.10,1e400,0]}');
    expect(old('{"type":"string","enum":[10000000000000000000000000000000000000000]}')).toBe(
      '{"type":"string","enum":[1e40]}',
    );
    expect(sent('{"type":"string","enum":[100000000000000000000]}', { profile: 'codex-0.148', via: 'mcp' })).toBe(
      '{"type":"string","enum":[1e20],"properties":{}}',
    );
  });

  test('0.148 has the same budget and passes', () => {
    const schema = { type: 'string', description: 'x'.repeat(4970) };
    expect(compile(schema, { profile: 'codex-0.148' }).passes).toEqual(['descriptions']);
    expect(compile({ ...schema, description: 'x'.repeat(4966) }, { profile: 'codex-0.148' }).bytes).toBe(5000);
  });
});
