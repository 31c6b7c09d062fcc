import { describe, test } from 'vitest';
import { checkMarked, expectFinding } from '../helper';

const rule = 'json/lone-surrogate';

describe(rule, () => {
  test('half a pair is an error, in an escape and raw, in values and keys', () => {
    checkMarked('[{"name": "a", "description": ⟦"\\ud83d!"⟧, "inputSchema": {⟦"\\udc00"⟧: 1}}]', { rule });
    checkMarked(`[{"name": "a", "description": ⟦"${'\ud83d'}"⟧, "inputSchema": {}}]`, { rule });
  });

  test('pairs are fine', () => {
    checkMarked('[{"name": "a", "description": "\\ud83d\\ude42 🙂", "inputSchema": {}}]', { rule });
  });

  test('stands at the string', () => {
    const checked = checkMarked('[{"name": "a", "description": ⟦"\\ud83d"⟧, "inputSchema": {}}]', { rule });
    expectFinding(checked, { rule, level: 'error', pointer: '/0/description', tool: 'a' });
  });
});
