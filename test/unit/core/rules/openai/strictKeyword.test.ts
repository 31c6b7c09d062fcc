import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { closed, responses, strictWith } from '../tools';

const rule = 'schema/strict-keyword';
const at = (keyword: string) => `/parameters/properties/p/${keyword}`;

describe(rule, () => {
  test('errors for what is refused, warnings where models differ', () => {
    const refused =
      'allOf oneOf not if then else default uniqueItems prefixItems minProperties dependentRequired'.split(' ');
    const differing = 'minLength maxLength patternProperties discriminator'.split(' ');
    for (const keyword of [...refused, ...differing]) {
      const checked = check(strictWith({ type: 'string', [keyword]: {} }), { rule });
      const level = refused.includes(keyword) ? 'error' : 'warning';
      expectFinding(checked, { rule, level, pointer: at(keyword), targets: ['openai'] });
    }
  });

  test('supported keywords are fine', () => {
    const p = {
      type: 'number',
      minimum: 1,
      maximum: 2,
      exclusiveMinimum: 0,
      exclusiveMaximum: 3,
      multipleOf: 1,
      description: 'P.',
      title: 'P',
    };
    const list = {
      type: 'array',
      items: { anyOf: [p, { type: 'string', pattern: 'x', format: 'date', enum: ['x'] }, { const: 1 }] },
      minItems: 1,
      maxItems: 2,
    };
    expect(check(strictWith(list), { rule }).findings).toEqual([]);
    expect(
      check(strictWith(closed({ default: { type: 'string' }, not: { type: 'string' } })), { rule }).findings,
    ).toEqual([]);
  });

  test('"oneOf" becomes "anyOf"', () => {
    const checked = check(strictWith({ oneOf: [{ type: 'string' }, { type: 'integer' }] }), { rule });
    const finding = expectFinding(checked, { rule, pointer: at('oneOf') });
    expect(finding.fixes[0]!.safe).toBe(false);
    expect(applyFix(checked, finding)).toBe(checked.text.replace('oneOf', 'anyOf'));
  });

  test('the single member of "allOf" takes its place', () => {
    const checked = check(strictWith({ description: 'P.', allOf: [closed({ a: { type: 'string' } })] }), { rule });
    const finding = expectFinding(checked, { rule, pointer: at('allOf'), message: /one member/ });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(
      strictWith({ description: 'P.', ...closed({ a: { type: 'string' } }) }),
    );
  });

  test('a reference with a description beside "allOf" becomes a union of one', () => {
    const $defs = { D: closed({}) };
    const checked = check(strictWith({ description: 'P.', allOf: [{ $ref: '#/$defs/D' }] }, { $defs }), { rule });
    const text = applyFix(checked, expectFinding(checked, { rule }));
    expect(text).toBe(checked.text.replace('allOf', 'anyOf'));
    const alone = check(strictWith({ allOf: [{ $ref: '#/$defs/D' }] }, { $defs }), { rule });
    expect(JSON.parse(applyFix(alone, expectFinding(alone, { rule })))).toEqual(
      strictWith({ $ref: '#/$defs/D' }, { $defs }),
    );
  });

  test('a member beside keywords that judge is not merged unasked', () => {
    const checked = check(strictWith({ additionalProperties: false, allOf: [{ type: 'object', properties: {} }] }), {
      rule,
    });
    expect(expectFinding(checked, { rule }).fixes[0]!.safe).toBe(false);
  });

  test('a member that says something else than its holder is not merged', () => {
    const checked = check(strictWith({ description: 'P.', allOf: [{ type: 'string', description: 'Q.' }] }), { rule });
    expect(expectFinding(checked, { rule }).fixes).toEqual([]);
  });

  test('what says what a value is cannot just be removed', () => {
    for (const p of [{ allOf: [{}, {}] }, { oneOf: [{}], anyOf: [{}] }, { type: 'array', prefixItems: [{}] }]) {
      expect(check(strictWith(p), { rule }).findings.flatMap(({ fixes }) => fixes)).toEqual([]);
    }
  });

  test('"default" is a note and may go unasked', () => {
    const checked = check(strictWith({ type: 'integer', default: 5 }), { rule });
    const finding = expectFinding(checked, { rule, pointer: at('default') });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(strictWith({ type: 'integer' }));
  });

  test('other rules speak at the root, about references and about names', () => {
    expect(check(strictWith({ type: 'string' }, { allOf: [{}] }), { rule }).findings).toEqual([]);
    expect(check(strictWith({ $ref: '#', default: 1 }), { rule }).findings).toEqual([]);
    expect(check(strictWith({ ...closed({}), propertyNames: {} }), { rule }).findings).toEqual([]);
  });

  test('nothing is said below a keyword that is refused as a whole, nor without strict', () => {
    expect(
      check(strictWith({ type: 'string', not: { default: 1 } }), { rule }).findings.map(({ pointer }) => pointer),
    ).toEqual([at('not')]);
    expect(
      check(responses({ type: 'object', properties: { p: { default: 1, oneOf: [] } } }), { rule }).findings,
    ).toEqual([]);
  });
});
