import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';
import { mcp, responses } from '../tools';

const rule = 'schema/root-combinator';
const root = (more: object) => responses({ type: 'object', properties: { a: { type: 'string' } }, ...more });
const ALL = ['codex', 'openai', 'anthropic'] as const;

describe(rule, () => {
  test('each keyword at the root, for the targets that refuse it', () => {
    const cases = [
      ['anyOf', [{}], ALL],
      ['oneOf', [{}], ALL],
      ['allOf', [{}], ALL],
      ['enum', [{}], ['codex', 'openai']],
      ['not', {}, ['openai']],
    ] as const;
    for (const [keyword, value, targets] of cases) {
      const checked = check(root({ [keyword]: value }), { rule, targets: [...ALL] });
      expectFinding(checked, { rule, level: 'error', pointer: `/parameters/${keyword}`, targets });
    }
  });

  test('every shape is judged, deeper places are not', () => {
    expectFinding(check(mcp({ type: 'object', oneOf: [{}] }), { rule }), { rule, pointer: '/inputSchema/oneOf' });
    expect(check(root({ properties: { a: { anyOf: [{ type: 'string' }] } } }), { rule }).findings).toEqual([]);
  });

  test('null counts as absent, as Codex reads it', () => {
    expect(check(root({ anyOf: null }), { rule }).findings).toEqual([]);
  });

  test('Codex drops "not"', () => {
    expect(check(root({ not: {} }), { rule, targets: ['codex', 'anthropic'] }).findings).toEqual([]);
  });
});
