import { describe, expect, test } from 'vitest';
import { applyFix, check, editedText, expectFinding } from '../helper';
import { closed, strictWith } from '../tools';

const rule = 'schema/ref-siblings';
const hero = closed({ title: { type: 'string' } });
const ref = (more: object = {}) => ({ $ref: '#/$defs/Hero', ...more });
const titles = (finding: { fixes: readonly { title: { text: string } }[] }) =>
  finding.fixes.map(({ title }) => title.text);

describe(rule, () => {
  test('lists the siblings and stands at the first', () => {
    const checked = check(strictWith({ default: null, ...ref(), description: 'P.' }, { $defs: { Hero: hero } }), {
      rule,
    });
    expectFinding(checked, {
      rule,
      level: 'error',
      pointer: '/parameters/properties/p/default',
      targets: ['openai'],
      message: /^"default" and "description" beside "\$ref"/,
    });
  });

  test('a note that strict mode refuses is removed, or left out where the definition is written out', () => {
    const checked = check(strictWith(ref({ default: null }), { $defs: { Hero: hero } }), { rule });
    const finding = expectFinding(checked, { rule });
    expect(titles(finding)).toEqual(['Remove {0}', 'Write the definition here']);
    expect(finding.fixes.map(({ safe, preferred }) => [safe, preferred])).toEqual([
      [true, true],
      [false, false],
    ]);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(strictWith(ref(), { $defs: { Hero: hero } }));
    expect(JSON.parse(applyFix(checked, finding, 1))).toEqual(strictWith(hero, { $defs: { Hero: hero } }));
  });

  test('a description moves into a definition that nothing else names', () => {
    const checked = check(strictWith(ref({ description: 'P.' }), { $defs: { Hero: hero } }), { rule });
    const finding = expectFinding(checked, { rule });
    expect(titles(finding)).toEqual(['Move "description" into the definition', 'Write the definition here']);
    expect(JSON.parse(applyFix(checked, finding))).toEqual(
      strictWith(ref(), { $defs: { Hero: { description: 'P.', ...hero } } }),
    );
  });

  test('a definition that is used twice is written out instead', () => {
    const twice = closed({ a: ref({ description: 'A.' }), b: ref() });
    const checked = check(strictWith(twice, { $defs: { Hero: hero } }), { rule });
    const finding = expectFinding(checked, { rule });
    expect(titles(finding)).toEqual(['Write the definition here']);
    const after = JSON.parse(applyFix(checked, finding)) as unknown;
    expect(after).toEqual(
      strictWith(closed({ a: { ...hero, description: 'A.' }, b: ref() }), { $defs: { Hero: hero } }),
    );
  });

  test('what stands beside the reference wins over the definition', () => {
    const checked = check(strictWith(ref({ description: 'P.' }), { $defs: { Hero: { ...hero, description: 'H.' } } }), {
      rule,
    });
    const text = editedText(checked.text, expectFinding(checked, { rule }));
    expect(JSON.parse(text)).toEqual(
      strictWith({ ...hero, description: 'P.' }, { $defs: { Hero: { ...hero, description: 'H.' } } }),
    );
  });

  test('a definition that leads back to itself is not written out', () => {
    const tree = closed({ child: { anyOf: [{ $ref: '#/$defs/Other' }, { type: 'null' }] } });
    const $defs = { Hero: tree, Other: closed({ back: ref() }) };
    const checked = check(strictWith(ref({ description: 'P.' }), { $defs }), { rule });
    expect(titles(expectFinding(checked, { rule }))).toEqual([]);
  });

  test('a reference that leads nowhere, and one to the root, have no fix', () => {
    for (const $ref of ['#/$defs/Nobody', '#']) {
      const checked = check(strictWith({ $ref, description: 'P.' }), { rule });
      expect(titles(expectFinding(checked, { rule }))).toEqual([]);
    }
  });

  test('a reference by itself is fine', () => {
    expect(check(strictWith(ref(), { $defs: { Hero: hero } }), { rule }).findings).toEqual([]);
  });
});
