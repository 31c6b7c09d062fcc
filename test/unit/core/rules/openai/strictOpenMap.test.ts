import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { closed, strictWith } from '../tools';

const rule = 'schema/strict-open-map';
const pointer = '/parameters/properties/p/additionalProperties';

describe(rule, () => {
  test('true and any schema are refused', () => {
    for (const value of [true, {}, { type: 'string' }]) {
      const finding = expectFinding(check(strictWith({ ...closed({}), additionalProperties: value }), { rule }), {
        rule,
        level: 'error',
        pointer,
        targets: ['openai'],
      });
      expect(finding.fixes).toEqual([]);
    }
  });

  test('an object that names its keys can be closed', () => {
    const checked = check(strictWith({ ...closed({ a: { type: 'string' } }), additionalProperties: true }), { rule });
    const finding = expectFinding(checked, { rule, pointer });
    expect(finding.fixes[0]!.safe).toBe(false);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(strictWith(closed({ a: { type: 'string' } })));
  });

  test('false is right', () => {
    expect(check(strictWith(closed({})), { rule }).findings).toEqual([]);
  });
});
