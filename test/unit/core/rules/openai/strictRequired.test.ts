import { describe, expect, test } from 'vitest';
import { applyFix, check, expectFinding } from '../helper';
import { closed, responses, strictWith } from '../tools';

const rule = 'schema/strict-required';
const object = (properties: object, required?: unknown) =>
  responses(
    { type: 'object', properties, ...(required === undefined ? {} : { required }), additionalProperties: false },
    { strict: true },
  );

/** The parameters after the fix of the one finding. */
function fixed(tool: unknown, pointer = '/parameters'): unknown {
  const checked = check(tool, { rule });
  return (JSON.parse(applyFix(checked, expectFinding(checked, { rule, pointer }))) as { parameters: unknown })
    .parameters;
}

describe(rule, () => {
  test('names what is missing, at the list', () => {
    const checked = check(object({ a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } }, ['b']), {
      rule,
    });
    expectFinding(checked, {
      rule,
      level: 'error',
      pointer: '/parameters/required',
      targets: ['openai'],
      message: /Missing: "a" and "c"\./,
    });
  });

  test('without a list it stands at the object, and the fix writes one', () => {
    expect(fixed(object({ a: { type: 'string' } }))).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
      additionalProperties: false,
    });
  });

  test('the fix lets each kind of schema take null', () => {
    const before = {
      word: { type: 'string', description: 'W.' },
      list: { type: ['string', 'integer'] },
      choice: { type: 'string', enum: ['x', 'y'] },
      union: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      already: { type: ['string', 'null'] },
      constant: { type: 'string', const: 'k', description: 'C.' },
      reference: { $ref: '#/$defs/D' },
    };
    const tool = responses({ ...closed(before), required: [], $defs: { D: closed({}) } }, { strict: true });
    expect(fixed(tool, '/parameters/required')).toMatchObject({
      properties: {
        word: { type: ['string', 'null'], description: 'W.' },
        list: { type: ['string', 'integer', 'null'] },
        choice: { type: ['string', 'null'], enum: ['x', 'y', null] },
        union: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
        already: { type: ['string', 'null'] },
        constant: { anyOf: [{ type: 'string', const: 'k' }, { type: 'null' }], description: 'C.' },
        reference: { anyOf: [{ $ref: '#/$defs/D' }, { type: 'null' }] },
      },
      required: ['word', 'list', 'choice', 'union', 'already', 'constant', 'reference'],
    });
  });

  test('a name that is no property has a finding of its own', () => {
    const checked = check(object({ a: { type: 'string' } }, ['a', 'x']), { rule });
    const finding = expectFinding(checked, {
      rule,
      level: 'error',
      pointer: '/parameters/required/1',
      message: /"x" is required but not among/,
    });
    expect(JSON.parse(applyFix(checked, finding))).toEqual(object({ a: { type: 'string' } }, ['a']));
  });

  test('where several schemas judge one value there is no fix', () => {
    const part = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const checked = check(strictWith({ allOf: [part, { required: ['a'] }] }), { rule });
    expect(expectFinding(checked, { rule, pointer: '/parameters/properties/p/allOf/0' }).fixes).toEqual([]);
  });

  test('nested objects and definitions are judged', () => {
    const open = { type: ['object', 'null'], properties: { a: {} }, additionalProperties: false };
    const { findings } = check(
      strictWith(open, { $defs: { D: { properties: { b: {} }, additionalProperties: false } } }),
      { rule },
    );
    expect(findings.map(({ pointer }) => pointer)).toEqual(['/parameters/properties/p', '/parameters/$defs/D']);
  });

  test('an object without properties, and a tool that is not strict, are fine', () => {
    expect(check(object({}), { rule }).findings).toEqual([]);
    expect(check(responses({ type: 'object', properties: { a: {} } }), { rule }).findings).toEqual([]);
  });

  test('a list of the wrong kind is the concern of another rule', () => {
    expect(check(object({ a: { type: 'string' } }, 'a'), { rule }).findings).toEqual([]);
  });

  test('a type that is no type is left alone, and what never had a value is null', () => {
    expect(
      fixed(object({ a: { type: false }, b: false, c: { type: 5, description: 'C.' } }, []), '/parameters/required'),
    ).toEqual({
      type: 'object',
      properties: { a: { type: false }, b: { type: 'null' }, c: { type: 5, description: 'C.' } },
      required: ['a', 'b', 'c'],
      additionalProperties: false,
    });
  });

  test('a word that means "object" counts as one, so that mending it brings nothing new', () => {
    const tool = responses({ type: 'dict', properties: { a: { type: 'string' } } }, { strict: true });
    const before = check(tool);
    expectFinding(before, { rule, pointer: '/parameters' });
    const after = check(applyFix(before, expectFinding(before, { rule: 'schema/unknown-type' })));
    const errors = ({ findings }: typeof after) =>
      findings.filter(({ level }) => level === 'error').map((each) => each.rule);
    expect(errors(before)).toEqual(expect.arrayContaining(errors(after)));
  });
});
