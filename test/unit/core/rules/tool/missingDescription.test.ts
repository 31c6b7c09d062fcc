import { describe, expect, test } from 'vitest';
import { check, checkMarked, expectFinding } from '../helper';

const rule = 'tool/missing-description';

describe(rule, () => {
  test('missing, null, empty, and no string', () => {
    checkMarked('[{"name": ⟦"a"⟧, "inputSchema": {}}, {"name": ⟦"b"⟧, "description": null, "inputSchema": {}}]', {
      rule,
    });
    checkMarked(
      '[{"name": "a", ⟦"description"⟧: " ", "inputSchema": {}}, {"name": "b", ⟦"description"⟧: 5, "inputSchema": {}}]',
      {
        rule,
      },
    );
  });

  test('is a warning about the tool, whatever the targets', () => {
    const checked = check({ name: 'a', inputSchema: {} }, { rule, targets: [] });
    expectFinding(checked, { rule, level: 'warning', tool: 'a', targets: [] });
  });

  test('hosted tools need none', () => {
    expect(check([{ type: 'web_search' }], { rule }).findings).toEqual([]);
  });
});
