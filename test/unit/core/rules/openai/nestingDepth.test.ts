import { describe, expect, test } from 'vitest';
import { check, expectFinding } from '../helper';
import { closed, responses, strictWith } from '../tools';

const rule = 'schema/nesting-depth';

/** So many objects below the root, each in the next, and what lies in the last. */
function nested(levels: number, inner: unknown = { type: 'string' }): unknown {
  let schema = inner;
  for (let i = levels; i > 0; i--) schema = closed({ [`l${i}`]: schema });
  return schema;
}

describe(rule, () => {
  test('ten levels are fine, the eleventh is marked, and what lies in it is not', () => {
    expect(check(responses(nested(10), { strict: true }), { rule }).findings).toEqual([]);
    const pointer = `/parameters${Array.from({ length: 10 }, (_, i) => `/properties/l${i + 1}`).join('')}`;
    for (const levels of [11, 12, 14]) {
      const checked = check(responses(nested(levels), { strict: true }), { rule });
      expectFinding(checked, { rule, level: 'error', pointer, targets: ['openai'], message: /level 11.* 10 levels/ });
    }
  });

  test('arrays and unions are no levels, the objects in them are', () => {
    const array = { type: 'array', items: closed({ a: { type: 'string' } }) };
    expect(check(responses(nested(9, array), { strict: true }), { rule }).findings).toEqual([]);
    expect(check(responses(nested(10, array), { strict: true }), { rule }).findings).toHaveLength(1);
    expect(
      check(responses(nested(10, { anyOf: [closed({}), { type: 'null' }] }), { strict: true }), { rule }).findings,
    ).toHaveLength(1);
  });

  test('each branch that is too deep has a finding', () => {
    const two = closed({ a: closed({}), b: closed({}) });
    expect(check(responses(nested(9, two), { strict: true }), { rule }).findings).toHaveLength(2);
  });

  test('definitions start anew, and so recursion is no depth', () => {
    const tree = closed({ child: { anyOf: [{ $ref: '#/$defs/T' }, { type: 'null' }] } });
    expect(check(strictWith({ $ref: '#/$defs/T' }, { $defs: { T: tree } }), { rule }).findings).toEqual([]);
  });

  test('without strict there is no limit', () => {
    expect(check(responses(nested(30)), { rule }).findings).toEqual([]);
  });
});
