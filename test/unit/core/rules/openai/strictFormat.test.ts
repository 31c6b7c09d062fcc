import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { strictWith } from '../tools';

const rule = 'schema/strict-format';
const KNOWN = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'];

describe(rule, () => {
  test('known formats are fine', () => {
    for (const format of KNOWN) expect(check(strictWith({ type: 'string', format }), { rule }).findings).toEqual([]);
  });

  test('others are refused', () => {
    for (const format of ['uri', 'int32', 'Date', '']) {
      const checked = check(strictWith({ type: 'string', format }), { rule });
      const finding = expectFinding(checked, {
        rule,
        level: 'error',
        pointer: '/parameters/properties/p/format',
        targets: ['openai'],
      });
      expect(JSON.parse(applyFix(checked, finding))).toEqual(strictWith({ type: 'string' }));
    }
  });

  test('a format that is no string is the concern of another rule', () => {
    expect(check(strictWith({ type: 'string', format: 5 }), { rule }).findings).toEqual([]);
  });
});
