import { describe, expect, test } from 'vitest';
import {
  compareSnapshot,
  differenceText,
  snapshotOfOutput,
  snapshotOfPages,
} from '../../../../server/src/core/calls/snapshot';
import { snapshotText } from '../../../../server/src/core/calls/snapshotText';
import { parseJson } from '../../../../server/src/core/text/json';
import { render } from '../../../../server/src/core/text/message';

const tool = (name: string, inputSchema: unknown = { type: 'object' }, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema,
  ...more,
});
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
const differences = (stored: unknown, fresh: unknown) =>
  compareSnapshot(parseJson(text(stored)), parseJson(text(fresh))).map((each) => render(differenceText(each)));

describe('differences of a stored file and its source', () => {
  test('are named by tool and pointer', () => {
    const schema = (limit: object, more: object = {}) => ({
      type: 'object',
      properties: { query: { type: 'string' }, limit, ...more },
      required: ['query'],
    });
    expect(
      differences(
        { tools: [tool('search', schema({ type: 'integer', maximum: 50, minimum: 1 })), tool('old')] },
        { tools: [tool('new'), tool('search', schema({ type: 'integer', maximum: 100, default: 5 }, { 'a/b': {} }))] },
      ),
    ).toEqual([
      'search: /inputSchema/properties/a~1b is new: {}',
      'search: /inputSchema/properties/limit/minimum is gone, was 1',
      'search: /inputSchema/properties/limit/default is new: 5',
      'search: /inputSchema/properties/limit/maximum was 50, is 100',
      'old is gone',
      'new is new',
    ]);
  });

  test('are none where only order, spelling of numbers and x-toolspec differ', () => {
    const stored = `{"x-toolspec":{"server":"s"},"tools":[
      {"name":"b","description":"","inputSchema":{"type":"object","properties":{"x":{"maximum":1.0}}},"x-toolspec":{"exposure":"deferred"}},
      {"name":"a","inputSchema":{"type":"object"}}]}`;
    const fresh = `{"tools":[{"inputSchema":{"type":"object"},"name":"a"},
      {"name":"b","description":"","inputSchema":{"properties":{"x":{"maximum":1}},"type":"object"}}]}`;
    expect(differences(stored, fresh)).toEqual([]);
  });

  test('are shown around the place where long texts part', () => {
    const long = 'word '.repeat(60);
    const [line] = differences(
      { tools: [tool('t', {}, { title: `${long}old` })] },
      { tools: [tool('t', {}, { title: `${long}new` })] },
    );
    expect(line).toMatch(/^t: \/title was ….{0,25}old", is ….{0,25}new"$/);
  });

  test('have the stored place', () => {
    const stored = parseJson(text({ tools: [tool('t', { type: 'object', maximum: 1 })] }));
    const [difference] = compareSnapshot(
      stored,
      parseJson(text({ tools: [tool('t', { type: 'object', maximum: 2 })] })),
    );
    expect(stored.text.slice(difference?.node?.offset, difference?.node?.end)).toBe('1');
  });

  test('lists of another length are compared as a whole, lists of the same length item by item', () => {
    const choice = (...anyOf: object[]) => ({ tools: [tool('t', { anyOf })] });
    expect(differences(choice({ a: 1 }), choice({ a: 1 }, { b: 1 }))).toEqual([
      't: /inputSchema/anyOf was [{"a":1}], is [{"a":1},{"b":1}]',
    ]);
    expect(differences(choice({ a: 1 }, { b: 1 }), choice({ a: 1 }, { b: 2 }))).toEqual([
      't: /inputSchema/anyOf/1/b was 1, is 2',
    ]);
  });

  test('are found at any depth', () => {
    const deep = (end: string) =>
      `[{"name":"t","inputSchema":${'{"items":'.repeat(20_000)}${end}${'}'.repeat(20_000)}}]`;
    expect(compareSnapshot(parseJson(deep('1')), parseJson(deep('2')))).toHaveLength(1);
  });

  test('tells tools of one name apart by their namespace', () => {
    const spaces = (description: string) => [
      { type: 'namespace', name: 'a', description: '', tools: [{ type: 'function', name: 't', description: '' }] },
      { type: 'namespace', name: 'b', description: '', tools: [{ type: 'function', name: 't', description }] },
    ];
    expect(differences(spaces('x'), spaces('y'))).toEqual(['b.t: /description was "x", is "y"']);
  });
});

