import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HandlerOutcome, HandlerRequest, HandlerRunner } from '../../../../server/src/core/calls/handler';
import type { CallReport } from '../../../../server/src/core/calls/report';
import { compareSamples, runSamples } from '../../../../server/src/core/runSamples';
import { render } from '../../../../server/src/core/text/message';
import { environmentOf, type Files, fn, output, PLAN, runFile, runOne, SAMPLES_URI, schema } from './support';

const COMMAND = { command: ['x'] };

interface FakeRunner extends HandlerRunner {
  readonly requests: HandlerRequest[];
  readonly folders: string[];
}

/** A runner that answers as it is told. */
function runner(answer: (request: HandlerRequest) => HandlerOutcome | Promise<HandlerOutcome>): FakeRunner {
  const requests: HandlerRequest[] = [];
  const folders: string[] = [];
  return {
    requests,
    folders,
    call: async (_spec, folder, request) => {
      requests.push(request);
      folders.push(folder);
      return answer(request);
    },
    dispose: async () => {},
  };
}

const accepts = (value?: string): HandlerOutcome => ({ verdict: 'accepted', value, notes: [] });
const rejects = (feedback: string): HandlerOutcome => ({ verdict: 'rejected', feedback, notes: [] });
const reason = ({ reason }: CallReport): string => (reason === undefined ? '' : render(reason));
const steps = (report: CallReport): string[] => report.steps.map(({ step, state }) => `${step} ${state}`);

describe('steps and outputs', () => {
  test('an accepted call goes through every step', async () => {
    const call = { tool: 'update_plan', arguments: { plan: [] } };
    const report = await runOne(call, [PLAN], { '*': { builtin: 'update_plan' } });
    expect(report.state).toBe('passed');
    expect(steps(report)).toEqual([
      'route passed',
      'payload passed',
      'contract passed',
      'handler passed',
      'output passed',
    ]);
    expect(report.handler).toMatchObject({ kind: 'builtin', verdict: 'accepted' });
    expect(output(report)).toMatchObject({ type: 'function_call_output', call_id: 'call_1' });
    expect(report.durationMs).toBeGreaterThan(0);
  });

  test('an unknown tool is told to the model', async () => {
    const report = await runOne({ tool: 'update_pan', arguments: {} }, [PLAN]);
    expect(report.state).toBe('failed');
    expect(steps(report)).toEqual(['route failed', 'output passed']);
    expect(report.findings.map(({ rule }) => rule)).toEqual(['call/unknown-tool']);
    expect(reason(report)).toContain('Did you mean "update_plan"?');
    expect(output(report)).toEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: 'unsupported call: update_pan',
    });
  });

  test('a payload that the tool does not take ends the turn, and is paired all the same', async () => {
    const report = await runOne({ tool: 'update_plan', input: '{}' }, [PLAN]);
    expect(report.findings.map(({ rule }) => rule)).toEqual(['call/wrong-kind']);
    expect(steps(report)).toEqual(['route passed', 'payload failed', 'output passed']);
    expect(output(report)).toEqual({ type: 'custom_tool_call_output', call_id: 'call_1', output: 'aborted' });
  });

  test('a search whose arguments cannot be decoded is answered as a function, with an empty id', async () => {
    const report = await runOne({ tool: 'tool_search', arguments: {}, expect: { feedback: 'missing field' } }, [PLAN]);
    expect(report.state).toBe('passed');
    expect(output(report)).toEqual({
      type: 'function_call_output',
      call_id: '',
      output: 'failed to parse tool_search arguments: missing field `query`',
    });
  });

  test('a search where no tool is deferred is not made, and its answer would be empty', async () => {
    const report = await runOne({ tool: 'tool_search', arguments: { query: 'q' } }, [PLAN]);
    expect(output(report)).toMatchObject({ type: 'tool_search_output', execution: 'client', tools: [] });
    expect(report.handler).toMatchObject({ kind: 'none', verdict: 'none' });
    expect(render(report.steps.find(({ step }) => step === 'handler')!.message)).toContain('No tool is deferred');
  });

  test.each<[HandlerOutcome, string]>([
    [accepts('{"b":2.50, "a":1}'), '{"b":2.50,"a":1}'],
    [accepts('"a \\"text\\""'), 'a "text"'],
    [accepts(), ''],
    [rejects('no way'), 'no way'],
    [{ verdict: 'crashed', detail: 'exit 1', notes: [] }, 'aborted'],
    [{ verdict: 'timed-out', detail: '100 ms', notes: [] }, 'aborted'],
    [{ verdict: 'aborted', detail: 'canceled', notes: [] }, 'aborted'],
  ])('%o goes back as %s', async (outcome, text) => {
    const call = { tool: 'update_plan', arguments: { plan: [] } };
    const report = await runOne(call, [PLAN], { '*': COMMAND }, { handlers: runner(() => outcome) });
    expect(output(report)).toEqual({ type: 'function_call_output', call_id: 'call_1', output: text });
    expect(report.handler.verdict).toBe(outcome.verdict);
  });

  test('every call has its own id, whichever calls are run', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({ name, tool: 'update_plan', arguments: { plan: [] } }));
    const { reports } = await runFile({ calls }, [PLAN], { only: ({ name }) => name !== 'b' });
    expect(reports.map(({ callId }) => callId)).toEqual(['call_1', 'call_3']);
  });
});

