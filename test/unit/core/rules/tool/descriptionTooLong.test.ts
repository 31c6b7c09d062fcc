import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/description-too-long';
const tool = (description: string) => ({ type: 'function', function: { name: 'a', description, parameters: {} } });

describe(rule, () => {
  test('1,024 characters are fine, 1,025 are not', () => {
    expect(check([tool('x'.repeat(1024))], { rule, targets: ['chat'] }).findings).toEqual([]);
    const checked = check([tool('x'.repeat(1025))], { rule, targets: ['chat'] });
    expectFinding(checked, {
      rule,
      level: 'warning',
      pointer: '/0/function/description',
      targets: ['chat'],
      message: /1,025 characters/,
    });
  });

  test('characters are code points', () => {
    expect(check([tool('🙂'.repeat(1024))], { rule, targets: ['chat'] }).findings).toEqual([]);
  });

  test('other targets take longer texts', () => {
    expect(check([tool('x'.repeat(5000))], { rule }).findings).toEqual([]);
  });
});
