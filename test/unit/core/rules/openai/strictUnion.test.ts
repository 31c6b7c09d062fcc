import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';
import { closed, strictWith } from '../tools';

const rule = 'schema/strict-union';
const text = { type: 'string' };
const union = (...arms: unknown[]) => ({ anyOf: arms });
const pointer = '/parameters/properties/p/anyOf';

describe(rule, () => {
  test('branches with the same first key', () => {
    const checked = check(strictWith(union(closed({ a: text, b: text }), closed({ a: text, c: text }))), { rule });
    const finding = expectFinding(checked, {
      rule,
      level: 'warning',
      pointer,
      targets: ['openai'],
      message: /2 branches.* the key "a"/,
    });
    expect(finding.related).toHaveLength(2);
  });

  test('another order of the same keys is fine', () => {
    expect(
      check(strictWith(union(closed({ b: text, a: text }), closed({ a: text, b: text }))), { rule }).findings,
    ).toEqual([]);
  });

  test('a discriminator with distinct constants is taken', () => {
    const arm = (kind: object) => closed({ kind, a: text });
    expect(
      check(strictWith(union(arm({ const: 'x' }), arm({ type: 'string', enum: ['y'] }))), { rule }).findings,
    ).toEqual([]);
    expect(check(strictWith(union(arm({ const: 'x' }), arm({ const: 'x' }))), { rule }).findings).toHaveLength(1);
    expect(check(strictWith(union(arm({ const: 1 }), arm({ const: '1' }))), { rule }).findings).toEqual([]);
  });

  test('references are followed', () => {
    const $defs = { A: closed({ a: text }), B: closed({ a: text, b: text }) };
    expect(
      check(strictWith(union({ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }), { $defs }), { rule }).findings,
    ).toHaveLength(1);
  });

  test('branches that are no objects do not count', () => {
    expect(check(strictWith(union(closed({ a: text }), { type: 'null' }, text)), { rule }).findings).toEqual([]);
  });
});
