import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSampleFileName } from '../../../../server/src/core/calls/fileNames';
import { readText } from './support';

const WHOLE = `{
  // Comments are fine.
  "$schema": "x",
  "definitions": ["./a.tools.json", "b.json"],
  "handlers": { "t": { "builtin": "grammar" }, "*": { "command": ["x"] } },
  "calls": [
    { "name": "n", "tool": "t", "namespace": "ns", "arguments": { "a": 1.50, "b": [1e2] }, "expect": { "outcome": "accepted", "value": 1 } },
    { "tool": "t", "arguments": "{\\"a\\": ", "expect": { "feedback": "x" } },
    { "tool": "c", "input": "raw", "expect": { "state": "timed-out" } },
    { "tool": "c", "inputFile": "./x.patch" },
    { "tool": "t", "result": { "content": [] } },
  ],
}`;

describe('readSamples', () => {
  test('reads every key', () => {
    const file = readText(WHOLE);
    expect(file.problems).toEqual([]);
    expect(file.definitions.map(({ path }) => path)).toEqual(['./a.tools.json', 'b.json']);
    expect(file.handlers.map(({ tool, spec, from }) => [tool, spec?.kind, from])).toEqual([
      ['t', 'builtin', '/w/t.samples.json'],
      ['*', 'command', '/w/t.samples.json'],
    ]);
    const [first, raw, input, inFile, stored] = file.calls;
    expect(first).toMatchObject({ index: 0, name: 'n', tool: 't', namespace: 'ns' });
    // The spelling of numbers stays.
    expect(first?.payload).toMatchObject({ kind: 'arguments', raw: false, text: '{"a":1.50,"b":[1e2]}' });
    expect(first?.expect).toMatchObject({ outcome: 'accepted', value: { text: '1' } });
    expect(raw?.payload).toMatchObject({ kind: 'arguments', raw: true, text: '{"a": ' });
    expect(raw?.expect).toMatchObject({ outcome: undefined, feedback: 'x' });
    expect(input?.payload).toMatchObject({ kind: 'input', text: 'raw' });
    expect(input?.expect?.outcome).toBe('timed-out');
    expect(inFile?.payload).toMatchObject({ kind: 'input-file', path: './x.patch' });
    expect(stored).toMatchObject({ payload: undefined, result: { kind: 'object' } });
  });

  test.each([[''], ['null'], ['[]'], ['{'], ['{"calls": [5, null, "x"]}'], ['{"calls":'], ['{"calls":[{"tool":}]}']])(
    '%s gives no call that could be run, and no failure',
    (text) => {
      const { calls, definitions } = readText(text);
      expect(calls.filter(({ payload }) => payload !== undefined)).toEqual([]);
      expect(definitions).toEqual([]);
    },
  );

  test('a call that sends two things sends nothing', () => {
    const { calls } = readText('{"definitions":["a"],"calls":[{"tool":"t","arguments":{},"input":""}]}');
    expect(calls[0]?.payload).toBeUndefined();
  });

  test('keys that objects inherit are keys like others', () => {
    const { handlers, calls } = readText(
      '{"definitions":["a"],"handlers":{"__proto__":{"builtin":"grammar"}},"calls":[{"tool":"__proto__","arguments":{"__proto__":1}}]}',
    );
    expect(handlers.map(({ tool }) => tool)).toEqual(['__proto__']);
    expect(calls[0]).toMatchObject({ tool: '__proto__', payload: { text: '{"__proto__":1}' } });
  });

  test('100,000 levels are read', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const { calls, problems } = readText(`{"definitions":["a"],"calls":[{"tool":"t","arguments":${deep}}]}`);
    expect(calls[0]?.payload).toMatchObject({ text: deep });
    expect(problems).toEqual([]);
  });

  test('a changed text never makes it throw, and no call with a tool and a payload is lost', () => {
    fc.assert(
      fc.property(
        fc.nat(WHOLE.length),
        fc.nat(12),
        fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', 'null', '\\', '\n', '\u0000', '"tool":'),
        (at, length, put) => {
          const text = WHOLE.slice(0, at) + put + WHOLE.slice(at + length);
          const file = readText(text);
          expect(file.document.text).toBe(text);
          const listed = file.document.root?.value('calls')?.items ?? [];
          expect(file.calls.map(({ node }) => node)).toEqual(listed.filter(({ kind }) => kind === 'object'));
          for (const { span } of file.problems) {
            expect(span.start).toBeGreaterThanOrEqual(0);
            expect(span.end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { seed: 6, numRuns: 400 },
    );
  });
});

test.each([
  ['a.samples.json', true],
  ['a.b.samples.jsonc', true],
  ['samples.json', false],
  ['a.samples.json5', false],
  ['a.tools.json', false],
])('%s is a samples file: %s', (name, is) => {
  expect(isSampleFileName(name)).toBe(is);
});
