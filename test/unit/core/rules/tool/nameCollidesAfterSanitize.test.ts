import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/name-collides-after-sanitize';
const mcp = (name: string, description = name) => ({ name, description, inputSchema: { type: 'object' } });

describe(rule, () => {
  test('the later one is marked', () => {
    const checked = check([mcp('a-b'), mcp('c'), mcp('a.b')], { rule });
    expectFinding(checked, {
      rule,
      level: 'warning',
      pointer: '/2/name',
      targets: ['codex'],
      message: /both into "a_b"/,
    });
  });

  test('equal names are another rule, and only MCP names are rewritten', () => {
    expect(check([mcp('a-b'), mcp('a-b')], { rule }).findings).toEqual([]);
    const own = ['a-b', 'a_b'].map((name) => ({ type: 'function', name, description: name, parameters: {} }));
    expect(check(own, { rule }).findings).toEqual([]);
  });

  test('it is about Codex', () => {
    expect(check([mcp('a-b'), mcp('a.b')], { rule, targets: ['openai', 'mcp'] }).findings).toEqual([]);
  });
});