describe('expectations', () => {
  const run = (expected: unknown, outcome: HandlerOutcome): Promise<CallReport> => {
    const call = {
      tool: 'update_plan',
      arguments: { plan: [] },
      ...(expected === undefined ? {} : { expect: expected }),
    };
    return runOne(call, [PLAN], { '*': COMMAND }, { handlers: runner(() => outcome) });
  };
  const crash: HandlerOutcome = { verdict: 'crashed', detail: 'exit 1', notes: [] };
  const late: HandlerOutcome = { verdict: 'timed-out', detail: '5 ms', notes: [] };

  test.each<[unknown, HandlerOutcome, CallReport['state'], string]>([
    [undefined, accepts(), 'passed', ''],
    [{ outcome: 'accepted' }, accepts(), 'passed', ''],
    [{ outcome: 'accepted' }, rejects('because'), 'failed', 'because'],
    [{ outcome: 'rejected' }, accepts(), 'failed', 'It was accepted.'],
    [{ outcome: 'rejected' }, rejects('because'), 'passed', ''],
    [{ feedback: 'cause' }, rejects('because'), 'passed', ''],
    [{ feedback: 'line 1' }, rejects('because'), 'failed', 'does not hold "line 1"'],
    [{ feedback: 'x' }, accepts(), 'failed', 'It was accepted.'],
    [{ value: { a: 1 } }, accepts('{"a":1.0,"b":2}'), 'passed', ''],
    [{ value: { a: 1 } }, accepts('{"a":2}'), 'failed', 'The value at /a is 2; 1 was expected.'],
    [{ value: { a: 1 } }, accepts('{}'), 'failed', 'The value at /a is missing; 1 was expected.'],
    [{ value: 1 }, accepts(), 'failed', 'the handler gave none'],
    [undefined, crash, 'errored', 'exit 1'],
    [{ outcome: 'rejected' }, late, 'errored', '5 ms'],
    [{ state: 'crashed' }, crash, 'passed', ''],
    [{ state: 'timed-out' }, late, 'passed', ''],
    [{ state: 'crashed' }, accepts(), 'failed', 'expected to crash'],
    [{ state: 'crashed' }, late, 'errored', '5 ms'],
  ])('%o and %o: %s', async (expected, outcome, state, words) => {
    const report = await run(expected, outcome);
    expect([report.state, reason(report)]).toEqual([state, words === '' ? '' : expect.stringContaining(words)]);
  });

  test('without a handler the contract alone decides', async () => {
    const tool = [fn('t', schema({ n: { type: 'integer' } }))];
    expect((await runOne({ tool: 't', arguments: { n: 1 } }, tool)).state).toBe('passed');
    expect((await runOne({ tool: 't', arguments: '{"n":' }, tool)).state).toBe('failed');
    const rejected = { tool: 't', arguments: '{"n":', expect: { outcome: 'rejected' } };
    expect(await runOne(rejected, tool)).toMatchObject({ state: 'passed', handler: { kind: 'none', verdict: 'none' } });
  });

  test('an unknown tool can be what a call is about', async () => {
    const call = { tool: 'nope', arguments: {}, expect: { outcome: 'rejected', feedback: 'unsupported call: nope' } };
    expect((await runOne(call, [PLAN])).state).toBe('passed');
  });
});

