import { describe, expect, test } from 'vitest';
import type { HandlerOutcome } from '../../../../server/src/core/calls/handler';
import { t } from '../../../../server/src/core/text/message';
import type { ProcessSpec } from '../../../../server/src/host/handlers/nodeHandlers';
import { call, command, faulty, handlers } from './support';

const JUNK = 'What it wrote is no answer: that is a line with a JSON object that has "id" and "ok".';
const script = (code: string, timeoutMs: number): ReturnType<typeof command> => ({
  ...command(process.execPath, '-e', code),
  timeoutMs,
});

describe('a program that answers line by line', () => {
  test('gets the exact text, and its process is kept', async () => {
    const runner = handlers();
    const text = '{"a": 1.0,\n "b":"\u2028ä😀"';
    expect(await call(runner, faulty('good'), text)).toEqual({
      verdict: 'accepted',
      value: JSON.stringify(text),
      notes: [],
    });
    const pids = new Set<unknown>();
    for (let i = 0; i < 5; i++) {
      const outcome = await call(runner, faulty('process'), '');
      pids.add(outcome.verdict === 'accepted' && outcome.value);
    }
    expect(pids.size).toBe(1);
  });

  test('rejects with a feedback and a place', async () => {
    expect(await call(handlers(), faulty('refuse'), '{}')).toEqual({
      verdict: 'rejected',
      feedback: 'no',
      offset: 2,
      notes: [],
    });
  });

  test('may print what it likes beside its answers', async () => {
    const runner = handlers();
    const first = await call(runner, faulty('noise'), 'x');
    expect(first).toMatchObject({ verdict: 'accepted', value: '"x"' });
    expect(first.notes.slice(0, 4)).toEqual(['starting …', '{"level":"info"}', '[1]', '{broken']);
    expect(await call(runner, faulty('noise'), 'y')).toMatchObject({ verdict: 'accepted', value: '"y"' });
  });

  test('keeps numbers, keys and nesting as they are', async () => {
    const runner = handlers();
    const exact = await call(runner, faulty('exact'), '');
    expect(exact).toMatchObject({ value: '{"2":1.0,"1":12345678901234567890,"__proto__":1e400}' });
    const deep = await call(runner, faulty('deep'), '');
    expect(deep.verdict === 'accepted' && deep.value?.length).toBe(200_000);
  });

  test('may end after each answer', async () => {
    const runner = handlers();
    for (let i = 0; i < 5; i++) {
      expect(await call(runner, faulty('one-shot'), `${i}`)).toMatchObject({ verdict: 'accepted', value: `"${i}"` });
    }
  });

  test.each([
    ['exit', 'The handler ended with exit code 3 before it answered.', { kind: 'exited', exitCode: 3 }],
    [
      'signal',
      'The handler was ended by the signal SIGSEGV before it answered.',
      { kind: 'signal', signal: 'SIGSEGV' },
    ],
    [
      'junk',
      `The handler ended with exit code 0 before it answered. ${JUNK}`,
      { kind: 'exited', exitCode: 0, wrote: 'junk' },
    ],
    ['wrong-id', 'The handler answered with the id "c1-not" where "c1" was asked.', { kind: 'bad-answer' }],
    ['number-id', 'The handler answered with the id 7 where "c1" was asked.', { kind: 'bad-answer' }],
    ['no-ok', 'The answer of the handler has neither "ok": true nor "ok": false.', { kind: 'bad-answer' }],
    ['no-feedback', 'The answer of the handler has "ok": false, but no text as "feedback".', { kind: 'bad-answer' }],
  ])('%s', async (kind, detail, stop) => {
    expect(await call(handlers(), faulty(kind), '{}')).toEqual({
      verdict: 'crashed',
      detail,
      stop: stop.kind === 'bad-answer' ? { ...stop, words: expect.anything() } : stop,
      notes: expect.anything(),
    });
  });

  test('says its own words as a template that can be translated', async () => {
    const words = async (spec: ProcessSpec): Promise<unknown> => {
      const outcome = await call(handlers(), spec, '{}');
      return outcome.verdict === 'crashed' ? outcome.stop?.words : undefined;
    };
    expect(await words(faulty('wrong-id'))).toEqual(
      t('The handler answered with the id {0} where "{1}" was asked.', '"c1-not"', 'c1'),
    );
    const missing = t('there is no such program in the search path');
    expect(await words(command('no-such-program-here'))).toEqual(
      t('{0} "{1}" could not be started: {2}.', t('The handler'), 'no-such-program-here', missing),
    );
  });

  test('that is not there, or whose folder is not, is told', async () => {
    const runner = handlers();
    expect(await call(runner, command('no-such-program-here'), '')).toMatchObject({
      verdict: 'crashed',
      detail: 'The handler "no-such-program-here" could not be started: there is no such program in the search path.',
      stop: { kind: 'not-started' },
    });
    const outcome = await call(runner, { ...faulty('good'), cwd: 'nowhere' }, '');
    expect(outcome).toMatchObject({ verdict: 'crashed', detail: expect.stringMatching(/nowhere does not exist\.$/) });
    expect(outcome).toMatchObject({ stop: { kind: 'not-started' } });
    expect(await call(runner, command('./faulty.cjs'), '')).toMatchObject({
      verdict: 'crashed',
      detail: 'The handler "./faulty.cjs" could not be started: it must not be executed.',
    });
  });

  test('gets a clean environment, its own variables and its folder', async () => {
    process.env['SECRET_TOKEN'] = 'do not pass';
    const spec = { ...faulty('environment'), env: new Map([['OWN', 'yes']]), cwd: '../..' };
    const outcome = await call(
      handlers(),
      { ...spec, command: [process.execPath, 'fixtures/handlers/faulty.cjs', 'environment'] } as typeof spec,
      '',
    );
    delete process.env['SECRET_TOKEN'];
    const value = JSON.parse((outcome.verdict === 'accepted' && outcome.value) || '{}');
    expect(value.cwd).toMatch(/test$/);
    expect(value.env).toMatchObject({ OWN: 'yes', PATH: process.env['PATH'] });
    const allowed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TMPDIR', 'TMP', 'TEMP', 'OWN', 'TOOLSPEC_HANDLER'];
    expect(Object.keys(value.env).filter((name) => !allowed.includes(name))).toEqual([]);
  });

  test('that takes too long is ended, and the next call has a new process', async () => {
    const runner = handlers();
    expect(await call(runner, faulty('hang', 50), '')).toEqual({
      verdict: 'timed-out',
      detail: 'The handler gave no answer within 50 ms, so it was ended.',
      stop: { kind: 'timeout', limitMs: 50 },
      notes: [],
    });
    expect(await call(runner, faulty('good'), 'x')).toMatchObject({ verdict: 'accepted' });
  });

  test.each([
    ['what is no JSON object', 'console.log("thinking …"); setInterval(() => {}, 1000)', 'junk', JUNK],
    ['an object without an answer', 'console.log("{}"); setInterval(() => {}, 1000)', 'junk', JUNK],
    [
      'a line that does not end',
      'process.stdout.write(\'{"id":"c1","ok":true}\'); setInterval(() => {}, 1000)',
      'unfinished',
      'It wrote a line without a line feed at its end.',
    ],
  ])('that is late and has written %s is told so', async (_about, code, wrote, words) => {
    // Long enough for a process to start, and to write.
    expect(await call(handlers(), script(code, 1500), '')).toMatchObject({
      verdict: 'timed-out',
      detail: `The handler gave no answer within 1,500 ms, so it was ended. ${words}`,
      stop: { kind: 'timeout', limitMs: 1500, wrote },
    });
  });

  test('has a program with a name', async () => {
    expect(await call(handlers(), command(''), '')).toMatchObject({
      detail: 'The handler "" could not be started: the name of its program is empty.',
      stop: { kind: 'not-started' },
    });
  });

  test('is ended when the run is canceled, and calls that wait are not run', async () => {
    const runner = handlers();
    const cancel = new AbortController();
    const calls = [1, 2, 3].map(() => call(runner, faulty('hang'), '', cancel.signal));
    // The first call is on its way by then.
    await new Promise(setImmediate);
    cancel.abort();
    for (const outcome of await Promise.all(calls)) {
      expect(outcome).toEqual({
        verdict: 'aborted',
        detail: 'The run was canceled before the handler answered.',
        stop: { kind: 'canceled' },
        notes: [],
      });
    }
  });

  test('that is asked when all is over is not started', async () => {
    const runner = handlers();
    const calls = [1, 2, 3].map(() => call(runner, faulty('hang'), ''));
    await new Promise(setImmediate);
    await runner.dispose();
    for (const outcome of [...(await Promise.all(calls)), await call(runner, faulty('good'), '')]) {
      expect(outcome.verdict).toBe('aborted');
    }
  });

  test('is started anew after a restart', async () => {
    const runner = handlers();
    const before = await call(runner, faulty('process'), '');
    await runner.restart();
    const after = await call(runner, faulty('process'), '');
    expect(after.verdict).toBe('accepted');
    expect(after).not.toEqual(before);
  });

  test('a call that waits is canceled at once, and those behind it still wait for those before it', async () => {
    const runner = handlers();
    const cancel = new AbortController();
    const order: string[] = [];
    const told = async (name: string, outcome: Promise<HandlerOutcome>) => {
      order.push(`${name} ${(await outcome).verdict}`);
    };
    const first = told('first', call(runner, faulty('hang', 300), ''));
    const second = told('second', call(runner, faulty('hang', 300), '', cancel.signal));
    const third = told('third', call(runner, faulty('hang', 300), ''));
    cancel.abort();
    await Promise.all([first, second, third]);
    expect(order).toEqual(['second aborted', 'first timed-out', 'third timed-out']);
  });
});
