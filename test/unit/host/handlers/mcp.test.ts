import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HandlerOutcome } from '../../../../server/src/core/calls/handler';
import type { NodeHandlers, ProcessSpec } from '../../../../server/src/host/handlers/nodeHandlers';
import { FIXTURES, handlers, mcp } from './support';

const server = (...words: string[]) => mcp(process.execPath, 'mcpServer.cjs', ...words);

const ask = (runner: NodeHandlers, spec: ProcessSpec, tool: string, text = '{}'): Promise<HandlerOutcome> =>
  runner.call(spec, FIXTURES, { id: 'c1', tool, namespace: undefined, kind: 'function', text });

/** The result of `echo`, which gives the text of its arguments. */
const echoed = (text: string) => ({ value: JSON.stringify({ content: [{ type: 'text', text }] }) });

describe('an MCP server without an SDK', () => {
  test('answers, with its structured content', async () => {
    expect(await ask(handlers(), server(), 'search_orders', '{"query":"a"}')).toEqual({
      verdict: 'accepted',
      value: '{"content":[{"type":"text","text":"2"}],"structuredContent":{"count":2}}',
      notes: [],
    });
  });

  test('gets the arguments as they are', async () => {
    const outcome = await ask(handlers(), server(), 'echo', '{"n": 12345678901234567890,\n "f": 1.0}');
    expect(outcome).toMatchObject(echoed('{"n":12345678901234567890,"f":1.0}'));
    expect(await ask(handlers(), server(), 'echo', ' ')).toMatchObject(echoed('none'));
  });

  test('may escape characters in its answers, and gets arguments that do', async () => {
    const runner = handlers();
    for (const text of ['{"a":"😀"}', '{"a":"\\ud83d\\ude00"}']) {
      expect(await ask(runner, server(), 'echo', text)).toMatchObject(echoed('{"a":"😀"}'));
    }
    const refused = await ask(runner, server(), 'fails 😀');
    expect(refused).toMatchObject({ verdict: 'rejected', feedback: 'Unknown tool: fails 😀' });
  });

  test('rejects by isError, with its texts as feedback', async () => {
    expect(await ask(handlers(), server(), 'fails')).toMatchObject({
      verdict: 'rejected',
      feedback: 'no such order\ntry 7',
      value: expect.stringContaining('"isError":true'),
    });
  });

  test('rejects by an error of the protocol', async () => {
    expect(await ask(handlers(), server(), 'nothing')).toMatchObject({
      verdict: 'rejected',
      feedback: 'Unknown tool: nothing',
    });
  });

  test('is not asked with what is no object', async () => {
    const runner = handlers();
    expect(await ask(runner, server(), 'echo', '[1]')).toMatchObject({
      verdict: 'rejected',
      feedback: 'err: the arguments of an MCP tool must be an object, not array',
    });
    expect(await ask(runner, server(), 'echo', '{"a":')).toMatchObject({ verdict: 'rejected' });
  });

  test('may give a result that does not fit its schema: that is for the contract to say', async () => {
    expect(await ask(handlers(), server(), 'wrong_result')).toMatchObject({
      verdict: 'accepted',
      value: '{"content":[],"structuredContent":{"count":"two"}}',
    });
  });

  test('tells progress and logs as notes', async () => {
    const outcome = await ask(handlers(), server(), 'reports');
    expect(outcome).toMatchObject({ verdict: 'accepted', value: '{"content":[{"type":"text","text":"done"}]}' });
    expect(outcome.notes).toEqual(['progress 1 of 2', 'info shop: half way', 'plain words']);
  });

  test('that dies is started again', async () => {
    const runner = handlers();
    expect(await ask(runner, server(), 'dies')).toEqual({
      verdict: 'crashed',
      detail: 'The MCP server ended with exit code 9 before it answered.',
      stop: { kind: 'exited', exitCode: 9 },
      notes: ['out of luck'],
    });
    expect(await ask(runner, server(), 'search_orders')).toMatchObject({ verdict: 'accepted' });
  });

  test('that never answers initialize runs out of time', async () => {
    expect(await ask(handlers(), { ...server('silent'), timeoutMs: 100 }, 'echo')).toMatchObject({
      verdict: 'timed-out',
      detail: 'The MCP server did not answer "initialize" within 100 ms, so it was ended.',
      stop: { kind: 'start-timeout', limitMs: 100 },
    });
  });

  test('that does not answer a call runs out of time', async () => {
    const runner = handlers();
    await ask(runner, server(), 'echo');
    expect(await ask(runner, { ...server(), timeoutMs: 50 }, 'hangs')).toMatchObject({
      verdict: 'timed-out',
      detail: 'The MCP server gave no answer within 50 ms, so it was ended.',
      stop: { kind: 'timeout', limitMs: 50 },
    });
  });

  test('may print what is no message', async () => {
    const outcome = await ask(handlers(), server('junk'), 'search_orders');
    expect(outcome).toMatchObject({
      verdict: 'accepted',
      notes: ['Welcome!', '{broken', '[1, 2]', '{"level": "info"}'],
    });
  });

  test('that refuses to start a session is told with its words', async () => {
    expect(await ask(handlers(), server('refuses'), 'echo')).toMatchObject({
      verdict: 'crashed',
      detail: expect.stringMatching(/^The MCP server refused to start a session: .*not today/),
      stop: { kind: 'not-started' },
    });
  });

  test('is initialized once for all calls', async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-mcp-'));
    try {
      const runner = handlers();
      const starts = path.join(folder, 'starts');
      const calls = Array.from({ length: 20 }, (_, i) => ask(runner, server('starts', starts), 'echo', `{"n":${i}}`));
      const outcomes = await Promise.all(calls);
      expect(outcomes.map((each) => each.verdict === 'accepted' && each.value)).toEqual(
        outcomes.map((_, i) => echoed(`{"n":${i}}`).value),
      );
      expect(readFileSync(starts, 'utf8')).toBe('start\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is ended when the run is canceled', async () => {
    const runner = handlers();
    const cancel = new AbortController();
    const request = { id: 'c1', tool: 'hangs', namespace: undefined, kind: 'function', text: '{}' } as const;
    const outcome = runner.call(server(), FIXTURES, request, cancel.signal);
    await new Promise(setImmediate);
    cancel.abort();
    expect(await outcome).toMatchObject({ verdict: 'aborted' });
  });
});

describe('the reference server of the protocol', () => {
  const everything = mcp(
    process.execPath,
    '../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
    'stdio',
  );

  test('accepts, rejects and gives structured content', async () => {
    const runner = handlers();
    expect(await ask(runner, everything, 'echo', '{"message":"hello"}')).toMatchObject({
      verdict: 'accepted',
      value: '{"content":[{"type":"text","text":"Echo: hello"}]}',
    });
    expect(await ask(runner, everything, 'echo', '{"message":5}')).toMatchObject({
      verdict: 'rejected',
      feedback: expect.stringContaining('expected string, received number'),
    });
    const structured = await ask(runner, everything, 'get-structured-content', '{"location":"Chicago"}');
    expect(structured.verdict === 'accepted' && JSON.parse(structured.value ?? '').structuredContent).toEqual({
      temperature: 36,
      conditions: 'Light rain / drizzle',
      humidity: 82,
    });
    const slow = await ask(runner, everything, 'trigger-long-running-operation', '{"duration":0.02,"steps":2}');
    expect(slow.verdict).toBe('accepted');
    expect(slow.notes).toEqual(expect.arrayContaining(['progress 1 of 2', 'progress 2 of 2']));
  });
});
