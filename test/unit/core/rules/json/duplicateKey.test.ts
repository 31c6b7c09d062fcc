import { describe, expect, test } from 'vitest';
import { checkMarked, expectFinding } from '../helper';

const rule = 'json/duplicate-key';

describe(rule, () => {
  test('marks every key that stood before in the same object, in a tool and outside', () => {
    checkMarked(
      '{"v": 1, "tools": [{"name": "a", "inputSchema": {"type": "object", ⟦"type"⟧: "object"}}], ⟦"v"⟧: 2, ⟦"v"⟧: 3}',
      {
        rule,
      },
    );
  });

  test('names the first as a related place and the tool that it lies in', () => {
    const checked = checkMarked('[{"name": "a", "description": "x", ⟦"description"⟧: "y", "inputSchema": {}}]', {
      rule,
    });
    const finding = expectFinding(checked, {
      rule,
      level: 'warning',
      tool: 'a',
      pointer: '/0/description',
      targets: [],
    });
    expect(finding.related.map(({ span }) => checked.text.slice(0, span.start).length)).toEqual([
      checked.text.indexOf('"description"'),
    ]);
  });

  test('equal keys of different objects, and keys that differ in case, are fine', () => {
    checkMarked('[{"name": "a", "Name": "b", "inputSchema": {"name": 1}}]', { rule });
  });

  test('many keys are compared too', () => {
    const keys = Array.from({ length: 40 }, (_, i) => `"k${i}": ${i}`).join(', ');
    checkMarked(`[{"name": "a", "inputSchema": {${keys}, ⟦"k7"⟧: 0}}]`, { rule });
  });

  test('keys like __proto__ are keys like others', () => {
    checkMarked('[{"name": "a", "inputSchema": {"__proto__": 1, ⟦"__proto__"⟧: 2, "constructor": 3}}]', { rule });
  });
});
