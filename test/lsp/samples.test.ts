import { afterEach, describe, expect, test } from 'vitest';
import { CancellationTokenSource, DiagnosticSeverity } from 'vscode-languageserver/node';
import type { HandlerOutcome } from '../../server/src/core/calls/handler';
import { applyEdits } from '../../server/src/core/text/edits';
import { LineIndex } from '../../server/src/core/text/lines';
import { METHODS } from '../../server/src/protocol';
import type {
  AddSampleParams,
  AddSampleResult,
  CallProgress,
  FindDriftResult,
  RangeLike,
  RunSamplesResult,
  SamplesResult,
} from '../../server/src/samplesProtocol';
import { FOLDER, rangeOf, Session, type SessionOptions } from './harness';

let session: Session;
afterEach(() => session.stop());

const TOOLS = JSON.stringify([
  {
    type: 'function',
    name: 'days',
    description: 'Days ahead.',
    parameters: { type: 'object', properties: { n: { type: 'integer', maximum: 14 } }, required: ['n'] },
  },
]);

const SAMPLES = `{
  "definitions": ["./a.tools.json"],
  "calls": [
    { "name": "fine", "tool": "days", "arguments": { "n": 3 } },
    { "name": "too many", "tool": "days", "arguments": { "n": 21 }, "expect": { "outcome": "rejected" } },
    { "name": "no such", "tool": "dais", "arguments": {} }
  ]
}
`;

const files = { [`${FOLDER}/a.tools.json`]: TOOLS, [`${FOLDER}/a.samples.json`]: SAMPLES };

/** Handlers that answer with one outcome, or one for each text, and remember what they were asked. */
function handlers(outcome: HandlerOutcome | ((text: string) => HandlerOutcome)): {
  host: SessionOptions['host'];
  asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    host: {
      handlers: async () => ({
        async call(_spec, folder, request) {
          asked.push(`${folder}: ${request.tool} ${request.text}`);
          return typeof outcome === 'function' ? outcome(request.text) : outcome;
        },
        async restart() {},
        async dispose() {},
      }),
      folderOf: (uri) => uri.slice(0, uri.lastIndexOf('/')),
    },
  };
}

async function run(uri: string, calls?: number[]): Promise<{ result: RunSamplesResult; progress: CallProgress[] }> {
  const result = await session.request<RunSamplesResult>(METHODS.runSamples, {
    uri,
    run: 'r',
    ...(calls ? { calls } : {}),
  });
  const progress = session.received
    .filter(({ method }) => method === METHODS.callProgress)
    .map(({ params }) => params as CallProgress);
  return { result, progress };
}

describe('samples files', () => {
  test('have findings at their places, with the definitions of other files', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.samples.json', SAMPLES);
    const diagnostics = await session.diagnostics(uri);
    const unknown = diagnostics.find(({ code }) => code === 'sample/unknown-tool')!;
    expect(unknown.range).toEqual(rangeOf(SAMPLES, '"dais"'));
    expect(unknown.message).toContain('days');
  });

  test('follow definitions that stand in an editor', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.samples.json', SAMPLES);
    const tools = await session.open('a.tools.json', TOOLS);
    await session.replace(tools, '"days"', '"dais"');
    const rules = (await session.diagnostics(uri)).map(({ code, range }) => `${code} ${range.start.line}`);
    expect(rules).toEqual(['sample/unknown-tool 3', 'sample/unknown-tool 4']);
  });

  test('are listed with their calls and what they depend on', async () => {
    session = await Session.start({ files });
    const { files: found } = await session.request<SamplesResult>(METHODS.samples, {});
    expect(found).toHaveLength(1);
    expect(found[0]!.calls.map(({ name, tool }) => `${tool}: ${name}`)).toEqual([
      'days: fine',
      'days: too many',
      'dais: no such',
    ]);
    expect(found[0]!.calls[1]!.range).toEqual(rangeOf(SAMPLES, '"too many"'));
    expect(found[0]!.dependencies).toEqual([`${FOLDER}/a.tools.json`]);
  });

  test('say why a file cannot be used', async () => {
    session = await Session.start({ files: { [`${FOLDER}/b.samples.json`]: '{\n"calls": [,' } });
    const { files: found } = await session.request<SamplesResult>(METHODS.samples, {});
    expect(found[0]!.failure).toBe('Line 2 is not JSON.');
  });

  test('have lenses that run a call, all calls, and the calls of a tool', async () => {
    session = await Session.start({ files, initialization: { commands: true } });
    const uri = await session.open('a.samples.json', SAMPLES);
    const titles = (await session.lenses(uri)).map(({ command, range }) => `${range.start.line}: ${command!.title}`);
    expect(titles).toEqual(['2: Run all 3 calls', '3: Run', '4: Run', '5: Run']);
    const tools = await session.open('a.tools.json', TOOLS);
    const lens = (await session.lenses(tools)).find(({ command }) => command!.title === 'Run 2 samples')!;
    expect(lens.command).toMatchObject({ command: 'toolspec.runSamples', arguments: [[{ uri, calls: [0, 1] }]] });
  });
});

