import { describe, expect, test } from 'vitest';
import type { DriftJudge, DriftProgress } from '../../../../../server/src/core/calls/drift/model';
import { SchemaInputs } from '../../../../../server/src/core/calls/drift/schemaInputs';
import { driftKind, findDrift } from '../../../../../server/src/core/calls/drift/search';
import { parseJson } from '../../../../../server/src/core/text/json';

const SCHEMA = {
  type: 'object',
  properties: { from: { type: 'integer' }, to: { type: 'integer' }, name: { type: 'string', minLength: 2 } },
  required: ['from', 'to'],
  additionalProperties: false,
};

const source = (seed = 1): SchemaInputs => new SchemaInputs(parseJson(JSON.stringify(SCHEMA)).root!, seed);

/** A contract without `minLength`, which the source has; and a handler that knows more than both. */
const judge: DriftJudge = {
  contract: async (texts) =>
    texts.map((text) => {
      const value = read(text);
      const accepted = Number.isInteger(value?.from) && Number.isInteger(value?.to);
      const lost = accepted && typeof value?.name === 'string' && value.name.length < 2;
      return { accepted, lost, feedback: accepted ? (lost ? 'too short' : '') : 'not of the schema' };
    }),
  handler: async (texts) =>
    texts.map((text) => {
      const value = read(text);
      const reject = (feedback: string) => ({ verdict: 'rejected', feedback }) as const;
      if (value === undefined) return reject('no JSON');
      if (value.name === '') return reject('the name is blank');
      if (Number(value.to) < Number(value.from)) return reject(`${value.to} is before ${value.from}`);
      if (value.from === 42) return { verdict: 'crashed', feedback: 'the process ended' } as const;
      return { verdict: 'accepted', feedback: '' } as const;
    }),
};

function read(text: string): { from?: unknown; to?: unknown; name?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const options = { runs: 3000 };

describe('a search', () => {
  test('keeps drifts apart, makes each as small as it can, and covers the contract', async () => {
    const report = await findDrift(source(), true, judge, 1, options);
    const found = report.drifts.map(({ kind, input, feedback }) => [kind, input, feedback]);
    expect(found).toContainEqual(['contract-accepts', '{"from":1,"to":0}', '0 is before 1']);
    const blank = report.drifts.find(({ feedback }) => feedback === 'the name is blank')!;
    expect(blank.contract.lost).toBe(true);
    expect(read(blank.input)).toEqual({ from: 0, to: 0, name: '' });
    const crash = report.drifts.find(({ handler }) => handler.verdict === 'crashed')!;
    expect(read(crash.input)).toMatchObject({ from: 42 });
    expect(report.drifts.filter(({ kind }) => kind === 'handler-accepts').length).toBeGreaterThan(0);
    // One of each kind: the numbers and names in a feedback make no difference.
    expect(
      new Set(report.drifts.map(({ kind, signature, contract }) => `${kind} ${signature} ${contract.lost}`)).size,
    ).toBe(report.drifts.length);
    expect(report.coverage).toMatchObject({ missing: [], covered: report.coverage.total });
    expect(report.runs).toBeLessThanOrEqual(options.runs);
  });

  test('is the same for the same seed', async () => {
    const once = await findDrift(source(4), true, judge, 4, options);
    expect(await findDrift(source(4), true, judge, 4, options)).toEqual(once);
  });

  test('every smallest input still has the verdicts that are reported', async () => {
    const { drifts } = await findDrift(source(2), true, judge, 2, options);
    for (const { input, kind, contract, handler } of drifts) {
      const [side] = await judge.contract([input]);
      const [taken] = await judge.handler([input]);
      expect([side, taken]).toEqual([contract, handler]);
      expect(driftKind(side!, taken!)).toBe(kind);
    }
  });

  test('judges no more than it may, and tells how far it is', async () => {
    const seen: DriftProgress[] = [];
    const report = await findDrift(source(), true, judge, 1, {
      runs: 100,
      onProgress: (progress) => seen.push(progress),
    });
    expect(report.runs).toBeLessThanOrEqual(100);
    expect(seen.at(-1)!.runs).toBe(report.runs);
    expect(seen.some(({ phase }) => phase === 'search')).toBe(true);
  });

  test('ends when it is canceled, and reports what it has', async () => {
    const abort = new AbortController();
    const report = await findDrift(source(), true, judge, 1, {
      ...options,
      signal: abort.signal,
      onProgress: ({ runs }) => {
        if (runs > 300) abort.abort();
      },
    });
    expect(report.canceled).toBe(true);
    expect(report.runs).toBeLessThan(600);
    expect(report.drifts.length).toBeGreaterThan(0);
  });

  test('starts with what somebody wrote down', async () => {
    const texts: string[] = [];
    const spy: DriftJudge = {
      contract: (each) => {
        texts.push(...each);
        return judge.contract(each);
      },
      handler: judge.handler,
    };
    await findDrift(source(), true, spy, 1, { runs: 50, seeds: ['{"from":7,"to":8,"name":"stored"}'] });
    expect(texts[0]).toBe('{"from":7,"to":8,"name":"stored"}');
  });
});

test('what was aborted is no drift', () => {
  const side = { accepted: true, lost: false, feedback: '' };
  expect(driftKind(side, { verdict: 'aborted', feedback: '' })).toBeUndefined();
  expect(driftKind(side, { verdict: 'timed-out', feedback: 'late' })).toBe('contract-accepts');
  expect(driftKind({ ...side, lost: true }, { verdict: 'accepted', feedback: '' })).toBe('handler-accepts');
});
