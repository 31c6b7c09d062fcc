import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';

const rule = 'tool/name-too-long';
const tool = (length: number) => ({ type: 'function', name: 'n'.repeat(length), description: 'A.', parameters: {} });

describe(rule, () => {
  test('each target has its limit', () => {
    for (const [target, limit] of [
      ['openai', 128],
      ['codex', 128],
      ['chat', 64],
      ['anthropic', 64],
      ['gemini', 64],
    ] as const) {
      expect(check(tool(limit), { rule, targets: [target] }).findings).toEqual([]);
      expectFinding(check(tool(limit + 1), { rule, targets: [target] }), {
        rule,
        level: 'error',
        pointer: '/name',
        targets: [target],
      });
    }
  });

  test('only the targets whose limit is passed are named', () => {
    expectFinding(check(tool(70), { rule, targets: ['openai', 'chat'] }), {
      rule,
      targets: ['chat'],
      message: /70 characters: Chat Completions takes 64\./,
    });
  });

  test('MCP names are not judged, declarations of Gemini for Gemini only', () => {
    const name = 'n'.repeat(200);
    expect(
      check({ name, description: 'A.', inputSchema: { type: 'object' } }, { rule, targets: ['openai', 'chat'] })
        .findings,
    ).toEqual([]);
    const gemini = {
      functionDeclarations: [{ name, description: 'A.', parameters: { type: 'OBJECT', properties: {} } }],
    };
    expectFinding(check(gemini, { rule, targets: ['openai', 'gemini'] }), { rule, targets: ['gemini'] });
  });
});
