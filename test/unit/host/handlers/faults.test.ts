import { describe, expect, test } from 'vitest';
import type { HandlerOutcome } from '../../../../server/src/core/calls/handler';
import { processesWith } from '../../../../server/src/host/handlers/killTree';
import { createNodeHandlers, type ProcessSpec } from '../../../../server/src/host/handlers/nodeHandlers';
import { call, faulty, faultyShell, HANDLER_HOST, handlers, module } from './support';

/** Calls of each kind; of those that must run out of time, a tenth. */
const CALLS = 200;

type Kind = readonly [name: string, spec: ProcessSpec, verdict: HandlerOutcome['verdict'], detail?: string];

const inModule = (name: string, timeoutMs?: number) => module('./faults.mjs', name, timeoutMs);

const KINDS: readonly Kind[] = [
  ['hangs', faulty('hang', 100), 'timed-out', 'The handler gave no answer within 100 ms, so it was ended.'],
  ['ignores SIGTERM', faulty('ignore-sigterm', 100), 'timed-out'],
  ['blocks the event loop', inModule('block', 100), 'timed-out'],
  ['leaves a child behind and hangs', faulty('fork-hang', 100), 'timed-out'],
  ['exits', faultyShell('exit'), 'crashed', 'The handler ended with exit code 3 before it answered.'],
  [
    'crashes by a signal',
    faultyShell('signal'),
    'crashed',
    'The handler was ended by the signal SIGSEGV before it answered.',
  ],
  [
    'prints junk',
    faultyShell('junk'),
    'crashed',
    'The handler ended with exit code 0 before it answered. What it wrote is no answer: that is a line with a JSON object that has "id" and "ok".',
  ],
  ['prints noise around its answer', faulty('noise'), 'accepted'],
  [
    'prints 1 GB',
    faultyShell('flood'),
    'crashed',
    'The handler wrote a line of more than 4,194,304 bytes, so it was ended.',
  ],
  [
    'prints 1 GB in lines',
    faultyShell('flood-lines'),
    'crashed',
    'The handler wrote more than 100,000 lines beside its answer, so it was ended.',
  ],
  ['answers twice', faulty('twice'), 'accepted'],
  ['answers out of order', faulty('out-of-order'), 'accepted'],
  ['answers with another id', faulty('wrong-id'), 'crashed'],
  ['leaves a child behind', faultyShell('fork'), 'accepted'],
  ['leaves a child of another group behind', faultyShell('fork-detached'), 'accepted'],
  ['throws a string', inModule('throwsString'), 'rejected'],
  ['gives a BigInt', inModule('bigint'), 'crashed'],
  ['gives a cycle', inModule('cycle'), 'crashed'],
];

/** Verdict and detail of the outcomes, each once. */
const endings = (outcomes: readonly HandlerOutcome[]) =>
  new Set(outcomes.map((each) => `${each.verdict}${'detail' in each ? `: ${each.detail}` : ''}`));

describe('a handler that misbehaves', { concurrent: true, timeout: 300_000 }, () => {
  test.each(KINDS.map((each) => [each[0], each] as const))(
    '%s: each call has one outcome, and no process is left',
    async (_, kind) => {
      const [, spec, verdict, detail] = kind;
      const env = new Map([['TOOLSPEC_TEST', crypto.randomUUID()]]);
      const runner = createNodeHandlers({ handlerHost: HANDLER_HOST });
      const count = verdict === 'timed-out' ? CALLS / 10 : CALLS;
      let settled = 0;
      const calls = Array.from({ length: count }, async (_, i) => {
        const outcome = await call(runner, { ...spec, env }, `${i}`);
        settled++;
        return outcome;
      });
      const outcomes = await Promise.all(calls);
      expect(settled).toBe(count);
      expect(outcomes.map((each) => each.verdict)).toEqual(Array.from({ length: count }, () => verdict));
      if (detail !== undefined) expect([...endings(outcomes)]).toEqual([`${verdict}: ${detail}`]);
      // Each call has its own answer, none that of another one.
      if (verdict === 'accepted') {
        expect(outcomes.map((each) => each.verdict === 'accepted' && each.value)).toEqual(
          outcomes.map((_, i) => JSON.stringify(`${i}`)),
        );
      }
      await runner.dispose();
      expect(processesWith([`TOOLSPEC_TEST=${env.get('TOOLSPEC_TEST')}`])).toEqual([]);
    },
  );
});

test.each([
  ['a program', { command: ['a\0b'] }],
  ['an argument', { command: [process.execPath, 'a\0b'] }],
  ['a folder', { command: [process.execPath], cwd: './a\0' }],
  ['the environment', { command: [process.execPath], env: new Map([['A', '\0']]) }],
])('what no system starts, with a null character in %s, is not started', async (_where, parts) => {
  const runner = handlers();
  for (const kind of ['command', 'mcp'] as const) {
    const spec: ProcessSpec = { ...faulty('noise'), ...parts, kind };
    const outcome = await call(runner, spec, '{}');
    expect(outcome).toMatchObject({ verdict: 'crashed', stop: { kind: 'not-started' } });
    expect('detail' in outcome && outcome.detail).toContain('its command, folder or environment has a null character');
  }
  expect(await call(runner, module('./a\0.mjs'), '{}')).toMatchObject({ verdict: 'crashed' });
});