describe('a run', () => {
  test('tells of each call as it begins and ends', async () => {
    session = await Session.start({ files });
    const uri = `${FOLDER}/a.samples.json`;
    const { result, progress } = await run(uri);
    expect(result).toEqual({ failure: null, untrusted: 0 });
    expect(progress.map(({ index, result: end }) => `${index} ${end?.state ?? 'begins'}`)).toEqual([
      '0 begins',
      '0 passed',
      '1 begins',
      '1 passed',
      '2 begins',
      '2 failed',
    ]);
  });

  test('shows expected and actual of a difference, and where it is', async () => {
    const text = SAMPLES.replace('"outcome": "rejected"', '"outcome": "accepted"');
    session = await Session.start({ files: { ...files, [`${FOLDER}/a.samples.json`]: text } });
    const { progress } = await run(`${FOLDER}/a.samples.json`, [1]);
    const end = progress.find(({ result }) => result !== null)!.result!;
    expect(end).toMatchObject({ state: 'failed', contract: 'rejected', handler: 'none' });
    expect(JSON.parse(end.expected!)).toEqual({ outcome: 'accepted' });
    expect(JSON.parse(end.actual!)).toMatchObject({ outcome: 'rejected' });
    const constraint = end.findings.find(({ rule }) => rule === 'call/constraint')!;
    expect(constraint.range!.start).toEqual(rangeOf(text, '"n": 21').start);
  });

  const withHandler = SAMPLES.replace('"calls"', '"handlers": { "*": { "command": ["days.py"] } },\n  "calls"');

  test('starts handlers in a trusted workspace only', async () => {
    const { host, asked } = handlers({ verdict: 'accepted', value: '1', notes: [] });
    const own = { ...files, [`${FOLDER}/a.samples.json`]: withHandler };
    session = await Session.start({ files: own, host: host! });
    const uri = `${FOLDER}/a.samples.json`;
    const before = await run(uri, [0]);
    expect(asked).toEqual([]);
    expect(before.result.untrusted).toBe(1);
    expect(before.progress.at(-1)!.result).toMatchObject({ state: 'skipped', handler: 'none' });
    expect(before.progress.at(-1)!.result!.reason).toMatch(/not trusted/);
    await session.client.sendNotification(METHODS.trust, { trusted: true });
    const after = await run(uri, [0]);
    expect(asked).toEqual([`${FOLDER}: days {"n":3}`]);
    expect(after.progress.at(-1)!.result).toMatchObject({ state: 'passed', handler: 'accepted' });
  });

  test.each<[HandlerOutcome, string, string]>([
    [
      { verdict: 'crashed', detail: 'x', stop: { kind: 'exited', exitCode: 3 }, notes: [] },
      'Contract: Accepted. Handler: Crashed.',
      'The handler ended with exit code 3 before it answered.',
    ],
    [
      { verdict: 'timed-out', detail: 'x', stop: { kind: 'timeout', limitMs: 100 }, notes: [] },
      'Contract: Accepted. Handler: Timed out.',
      'The handler gave no answer within 100 ms, so it was ended.',
    ],
    [
      { verdict: 'crashed', detail: 'There is no such program.', stop: { kind: 'not-started' }, notes: [] },
      'Contract: Accepted. Handler: Not started.',
      'There is no such program.',
    ],
  ])('says why there is no verdict: %j', async (outcome, verdicts, reason) => {
    const { host } = handlers(outcome);
    const own = { ...files, [`${FOLDER}/a.samples.json`]: withHandler };
    session = await Session.start({ files: own, host: host!, initialization: { trusted: true } });
    const { progress } = await run(`${FOLDER}/a.samples.json`, [0]);
    expect(progress.at(-1)!.result).toMatchObject({ state: 'errored', drift: false, verdicts, reason });
  });

  test('says that no handler is named', async () => {
    session = await Session.start({ files });
    const { progress } = await run(`${FOLDER}/a.samples.json`, [0]);
    expect(progress.at(-1)!.result).toMatchObject({ verdicts: 'Contract: Accepted. Handler: No handler.' });
  });

  test('answers a search for tools with what it finds', async () => {
    const call = { tool: 'tool_search', arguments: { query: 'days' } };
    const found = { ...(JSON.parse(TOOLS) as object[])[0], defer_loading: true };
    const own = {
      [`${FOLDER}/a.tools.json`]: JSON.stringify([found]),
      [`${FOLDER}/a.samples.json`]: JSON.stringify({ definitions: ['./a.tools.json'], calls: [call] }),
    };
    session = await Session.start({ files: own });
    const { progress } = await run(`${FOLDER}/a.samples.json`, [0]);
    const { result } = progress.at(-1)!;
    expect(result).toMatchObject({ state: 'passed', verdicts: 'Contract: Accepted. Handler: Accepted.' });
    expect(result!.log.join('\n')).toContain('It gives back days.');
  });

  test('tells drift', async () => {
    const { host } = handlers({ verdict: 'rejected', feedback: 'No.', notes: [] });
    const own = { ...files, [`${FOLDER}/a.samples.json`]: withHandler };
    session = await Session.start({ files: own, host: host!, initialization: { trusted: true } });
    const { progress } = await run(`${FOLDER}/a.samples.json`, [0]);
    expect(progress.at(-1)!.result).toMatchObject({ state: 'failed', drift: true });
    expect(progress.at(-1)!.result!.findings.map(({ rule }) => rule)).toContain('call/parser-rejects');
  });
});

