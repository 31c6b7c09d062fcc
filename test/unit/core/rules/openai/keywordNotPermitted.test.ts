import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { responses } from '../tools';

const rule = 'schema/keyword-not-permitted';
const property = (propertyNames: unknown) =>
  responses({
    type: 'object',
    properties: { p: { type: 'object', propertyNames, additionalProperties: { type: 'string' } } },
  });
const pointer = '/parameters/properties/p/propertyNames';

describe(rule, () => {
  test('says that names are strings anyway where the keyword says nothing, and may then be removed unasked', () => {
    const checked = check(property({ type: 'string' }), { rule });
    const finding = expectFinding(checked, {
      rule,
      level: 'error',
      pointer,
      targets: ['openai'],
      message: /says nothing here/,
    });
    expect(finding.fixes[0]!.safe).toBe(true);
    expect(applyFix(checked, finding)).not.toContain('propertyNames');
  });

  test('a pattern of names is lost with it', () => {
    const finding = expectFinding(check(property({ pattern: '^x-' }), { rule }), {
      rule,
      pointer,
      message: /Check the keys in the handler/,
    });
    expect(finding.fixes[0]!.safe).toBe(false);
  });

  test('a property of that name is fine', () => {
    expect(
      check(responses({ type: 'object', properties: { propertyNames: { type: 'string' } } }), { rule }).findings,
    ).toEqual([]);
  });
});
