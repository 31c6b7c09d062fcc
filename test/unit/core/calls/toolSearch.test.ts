import { describe, expect, test } from 'vitest';
import type { CallReport } from '../../../../server/src/core/calls/report';
import { render } from '../../../../server/src/core/text/message';
import { type Files, fn, output, PLAN, runFile, runOne, schema } from './support';

const steps = (report: CallReport): string[] => report.steps.map(({ step, state }) => `${step} ${state}`);

describe('a search is answered with the tools that it finds', () => {
  const deferred = (name: string, description: string): object =>
    fn(name, schema({}), { description, defer_loading: true });
  const TIDE = deferred('tide_at', 'Height of the tide at a harbor.');
  const FIND = deferred('find', 'Finds a vessel by its number.');
  const NOTE = deferred('note', 'Notes about a vessel.');
  const FLEET = { type: 'namespace', name: 'fleet', description: 'Vessel records.', tools: [FIND, NOTE] };
  const wired = (name: string, description: string): object => ({
    type: 'function',
    name,
    description,
    strict: false,
    defer_loading: true,
    parameters: { type: 'object', properties: {} },
  });
  const search = (args: unknown, tools: readonly unknown[] = [TIDE, FLEET, PLAN], more: object = {}) =>
    runOne({ tool: 'tool_search', arguments: args, ...more } as Files, tools);

  test('by the names that calls have, over all definition files', async () => {
    const server = (name: string): object => ({
      'x-toolspec': { server: name },
      tools: [{ name: 'find', description: `Finds a vessel of ${name}.`, inputSchema: schema({}) }],
    });
    const ask = { tool: 'tool_search', arguments: { query: 'vessel' } };
    const files = { 'a.tools.json': server('my-shop'), 'b.tools.json': server('my_shop') };
    const definitions = ['./a.tools.json', './b.tools.json'];
    const first = await runFile({ definitions, calls: [ask] }, [], {}, {}, files);
    const { tools } = output(first.reports[0]!) as { tools: { name: string }[] };
    const namespaces = tools.map(({ name }) => name);
    expect(namespaces).toEqual([
      expect.stringMatching(/^mcp__my_shop_[0-9a-f]{12}$/),
      expect.stringMatching(/^mcp__my_shop_[0-9a-f]{12}$/),
    ]);
    const calls = namespaces.map((namespace) => ({ tool: 'find', namespace, arguments: {} }));
    const { reports } = await runFile({ definitions, calls }, [], {}, {}, files);
    expect(reports.map(({ state }) => state)).toEqual(['passed', 'passed']);
    expect(new Set(reports.map(({ target }) => target?.uri)).size).toBe(2);
  });

  test('as namespaces, in the order of the ranking', async () => {
    const report = await search({ query: 'records of vessels' });
    expect([report.state, report.handler.kind, report.handler.verdict]).toEqual(['passed', 'builtin', 'accepted']);
    expect(steps(report)).toEqual([
      'route passed',
      'payload passed',
      'contract passed',
      'handler passed',
      'output passed',
    ]);
    expect(report.output).toBe(
      JSON.stringify({
        type: 'tool_search_output',
        call_id: 'call_1',
        status: 'completed',
        execution: 'client',
        tools: [
          {
            type: 'namespace',
            name: 'fleet',
            description: 'Vessel records.',
            tools: [wired('note', 'Notes about a vessel.'), wired('find', 'Finds a vessel by its number.')],
          },
        ],
      }),
    );
    expect(render(report.steps[3]!.message)).toContain('It gives back fleet.note and fleet.find.');
  });

  test('a plain tool stands in the default namespace', async () => {
    const report = await search({ query: 'tide' });
    expect(output(report)).toMatchObject({
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [wired('tide_at', 'Height of the tide at a harbor.')],
        },
      ],
    });
  });

  test('the limit counts tools, before they are grouped', async () => {
    const report = await search({ query: 'vessel', limit: 1 });
    const { tools } = output(report) as { tools: { tools: unknown[] }[] };
    expect(tools).toHaveLength(1);
    expect(tools[0]!.tools).toHaveLength(1);
  });

  test('without a limit there are eight', async () => {
    const many = Array.from({ length: 20 }, (_, i) => deferred(`vessel_${i}`, 'A vessel.'));
    const { tools } = output(await search({ query: 'vessel' }, many)) as { tools: { tools: unknown[] }[] };
    expect(tools.map((each) => each.tools.length)).toEqual([8]);
  });

  test.each([
    [{ query: ' ' }, 'query must not be empty'],
    [{ query: 'tide', limit: 0 }, 'limit must be greater than zero'],
  ])('%j is refused, and the model never reads why', async (args, feedback) => {
    const report = await search(args, undefined, { expect: { feedback } });
    expect([report.state, report.handler.verdict, report.handler.feedback]).toEqual(['passed', 'rejected', feedback]);
    expect(output(report)).toEqual({
      type: 'tool_search_output',
      call_id: 'call_1',
      status: 'completed',
      execution: 'client',
      tools: [],
    });
    expect((await search(args)).findings.map(({ rule }) => rule)).toEqual(['call/parser-rejects']);
  });

  test('a limit that the schema takes and Codex does not is drift', async () => {
    const report = await search({ query: 'tide', limit: 1.5 });
    expect([report.contract.verdict, report.handler.verdict]).toEqual(['accepted', 'rejected']);
    expect(report.findings.map(({ rule }) => rule)).toEqual(['call/parser-rejects']);
    expect(output(report)).toEqual({
      type: 'function_call_output',
      call_id: '',
      output: 'failed to parse tool_search arguments: invalid number',
    });
  });

  test('a key that Codex ignores is outside of the contract', async () => {
    const report = await search({ query: 'tide', page: 2 });
    expect([report.contract.verdict, report.handler.verdict]).toEqual(['rejected', 'accepted']);
  });

  test('what the search finds can be expected', async () => {
    const value = [{ name: 'functions', tools: [{ name: 'tide_at' }] }];
    expect((await search({ query: 'tide' }, undefined, { expect: { value } })).state).toBe('passed');
    expect((await search({ query: 'vessel' }, undefined, { expect: { value } })).state).toBe('failed');
  });

  test('a query that meets no word finds nothing', async () => {
    const report = await search({ query: 'weather' });
    expect(report.handler.verdict).toBe('accepted');
    expect(output(report)).toMatchObject({ tools: [] });
    expect(render(report.steps[3]!.message)).toContain('None of 3 deferred tools has a word of the query.');
  });

  test('a definition of tool search of its own is the contract', async () => {
    const own = { type: 'tool_search', execution: 'client', description: 'd', parameters: schema({ query: {} }) };
    const report = await search({ query: 'tide' }, [own, TIDE]);
    expect(output(report)).toMatchObject({ tools: [{ tools: [{ name: 'tide_at' }] }] });
    expect(report.target?.tool.kind).toBe('tool-search');
  });

  test('a grammar in a file of its own is part of what is found', async () => {
    const format = { type: 'grammar', syntax: 'lark', definition: { $file: './g.lark' } };
    const patch = { type: 'custom', name: 'patch', description: 'Patches.', defer_loading: true, format };
    const call = { tool: 'tool_search', arguments: { query: 'patch' } };
    const report = await runOne(call, [patch], {}, {}, { 'g.lark': 'start: "x"\n' });
    expect(output(report)).toMatchObject({ tools: [{ tools: [{ format: { definition: 'start: "x"\n' } }] }] });
  });

  test('of tools with one name the first counts, whatever file they stand in', async () => {
    const calls = [{ tool: 'tool_search', arguments: { query: 'tide' } }];
    const more = deferred('tide_at', 'Another tide.');
    const definitions = ['./t.tools.json', './more.tools.json'];
    const { reports } = await runFile({ definitions, calls }, [TIDE], {}, {}, { 'more.tools.json': [more] });
    expect(output(reports[0]!)).toMatchObject({
      tools: [{ name: 'functions', tools: [wired('tide_at', 'Height of the tide at a harbor.')] }],
    });
  });

  test('raw input is no search', async () => {
    const report = await runOne({ tool: 'tool_search', input: 'tide' }, [TIDE]);
    expect(report.findings.map(({ message }) => render(message))).toEqual([
      '"tool_search" takes arguments, and no raw input.',
    ]);
  });

  test('a provider without namespaces has no tool search', async () => {
    const { reports } = await runFile({ calls: [{ tool: 'tool_search', arguments: { query: 'tide' } }] }, [TIDE], {
      modelProvider: { namespaces: false },
    });
    expect(output(reports[0]!)).toMatchObject({ tools: [] });
    expect(reports[0]!.handler.verdict).toBe('none');
  });
});