describe('after a run', () => {
  const own = {
    ...files,
    [`${FOLDER}/days.py`]: '1',
    [`${FOLDER}/a.samples.json`]: SAMPLES.replace(
      '"calls"',
      '"handlers": { "*": { "command": ["python3", "days.py"] } },\n  "calls"',
    ),
  };
  const text = own[`${FOLDER}/a.samples.json`]!;
  const titles = async (uri: string): Promise<string[]> =>
    (await session.lenses(uri)).map(({ command }) => command!.title);
  const start = async (): Promise<[string, string]> => {
    const { host } = handlers({ verdict: 'rejected', feedback: 'No.', notes: [] });
    session = await Session.start({ files: own, host: host!, initialization: { trusted: true, commands: true } });
    return [await session.open('a.samples.json', text), await session.open('a.tools.json', TOOLS)];
  };

  test('lenses tell what came of each call', async () => {
    const [uri, tools] = await start();
    expect(await titles(uri)).toEqual(['Run all 3 calls', 'Find drift', 'Run', 'Run', 'Run']);
    await run(uri, [0, 1]);
    expect(await titles(uri)).toEqual([
      'Run all 3 calls',
      'Find drift',
      '✗ Failed, run again',
      '✓ Passed, run again',
      'Run',
    ]);
    await run(uri, [2]);
    expect(await titles(tools)).toEqual(expect.arrayContaining(['Run 2 samples', 'Find drift']));
    expect((await titles(uri))[0]).toBe('1 of 3 passed, run all');
    expect(session.received.map(({ method }) => method)).toContain('workspace/codeLens/refresh');
  });

  test('drift is a finding at the sample and at the contract, each with the place of the other', async () => {
    const [uri, tools] = await start();
    const drift = async (of: string) =>
      (await session.diagnostics(of)).filter(({ code }) => code === 'call/parser-rejects');
    expect([await drift(uri), await drift(tools)]).toEqual([[], []]);
    await run(uri);
    const [sample] = await drift(uri);
    expect(sample!.range.start).toEqual(rangeOf(text, '"arguments"').start);
    expect(sample!.relatedInformation!.map(({ location }) => location)).toEqual([
      { uri: tools, range: rangeOf(TOOLS, '"days"') },
    ]);
    const [contract] = await drift(tools);
    expect(contract!.message).toBe('The handler refuses what this contract accepts, in the sample calls: fine.');
    expect(contract!.range).toEqual(rangeOf(TOOLS, '"days"'));
    expect(contract!.relatedInformation!.map(({ location }) => location)).toEqual([
      { uri, range: rangeOf(text, '"fine"') },
    ]);
  });

  test('a call that is there to reach no tool is no fault when it passes', async () => {
    const calls = [
      { tool: 'nope', arguments: {}, expect: { outcome: 'rejected', feedback: 'unsupported call' } },
      { tool: 'nope', arguments: {} },
    ];
    const samples = JSON.stringify({ definitions: ['./a.tools.json'], calls });
    session = await Session.start({ files: { ...own, [`${FOLDER}/a.samples.json`]: samples } });
    const uri = await session.open('a.samples.json', samples);
    await run(uri);
    const found = (await session.diagnostics(uri)).filter(({ code }) => code === 'call/unknown-tool');
    expect(found.map(({ severity }) => severity)).toEqual([DiagnosticSeverity.Information, DiagnosticSeverity.Error]);
  });

  test('what came of a call holds until the call or the contract changes', async () => {
    const [uri, tools] = await start();
    await run(uri);
    await session.replace(uri, '"name": "no such", ', '');
    expect(await titles(uri)).toEqual([
      'Run all 3 calls',
      'Find drift',
      '✗ Failed, run again',
      '✓ Passed, run again',
      'Run',
    ]);
    await session.replace(tools, '"maximum":14', '"maximum":20');
    expect(await titles(uri)).toEqual(['Run all 3 calls', 'Find drift', 'Run', 'Run', 'Run']);
    expect(await session.rules(tools)).not.toContain('call/parser-rejects');
  });

  test('it is forgotten when the file of a handler changes', async () => {
    const [uri] = await start();
    await run(uri);
    session.files.set(`${FOLDER}/days.py`, '2');
    const refreshed = session.next('workspace/codeLens/refresh');
    await session.request(METHODS.samples, { uri });
    await refreshed;
    expect(await titles(uri)).toEqual(['Run all 3 calls', 'Find drift', 'Run', 'Run', 'Run']);
  });
});

