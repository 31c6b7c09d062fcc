import { describe, expect, test } from 'vitest';
import { check, checkMarked } from '../helper';

const rule = 'json/syntax';

describe(rule, () => {
  test('speaks only where it is asked for', () => {
    const broken = '[{"name": "a" "inputSchema": {}}]';
    expect(check(broken, { rule }).findings).toEqual([]);
    expect(check(broken, { rule, syntax: true }).findings).toHaveLength(1);
  });

  test('marks the place of the fault', () => {
    checkMarked('[{"name": "a", ⟦"inputSchema"⟧}]', { rule, syntax: true });
  });

  test('comments and trailing commas are faults in JSON and fine in JSON with comments', () => {
    const text = '[{"name": "a", "description": "A.", "inputSchema": {}⟦,⟧} ⟦/* note */⟧]';
    checkMarked(text, { rule, syntax: true });
    checkMarked(text.replace(/[⟦⟧]/g, ''), { rule, syntax: true, jsonc: true });
  });

  test('the rest of a broken file is still checked', () => {
    const { findings } = check('[{"name": "a", "inputSchema": {}, "description": }, {"name": "a", "inputSchema": {}}]');
    expect(findings.map((each) => each.rule)).toContain('tool/duplicate-name');
  });
});
