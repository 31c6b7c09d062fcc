import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/missing-schema';

describe(rule, () => {
  test('MCP demands one', () => {
    const checked = check({ name: 'a', description: 'A.', annotations: {} }, { rule });
    expectFinding(checked, { rule, level: 'error', message: /"inputSchema", which MCP demands/ });
  });

  test('OpenAI does not', () => {
    expect(check({ type: 'function', name: 'a', description: 'A.', strict: false }, { rule }).findings).toEqual([]);
    expect(check({ type: 'function', name: 'a', description: 'A.', parameters: null }, { rule }).findings).toEqual([]);
  });

  test('a schema under a wrong key has a finding of its own', () => {
    const { findings } = check({ name: 'a', description: 'A.', input_schema: {}, annotations: {} });
    expect(findings.map((each) => each.rule)).not.toContain(rule);
  });
});