describe('a new sample call', () => {
  const add = (params: AddSampleParams): Promise<AddSampleResult> => session.request(METHODS.addSample, params);

  test('goes to the samples file beside the definitions, at the end of its list', async () => {
    session = await Session.start({ files });
    const tools = await session.open('a.tools.json', TOOLS);
    const answer = await add({ uri: tools, offset: TOOLS.indexOf('"days"') });
    if (answer.kind !== 'edit') throw new Error(answer.kind);
    expect(answer.uri).toBe(`${FOLDER}/a.samples.json`);
    const changed = edited(SAMPLES, answer.edit);
    const calls = (JSON.parse(changed) as { calls: object[] }).calls;
    expect(calls).toHaveLength(4);
    expect(calls[3]).toEqual({ name: 'example', tool: 'days', arguments: { n: 0 }, expect: { outcome: 'accepted' } });
    expect(changed.startsWith(SAMPLES.slice(0, SAMPLES.indexOf('{ "name": "no such"')))).toBe(true);
    expect(within(changed, answer.selection)).toMatch(/^\{\s*"n": 0\s*\}$/);
  });

  test('makes the file where there is none, and names the definitions in it', async () => {
    session = await Session.start({ files: { [`${FOLDER}/a.tools.json`]: TOOLS } });
    const answer = await add({ uri: `${FOLDER}/a.tools.json` });
    if (answer.kind !== 'new') throw new Error(answer.kind);
    expect(answer.uri).toBe(`${FOLDER}/a.samples.json`);
    expect(JSON.parse(answer.text)).toMatchObject({ definitions: ['./a.tools.json'], calls: [{ tool: 'days' }] });
  });

  test('asks which tool where there are several', async () => {
    const two = JSON.stringify([...(JSON.parse(TOOLS) as object[]), { type: 'custom', name: 'note', description: '' }]);
    session = await Session.start({ files: { ...files, [`${FOLDER}/a.tools.json`]: two } });
    const uri = `${FOLDER}/a.samples.json`;
    const answer = await add({ uri });
    expect(answer).toMatchObject({ kind: 'tools', tools: [{ tool: 'days', namespace: null }, { tool: 'note' }] });
    expect(await add({ uri, tool: 'note' })).toMatchObject({ kind: 'edit', uri });
  });

  test('is offered at the name of a tool and at the list of calls, and nowhere else', async () => {
    session = await Session.start({ files, initialization: { commands: true } });
    const titles = async (uri: string, text: string, part: string): Promise<string[]> =>
      (await session.actions(uri, rangeOf(text, part))).map(({ title }) => title);
    const tools = await session.open('a.tools.json', TOOLS);
    expect(await titles(tools, TOOLS, '"days"')).toContain('Add sample call');
    expect(await titles(tools, TOOLS, '"maximum"')).not.toContain('Add sample call');
    const uri = await session.open('a.samples.json', SAMPLES);
    expect(await titles(uri, SAMPLES, '"calls"')).toContain('Add sample call');
    expect(await titles(uri, SAMPLES, '"fine"')).not.toContain('Add sample call');
    const [action] = await session.actions(tools, rangeOf(TOOLS, '"days"'), ['refactor.rewrite.sample']);
    expect(action!.command).toMatchObject({
      command: 'toolspec.addSample',
      arguments: [{ uri: tools, pointer: '/0' }],
    });
  });

  test('is an edit for clients without our commands', async () => {
    session = await Session.start({ files });
    const tools = await session.open('a.tools.json', TOOLS);
    const [action] = await session.actions(tools, rangeOf(TOOLS, '"days"'), ['refactor.rewrite.sample']);
    expect(Object.keys(action!.edit!.changes!)).toEqual([`${FOLDER}/a.samples.json`]);
  });
});

