import { describe, expect, test } from 'vitest';
import { render } from '../../../../../server/src/core/text/message';
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

  test.each([
    ['', '⟦⟧', 'There is no JSON value here.'],
    ['blanks', '⟦ \n⟧', 'There is no JSON value here.'],
    ['a page instead of the file', '⟦<html>⟧\n<body>No such file</body>\n', 'This is not a JSON value.'],
    ['YAML', '⟦tools⟧:\n  - name: a\n', 'This is not a JSON value.'],
    ['a bracket that closes nothing', '⟦]⟧', 'Nothing is open here that this could close.'],
    ['a comment without an end', '⟦/* x⟧', 'The comment is not closed.'],
    ['words behind a comment', '// x\n⟦hello⟧ world', 'This is not a JSON value.'],
  ])('a text without any value, %j, is one fault', (_, marked, message) => {
    const { findings } = checkMarked(marked, { rule, syntax: true });
    expect(findings.map((each) => [each.pointer, render(each.message)])).toEqual([['', message]]);
  });

  test('a comment alone is no value, in JSON with comments either', () => {
    for (const jsonc of [false, true]) {
      const { findings } = checkMarked('// later⟦⟧', { rule, syntax: true, jsonc });
      expect(findings.map((each) => render(each.message))).toEqual(['There is no JSON value here.']);
    }
  });
});
