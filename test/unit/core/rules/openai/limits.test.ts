import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';
import { closed, responses, strictWith } from '../tools';

const strings = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => String(i).padStart(length, 'x'));
const many = (count: number) => Object.fromEntries(strings(count, 6).map((name) => [name, { type: 'string' }]));

describe('schema/enum-count', () => {
  const rule = 'schema/enum-count';

  test('1,000 values in all enums together', () => {
    const two = (a: number, b: number) =>
      strictWith({
        anyOf: [
          { type: 'string', enum: strings(a, 3) },
          { type: 'string', enum: strings(b, 3) },
        ],
      });
    expect(check(two(600, 400), { rule }).findings).toEqual([]);
    expectFinding(check(two(600, 401), { rule }), {
      rule,
      level: 'error',
      pointer: '/parameters',
      targets: ['openai'],
      message: /1,001 values.* 1,000/,
    });
  });
});

describe('schema/property-count', () => {
  const rule = 'schema/property-count';

  test('5,000 properties in all objects together, definitions included', () => {
    const tool = (count: number) => strictWith(closed(many(count)), { $defs: { D: closed(many(2000)) } });
    expect(check(tool(2999), { rule }).findings).toEqual([]);
    expectFinding(check(tool(3000), { rule }), {
      rule,
      level: 'error',
      pointer: '/parameters',
      message: /5,001 properties/,
    });
  });
});

describe('schema/string-budget', () => {
  const rule = 'schema/string-budget';

  test('120,000 characters of names and values', () => {
    // "p" is one character.
    const tool = (length: number) => strictWith({ type: 'string', const: 'c'.repeat(length) });
    expect(check(tool(119_999), { rule }).findings).toEqual([]);
    expectFinding(check(tool(120_000), { rule }), {
      rule,
      level: 'error',
      pointer: '/parameters',
      message: /120,001 characters/,
    });
  });

  test('15,000 characters in one enum of more than 250 strings', () => {
    const pointer = '/parameters/properties/p/enum';
    expect(check(strictWith({ type: 'string', enum: strings(250, 100) }), { rule }).findings).toEqual([]);
    expect(check(strictWith({ type: 'string', enum: strings(300, 50) }), { rule }).findings).toEqual([]);
    expectFinding(check(strictWith({ type: 'string', enum: strings(300, 51) }), { rule }), {
      rule,
      pointer,
      message: /300 values with 15,300 characters/,
    });
  });

  test('nothing is counted without strict', () => {
    const huge = responses({ type: 'object', properties: { p: { enum: strings(3000, 80) }, ...many(6000) } });
    for (const id of [rule, 'schema/enum-count', 'schema/property-count'])
      expect(check(huge, { rule: id }).findings).toEqual([]);
  });
});
