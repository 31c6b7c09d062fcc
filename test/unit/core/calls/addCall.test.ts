import { describe, expect, test } from 'vitest';
import { addCall, emptySamples, type NewCall, withDefinition } from '../../../../server/src/core/calls/addCall';

const CALL: NewCall = {
  name: 'example',
  tool: 'days',
  namespace: undefined,
  kind: 'function',
  payload: '{"n":1e2}',
  outcome: 'accepted',
};

describe('a call that is added', () => {
  test('goes into a new file on lines of its own, its numbers as they are spelled', () => {
    const added = addCall(emptySamples(['./a.tools.json']), CALL, undefined)!;
    expect(added.text).toBe(`{
  "definitions": [
    "./a.tools.json"
  ],
  "calls": [
    {
      "name": "example",
      "tool": "days",
      "arguments": {
        "n": 1e2
      },
      "expect": {
        "outcome": "accepted"
      }
    }
  ]
}
`);
    expect(added.text.slice(added.payload.start, added.payload.end)).toMatch(/^\{\s+"n": 1e2\s+\}$/);
  });

  test('has no expectation where nothing is known of its end', () => {
    const { text } = addCall(emptySamples([]), { ...CALL, outcome: undefined }, undefined)!;
    expect((JSON.parse(text) as { calls: object[] }).calls).toEqual([
      { name: 'example', tool: 'days', arguments: { n: 100 } },
    ]);
  });

  test('is laid out as its neighbors are, and comments stay', () => {
    const text =
      '{\n\t// Mine.\n\t"definitions": ["./a.tools.json"],\n\t"calls": [\n\t\t{ "tool": "days" } // last\n\t]\n}\n';
    const { text: changed } = addCall(text, CALL, undefined)!;
    expect(changed.startsWith(text.slice(0, text.indexOf('"days" }')))).toBe(true);
    expect(changed).toContain('// last');
    expect(changed).toContain('\n\t\t{');
  });

  test('gets another name than the calls that are there', () => {
    const once = addCall(emptySamples([]), CALL, undefined)!.text;
    const twice = addCall(once, CALL, undefined)!.text;
    const { calls } = JSON.parse(addCall(twice, CALL, undefined)!.text) as { calls: { name: string }[] };
    expect(calls.map(({ name }) => name)).toEqual(['example', 'example (2)', 'example (3)']);
  });

  test('of a custom tool has its text, of no JSON the raw text', () => {
    const custom: NewCall = { ...CALL, kind: 'custom', payload: 'a\n"b"' };
    expect(JSON.parse(addCall(emptySamples([]), custom, undefined)!.text).calls[0].input).toBe('a\n"b"');
    const raw: NewCall = { ...CALL, payload: '{"n":' };
    expect(JSON.parse(addCall(emptySamples([]), raw, undefined)!.text).calls[0].arguments).toBe('{"n":');
  });

  test('comes with its definition file where that is not named yet', () => {
    const { text } = addCall('{ "calls": [] }', CALL, './b.tools.json')!;
    expect(JSON.parse(text)).toMatchObject({ definitions: ['./b.tools.json'], calls: [{ tool: 'days' }] });
    expect(withDefinition('{ "definitions": ["./a.tools.json"] }', './b.tools.json')).toBe(
      '{ "definitions": ["./a.tools.json", "./b.tools.json"] }',
    );
  });

  test('goes nowhere where the text is no samples file', () => {
    for (const text of ['', '[]', '{ "calls": {} }', '{ "calls": }', '1']) {
      expect(addCall(text, CALL, undefined)).toBeUndefined();
    }
    expect(withDefinition('{ "definitions": 1 }', './a')).toBeUndefined();
  });
});
