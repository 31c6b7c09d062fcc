import { afterEach, describe, expect, test } from 'vitest';
import type { HandlerOutcome } from '../../server/src/core/calls/handler';
import { LineIndex } from '../../server/src/core/text/lines';
import { render, t } from '../../server/src/core/text/message';
import { setLanguage } from '../../server/src/lsp/language';
import type {
  CallsPage,
  PanelCallParams,
  PanelCallResult,
  PanelModel,
  PanelParams,
  PanelRunParams,
  PanelRunResult,
  PanelSaveResult,
} from '../../server/src/panelProtocol';
import { METHODS } from '../../server/src/protocol';
import { FOLDER, Session, type SessionOptions } from './harness';

let session: Session;
afterEach(() => session.stop());

const TOOLS = JSON.stringify([
  {
    type: 'function',
    name: 'days',
    description: 'Days ahead.',
    parameters: { type: 'object', properties: { n: { type: 'integer', maximum: 14 } }, required: ['n'] },
  },
  {
    type: 'function',
    name: 'other',
    description: 'Other.',
    parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
  },
]);

const SAMPLES = `{
  "definitions": ["./a.tools.json"],
  "handlers": { "days": { "command": ["python3", "days.py"] } },
  "calls": [
    { "name": "fine", "tool": "days", "arguments": { "n": 3 }, "expect": { "value": { "n": 3 } } },
    { "name": "too many", "tool": "days", "arguments": { "n": 21 } }
  ]
}
`;

const files = { [`${FOLDER}/a.samples.json`]: SAMPLES };

function handlers(outcome: (text: string) => HandlerOutcome): { host: SessionOptions['host']; asked: string[] } {
  const asked: string[] = [];
  const host: SessionOptions['host'] = {
    handlers: async () => ({
      async call(_spec, _folder, request) {
        asked.push(request.text);
        return outcome(request.text);
      },
      async restart() {},
      async dispose() {},
    }),
    folderOf: () => '/project',
  };
  return { asked, host };
}

const REFUSES: HandlerOutcome = { verdict: 'rejected', feedback: 'n must be between 1 and 14', notes: [] };
const TAKES: HandlerOutcome = { verdict: 'accepted', value: '{"n":3}', notes: [] };

const ask = (params: Omit<PanelParams, 'page'>): Promise<PanelModel> =>
  session.request<PanelModel>(METHODS.panel, { ...params, page: 'calls' });

async function page(params: Omit<PanelParams, 'page'>): Promise<CallsPage> {
  const { content } = await ask(params);
  expect(content.name).toBe('calls');
  return content as CallsPage;
}

const run = (params: PanelRunParams): Promise<PanelRunResult> => session.request(METHODS.panelRun, params);
const save = (params: PanelRunParams): Promise<PanelSaveResult | null> => session.request(METHODS.panelSave, params);

