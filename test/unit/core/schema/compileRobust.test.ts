import { describe, expect, test } from 'vitest';
import type { CompileResult } from '../../../../server/src/core/schema/compile';
import { compileSchema } from '../../../../server/src/core/schema/compile';
import { parseJson } from '../../../../server/src/core/text/json';
import { walkJson } from '../../../../server/src/core/text/jsonTree';
import { at, compile } from './helper';

/** Asks a result for everything that is made late. */
function askAll(result: CompileResult): number {
  let asked = 0;
  walkJson(result.source, (node) => {
    result.fate(node);
    result.eventsAt(node);
    result.sizeBefore(node);
    result.sizeAfter(node);
    asked++;
  });
  expect(result.text.length).toBeLessThanOrEqual(result.bytes);
  expect(['empty', 'object', 'other']).toContain(result.root.kind);
  return asked;
}

const DEPTH = 100_000;
const deep = (open: string, close: string): string => open.repeat(DEPTH) + close.repeat(DEPTH);

describe('nesting of 100,000 levels', () => {
  test.each([
    ['arrays', deep('[', ']')],
    ['objects', `${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`],
    ['schemas', `${'{"properties":{"a":'.repeat(DEPTH)}{}${'}}'.repeat(DEPTH)}`],
    ['items', `${'{"items":'.repeat(DEPTH)}true${'}'.repeat(DEPTH)}`],
    ['branches', `${'{"anyOf":['.repeat(DEPTH)}true${']}'.repeat(DEPTH)}`],
    ['definitions', `${'{"$ref":"#/$defs/A","$defs":{"A":'.repeat(DEPTH)}{}${'}}'.repeat(DEPTH)}`],
    ['data in a keyword that is dropped', `{"type":"string","default":${deep('[', ']')}}`],
    ['data in an enum', `{"enum":[${deep('[', ']')}]}`],
    ['text that ends early', '{"items":'.repeat(DEPTH)],
  ])('of %s is refused, not recursed into', (_, text) => {
    const root = parseJson(text).root!;
    for (const via of ['dynamic', 'mcp'] as const) {
      const result = compileSchema(root, { via });
      expect([result.refusal!.kind, result.refusal!.message]).toEqual(['nesting', 'recursion limit exceeded']);
      expect(result.fate(result.source)).toEqual({ status: 'dropped', event: undefined });
      expect(result.refusal!.pointer.split('/').length).toBeLessThanOrEqual(125);
    }
  });
});

describe('size', () => {
  test('20 MB of properties', () => {
    const members = Array.from(
      { length: 20_000 },
      (_, i) => `"name_${i}":{"type":"string","description":"${'x'.repeat(950)}"}`,
    );
    const text = `{"type":"object","properties":{${members}},"required":["name_7"]}`;
    expect(text.length).toBeGreaterThan(18_000_000);
    const result = compile(text);
    expect(result.passes).toHaveLength(4);
    expect(result.overBudget).toBe(true);
    const seventh = at(result, '/properties/name_7');
    expect([result.sizeBefore(seventh), result.sizeAfter(seventh)]).toEqual([
      17 + 950 + '"description":"",'.length,
      17,
    ]);
    expect(result.text.startsWith('{"type":"object","properties":{"name_0":{"type":"string"},"name_1":')).toBe(true);
  });

  test('20 MB in one text', () => {
    const long = 'é'.repeat(10_000_000);
    const text = compile({ type: 'string', description: long });
    expect([text.sourceBytes, text.bytes]).toEqual([20_000_000 + 34, 17]);
  });

  test('long lists', () => {
    const data = compile(`{"enum":[${Array(200_000).fill('12345678')}]}`);
    expect(data.bytes).toBe(1_800_000 + '{"type":"string","enum":[]}'.length - 1);
    const branches = compile(`{"anyOf":[${Array(30_000).fill('{"type":"string"}')}]}`);
    expect([branches.text, branches.passes.length]).toEqual(['{}', 4]);
  });

  test('100,000 definitions in a chain', () => {
    const count = 100_000;
    const chain = Array.from(
      { length: count },
      (_, i) => `"D${i}":{"type":"string","not":{"$ref":"#/$defs/D${i + 1}"}}`,
    );
    const used = compile(`{"$ref":"#/$defs/D0","$defs":{${chain}}}`, { budget: 100_000_000 });
    expect([used.reachedBy.size, used.unreachable.length]).toEqual([count + 1, 0]);
    expect(used.fate(at(used, '/$defs/D99999/not')).status).toBe('dropped');
    expect(used.sizeAfter(at(used, '/$defs/D99999'))).toBe(17);
  });

  test('100,000 members with one key', () => {
    const result = compile(`{"type":"object","properties":{${Array(100_000).fill('"a":{"type":"null"}')}}}`);
    expect(result.text).toBe('{"type":"object","properties":{"a":{"type":"null"}}}');
    expect(askAll(result)).toBe(200_003);
  });
});

