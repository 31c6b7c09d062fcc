import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { mcp, responses } from '../tools';

const rule = 'schema/object-missing-properties';

describe(rule, () => {
  test('a root object without properties, and the fix', () => {
    const checked = check(responses({ type: 'object' }), { rule });
    const finding = expectFinding(checked, { rule, level: 'error', pointer: '/parameters', targets: ['openai'] });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(responses({ type: 'object', properties: {} }));
  });

  test('nested objects, MCP and Codex are fine', () => {
    const nested = { type: 'object', properties: { p: { type: 'object' } } };
    expect(check(responses(nested), { rule }).findings).toEqual([]);
    expect(check(mcp({ type: 'object' }), { rule }).findings).toEqual([]);
    expect(check(responses({ type: 'object' }), { rule, targets: ['codex', 'mcp'] }).findings).toEqual([]);
  });

  test('a root without a type is the concern of another rule', () => {
    expect(check(responses({}), { rule }).findings).toEqual([]);
  });
});
