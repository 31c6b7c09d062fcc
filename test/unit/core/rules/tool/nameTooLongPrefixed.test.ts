import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/name-too-long-prefixed';
const tool = (length: number, local?: unknown) => ({
  name: 'n'.repeat(length),
  description: 'A.',
  inputSchema: { type: 'object' },
  ...(local === undefined ? {} : { 'x-toolspec': local }),
});

describe(rule, () => {
  test('eight characters are assumed for the server', () => {
    expect(check(tool(49), { rule, targets: ['mcp'] }).findings).toEqual([]);
    expectFinding(check(tool(50), { rule, targets: ['mcp'] }), {
      rule,
      level: 'warning',
      pointer: '/name',
      message: /so 49 remain .*8 characters are assumed/,
    });
  });

  test('the real name counts where it is known', () => {
    expect(check(tool(55, { server: 'ab' }), { rule, targets: ['mcp'] }).findings).toEqual([]);
    expectFinding(check(tool(56, { server: 'ab' }), { rule, targets: ['mcp'] }), { rule, message: /called "ab"/ });
    const file = { 'x-toolspec': { server: 'a-long-server-name' }, tools: [tool(40)] };
    expectFinding(check(file, { rule, targets: ['mcp'] }), { rule, message: /so 39 remain/ });
  });

  test('other shapes have no prefix', () => {
    const responses = { type: 'function', name: 'n'.repeat(60), description: 'A.', parameters: {} };
    expect(check(responses, { rule, targets: ['mcp'] }).findings).toEqual([]);
  });
});
