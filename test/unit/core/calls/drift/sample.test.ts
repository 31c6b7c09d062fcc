import { expect, test } from 'vitest';
import type { Drift } from '../../../../../server/src/core/calls/drift/model';
import { newSamplesText, sampleFromDrift } from '../../../../../server/src/core/calls/drift/sample';
import { applyEdits } from '../../../../../server/src/core/text/edits';

const drift = (input: string, feedback: string): Drift => ({
  kind: 'contract-accepts',
  input,
  feedback,
  signature: feedback,
  contract: { accepted: true, lost: false, feedback: '' },
  handler: { verdict: 'rejected', feedback },
  shrunkFrom: input,
  count: 1,
});

const PLAN = { tool: 'plan', namespace: undefined, kind: 'function' } as const;
const PATCH = { tool: 'patch', namespace: 'files', kind: 'custom' } as const;

const stored = (text: string, ...edits: Parameters<typeof sampleFromDrift>[1][]): string =>
  edits.reduce((current, each) => applyEdits(current, sampleFromDrift(current, each, PLAN)), text);

test('a drift becomes the last call, laid out like its neighbors', () => {
  const text = `{
  // Kept.
  "definitions": ["./a.tool.json"],
  "calls": [
    { "name": "one", "tool": "plan", "arguments": {} }, // kept too
  ]
}
`;
  const after = stored(text, drift('{"a":1}', 'no "a"\nat all'));
  expect(after).toContain('// Kept.');
  expect(after).toContain('// kept too');
  expect(after).toContain('"name": "drift, handler refuses: no \\"a\\""');
  expect(after).toMatch(/"arguments": \{\s*"a": 1\s*\}/);
  expect(after).toMatch(/"outcome": "rejected",\s*"feedback": "no \\"a\\""/);
});

test('what is no object to the letter stays a text', () => {
  for (const input of ['[1]', '{"a":1,}', '{ "a": 1 }', '{"a":1.0}', '{"a":1,"a":2}', '']) {
    const after = stored(newSamplesText('./a.tool.json'), drift(input, 'no'));
    const { calls } = JSON.parse(after) as { calls: { arguments: unknown }[] };
    expect(calls[0]!.arguments).toBe(input);
  }
});

test('input of custom tools is raw, with the namespace where it is needed', () => {
  const edits = sampleFromDrift(newSamplesText('./a.tool.json'), drift('a\nb', 'no'), PATCH);
  const { calls } = JSON.parse(applyEdits(newSamplesText('./a.tool.json'), edits)) as { calls: object[] };
  expect(calls).toEqual([
    {
      name: 'drift, handler refuses: no',
      tool: 'patch',
      namespace: 'files',
      input: 'a\nb',
      expect: { outcome: 'rejected', feedback: 'no' },
    },
  ]);
});

test('names are unique, and the same input is stored once', () => {
  const after = stored(
    newSamplesText('./a.tool.json'),
    drift('{"a":1}', 'no'),
    drift('{"a":2}', 'no'),
    drift('{"a":1}', 'other'),
  );
  const { calls } = JSON.parse(after) as { calls: { name: string }[] };
  expect(calls.map(({ name }) => name)).toEqual(['drift, handler refuses: no', 'drift, handler refuses: no (2)']);
});

test('a file without calls gets them; what is no samples file is left alone', () => {
  expect(JSON.parse(stored('{"definitions":["./a"]}', drift('{}', 'no')))).toHaveProperty('calls');
  for (const text of ['', '[]', '{"calls":5}']) expect(sampleFromDrift(text, drift('{}', 'no'), PLAN)).toEqual([]);
});
