import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSimpler, shrink } from '../../../../../server/src/core/calls/drift/shrink';

const when =
  (holds: (text: string) => boolean, judged: string[] = []) =>
  async (texts: readonly string[]): Promise<readonly boolean[]> => {
    judged.push(...texts);
    return texts.map(holds);
  };

describe('text', () => {
  test('lines that do not matter go, and what stays becomes simple', async () => {
    const input = 'begin\n@@ class Z\n@@ def g\n+one\n-two\nend\n';
    const holds = (text: string): boolean => /^begin\n(?:.*\n)*@@.*\n@@/.test(text);
    expect(await shrink(input, false, when(holds), 1000)).toBe('begin\n@@\n@@');
  });

  test('a name that stands in two places is shortened in both', async () => {
    const holds = (text: string): boolean => /^(\w+) \1$/.test(text);
    expect(await shrink('kitchen kitchen', false, when(holds), 1000)).toBe('a a');
  });
});

describe('arguments', () => {
  test('members and items go, and values become simple', async () => {
    const input = '{"a":[1,2,{"deep":"long text","x":[]}],"b":{"c":null},"path":"../secret"}';
    const holds = (text: string): boolean => {
      try {
        return (JSON.parse(text) as { path?: unknown }).path?.toString().startsWith('..') ?? false;
      } catch {
        return false;
      }
    };
    expect(await shrink(input, true, when(holds), 2000)).toBe('{"path":".."}');
  });

  test('a text that is no JSON is a text', async () => {
    expect(
      await shrink(
        '{"a":NaN,"b":1}',
        true,
        when((text) => text.includes('NaN')),
        1000,
      ),
    ).toBe('NaN');
  });
});

test('the limit of candidates holds, and the answer always differs as the input did', async () => {
  const judged: string[] = [];
  const holds = (text: string): boolean => text.includes('x');
  const smallest = await shrink(`${'y'.repeat(200)}x${'y'.repeat(200)}`, false, when(holds, judged), 20);
  expect(judged.length).toBeLessThanOrEqual(20);
  expect(holds(smallest)).toBe(true);
});

test('shrinking never changes the class, and is deterministic', async () => {
  const classOf = (text: string): number => [...text].filter((character) => character === '{').length % 3;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ maxLength: 60 }), fc.json({ maxDepth: 3 })),
      fc.boolean(),
      async (input, json) => {
        const wanted = classOf(input);
        const still = when((text) => classOf(text) === wanted);
        const smallest = await shrink(input, json, still, 400);
        expect(classOf(smallest)).toBe(wanted);
        expect(smallest === input || isSimpler(smallest, input)).toBe(true);
        expect(await shrink(input, json, still, 400)).toBe(smallest);
      },
    ),
    { seed: 11, numRuns: 60 },
  );
});
