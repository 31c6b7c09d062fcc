import { describe, expect, test } from 'vitest';
import type { CallReport } from '../../../../server/src/core/calls/report';
import { render } from '../../../../server/src/core/text/message';
import { type Files, fn, output, PLAN, runOne } from './support';

const reason = ({ reason }: CallReport): string => (reason === undefined ? '' : render(reason));

describe('contracts that cannot be asked', () => {
  const custom = (definition: unknown): object => ({
    type: 'custom',
    name: 'c',
    description: 'd',
    format: { type: 'grammar', syntax: 'lark', definition },
  });

  test.each<[string, unknown, string]>([
    ['no text', 5, 'The format of the tool has no grammar, so the input cannot be judged.'],
    ['no file', { $file: './no.lark' }, 'The grammar file "./no.lark" cannot be read'],
    ['no start', 'begin: "x"\n', 'no engine accepts the grammar'],
  ])('a grammar with %s judges nothing', async (_about, definition, words) => {
    for (const expect_ of [{}, { outcome: 'accepted' }, { outcome: 'rejected' }]) {
      const report = await runOne({ tool: 'c', input: 'x', expect: expect_ }, [custom(definition)]);
      expect([report.state, report.contract.judged]).toEqual(['errored', false]);
      expect(reason(report)).toContain(words);
    }
  });

  test('the builtin handler makes no parser of a grammar that Lark refuses', async () => {
    const call = { tool: 'c', input: 'x' };
    const report = await runOne(call, [custom('begin: "x"\n')], { c: { builtin: 'grammar' } });
    expect(report.state).toBe('errored');
    expect(report.handler).toMatchObject({ verdict: 'crashed', reason: { kind: 'fault' } });
    expect(report.handler.detail).toContain('no rule start');
  });

  test('a schema that Codex refuses is told', async () => {
    const report = await runOne({ tool: 'f', arguments: {} }, [fn('f', { type: 'object', items: [{}] })]);
    expect(report.state).toBe('passed');
    const [finding] = report.contract.findings;
    expect(finding).toMatchObject({ rule: 'codex/schema-unsupported', level: 'warning' });
    expect(render(finding!.message)).toMatch(
      /^Codex refuses the schema of the tool, so it never shows the tool to the model: /,
    );
  });
});

describe('names that lead nowhere', () => {
  const space = { type: 'namespace', name: 'fleet', description: 'd', tools: [fn('find')] };
  test.each<[Files, string]>([
    [
      { tool: 'web_search', arguments: {} },
      'The provider runs "web_search" itself, so no call of it reaches the client.',
    ],
    [{ tool: 'fleet', arguments: {} }, '"fleet" is a namespace. A call names one of its tools, such as "find".'],
    [{ tool: 'find', namespace: 'port', arguments: {} }, 'The namespace "port" has no tool "find"; it is in "fleet".'],
    [{ tool: 'fund', arguments: {} }, 'No definition file has a tool "fund". Did you mean "find"?'],
    [{ tool: 'sink', namespace: 'fleet', arguments: {} }, 'No definition file has a tool "fleet.sink".'],
    [{ tool: '', arguments: {} }, 'No definition file has a tool "".'],
  ])('%j', async (call, words) => {
    const report = await runOne(call, [PLAN, space, { type: 'web_search' }]);
    expect([report.state, reason(report)]).toEqual(['failed', words]);
    expect(report.name).not.toBe(' #1');
  });
});

describe('expectations without a handler', () => {
  test.each<[object, string]>([
    [{ value: {} }, 'A value was expected, but no handler was run that could give one.'],
    [{ outcome: 'crashed' }, 'The handler was expected to crash. The contract accepts it, and no handler was run.'],
    [{ outcome: 'accepted', feedback: 'x' }, 'The call is accepted, so there is no feedback that could hold "x".'],
  ])('%j', async (expect_, words) => {
    const report = await runOne({ tool: 'update_plan', arguments: {}, expect: expect_ }, [PLAN]);
    expect([report.state, reason(report)]).toEqual(['failed', words]);
  });
});

describe('a builtin handler that can say nothing about a tool', () => {
  const free = { type: 'custom', name: 'c', description: 'd' };
  test.each<[Files, object, string]>([
    [{ tool: 'update_plan', arguments: {} }, { update_plan: { builtin: 'grammar' } }, '"update_plan" is a function'],
    [{ tool: 'update_plan', arguments: {} }, { update_plan: { builtin: 'apply_patch' } }, 'would reject every call'],
    [{ tool: 'c', input: 'x' }, { c: { builtin: 'grammar' } }, 'takes every text'],
    [{ tool: 'c', input: 'x' }, { c: { builtin: 'json-schema' } }, 'is a custom tool'],
  ])('%j with %j is not run', async (call, handlers, words) => {
    const report = await runOne(call, [PLAN, free], handlers as Files);
    expect(report.state).toBe('errored');
    expect(reason(report)).toContain(words);
    expect(report.handler).toMatchObject({ kind: 'builtin', verdict: 'none', reason: { kind: 'unsuited' } });
    expect(output(report)).toMatchObject({ call_id: 'call_1', output: 'aborted' });
  });

  test('does not serve it under *', async () => {
    const report = await runOne({ tool: 'update_plan', arguments: {} }, [PLAN], { '*': { builtin: 'grammar' } });
    expect(report.handler).toMatchObject({ kind: 'none', verdict: 'none', reason: { kind: 'no-handler' } });
  });
});
