import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/too-many';
const tools = (count: number, more = {}) =>
  Array.from({ length: count }, (_, i) => ({
    type: 'function',
    name: `t${i}`,
    description: `T ${i}.`,
    parameters: {},
    ...more,
  }));

describe(rule, () => {
  test('a hint from 20 on, a warning above 128', () => {
    expect(check(tools(19), { rule }).findings).toEqual([]);
    expectFinding(check(tools(20), { rule }), { rule, level: 'hint', pointer: '' });
    expectFinding(check(tools(128), { rule }), { rule, level: 'hint' });
    expectFinding(check(tools(129), { rule }), {
      rule,
      level: 'warning',
      targets: ['openai'],
      message: /129 tools.* 128 in a request/,
    });
  });

  test('deferred tools do not count for the advice', () => {
    expect(check([...tools(10), ...tools(40, { defer_loading: true })], { rule }).findings).toEqual([]);
  });

  test('a namespace has an advice of its own', () => {
    const space = { type: 'namespace', name: 'n', description: 'N.', tools: tools(10) };
    expectFinding(check([space], { rule }), { rule, level: 'hint', pointer: '/0/tools', message: /"n" has 10 tools/ });
    expect(check([{ ...space, tools: tools(9) }], { rule }).findings).toEqual([]);
  });

  test('other targets have no such limit', () => {
    expect(check(tools(200), { rule, targets: ['codex'] }).findings).toEqual([]);
  });
});
