import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/mixed-shapes';
const plain = (name: string) => ({
  type: 'function',
  name,
  description: 'A.',
  parameters: { type: 'object', properties: {} },
});
const nested = (name: string) => ({ type: 'function', function: { name, description: 'A.', parameters: {} } });

describe(rule, () => {
  test('stands at the first tool of another shape than most, with counts', () => {
    const checked = check([plain('a'), nested('b'), plain('c'), nested('d'), plain('e')], { rule });
    expectFinding(checked, {
      rule,
      level: 'warning',
      pointer: '/1',
      message: /3 of OpenAI Responses and 2 of Chat Completions/,
    });
  });

  test('one shape is fine', () => {
    expect(check([plain('a'), plain('b')], { rule }).findings).toEqual([]);
  });
});