describe('handlers', () => {
  test('the first that is named counts: file, file for all, definition, config', async () => {
    const tools = [
      fn('a'),
      fn('b'),
      fn('c', schema({}), { 'x-toolspec': { handler: { command: ['local'] } } }),
      fn('d', schema({}), { 'x-toolspec': { handler: { command: ['local'] } } }),
      fn('e'),
    ];
    const used: string[] = [];
    const handlers: HandlerRunner = {
      call: async (spec, folder) => {
        used.push(`${spec.kind === 'command' ? spec.command[0] : spec.kind} in ${folder}`);
        return accepts();
      },
      dispose: async () => {},
    };
    const calls = ['a', 'b', 'c', 'd', 'e'].map((tool) => ({ tool, arguments: {} }));
    const config = {
      from: '/conf/toolspec.config.json',
      handlers: [
        { tool: '*', spec: { kind: 'command' as const, command: ['config'], ...NO_LIMITS }, node: undefined as never },
      ],
    };
    await runFile({ handlers: { a: COMMAND, d: { command: ['own'] } }, calls }, tools, { config }, { handlers });
    expect(used.sort()).toEqual(['config in /conf', 'config in /conf', 'local in /w', 'own in /w', 'x in /w']);
    used.length = 0;
    await runFile({ handlers: { '*': { command: ['all'] } }, calls }, tools, { config }, { handlers });
    expect(new Set(used)).toEqual(new Set(['all in /w']));
  });

  test('a call whose handler may not be run is skipped, unless the contract already decides', async () => {
    const call = { tool: 'update_plan', arguments: { plan: [] } };
    expect(await runOne(call, [PLAN], { '*': COMMAND })).toMatchObject({
      state: 'skipped',
      handler: { kind: 'command', verdict: 'none' },
    });
    const bad = { ...call, arguments: '{"plan":' };
    expect((await runOne(bad, [PLAN], { '*': COMMAND })).state).toBe('failed');
    const expected = { ...bad, expect: { outcome: 'rejected' } };
    expect((await runOne(expected, [PLAN], { '*': COMMAND })).state).toBe('skipped');
  });

  test('a tool of an MCP server is asked by the name that the server gave it', async () => {
    const handlers = runner(() => accepts('{"content":[{"type":"text","text":"hi"}]}'));
    const tools = [{ name: 'create-order', description: 'd', inputSchema: schema({}) }];
    const call = { tool: 'create_order', arguments: '  ' };
    const report = await runOne(call, tools, { '*': { mcp: { command: ['s'] } } }, { handlers });
    expect(handlers.requests).toEqual([
      { id: 'call_1', tool: 'create-order', namespace: 'mcp__t', kind: 'function', text: '' },
    ]);
    expect(output(report)).toMatchObject({ output: '[{"type":"text","text":"hi"}]' });
  });

  test('what is no JSON never reaches an MCP server', async () => {
    const handlers = runner(() => accepts());
    const tools = [{ name: 't', description: 'd', inputSchema: schema({}) }];
    const report = await runOne(
      { tool: 't', arguments: '{a:1}' },
      tools,
      { '*': { mcp: { command: ['s'] } } },
      { handlers },
    );
    expect(handlers.requests).toEqual([]);
    expect(report.handler.feedback).toBe('err: key must be a string at line 1 column 2');
  });

  test('an unknown parser, a faulty handler and a missing input file are told', async () => {
    const call = { tool: 'update_plan', arguments: { plan: [] } };
    expect(reason(await runOne(call, [PLAN], { '*': { builtin: 'nope' } }))).toContain('no builtin handler "nope"');
    expect(reason(await runOne(call, [PLAN], { '*': { command: [] } }))).toContain('"*" is no handler');
    const custom = [{ type: 'custom', name: 'c', description: 'd' }];
    const report = await runOne({ tool: 'c', inputFile: './no.txt' }, custom);
    expect([report.state, reason(report)]).toEqual(['errored', 'The input file "./no.txt" does not exist.']);
  });

  test('the input of a custom tool comes out of its file, byte for byte', async () => {
    const handlers = runner(() => accepts());
    const custom = [{ type: 'custom', name: 'c', description: 'd' }];
    await runOne({ tool: 'c', inputFile: 'in.txt' }, custom, { c: COMMAND }, { handlers }, { 'in.txt': 'a\r\n\tb' });
    expect(handlers.requests[0]).toMatchObject({ kind: 'custom', text: 'a\r\n\tb' });
  });
});

const NO_LIMITS = { timeoutMs: undefined, cwd: undefined, env: new Map<string, string>() };

