import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { mcp, responses } from '../tools';

const rule = 'schema/array-missing-items';
const property = (p: unknown) => responses({ type: 'object', properties: { p } });

describe(rule, () => {
  test('stands at the array itself', () => {
    expectFinding(check(property({ type: 'array' }), { rule }), {
      rule,
      level: 'error',
      pointer: '/parameters/properties/p',
      targets: ['openai'],
    });
    expectFinding(check(property({ type: 'array', items: { type: 'array' } }), { rule }), {
      rule,
      pointer: '/parameters/properties/p/items',
    });
  });

  test('stands at the word of a type list', () => {
    const checked = check(property({ type: ['string', 'array'] }), { rule });
    const finding = expectFinding(checked, { rule, pointer: '/parameters/properties/p/type/1' });
    expect(checked.text.slice(finding.span.start, finding.span.end)).toBe('"array"');
  });

  test('in definitions, unions and MCP tools too', () => {
    const schema = {
      type: 'object',
      properties: { p: { anyOf: [{ type: 'array' }] } },
      $defs: { D: { type: 'array' } },
    };
    expect(check(mcp(schema), { rule }).findings.map(({ pointer }) => pointer)).toEqual([
      '/inputSchema/properties/p/anyOf/0',
      '/inputSchema/$defs/D',
    ]);
  });

  test('any items will do, and what is not declared is not judged', () => {
    for (const p of [
      { type: 'array', items: {} },
      { type: 'array', items: null },
      { not: { type: 'array' } },
      { enum: [{ type: 'array' }] },
    ]) {
      expect(check(property(p), { rule }).findings).toEqual([]);
    }
  });

  test('the fix adds items behind the type', () => {
    const checked = check(property({ type: 'array', maxItems: 3 }), { rule });
    const text = applyFix(checked, expectFinding(checked, { rule }));
    expect(JSON.parse(text)).toEqual(property({ type: 'array', items: { type: 'string' }, maxItems: 3 }));
  });
});
