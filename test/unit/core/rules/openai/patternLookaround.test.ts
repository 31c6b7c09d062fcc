import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';
import { strictWith } from '../tools';

const rule = 'schema/pattern-lookaround';
const found = (pattern: string) => check(strictWith({ type: 'string', pattern }), { rule });

describe(rule, () => {
  test('look-ahead and look-behind, both ways', () => {
    for (const [pattern, mark] of [
      ['^(?!x)', '(?!'],
      ['a(?=b)', '(?='],
      ['(?<=a)b', '(?<='],
      ['(?<!a)b', '(?<!'],
    ] as const) {
      const finding = expectFinding(found(pattern), {
        rule,
        level: 'error',
        pointer: '/parameters/properties/p/pattern',
        targets: ['openai'],
      });
      expect(finding.message.args).toContain(mark);
    }
  });

  test('groups, names, escapes and character classes are none', () => {
    for (const pattern of ['(?:a)', '(?<name>a)', '\\(?=', '[(?!]', '[\\](?=]', 'a?=b', '(a)?!']) {
      expect(found(pattern).findings).toEqual([]);
    }
  });

  test('a class that ends lets it speak again', () => {
    expect(found('[a-z](?=b)').findings).toHaveLength(1);
  });
});
