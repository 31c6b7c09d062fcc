import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/duplicate-name';
const tool = (name: string) => ({
  type: 'function',
  name,
  description: `${name}.`,
  parameters: { type: 'object', properties: {} },
});
const mcp = (name: string, server?: string) => ({
  name,
  description: 'A.',
  inputSchema: { type: 'object' },
  ...(server === undefined ? {} : { 'x-toolspec': { server } }),
});
const space = (name: string, ...tools: unknown[]) => ({ type: 'namespace', name, description: 'N.', tools });

describe(rule, () => {
  test('the later one is marked, the first is related', () => {
    const checked = check([tool('a'), tool('b'), tool('a')], { rule });
    const finding = expectFinding(checked, { rule, level: 'error', pointer: '/2/name', tool: 'a', targets: [] });
    expect(finding.related[0]!.span.start).toBe(checked.text.indexOf('"a"'));
  });

  test('each namespace is a scope; none and "functions" are the same', () => {
    expect(check([space('x', tool('a')), space('y', tool('a')), tool('a')], { rule }).findings).toEqual([]);
    expectFinding(check([space('functions', tool('a')), tool('a')], { rule }), { rule, pointer: '/1/name' });
    expectFinding(check([space('x', tool('a')), space('x', tool('a'))], { rule }), {
      rule,
      pointer: '/1/tools/0/name',
    });
  });

  test('each MCP server is a scope', () => {
    expect(check([mcp('a', 'one'), mcp('a', 'two')], { rule }).findings).toEqual([]);
    expectFinding(check([mcp('a'), mcp('a')], { rule }), { rule, message: /keeps the first/ });
  });

  test('names that differ in case are different', () => {
    expect(check([tool('a'), tool('A')], { rule }).findings).toEqual([]);
  });
});