describe('the text that is stored', () => {
  const fresh = parseJson(
    '{"tools":[{"name":"t","inputSchema":{"type":"object","maximum":1.0}},{"name":"u","inputSchema":{}}]}',
  );

  test('is laid out, with the spelling of the source, and ends with a line feed', () => {
    expect(snapshotText(fresh, undefined, true)).toBe(
      `{
  "tools": [
    {
      "name": "t",
      "inputSchema": {
        "type": "object",
        "maximum": 1.0
      }
    },
    {
      "name": "u",
      "inputSchema": {}
    }
  ]
}
`,
    );
  });

  test('keeps what only the stored file says', () => {
    const stored = parseJson(`// Made by "toolspec snapshot".
{
  "$schema": "x",
  "x-toolspec": { "server": "shop" },
  "note": 1,
  "nextCursor": "2",
  "tools": [
    { "name": "u", "x-toolspec": { "exposure": "deferred" }, "inputSchema": { "type": "array" } },
    { "name": "gone", "x-toolspec": { "exposure": "hidden" } }
  ]
}`);
    const result = snapshotText(fresh, stored, true);
    expect(result).toMatch(/^\/\/ Made by "toolspec snapshot"\.\n\{\n {2}"\$schema": "x",\n {2}"x-toolspec": \{/);
    expect(JSON.parse(result.slice(result.indexOf('{')))).toEqual({
      $schema: 'x',
      'x-toolspec': { server: 'shop' },
      note: 1,
      tools: [
        { name: 't', inputSchema: { type: 'object', maximum: 1 } },
        { name: 'u', inputSchema: {}, 'x-toolspec': { exposure: 'deferred' } },
      ],
    });
    expect(snapshotText(fresh, stored, false)).not.toContain('note');
    expect(compareSnapshot(parseJson(result), fresh)).toEqual([]);
    expect(snapshotText(fresh, parseJson(result), true)).toBe(result);
  });

  test('of a list at the root keeps x-toolspec of its tools', () => {
    const list = parseJson('[{"type":"function","name":"t","parameters":{}}]');
    const stored = parseJson('[{"type":"function","name":"t","x-toolspec":{"trusted":true}}]');
    expect(JSON.parse(snapshotText(list, stored, false))).toEqual([
      { type: 'function', name: 't', parameters: {}, 'x-toolspec': { trusted: true } },
    ]);
  });
});

describe('what a source gives', () => {
  const failure = (output: string) => {
    const result = snapshotOfOutput(output);
    return 'failure' in result ? render(result.failure) : undefined;
  };

  test('pages become one list', () => {
    const result = snapshotOfPages(['{"tools":[{"name":"a","n":1.0}],"nextCursor":"x"}', '{"tools":[{"name":"b"}]}']);
    expect('document' in result && result.document.text).toBe('{"tools":[{"name":"a","n":1.0},{"name":"b"}]}');
    expect(snapshotOfPages(['{"tools":5}'])).toHaveProperty('failure');
  });

  test('must be JSON in a known form', () => {
    expect(failure('')).toBe('The program printed nothing.');
    expect(failure('[{"name":\n oops}]')).toBe('What the program printed is no JSON, from line 2, column 2 on.');
    expect(failure('{"hello":1}')).toBe('What the program printed is JSON, but none of the forms of tool definitions.');
    expect(failure('[{"type":"function","name":"a"}]')).toBeUndefined();
  });
});
