import { describe, expect, test } from 'vitest';
import type { ProviderJob } from '../../../../server/src/core/grammar/provider';
import { type EngineHost, EngineService } from '../../../../server/src/host/engine/service';
import type { EngineReply, EngineRequest } from '../../../../server/src/host/engine/session';

const JOB: ProviderJob = { kind: 'load', grammar: { syntax: 'lark', text: 'start: "a"' } };

/** A host whose workers and clock are in the hands of the test. */
class FakeHost implements EngineHost {
  readonly workers: FakeWorker[] = [];
  readonly timers = new Map<number, { milliseconds: number; call: () => void }>();
  refuses: Error | undefined;
  starts = 0;
  #lastTimer = 0;

  async start(events: Parameters<EngineHost['start']>[0]): Promise<FakeWorker> {
    this.starts++;
    if (this.refuses !== undefined) throw this.refuses;
    const worker = new FakeWorker(events);
    this.workers.push(worker);
    return worker;
  }

  after(milliseconds: number, call: () => void): () => void {
    const id = ++this.#lastTimer;
    this.timers.set(id, { milliseconds, call });
    return () => this.timers.delete(id);
  }

  /** Lets the one timer that runs ring. */
  ring(): number {
    const [[id, timer]] = [...this.timers] as [[number, { milliseconds: number; call: () => void }]];
    this.timers.delete(id);
    timer.call();
    return timer.milliseconds;
  }
}

class FakeWorker {
  readonly requests: EngineRequest[] = [];
  held = false;
  terminated = false;

  constructor(readonly events: Parameters<EngineHost['start']>[0]) {}

  post(request: EngineRequest): void {
    this.requests.push(request);
  }
  hold(held: boolean): void {
    this.held = held;
  }
  async terminate(): Promise<void> {
    this.terminated = true;
    this.events.ended('terminated');
  }
  reply(message: DistributiveOmit<EngineReply, 'id'>): void {
    this.events.reply({ ...message, id: this.requests.at(-1)!.id } as EngineReply);
  }
  done(): void {
    this.reply({ part: { kind: 'loaded', warnings: [] } });
    this.reply({ done: true, memoryBytes: 1 });
  }
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** Waits until everything that is ready has run. */
async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await Promise.resolve();
}

function set(): { host: FakeHost; service: EngineService } {
  const host = new FakeHost();
  return { host, service: new EngineService(host) };
}

describe('engine service', () => {
  test('requests wait for each other', async () => {
    const { host, service } = set();
    const first = service.ask(JOB);
    const second = service.ask(JOB);
    await settle();
    const worker = host.workers[0]!;
    expect(worker.requests.length).toBe(1);
    expect(worker.held).toBe(true);
    worker.done();
    expect(await first).toMatchObject({ end: { state: 'done' }, load: { ok: true } });
    await settle();
    expect(worker.requests.length).toBe(2);
    worker.done();
    await second;
    await settle();
    expect([worker.held, host.starts, host.timers.size]).toEqual([false, 1, 0]);
  });

  test('a worker that was killed costs its request alone', async () => {
    const { host, service } = set();
    const first = service.ask(JOB);
    const second = service.ask(JOB);
    await settle();
    host.workers[0]!.reply({ part: { kind: 'loaded', warnings: ['w'] } });
    host.workers[0]!.events.ended('The worker ended with code 137.');
    expect(await first).toMatchObject({
      end: { state: 'crashed', cause: 'worker', detail: 'The worker ended with code 137.' },
      load: { ok: true, warnings: ['w'] },
    });
    await settle();
    host.workers[1]!.done();
    expect((await second).end.state).toBe('done');
  });

  test('a worker that is killed while it has nothing to do is replaced', async () => {
    const { host, service } = set();
    const first = service.ask(JOB);
    await settle();
    host.workers[0]!.done();
    await first;
    host.workers[0]!.events.ended('killed');
    const second = service.ask(JOB);
    await settle();
    host.workers[1]!.done();
    expect((await second).end.state).toBe('done');
  });

  test('late words of an ended worker are nobody’s', async () => {
    const { host, service } = set();
    const first = service.ask(JOB, { milliseconds: 7 });
    await settle();
    expect(host.ring()).toBe(7);
    expect((await first).end).toEqual({ state: 'timed-out', milliseconds: 7 });
    await settle();
    expect(host.workers[0]!.terminated).toBe(true);
    const second = service.ask(JOB);
    await settle();
    const { id } = host.workers[1]!.requests[0]!;
    host.workers[0]!.events.reply({ id, part: { kind: 'refused', text: 'late' } });
    host.workers[0]!.events.ended('late');
    host.workers[1]!.done();
    expect(await second).toMatchObject({ end: { state: 'done' }, load: { ok: true } });
  });

  test('an outdated request may finish shortly, and is ended after that', async () => {
    const { host, service } = set();
    const first = service.ask(JOB, { key: 'k', milliseconds: 1_000 });
    await settle();
    const second = service.ask(JOB, { key: 'k' });
    expect(host.ring()).toBe(100);
    expect((await first).end.state).toBe('outdated');
    await settle();
    host.workers[1]!.done();
    expect((await second).end.state).toBe('done');
  });

  test('an outdated request that finishes in time costs no worker', async () => {
    const { host, service } = set();
    const first = service.ask(JOB, { key: 'k' });
    await settle();
    const second = service.ask(JOB, { key: 'k' });
    host.workers[0]!.done();
    expect((await first).end.state).toBe('done');
    await settle();
    host.workers[0]!.done();
    expect((await second).end.state).toBe('done');
    expect(host.starts).toBe(1);
  });

  test('requests with other keys are left alone', async () => {
    const { host, service } = set();
    const asked = ['a', 'b', 'a'].map((key) => service.ask(JOB, { key }));
    const running = service.ask(JOB);
    await settle();
    for (let i = 0; i < 4; i++) {
      host.workers[0]!.done();
      await settle();
    }
    const states = (await Promise.all([...asked, running])).map(({ end }) => end.state);
    expect(states).toEqual(['outdated', 'done', 'done', 'done']);
  });

  test('a host that forbids the engine is asked once', async () => {
    const { host, service } = set();
    host.refuses = new Error('WebAssembly is forbidden.');
    const end = { state: 'unavailable', detail: 'WebAssembly is forbidden.' };
    expect((await service.ask(JOB)).end).toEqual(end);
    expect((await service.ask(JOB)).end).toEqual(end);
    expect([host.starts, service.unavailable]).toEqual([1, 'WebAssembly is forbidden.']);
  });

  test('closing answers what waits and what runs, and ends the worker', async () => {
    const { host, service } = set();
    const asked = [service.ask(JOB), service.ask(JOB)];
    await settle();
    await service.close();
    expect((await Promise.all(asked)).map(({ end }) => end.state)).toEqual(['unavailable', 'unavailable']);
    expect([host.workers[0]!.terminated, host.timers.size]).toEqual([true, 0]);
  });
});
