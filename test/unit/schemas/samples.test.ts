import { describe, expect, test } from 'vitest';
import { readSamples } from '../../../server/src/core/calls/read';
import { parseJson } from '../../../server/src/core/text/json';
import { compileSchema, loadSchema } from './support';

const validate = compileSchema('samples.schema.json');

/** Whether the rule about the form of samples files speaks. */
function refusedByRule(value: unknown): boolean {
  const { problems } = readSamples(parseJson(JSON.stringify(value)), 'file:///t.samples.json');
  return problems.some(({ kind }) => kind === 'shape');
}

const call = { tool: 't', arguments: {} };
const file = (more: object): object => ({ definitions: ['a.tools.json'], calls: [call], ...more });

describe('the schema of samples files', () => {
  test.each<[about: string, value: unknown]>([
    ['a small one', file({})],
    ['no call', file({ calls: [] })],
    [
      'a whole one',
      {
        $schema: './samples.schema.json',
        definitions: ['a.tools.json', 'b.tools.json'],
        handlers: {
          a: { command: ['python3', 'a.py'], timeoutMs: 2000, cwd: '.', env: { A: 'b' } },
          b: { builtin: 'apply_patch' },
          c: { module: './c.mjs', export: 'parse' },
          '*': { mcp: { command: ['node', 'server.mjs'] } },
        },
        calls: [
          {
            $comment: 'x',
            name: 'n',
            tool: 't',
            namespace: 's',
            arguments: { a: 1 },
            expect: { outcome: 'accepted', value: null },
          },
          { tool: 't', arguments: '{"a":', expect: { outcome: 'rejected', feedback: 'line 1' } },
          { tool: 't', input: 'x', expect: { state: 'timed-out' } },
          { tool: 't', inputFile: './x.patch', result: {} },
          { tool: 't', result: { content: [] } },
        ],
      },
    ],
  ])('takes %s, as the rule does', (_about, value) => {
    validate(value);
    expect(validate.errors ?? []).toEqual([]);
    expect(refusedByRule(value)).toBe(false);
  });

  test.each<[about: string, value: unknown]>([
    ['a list', []],
    ['no definitions', { calls: [] }],
    ['an empty list of definitions', file({ definitions: [] })],
    ['no calls', { definitions: ['a'] }],
    ['an unknown key', file({ tools: [] })],
    ['a call without a tool', file({ calls: [{ arguments: {} }] })],
    ['a call that sends nothing', file({ calls: [{ tool: 't' }] })],
    ['a call that is no object', file({ calls: ['t'] })],
    ['an unknown key of a call', file({ calls: [{ ...call, args: 1 }] })],
    ['an input that is no text', file({ calls: [{ tool: 't', input: {} }] })],
    ['an unknown outcome', file({ calls: [{ ...call, expect: { outcome: 'ok' } }] })],
    ['an unknown key of an expectation', file({ calls: [{ ...call, expect: { result: 1 } }] })],
    ['a handler without a kind', file({ handlers: { t: {} } })],
    ['a handler of two kinds', file({ handlers: { t: { builtin: 'grammar', module: 'x' } } })],
    ['an unknown parser', file({ handlers: { t: { builtin: 'plan' } } })],
    ['no time', file({ handlers: { t: { command: ['x'], timeoutMs: 0 } } })],
  ])('refuses %s, as the rule does', (_about, value) => {
    expect(validate(value)).toBe(false);
    expect(refusedByRule(value)).toBe(true);
  });

  test('handlers are the same here and in the config', () => {
    const handler = (name: string): unknown => (loadSchema(name)['definitions'] as Record<string, unknown>)['handler'];
    expect(handler('samples.schema.json')).toEqual(handler('config.schema.json'));
  });
});
