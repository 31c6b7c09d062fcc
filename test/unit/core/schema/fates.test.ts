import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../../server/src/core/text/json';
import { pointerOf, walkJson } from '../../../../server/src/core/text/jsonTree';
import { at, compile, type Options } from './helper';

/** Pointer, fate and the action that explains it, of every node whose pointer starts so. */
function fates(schema: unknown, prefix = '', options: Options = {}): string[] {
  const result = compile(schema, options);
  const lines: string[] = [];
  walkJson(result.source, (node) => {
    const pointer = pointerOf(node);
    if (!pointer.startsWith(prefix)) return;
    const { status, event } = result.fate(node);
    lines.push([pointer, status, event?.action].filter((part) => part !== undefined).join(' '));
  });
  return lines;
}

describe('fates', () => {
  test('of what goes out as it is', () => {
    expect(fates({ type: 'array', items: { type: ['string', 'null'], enum: ['a', { b: 1 }] }, minItems: 1 })).toEqual([
      ' kept',
      '/type kept',
      '/items kept',
      '/items/type kept',
      '/items/type/0 kept',
      '/items/type/1 kept',
      '/items/enum kept',
      '/items/enum/0 kept',
      '/items/enum/1 kept',
      '/items/enum/1/b kept',
      '/minItems kept',
    ]);
  });

  test('of keywords that are not sent, with all below them', () => {
    expect(fates({ type: 'string', default: { a: [1] }, description: null })).toEqual([
      ' kept',
      '/type kept',
      '/default dropped keyword-dropped',
      '/default/a dropped keyword-dropped',
      '/default/a/0 dropped keyword-dropped',
      '/description dropped null-dropped',
    ]);
  });

  test('of boolean schemas', () => {
    expect(fates({ properties: { a: true }, additionalProperties: false })).toEqual([
      ' kept',
      '/properties kept',
      '/properties/a changed boolean-to-string',
      '/additionalProperties kept',
    ]);
  });

  test('of const, and of an enum that it overwrites', () => {
    expect(fates({ type: 'string', const: { a: 1 }, enum: ['x'] })).toEqual([
      ' kept',
      '/type kept',
      '/const changed const-to-enum',
      '/const/a changed const-to-enum',
      '/enum changed const-to-enum',
      '/enum/0 dropped const-to-enum',
    ]);
  });

  test('of the words of a type', () => {
    expect(fates({ type: ['string', 'date', 'null'] })).toEqual([
      ' kept',
      '/type changed type-filtered',
      '/type/0 changed type-filtered',
      '/type/1 dropped type-filtered',
      '/type/2 changed type-filtered',
    ]);
    expect(fates({ type: ['date'], items: {} }, '/type')).toEqual([
      '/type changed type-inferred',
      '/type/0 dropped type-inferred',
    ]);
    expect(fates({ type: 'any', items: {} }, '/type')).toEqual(['/type changed type-inferred']);
  });

  test('of schemas that are emptied, by lowering and by each pass', () => {
    expect(fates({ items: { title: 't' } }, '/items')).toEqual([
      '/items changed emptied',
      '/items/title dropped emptied',
    ]);
    const schema = {
      type: 'object',
      properties: {
        ref: { $ref: '#/$defs/A' },
        deep: { items: { items: { items: { type: 'array' } } } },
        some: { anyOf: [{ type: 'string' }], description: 'd' },
      },
      $defs: { A: { type: 'string' } },
    };
    const result = compile(schema, { budget: 1 });
    const stage = (pointer: string): unknown => {
      const { status, event } = result.fate(at(result, pointer));
      return [status, event?.stage, event?.action];
    };
    expect(stage('/properties/ref')).toEqual(['changed', 'definitions', 'emptied']);
    expect(stage('/properties/ref/$ref')).toEqual(['dropped', 'definitions', 'emptied']);
    expect(stage('/properties/deep/items/items')).toEqual(['changed', 'depth', 'emptied']);
    expect(stage('/properties/deep/items/items/items/type')).toEqual(['dropped', 'depth', 'emptied']);
    expect(stage('/properties/some')).toEqual(['changed', 'compositions', 'emptied']);
    expect(stage('/properties/some/description')).toEqual(['dropped', 'compositions', 'emptied']);
    expect(stage('/$defs')).toEqual(['dropped', 'definitions', 'table-removed']);
    expect(stage('/$defs/A/type')).toEqual(['dropped', 'definitions', 'table-removed']);
    expect(stage('/type')).toEqual(['kept', undefined, undefined]);
  });

  test('of unused definitions and of tables', () => {
    const used = { anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: {}, B: { type: 'null' } }, definitions: { C: {} } };
    expect(fates(used, '/$defs')).toEqual([
      '/$defs kept',
      '/$defs/A kept',
      '/$defs/B dropped definition-removed',
      '/$defs/B/type dropped definition-removed',
    ]);
    expect(fates(used, '/definitions')).toEqual([
      '/definitions dropped table-removed',
      '/definitions/C dropped table-removed',
    ]);
    expect(fates({ type: 'null', anyOf: [], $defs: [] }, '/$defs', { budget: 5 })).toEqual(['/$defs dropped emptied']);
  });

  test('of repeated keys: only the last counts, in data too', () => {
    expect(fates('{"enum":[{"a":[1],"a":2}],"description":"x","description":"y"}')).toEqual([
      ' kept',
      '/enum kept',
      '/enum/0 kept',
      '/enum/0/a dropped',
      '/enum/0/a/0 dropped',
      '/enum/0/a kept',
      '/description dropped',
      '/description kept',
    ]);
  });

  test('of properties that MCP fills in', () => {
    expect(fates({ type: 'object', properties: null }, '/properties', { via: 'mcp' })).toEqual([
      '/properties changed properties-added',
    ]);
    expect(fates({ type: 'object', properties: null }, '/properties')).toEqual(['/properties dropped null-dropped']);
  });

  test('of a node of another text', () => {
    const other = parseJson('{"type":"string"}').root!;
    expect(compile('{"type":"string"}').fate(other)).toEqual({ status: 'dropped', event: undefined });
  });
});

describe('sizes', () => {
  const result = compile(
    {
      type: 'object',
      properties: { a: { type: 'array', description: 'é', title: 't' }, b: { anyOf: [{ const: 1 }] }, c: true },
      $defs: { A: { type: 'string' } },
    },
    { budget: 100 },
  );
  const sizes = (pointer: string): unknown => [
    result.sizeBefore(at(result, pointer)),
    result.sizeAfter(at(result, pointer)),
  ];

  test('are the bytes of a schema before the first pass and on the wire', () => {
    expect(result.text).toBe(
      '{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}},"b":{},"c":{"type":"string"}}}',
    );
    expect(sizes('')).toEqual([result.sourceBytes, result.bytes]);
    expect(sizes('/properties/a')).toEqual([
      '{"type":"array","description":"__","items":{"type":"string"}}'.length,
      '{"type":"array","items":{"type":"string"}}'.length,
    ]);
    expect(sizes('/properties/b')).toEqual(['{"anyOf":[{"type":"string","enum":[1]}]}'.length, 2]);
    expect(sizes('/properties/b/anyOf/0')).toEqual(['{"type":"string","enum":[1]}'.length, undefined]);
    expect(sizes('/properties/c')).toEqual([17, 17]);
  });

  test('are only those of schemas that are there', () => {
    expect(sizes('/$defs/A')).toEqual([undefined, undefined]);
    expect(sizes('/properties')).toEqual([undefined, undefined]);
    expect(sizes('/properties/a/title')).toEqual([undefined, undefined]);
  });
});
