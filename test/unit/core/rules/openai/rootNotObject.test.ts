import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { mcp, responses } from '../tools';

const rule = 'schema/root-not-object';

describe(rule, () => {
  test('a root without a type, and the fix', () => {
    const checked = check(responses({ properties: {} }), { rule });
    const finding = expectFinding(checked, { rule, level: 'error', pointer: '/parameters', targets: ['openai'] });
    expect(JSON.parse(applyFix(checked, finding))).toEqual(responses({ type: 'object', properties: {} }));
  });

  test('the fix of an empty root leaves nothing for other rules about objects', () => {
    for (const strict of [false, true]) {
      const checked = check(responses({}, { strict }), { rule });
      const text = applyFix(checked, expectFinding(checked, { rule }));
      const closing = strict ? { additionalProperties: false } : {};
      expect(JSON.parse(text)).toEqual(responses({ type: 'object', properties: {}, ...closing }, { strict }));
    }
  });

  test('a root of another type, a list of types, and a boolean', () => {
    for (const root of [{ type: 'string' }, { type: ['object', 'null'] }, { type: [] }, true]) {
      const checked = check(responses(root), { rule });
      expect(expectFinding(checked, { rule, pointer: '/parameters' }).fixes).toEqual([]);
    }
  });

  test('an object root, and no parameters at all, are fine', () => {
    for (const root of [{ type: 'object', properties: {} }, null]) {
      expect(check(responses(root), { rule }).findings).toEqual([]);
    }
  });

  test('a type that does not exist is the concern of another rule', () => {
    expect(check(responses({ type: 'objct', properties: {} }), { rule }).findings).toEqual([]);
  });

  test('a combinator at the root does not silence it', () => {
    const { findings } = check(responses({ anyOf: [{ type: 'object' }] }), { targets: ['openai'] });
    expect(findings.map((each) => each.rule)).toEqual(expect.arrayContaining([rule, 'schema/root-combinator']));
  });

  test('Chat is judged at its place, MCP and other targets are not', () => {
    const chat = { type: 'function', function: { name: 'a', description: 'A.', parameters: {} } };
    expectFinding(check(chat, { rule }), { rule, pointer: '/function/parameters' });
    expect(check(mcp({ properties: {} }), { rule }).findings).toEqual([]);
    expect(check(responses({}), { rule, targets: ['codex', 'chat'] }).findings).toEqual([]);
  });
});