function edited(text: string, { range, newText }: { range: RangeLike; newText: string }): string {
  const lines = new LineIndex(text);
  return applyEdits(text, [{ span: { start: lines.offset(range.start), end: lines.offset(range.end) }, newText }]);
}

function within(text: string, { start, end }: RangeLike): string {
  const lines = new LineIndex(text);
  return text.slice(lines.offset(start), lines.offset(end));
}

describe('a search for drift', () => {
  const withHandler = SAMPLES.replace('"calls"', '"handlers": { "*": { "command": ["days.py"] } },\n  "calls"');
  const own = { ...files, [`${FOLDER}/a.samples.json`]: withHandler };
  const uri = `${FOLDER}/a.samples.json`;
  const find = (params: object): Promise<FindDriftResult> =>
    session.request(METHODS.findDrift, { uri, runs: 300, seed: 1, run: 'd', ...params });
  /** Takes whole numbers up to 10, where the contract allows 14. */
  const strict = (text: string): HandlerOutcome => {
    const n = /^\{"n":(-?\d+)\}$/.exec(text)?.[1];
    if (n === undefined) return { verdict: 'rejected', feedback: 'no n', notes: [] };
    return Number(n) <= 10
      ? { verdict: 'accepted', value: text, notes: [] }
      : { verdict: 'rejected', feedback: 'n must be at most 10', notes: [] };
  };

  test('finds the smallest input, tells how far it is, and stores what it found', async () => {
    const { host } = handlers(strict);
    session = await Session.start({ files: own, host: host!, initialization: { trusted: true } });
    const { failure, samples, tools } = await find({ tool: 'days' });
    expect([failure, samples, tools.length]).toEqual([null, uri, 1]);
    const [days] = tools;
    expect(days).toMatchObject({ tool: 'days', skipped: null, untrusted: false, uri: `${FOLDER}/a.tools.json` });
    expect(days!.range).toEqual(rangeOf(TOOLS, '"days"'));
    const drift = days!.drifts.findIndex(({ feedback }) => feedback === 'n must be at most 10');
    expect(days!.drifts[drift]).toMatchObject({
      kind: 'contract-accepts',
      input: expect.stringMatching(/^\{"n":1\d\}$/),
      verdict: 'rejected',
    });
    expect(days!.log[0]).toMatch(/inputs were judged\.$/);
    const progress = session.received.filter(({ method }) => method === METHODS.driftProgress);
    expect(progress[0]!.params).toMatchObject({ run: 'd', tool: 'days' });
    const stored = await session.request<AddSampleResult>(METHODS.storeDrift, { run: 'd', tool: 0, drift });
    if (stored.kind !== 'edit') throw new Error(stored.kind);
    const { calls } = JSON.parse(edited(withHandler, stored.edit)) as { calls: object[] };
    expect(calls[3]).toMatchObject({
      tool: 'days',
      arguments: JSON.parse(days!.drifts[drift]!.input),
      expect: { outcome: 'rejected' },
    });
  });

  test('makes the samples file where there is none', async () => {
    const tools = JSON.stringify([
      { ...(JSON.parse(TOOLS) as object[])[0], 'x-toolspec': { handler: { command: ['x.py'] } } },
    ]);
    const { host } = handlers(strict);
    const only = { [`${FOLDER}/a.tools.json`]: tools };
    session = await Session.start({ files: only, host: host!, initialization: { trusted: true } });
    const definitions = await session.open('a.tools.json', tools);
    const found = await find({ uri: definitions, offset: 3 });
    expect(found.tools[0]!.drifts.length).toBeGreaterThan(0);
    const stored = await session.request<AddSampleResult>(METHODS.storeDrift, { run: 'd' });
    if (stored.kind !== 'new') throw new Error(stored.kind);
    expect(stored.uri).toBe(uri);
    expect(JSON.parse(stored.text)).toMatchObject({ definitions: ['./a.tools.json'] });
  });

  test('starts no handler in an untrusted workspace', async () => {
    const { host, asked } = handlers(strict);
    session = await Session.start({ files: own, host: host! });
    const { tools } = await find({});
    expect(tools[0]).toMatchObject({ untrusted: true, drifts: [] });
    expect(tools[0]!.skipped).toMatch(/not trusted/);
    expect(asked).toEqual([]);
  });

  test('can be canceled', async () => {
    const { host } = handlers(strict);
    session = await Session.start({ files: own, host: host!, initialization: { trusted: true } });
    const source = new CancellationTokenSource();
    const begun = session.next(METHODS.driftProgress);
    const params = { uri, runs: 1_000_000, seed: 1, run: 'd' };
    const answer = session.client.sendRequest<FindDriftResult>(METHODS.findDrift, params, source.token);
    await begun;
    source.cancel();
    await expect(answer).resolves.toMatchObject({ failure: null });
  });
});
