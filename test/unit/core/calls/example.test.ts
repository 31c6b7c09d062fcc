import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exampleArguments, exampleInput } from '../../../../server/src/core/calls/example';
import { parseJson } from '../../../../server/src/core/text/json';

const of = (schema: object): unknown => JSON.parse(exampleArguments(parseJson(JSON.stringify(schema)).root));

describe('example arguments', () => {
  test('have the required properties', () => {
    const properties = { n: { type: 'integer', minimum: 3 }, m: { type: 'string' } };
    expect(of({ type: 'object', properties, required: ['n'] })).toEqual({ n: 3 });
  });

  test('have all properties where none is required', () => {
    expect(of({ type: 'object', properties: { kind: { enum: ['a', 'b'] } } })).toEqual({ kind: 'a' });
  });

  test('come soon, however many properties there are', () => {
    const names = Array.from({ length: 40_000 }, (_, i) => `p${i}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    expect(of({ type: 'object', properties })).toEqual({ p0: 'a' });
    // So many required properties are no example that anybody reads.
    expect(of({ type: 'object', properties, required: names })).toEqual({});
  });

  test('are empty where there is nothing to say', () => {
    expect(of({ type: 'object', properties: {} })).toEqual({});
    expect(exampleArguments(undefined)).toBe('{}');
  });
});

describe('example input', () => {
  test('is a short text that the grammar takes', () => {
    expect(exampleInput('start: "a" "b"? | ')).toBe('a');
    expect(exampleInput(readFileSync('samples/apply_patch.lark', 'utf8'))).toMatch(
      /^\*\*\* Begin Patch\n[\s\S]*\*\*\* End Patch/,
    );
  });

  test('is empty where there is none', () => {
    expect(exampleInput(undefined)).toBe('');
    expect(exampleInput('start: missing')).toBe('');
  });
});