describe('order and cancel', () => {
  test('calls of one handler go one after the other, handlers side by side up to the limit', async () => {
    let busy = 0;
    let most = 0;
    const order: string[] = [];
    const handlers = runner(async ({ tool, id }) => {
      most = Math.max(most, ++busy);
      order.push(`${tool} ${id}`);
      await Promise.resolve();
      busy--;
      return accepts();
    });
    const names = ['a', 'b', 'c'];
    const calls = [...names, ...names].map((tool) => ({ tool, arguments: {} }));
    const named = Object.fromEntries(names.map((name) => [name, { command: [name] }]));
    const tools = names.map((name) => fn(name));
    const { reports } = await runFile({ handlers: named, calls }, tools, { parallel: 2 }, { handlers });
    expect(most).toBeLessThanOrEqual(2);
    expect(reports.map(({ call }) => call.index)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [index, name] of names.entries()) {
      expect(order.filter((each) => each.startsWith(name))).toEqual([
        `${name} call_${index + 1}`,
        `${name} call_${index + 4}`,
      ]);
    }
  });

  test('a cancel ends the run, and each call that was begun has one report', async () => {
    const cancel = { aborted: false, addEventListener: () => {}, removeEventListener: () => {} };
    const started: number[] = [];
    const handlers = runner(() => {
      cancel.aborted = true;
      return { verdict: 'aborted', detail: 'canceled', notes: [] };
    });
    const calls = [1, 2, 3].map(() => ({ tool: 'update_plan', arguments: { plan: [] } }));
    const { reports } = await runFile(
      { handlers: { '*': COMMAND }, calls },
      [PLAN],
      { signal: cancel, onStart: ({ index }) => started.push(index) },
      { handlers },
    );
    expect(started).toEqual([0]);
    expect(reports.map(({ state }) => state)).toEqual(['skipped']);
  });

  test('levels of rules hold for findings of calls', async () => {
    const calls = [{ tool: 'nope', arguments: {} }];
    const levels = new Map([['call/unknown-tool', 'info' as const]]);
    const { reports } = await runFile({ calls }, [PLAN], { levels });
    expect(reports[0]?.findings.map(({ level }) => level)).toEqual(['info']);
    expect(reports[0]?.state).toBe('failed');
  });
});

describe('whatever stands in the file', () => {
  const text = JSON.stringify({
    definitions: ['./t.tools.json'],
    handlers: { '*': { builtin: 'update_plan' }, other: COMMAND },
    calls: [
      { name: 'a', tool: 'update_plan', arguments: { plan: [] }, expect: { outcome: 'accepted', value: {} } },
      { tool: 'update_plan', arguments: '{"plan":[' },
      { tool: 'other', arguments: {}, expect: { state: 'crashed' } },
      { tool: 'nope', input: 'x' },
      { tool: 'tool_search', arguments: { query: 'q' }, result: {} },
    ],
  });

  test('each call has one report, and each that is run one output under its id', async () => {
    const outcomes: HandlerOutcome[] = [
      accepts('{'),
      accepts('1'),
      rejects(''),
      { verdict: 'crashed', detail: '', notes: [] },
    ];
    const puts = fc.constantFrom('', '"', '{', '}', '[', ']', ',', ':', 'null', '\\', '5', '"input":"x",');
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length),
        fc.nat(9),
        puts,
        fc.constantFrom(...outcomes),
        async (at, length, put, outcome) => {
          const changed = text.slice(0, at) + put + text.slice(at + length);
          const environment = environmentOf(
            { 't.tools.json': [PLAN, fn('other')] },
            { handlers: runner(() => outcome) },
          );
          const { file, reports } = await runSamples({ uri: SAMPLES_URI, text: changed }, environment);
          expect(reports.map(({ call }) => call)).toEqual(file.calls);
          for (const report of reports) {
            expect(reason(report)).not.toContain('fault of ToolSpec');
            if (report.state === 'errored' && report.handler.verdict === 'none') continue;
            const { call_id: id } = output(report) as { call_id: string };
            expect(id === report.callId || (report.tool === 'tool_search' && id === '')).toBe(true);
          }
        },
      ),
      { seed: 11, numRuns: 250 },
    );
  });
});

describe('older definitions', () => {
  const compare = async (before: unknown, after: unknown, calls: readonly Files[]): Promise<string[]> => {
    const text = JSON.stringify({ definitions: ['./t.tools.json'], calls });
    const { comparisons } = await compareSamples(
      { uri: SAMPLES_URI, text },
      environmentOf({ 't.tools.json': before }),
      environmentOf({ 't.tools.json': after }),
    );
    return comparisons.map(({ change }) => change);
  };

  test('each stored call is judged by both contracts', async () => {
    const before = [fn('a', schema({ n: { type: 'string' } })), fn('gone')];
    const after = [fn('a', schema({ n: { type: 'integer' } })), fn('new')];
    const calls = [
      { tool: 'a', arguments: { n: 'x' } },
      { tool: 'a', arguments: { n: 1 } },
      { tool: 'a', arguments: {} },
      { tool: 'gone', arguments: {} },
      { tool: 'new', arguments: {} },
      { tool: 'never', arguments: {} },
      { tool: 'a', input: 'x' },
    ];
    expect(await compare(before, after, calls)).toEqual([
      'broken',
      'repaired',
      'same',
      'removed',
      'added',
      'unclear',
      'unclear',
    ]);
  });
});
