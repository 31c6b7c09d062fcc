import { describe, expect, test } from 'vitest';
import { applyFix, check, checkMarked, expectFinding } from '../helper';

const rule = 'tool/wrong-schema-key';

describe(rule, () => {
  test('a second key shows the shape that was meant', () => {
    checkMarked('{"type": "function", "name": "a", "description": "A.", ⟦"inputSchema"⟧: {}, "strict": false}', {
      rule,
    });
    checkMarked('{"name": "a", "description": "A.", ⟦"input_schema"⟧: {}, "annotations": {}}', { rule });
    checkMarked('{"name": "a", "description": "A.", ⟦"inputSchema"⟧: {}, "cache_control": {"type": "ephemeral"}}', {
      rule,
    });
  });

  test('a Codex dynamic tool is fine', () => {
    checkMarked('{"type": "function", "name": "a", "description": "A.", "inputSchema": {}}', { rule });
  });

  test('the fix renames the key and touches nothing else', () => {
    const checked = check(
      {
        type: 'function',
        name: 'a',
        description: 'A.',
        inputSchema: { type: 'object', properties: {} },
        strict: false,
      },
      { rule },
    );
    const finding = expectFinding(checked, { rule, level: 'error', pointer: '/inputSchema', targets: [], tool: 'a' });
    expect(applyFix(checked, finding)).toBe(checked.text.replace('"inputSchema"', '"parameters"'));
  });

  test('there is no fix where the right key stands too', () => {
    const text =
      '{"name": "a", "description": "A.", "input_schema": {}, "cache_control": {}, "inputSchema": {"type": "object"}}';
    expect(check(text, { rule }).findings.every((each) => each.fixes.length === 0)).toBe(true);
  });
});
