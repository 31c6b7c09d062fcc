import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConvertParams, ConvertResult } from '../../server/src/protocol';
import { rangeOf, Session } from './harness';

let session: Session;
afterEach(() => session.stop());

const WEATHER = readFileSync('samples/weather.tools.json', 'utf8');

const convert = (params: ConvertParams): Promise<ConvertResult | null> => session.request('toolspec/convert', params);

describe('conversion', () => {
  test('follows what is typed, and names the places of what is lost', async () => {
    session = await Session.start();
    const text = '[{ "type": "function", "name": "a", "strict": true, "parameters": { "type": "object" } }]';
    const uri = await session.open('a.tools.json', text);
    const first = await convert({ uri, target: 'mcp' });
    expect(JSON.parse(first!.text!)).toEqual({ tools: [{ name: 'a', inputSchema: { type: 'object' } }] });
    expect(first).toMatchObject({ tools: 1, problem: null });
    expect(first!.losses).toEqual([
      {
        kind: 'changed',
        level: 'warning',
        tool: 'a',
        pointer: '/0/strict',
        range: rangeOf(text, '"strict"'),
        message: 'MCP has no strict mode.',
      },
    ]);
    await session.change(uri, [{ text: text.replace('"a"', '"b"') }]);
    expect(JSON.parse((await convert({ uri, target: 'mcp' }))!.text!).tools[0].name).toBe('b');
  });

  test.each(['responses', 'chat', 'mcp', 'anthropic', 'codex-dynamic'] as const)('to %s', async (target) => {
    session = await Session.start();
    const uri = await session.open('weather.tools.json', WEATHER);
    const result = await convert({ uri, target });
    expect(result!.tools).toBeGreaterThan(5);
    expect(JSON.parse(result!.text!)).toBeTruthy();
  });

  test('half-typed text is not converted, and the answer says where it breaks off', async () => {
    session = await Session.start();
    const text = '[\n  { "type": "function", "name": "a" }\n  { "type": "function", "name": "b" }\n]';
    const uri = await session.open('a.tools.json', text);
    expect(await convert({ uri, target: 'chat' })).toMatchObject({
      text: null,
      problem: { range: { start: { line: 2 } } },
    });
  });

  test('nothing for files without tools and for shapes that there are not', async () => {
    session = await Session.start();
    const empty = await session.open('empty.tools.json', '{ "a": 1 }');
    expect(await convert({ uri: empty, target: 'chat' })).toBeNull();
    const uri = await session.open('a.tools.json', WEATHER);
    expect(await convert({ uri, target: 'gemini' as 'chat' })).toBeNull();
  });
});
