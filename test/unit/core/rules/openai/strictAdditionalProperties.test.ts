import { describe, expect, test } from 'vitest';
import { applyFix, check, checkMarked, expectFinding } from '../helper';
import { closed, responses, strictWith } from '../tools';

const rule = 'schema/strict-additional-properties';

describe(rule, () => {
  test('one finding for each object: plain, nullable, and with properties but no type', () => {
    const open = (more: object) => ({ properties: {}, ...more });
    const p = { anyOf: [open({ type: 'object' }), open({ type: ['object', 'null'] }), open({}), { type: 'string' }] };
    const { findings } = check(strictWith(p, { $defs: { D: { type: 'object' } } }), { rule });
    expect(findings.map(({ pointer }) => pointer)).toEqual([
      '/parameters/properties/p/anyOf/0',
      '/parameters/properties/p/anyOf/1',
      '/parameters/properties/p/anyOf/2',
      '/parameters/$defs/D',
    ]);
  });

  test('the fix keeps the meaning and every other byte', () => {
    const text = JSON.stringify(responses({ type: 'object', properties: {}, required: [] }, { strict: true }), null, 4);
    const checked = check(text, { rule });
    const finding = expectFinding(checked, { rule, level: 'error', pointer: '/parameters', targets: ['openai'] });
    expect(finding.fixes[0]).toMatchObject({ safe: true, preferred: true, kind: 'quickfix' });
    expect(applyFix(checked, finding)).toBe(
      text.replace('"required": []\n', '"required": [],\n        "additionalProperties": false\n'),
    );
  });

  test('an object that requires what it does not name has no fix, because closed it would take no value', () => {
    const arms = [{ required: ['a'] }, { required: ['b'] }];
    for (const more of [{ required: ['a'] }, { oneOf: arms }, { anyOf: arms }, { allOf: arms }]) {
      const checked = check(strictWith({ type: 'object', properties: {}, ...more }), { rule });
      expect(expectFinding(checked, { rule, pointer: '/parameters/properties/p' }).fixes).toEqual([]);
    }
  });

  test('an object beside which another schema judges the same value has no fix', () => {
    const part = { type: 'object', properties: {} };
    const fixes = (p: unknown, $defs: unknown = {}) =>
      check(strictWith(p, { $defs }), { rule }).findings.map((finding) => finding.fixes.length);
    expect(fixes({ allOf: [part, { required: ['a'] }] })).toEqual([0]);
    expect(fixes({ anyOf: [part], allOf: [{ required: ['a'] }] })).toEqual([0]);
    expect(fixes({ allOf: [{ $ref: '#/$defs/D' }, { required: ['a'] }] }, { D: part })).toEqual([0]);
    expect(fixes({ $ref: '#/$defs/D', required: ['a'] }, { D: part })).toEqual([0]);
    expect(fixes({ anyOf: [part, { type: 'null' }], description: 'P.' })).toEqual([1]);
    expect(fixes({ allOf: [{ $ref: '#/$defs/D' }], description: 'P.' }, { D: part })).toEqual([1]);
  });

  test('another value is the concern of another rule', () => {
    for (const value of [true, {}, { type: 'string' }, null]) {
      expect(check(strictWith({ ...closed({}), additionalProperties: value }), { rule }).findings).toEqual([]);
    }
  });

  test('enum values and tools that are not strict are not judged', () => {
    checkMarked(JSON.stringify(strictWith({ type: 'string', enum: [{ type: 'object' }] })), { rule });
    checkMarked(JSON.stringify(responses({ type: 'object', properties: {} }, { strict: false })), { rule });
  });
});