describe('a samples file in front', () => {
  const text = SAMPLES.replace(
    '"n": 21 } }',
    '"n": 21 } },\n    { "tool": "other", "arguments": { "word": "x" } },\n    { "tool": "unknown", "arguments": {} }',
  );
  const at = async (marker: string, shown?: PanelCallParams['shown']): Promise<PanelCallResult | null> => {
    const uri = await session.open('a.samples.json', text);
    const offset = text.indexOf(marker);
    expect(offset).toBeGreaterThanOrEqual(0);
    return session.request(METHODS.panelCall, { uri, offset, ...(shown === undefined ? {} : { shown }) });
  };
  const start = async (): Promise<string> => {
    session = await Session.start({ files });
    return session.open('a.tools.json', TOOLS);
  };

  test('leads to the call at the cursor and its tool', async () => {
    const uri = await start();
    const days = { pointer: '/0', name: 'days', namespace: '' };
    const other = { pointer: '/1', name: 'other', namespace: '' };
    expect(await at('"too many"')).toEqual({ uri, tool: days, sample: expect.stringMatching(/a\.samples\.json#1$/) });
    const found = await at('"word"', { uri, tool: days });
    expect(found).toEqual({ uri, tool: other, sample: expect.stringMatching(/#2$/) });
    const shown = await page({ uri, tool: found!.tool, calls: { sample: found!.sample! } });
    expect(shown).toMatchObject({ chosen: found!.sample, text: '{"word":"x"}' });
  });

  test('beside its calls it leads to the first, unless one of its tools is shown', async () => {
    const uri = await start();
    expect(await at('"definitions"')).toEqual({ uri, tool: { pointer: '/0', name: 'days', namespace: '' } });
    const shown = { uri, tool: { pointer: '/1', name: 'other', namespace: '' } };
    expect(await at('"definitions"', shown)).toBeNull();
    expect(await at('"definitions"', { ...shown, uri: `${FOLDER}/b.tools.json` })).not.toBeNull();
  });

  test('at a call of an unknown tool the panel stays', async () => {
    await start();
    expect(await at('"unknown"')).toBeNull();
  });
});

describe('page Calls', () => {
  test('lists the stored calls of the file, and judges the first by the contract alone', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => TAKES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    const shown = await page({ uri });
    expect(shown.groups).toMatchObject([
      {
        tool: 'days',
        calls: [
          { name: 'fine', state: 'none' },
          { name: 'too many', state: 'none' },
        ],
      },
    ]);
    expect(shown.summary).toBe('2, not run');
    expect(shown).toMatchObject({ text: '{"n":3}', edited: false, canRun: true, feedback: null, output: null });
    expect(shown.expectation).toBe('Stored expectation: accepted, `{"n":3}`');
    expect(shown.answer).toMatchObject({ title: 'The contract accepts this call. The handler has not run.' });
    expect(shown.verdicts.right).toMatchObject({ verdict: 'not-run' });
    expect(shown.steps.map(({ name }) => name)).toEqual(['Route', 'Payload', 'Contract']);
  });

  test('judges what is typed, without a run and without a save', async () => {
    const { host, asked } = handlers(() => TAKES);
    session = await Session.start({ files, initialization: { trusted: true }, host });
    const uri = await session.open('a.tools.json', TOOLS);
    const { of } = await page({ uri });
    const half = await page({ uri, drafts: [{ of, text: '{"n": ' }] });
    expect(half).toMatchObject({ edited: true, verdicts: { left: { verdict: 'rejected' } } });
    expect(half.marks.length).toBeGreaterThan(0);
    const wrong = await page({ uri, drafts: [{ of, text: '{"n": "three"}' }] });
    expect(wrong.verdicts.left.verdict).toBe('rejected');
    expect(wrong.marks).toMatchObject([{ start: 6, end: 13, kind: 'error' }]);
    const right = await page({ uri, drafts: [{ of, text: '{"n": 4}' }] });
    expect(right.verdicts.left.verdict).toBe('accepted');
    expect(asked).toEqual([]);
  });

  test('follows an edit of the definition that nobody has saved', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.tools.json', TOOLS);
    expect((await page({ uri })).verdicts.left.verdict).toBe('accepted');
    await session.replace(uri, '"integer"', '"string"');
    expect((await page({ uri })).verdicts.left.verdict).toBe('rejected');
  });

  test('follows an edit of the samples file that nobody has saved', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.tools.json', TOOLS);
    const samples = await session.open('a.samples.json', SAMPLES);
    await session.replace(samples, '"n": 3 }, "exp', '"m": 3 }, "exp');
    const shown = await page({ uri });
    expect(shown.text).toBe('{"m":3}');
    expect(shown.verdicts.left.verdict).toBe('rejected');
  });

  test('runs the stored call and names the drift', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => REFUSES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    const calls = { sample: `${FOLDER}/a.samples.json#0` };
    expect(await run({ uri, calls })).toEqual({ failure: null });
    const shown = await page({ uri, calls });
    expect(shown.answer).toMatchObject({
      icon: 'warning',
      title: 'Drift: the contract lets this call through, the handler refuses it.',
    });
    expect(shown.verdicts.relation).toEqual({ kind: 'differ', label: 'Drift' });
    expect(shown.verdicts.right.lines[0]!.text).toBe('`n must be between 1 and 14`');
    expect(shown.steps.map(({ name }) => name)).toEqual(['Route', 'Payload', 'Contract', 'Handler', 'Output']);
    expect(shown.feedback).toBe('n must be between 1 and 14');
    expect(JSON.parse(shown.output!.exact)).toEqual({
      type: 'function_call_output',
      call_id: 'call_1',
      output: 'n must be between 1 and 14',
    });
    expect(JSON.parse(shown.output!.code.text)).toEqual(JSON.parse(shown.output!.exact));
  });

  test('says that the model can send what only the source schema refuses', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => REFUSES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    const calls = { sample: `${FOLDER}/a.samples.json#1` };
    await run({ uri, calls });
    const { answer, verdicts, marks, text } = await page({ uri, calls });
    expect(answer.title).toMatch(/^The model can send this: Codex drops the limit/);
    expect(verdicts.relation).toEqual({ kind: 'agree', label: 'Agree' });
    expect(text.slice(marks[0]!.start, marks[0]!.end)).toBe('21');
  });

  test('says that what the model is shown does not allow what contract and handler accept', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => TAKES).host });
    const uri = await session.open('a.tools.json', TOOLS.replace('"properties":{', '"properties":{"any":true,'));
    const drafts = [{ of: (await page({ uri })).of, text: '{"n":3,"any":1}' }];
    const { answer: before, marks, text } = await page({ uri, drafts });
    expect(before).toMatchObject({
      icon: 'info',
      detail: expect.stringMatching(/^Expected a string, found the number 1\./),
    });
    expect(marks.map(({ start, end, kind }) => [text.slice(start, end), kind])).toEqual([['1', 'warning']]);
    await run({ uri, drafts });
    const { answer, verdicts } = await page({ uri, drafts });
    expect(answer.icon).toBe('warning');
    expect(answer.title).toBe('Contract and handler accept this call. What Codex shows the model does not allow it.');
    expect(verdicts.relation).toEqual({ kind: 'agree', label: 'Agree' });
  });

  test('says in the language of the editor why a handler gave no answer, with the words of the system as they are', async () => {
    const words = t('{0} could not be started: {1}', t('The handler'), 'EPERM');
    const stopped = {
      verdict: 'crashed',
      detail: render(words),
      stop: { kind: 'not-started', words },
      notes: [],
    } as const;
    session = await Session.start({
      files,
      initialization: {
        trusted: true,
        texts: { '{0} could not be started: {1}': '{1} hindert {0}', 'The handler': 'den Helfer' },
      },
      host: handlers(() => stopped).host,
    });
    const uri = await session.open('a.tools.json', TOOLS);
    await run({ uri });
    const { answer, verdicts, steps } = await page({ uri });
    expect(answer.detail).toBe('EPERM hindert den Helfer');
    expect(verdicts.right.lines[0]!.text).toBe('EPERM hindert den Helfer');
    expect(JSON.stringify(steps)).toContain('EPERM hindert den Helfer');
    const result = await session.request<{ failure: null }>(METHODS.runSamples, {
      uri: `${FOLDER}/a.samples.json`,
      run: 1,
    });
    expect(result.failure).toBeNull();
    const told = session.received.flatMap(
      ({ params }) => (params as { result?: { actual: string } } | undefined)?.result?.actual ?? [],
    );
    expect(told).toContain('{\n  "outcome": "crashed",\n  "feedback": "EPERM hindert den Helfer"\n}');
    setLanguage(undefined);
  });

  test('runs what is typed, and says when the text has changed since', async () => {
    const { host, asked } = handlers(() => TAKES);
    session = await Session.start({ files, initialization: { trusted: true }, host });
    const uri = await session.open('a.tools.json', TOOLS);
    const { of } = await page({ uri });
    const drafts = [{ of, text: '{"n": 5}' }];
    await run({ uri, drafts });
    expect(asked).toEqual(['{"n": 5}']);
    expect((await page({ uri, drafts })).verdicts.right.verdict).toBe('accepted');
    const other = await page({ uri, drafts: [{ of, text: '{"n": 6}' }] });
    expect(other.verdicts.right).toMatchObject({ verdict: 'not-run' });
    // What is stored has not run.
    expect((await page({ uri })).verdicts.right.verdict).toBe('not-run');
  });

  test('agrees with the runs of the Test Explorer, in the list and in the tab', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => TAKES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    await session.request(METHODS.runSamples, { uri: `${FOLDER}/a.samples.json`, run: '1' });
    const model = await ask({ uri });
    expect(model.badges.calls).toMatchObject({ label: '1/2' });
    const content = model.content as CallsPage;
    expect(content.summary).toBe('1 of 2 pass');
    expect(content.groups[0]!.calls.map(({ state }) => state)).toEqual(['passed', 'failed']);
    const samples = await session.open('a.samples.json', SAMPLES);
    await session.replace(samples, '"n": 21', '"n": 22');
    const after = await page({ uri });
    expect(after.groups[0]!.calls.map(({ state }) => state)).toEqual(['passed', 'none']);
  });

  test('holds no verdict of a handler against another contract', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => TAKES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    await run({ uri });
    expect((await page({ uri })).verdicts.right.verdict).toBe('accepted');
    await session.replace(uri, '"integer"', '"string"');
    const after = await page({ uri });
    expect(after.verdicts).toMatchObject({ left: { verdict: 'rejected' }, right: { verdict: 'not-run' } });
    expect(after.groups[0]!.calls[0]!.state).toBe('none');
  });

  test('runs nothing in an untrusted workspace, and says what helps', async () => {
    const { host, asked } = handlers(() => TAKES);
    session = await Session.start({ files, host });
    const uri = await session.open('a.tools.json', TOOLS);
    const shown = await page({ uri });
    expect(shown.notice).toMatchObject({
      title: 'Handlers are off in this untrusted workspace.',
      link: { action: { command: 'workbench.trust.manage' } },
    });
    expect(shown).toMatchObject({ canRun: false, verdicts: { right: { verdict: 'not-run', label: 'Not run' } } });
    expect((await run({ uri })).failure).not.toBeNull();
    expect(asked).toEqual([]);
  });

  test.each<[HandlerOutcome, object, object]>([
    [
      { verdict: 'crashed', detail: 'x', stop: { kind: 'not-started' }, notes: [] },
      { verdict: 'crashed', label: 'Not started' },
      { title: 'The handler could not be started.', detail: 'x' },
    ],
    [
      { verdict: 'timed-out', detail: 'x', stop: { kind: 'timeout', limitMs: 9 }, notes: [] },
      { verdict: 'timed-out', label: 'Timed out' },
      { title: 'The handler gave no answer in time.' },
    ],
    [
      { verdict: 'aborted', detail: 'x', stop: { kind: 'canceled' }, notes: [] },
      { verdict: 'not-run', label: 'Canceled' },
      { title: 'The run was stopped.' },
    ],
  ])('says why the handler has no verdict: %j', async (outcome, right, answer) => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => outcome).host });
    const uri = await session.open('a.tools.json', TOOLS);
    await run({ uri });
    const shown = await page({ uri });
    expect(shown.verdicts.right).toMatchObject(right);
    expect(shown.answer).toMatchObject(answer);
  });

  test('says that nobody takes the calls of a tool', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.tools.json', TOOLS);
    const shown = await page({ uri, tool: { pointer: '/1', name: 'other', namespace: '' } });
    expect(shown.verdicts.right).toMatchObject({ verdict: 'not-run', label: 'No handler' });
  });

  test('does not run a builtin handler that can say nothing about the tool, and says why', async () => {
    const own = {
      [`${FOLDER}/a.samples.json`]: SAMPLES.replace(
        '{ "command": ["python3", "days.py"] }',
        '{ "builtin": "grammar" }',
      ),
    };
    session = await Session.start({ files: own });
    const uri = await session.open('a.tools.json', TOOLS);
    const shown = await page({ uri });
    expect(shown).toMatchObject({ canRun: false, verdicts: { right: { verdict: 'not-run', label: 'Not run' } } });
    expect(shown.verdicts.right.lines[0]!.text).toContain('"days" is a function');
    expect(shown.answer.detail).toContain('"days" is a function');
  });

  test('gives no verdict where no engine accepts the grammar', async () => {
    session = await Session.start();
    const format = { type: 'grammar', syntax: 'lark', definition: 'begin: "x"' };
    const tools = JSON.stringify([{ type: 'custom', name: 'own', description: 'Own.', format }]);
    const uri = await session.open('c.tools.json', tools);
    const shown = await page({ uri });
    expect(shown.answer).toMatchObject({ icon: 'error', title: 'The contract gives no verdict on this call.' });
    expect(shown.verdicts.left).toMatchObject({ verdict: 'not-run', label: 'Not judged' });
  });

  test('says where there can be no process', async () => {
    session = await Session.start({ files, initialization: { trusted: true } });
    const uri = await session.open('a.tools.json', TOOLS);
    const { notice, canRun } = await page({ uri });
    expect(notice!.title).toMatch(/the browser has none/);
    expect(canRun).toBe(false);
  });

  test('starts with an example for a tool that has no stored call', async () => {
    session = await Session.start({ files });
    const uri = await session.open('a.tools.json', TOOLS);
    const shown = await page({ uri, tool: { pointer: '/1', name: 'other', namespace: '' } });
    expect(shown).toMatchObject({ chosen: null, kind: 'arguments', verdicts: { left: { verdict: 'accepted' } } });
    expect(JSON.parse(shown.text)).toEqual({ word: expect.any(String) });
    expect(shown.answer.title).toBe('The contract accepts this call. No handler is named for it.');
  });

  test('stores a call behind the others, with what came of it', async () => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => REFUSES).host });
    const uri = await session.open('a.tools.json', TOOLS);
    const { of } = await page({ uri });
    const drafts = [{ of, text: '{"n": 20}' }];
    await run({ uri, drafts });
    const result = (await save({ uri, drafts }))!;
    expect(result).toMatchObject({
      uri: `${FOLDER}/a.samples.json`,
      create: null,
      sample: `${FOLDER}/a.samples.json#2`,
    });
    const lines = new LineIndex(SAMPLES);
    const [{ range, newText }] = result.edits as [PanelSaveResult['edits'][number]];
    const text = SAMPLES.slice(0, lines.offset(range.start)) + newText + SAMPLES.slice(lines.offset(range.end));
    const { calls } = JSON.parse(text) as { calls: object[] };
    expect(calls[2]).toEqual({
      name: 'fine, changed',
      tool: 'days',
      arguments: { n: 20 },
      expect: { outcome: 'rejected' },
    });
    expect(calls.slice(0, 2)).toEqual((JSON.parse(SAMPLES) as { calls: object[] }).calls);
  });

  test('makes a samples file beside the definitions where there is none', async () => {
    session = await Session.start();
    const uri = await session.open('b.tools.json', TOOLS);
    const result = (await save({ uri }))!;
    expect(result.uri).toBe(`${FOLDER}/b.samples.json`);
    expect(JSON.parse(result.create!)).toMatchObject({
      definitions: ['./b.tools.json'],
      calls: [{ tool: 'days', expect: { outcome: 'accepted' } }],
    });
  });

  test.each<[name: string, outcome: HandlerOutcome | undefined, expected: object | undefined]>([
    ['accepts', TAKES, { outcome: 'accepted' }],
    ['has crashed', { verdict: 'crashed', detail: 'It is gone.', notes: [] }, undefined],
    ['gave no answer in time', { verdict: 'timed-out', detail: 'Too late.', notes: [] }, undefined],
    ['has not run', undefined, undefined],
  ])('stores no expectation that nobody has seen: the handler %s', async (_name, outcome, expected) => {
    session = await Session.start({ files, initialization: { trusted: true }, host: handlers(() => outcome!).host });
    const uri = await session.open('a.tools.json', TOOLS);
    const drafts = [{ of: (await page({ uri })).of, text: '{"n": 4}' }];
    if (outcome !== undefined) await run({ uri, drafts });
    const { edits } = (await save({ uri, drafts }))!;
    const lines = new LineIndex(SAMPLES);
    const { range, newText } = edits[0]!;
    const text = SAMPLES.slice(0, lines.offset(range.start)) + newText + SAMPLES.slice(lines.offset(range.end));
    const { calls } = JSON.parse(text) as { calls: object[] };
    expect(calls[2]).toEqual({
      name: 'fine, changed',
      tool: 'days',
      arguments: { n: 4 },
      ...(expected === undefined ? {} : { expect: expected }),
    });
  });

  test.each<[name: string, handler: object | undefined, expected: object | undefined]>([
    ['nobody judges', undefined, undefined],
    ['a handler that cannot read them', { builtin: 'grammar' }, undefined],
  ])('stores calls without an expectation where the contract has no verdict: %s', async (_name, handler, expected) => {
    const tool = {
      type: 'custom',
      name: 'own',
      description: 'Own.',
      format: { type: 'grammar', syntax: 'lark', definition: 'start: nowhere' },
      ...(handler === undefined ? {} : { 'x-toolspec': { handler } }),
    };
    session = await Session.start({ initialization: { trusted: true } });
    const uri = await session.open('c.tools.json', JSON.stringify([tool]));
    const drafts = [{ of: (await page({ uri })).of, text: 'x' }];
    const { create } = (await save({ uri, drafts }))!;
    const [call] = (JSON.parse(create!) as { calls: object[] }).calls;
    expect(call).toEqual({
      name: 'example',
      tool: 'own',
      input: 'x',
      ...(expected === undefined ? {} : { expect: expected }),
    });
  });

  test('judges freeform text by the grammar as it is typed', async () => {
    session = await Session.start();
    const format = { type: 'grammar', syntax: 'lark', definition: 'start: "ab" NUM\nNUM: /[0-9]+/' };
    const uri = await session.open(
      'c.tools.json',
      JSON.stringify([{ type: 'custom', name: 'own', description: 'Own.', format }]),
    );
    const first = await page({ uri });
    expect(first).toMatchObject({ kind: 'input', verdicts: { left: { verdict: 'accepted' } } });
    const { verdicts, marks } = await page({ uri, drafts: [{ of: first.of, text: 'abx' }] });
    expect(verdicts.left.verdict).toBe('rejected');
    expect(marks).toMatchObject([{ start: 2, end: 3, kind: 'error' }]);
  });
});

describe('a tool with thousands of properties', () => {
  test('has an example and the right verdicts, also when the definitions change', async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `p${i}`);
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const parameters = { type: 'object', properties, additionalProperties: false };
    session = await Session.start();
    const uri = await session.open('big.tools.json', JSON.stringify([{ type: 'function', name: 'big', parameters }]));
    const { of, text, verdicts } = await page({ uri });
    expect([text, verdicts.left.verdict]).toEqual(['{"p0":"a"}', 'accepted']);
    const verdict = async (draft: string): Promise<string> =>
      (await page({ uri, drafts: [{ of, text: draft }] })).verdicts.left.verdict;
    expect(await verdict('{"p4999":"x"}')).toBe('accepted');
    expect(await verdict('{"p4999":1}')).toBe('rejected');
    expect(await verdict('{"p5000":"x"}')).toBe('rejected');
    await session.replace(uri, '"p4999":{"type":"string"}', '"p4999":{"type":"integer"}');
    expect(await verdict('{"p4999":1}')).toBe('accepted');
    expect(await verdict('{"p4999":"x"}')).toBe('rejected');
  });
});