describe('rings of references', () => {
  test.each([
    '{"$ref":"#"}',
    '{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}}',
    '{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"}]},"B":{"items":{"$ref":"#/$defs/A"}}}}',
    '{"$ref":"#/definitions/A","definitions":{"A":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/definitions/A"}}}',
    '{"properties":{"a":{"$ref":"#/properties/a"}}}',
  ])('%s ends', (text) => {
    for (const budget of [1, 5000]) expect(askAll(compile(text, { budget }))).toBeGreaterThan(1);
  });
});

describe('odd names', () => {
  test('keys that JavaScript treats in its own way, as properties and as definitions', () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', '10', '9', '-1', '1e3', 'length', ''];
    const members = names.map((name) => `"${name}":{"type":"string"}`).join(',');
    const refs = names.map((name) => `{"$ref":"#/$defs/${name}"}`).join(',');
    const result = compile(`{"type":"object","properties":{${members}},"anyOf":[${refs}],"$defs":{${members}}}`);
    expect(result.refusal).toBeUndefined();
    expect(result.unreachable).toEqual([]);
    for (const name of names) expect(result.text.split(`"${name}":{"type":"string"}`)).toHaveLength(3);
    expect(askAll(result)).toBeGreaterThan(40);
    expect(({} as { type?: string }).type).toBeUndefined();
  });

  test('"__proto__" as a keyword, with a schema and with a type', () => {
    const result = compile('{"__proto__":{"type":"object","properties":{}},"description":"d"}');
    expect(result.text).toBe('{}');
    expect(compile('{"type":"string","enum":[{"__proto__":{"a":1}}]}').text).toBe(
      '{"type":"string","enum":[{"__proto__":{"a":1}}]}',
    );
  });

  test('lone surrogates stay escaped and countable', () => {
    const result = compile(
      '{"type":"object","properties":{"\\ud800":{"type":"string","description":"\\udfff!"}},"required":["\\ud800"]}',
    );
    expect(result.text).toBe(
      '{"type":"object","properties":{"\\ud800":{"type":"string","description":"\\udfff!"}},"required":["\\ud800"]}',
    );
    expect(result.bytes).toBe(result.text.length);
    expect(compile('{"$ref":"#/$defs/\\ud800","$defs":{"\\ud800":{}}}').reachedBy.size).toBe(1);
    expect(compile('{"items":"\\ud800"}').refusal!.kind).toBe('schema');
  });
});

describe('half-typed text', () => {
  test.each([
    '{"type":',
    '{"type":"object","properties":{"a":}}',
    '{"type":"object","properties":{"a":{"type":"string"},"b"',
    '{"anyOf":[{"type":"string"},',
    '{"$ref":"#/$defs/A","$defs":{"A":',
    '{"const":}',
    '{"enum":[1,,2]}',
    '{type:"string"}',
    '{"items":[}',
    '{"additionalProperties":,"required":}',
    '{"minItems":-}',
    '{"minItems":1.}',
    '"',
    '[',
    '-',
    'nul',
  ])('%s compiles to something or is refused', (text) => {
    const { root } = parseJson(text);
    for (const via of ['dynamic', 'mcp'] as const) {
      if (root !== undefined) expect(askAll(compileSchema(root, { via }))).toBeGreaterThan(0);
    }
  });
});
