import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';

const rule = 'tool/name-pattern';
const tool = (name: string) => ({
  type: 'function',
  name,
  description: 'A.',
  parameters: { type: 'object', properties: {} },
});

describe(rule, () => {
  test('names the characters and a fixed name', () => {
    const checked = check(tool('local.files server/list'), { rule, targets: ['openai'] });
    const finding = expectFinding(checked, {
      rule,
      level: 'error',
      pointer: '/name',
      targets: ['openai'],
      message: /has "\.", a space and "\/"\..*"local_files_server_list" would do/,
    });
    expect(checked.text.slice(finding.span.start, finding.span.end)).toBe('"local.files server/list"');
    expect(applyFix(checked, finding)).toBe(checked.text.replace('local.files server/list', 'local_files_server_list'));
  });

  test('speaks for the targets that are on', () => {
    const checked = check(tool('a b'), { rule, targets: ['codex', 'chat', 'gemini', 'mcp'] });
    expectFinding(checked, { rule, targets: ['codex', 'chat'] });
    expect(check(tool('a b'), { rule, targets: ['mcp', 'gemini'] }).findings).toEqual([]);
  });

  test('invisible characters are shown by number', () => {
    expectFinding(check(tool('a\u200bb'), { rule }), { rule, message: /has U\+200B\./ });
  });

  test('a name of nothing but such characters has no fix', () => {
    expect(expectFinding(check(tool('名前'), { rule }), { rule }).fixes).toEqual([]);
  });

  test('letters, digits, underscore and dash are fine, and so is any MCP name', () => {
    expect(check(tool('Get-weather_2'), { rule }).findings).toEqual([]);
    expect(
      check(
        { name: 'a.b c', description: 'A.', inputSchema: { type: 'object' } },
        { rule, targets: ['openai', 'anthropic'] },
      ).findings,
    ).toEqual([]);
  });

  test('custom tools and Codex dynamic tools are judged too', () => {
    expectFinding(check({ type: 'custom', name: 'a.b', description: 'A.' }, { rule }), { rule });
    expectFinding(check({ type: 'function', name: 'a.b', description: 'A.', inputSchema: {} }, { rule }), { rule });
  });
});
