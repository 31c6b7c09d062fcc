import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createChecker } from '../../../../../server/src/core/check';
import { ruleById } from '../../../../../server/src/core/rules/registry';
import { applyEdits } from '../../../../../server/src/core/text/edits';
import type { Finding } from '../../../../../server/src/core/text/finding';
import { describeFinding } from '../helper';

/** Schemas with all that the rules of strict mode speak about, in any combination. */
const { schema } = fc.letrec<{ schema: object }>((tie) => {
  const note = { description: fc.constantFrom('D.', 'E.') };
  const word = fc.constantFrom('string', 'integer', 'boolean', 'null');
  const scalar = fc.record(
    {
      type: fc.oneof(word, fc.uniqueArray(word, { minLength: 1, maxLength: 3 })),
      ...note,
      default: fc.constantFrom(null, 1, 'x'),
      format: fc.constantFrom('date', 'uri'),
      pattern: fc.constantFrom('^a', '(?!b)c'),
      minLength: fc.constant(1),
    },
    { requiredKeys: ['type'] },
  );
  const choice = fc.record(
    { type: fc.constant('string'), enum: fc.constantFrom(['x'], ['x', 'y']), ...note },
    { requiredKeys: ['enum'] },
  );
  const reference = fc.record(
    { $ref: fc.constantFrom('#/$defs/A', '#/$defs/B', '#'), ...note, default: fc.constant(1) },
    { requiredKeys: ['$ref'] },
  );
  const array = fc.record(
    { type: fc.constantFrom('array', ['array', 'null']), items: tie('schema'), uniqueItems: fc.constant(true) },
    { requiredKeys: ['type'] },
  );
  const object = fc.record(
    {
      type: fc.constantFrom('object', ['object', 'null']),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema') as fc.Arbitrary<object>, { maxKeys: 3 }),
      required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
      additionalProperties: fc.oneof(fc.constantFrom(true, false), tie('schema') as fc.Arbitrary<object>),
      ...note,
    },
    { requiredKeys: ['properties'] },
  );
  const arms = fc.array(tie('schema') as fc.Arbitrary<object>, { minLength: 1, maxLength: 3 });
  const union = fc.record({ anyOf: arms, oneOf: arms, allOf: arms, ...note }, { requiredKeys: [] });
  return {
    schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, choice, reference, array, object, union),
  };
});

const check = (text: string) =>
  createChecker().check({ uri: 'file:///w/t.tools.json', text }, { targets: ['openai'], syntax: true });
const errors = (findings: readonly Finding[]) => {
  const counts = new Map<string, number>();
  for (const { rule, level } of findings) if (level === 'error') counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return counts;
};

describe('fixes of the rules of OpenAI', () => {
  test('take their finding away, make no error, and leave the text readable', () => {
    fc.assert(
      fc.property(schema, schema, schema, fc.constantFrom(0, 2), (p, a, b, indent) => {
        const parameters = {
          type: 'object',
          properties: { p },
          required: ['p'],
          additionalProperties: false,
          $defs: { A: a, B: b },
        };
        const text = JSON.stringify(
          [{ type: 'function', name: 'f', description: 'F.', strict: true, parameters }],
          null,
          indent,
        );
        const { findings } = check(text);
        const before = errors(findings);
        for (const finding of findings.filter(({ rule }) => ruleById(rule)?.section === 'openai')) {
          for (const fix of finding.fixes) {
            const fixed = applyEdits(text, fix.edits());
            const after = check(fixed);
            const label = `${describeFinding(finding)} by ${fix.title.text}\n${text}\n${fixed}`;
            expect(after.document.problems, label).toEqual([]);
            const left = after.findings.filter(({ rule }) => rule === finding.rule).length;
            expect(left, label).toBeLessThan(findings.filter(({ rule }) => rule === finding.rule).length);
            // A definition that is written out brings its own faults along.
            const copies = fix.title.text === 'Write the definition here';
            const isNew = ([rule, count]: [string, number]) =>
              copies ? !before.has(rule) : count > (before.get(rule) ?? 0);
            // A schema that was empty before may be called so at another place.
            const wasEmpty = findings.some(({ rule }) => rule.startsWith('schema/never-'));
            const added = [...errors(after.findings)].filter(
              (each) => isNew(each) && !(wasEmpty && each[0] === 'schema/never-matches'),
            );
            expect(added, label).toEqual([]);
          }
        }
      }),
      { seed: 11, numRuns: Number(process.env['LAW_RUNS'] ?? 150) },
    );
  });
});
