import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import type { WorkerOptions } from 'node:worker_threads';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ProviderJob } from '../../../../server/src/core/grammar/provider';
import { nodeEngine } from '../../../../server/src/host/engine/nodeEngine';
import { startEngine } from '../../../engineFiles';

/** What happened, in order: flags of V8 that were set, and steps of workers. */
const events: string[] = [];

/** How a worker is made; tests put their own in its place. */
const workers: { make: ((file: string, options: WorkerOptions) => EventEmitter) | undefined } = { make: undefined };

vi.mock('node:worker_threads', async (importOriginal) => {
  const actual = await importOriginal<typeof import('node:worker_threads')>();
  return {
    ...actual,
    Worker: class {
      constructor(file: string, options: WorkerOptions) {
        events.push('start');
        const worker = workers.make?.(file, options) ?? new actual.Worker(file, options);
        worker.on('online', () => events.push('online'));
        // biome-ignore lint/correctness/noConstructorReturn: what tests make stands in for a worker.
        return worker;
      }
    },
  };
});

const OFF = '--no-concurrent-recompilation';
const ON = '--concurrent-recompilation';
const JOB: ProviderJob = { kind: 'load', grammar: { syntax: 'lark', text: 'start: "a"' } };

/** A worker that does what a test says. */
class FakeWorker extends EventEmitter {
  unref(): void {}
  ref(): void {}
  postMessage(): void {}
  async terminate(): Promise<void> {
    this.emit('exit', 1);
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-engine-'));
const wasm = path.join(folder, 'empty.wasm');
// A module with nothing in it: `\0asm` and the version.
writeFileSync(wasm, Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => {
  events.length = 0;
  const set = v8.setFlagsFromString.bind(v8);
  vi.spyOn(v8, 'setFlagsFromString').mockImplementation((flag) => {
    events.push(flag);
    set(flag);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  workers.make = undefined;
});

/** An engine with a worker that does nothing, once that has been asked for. */
async function started(): Promise<{
  worker: FakeWorker;
  engine: ReturnType<typeof nodeEngine>;
  answer: Promise<unknown>;
}> {
  const made = new Promise<FakeWorker>((resolve) => {
    workers.make = () => {
      const worker = new FakeWorker();
      resolve(worker);
      return worker;
    };
  });
  const engine = nodeEngine({ wasm, worker: 'worker.js' });
  const answer = engine.ask(JOB);
  return { worker: await made, engine, answer };
}

describe('V8 optimizes in the background again once a worker has begun', () => {
  test('the engine itself', async () => {
    const engine = startEngine();
    await expect(engine.ask(JOB)).resolves.toMatchObject({ end: { state: 'done' } });
    expect(events).toEqual([OFF, 'start', 'online', ON]);
    await engine.close();
    expect(events).toHaveLength(4);
  });

  test('while it starts, it does not', async () => {
    const { worker, engine } = await started();
    expect(events).toEqual([OFF, 'start']);
    worker.emit('online');
    expect(events.filter((each) => each !== 'online')).toEqual([OFF, 'start', ON]);
    await engine.close();
    expect(events.filter((each) => each === ON)).toHaveLength(1);
  });

  test('after a worker that ended before it began', async () => {
    const { worker, engine, answer } = await started();
    expect(events).toEqual([OFF, 'start']);
    workers.make = () => {
      throw new Error('No second one.');
    };
    worker.emit('error', new Error('Broken.'));
    worker.emit('exit', 1);
    expect(events).toEqual([OFF, 'start', ON]);
    await engine.close();
    await answer;
  });

  test('after a worker that could not be made', async () => {
    workers.make = () => {
      throw new Error('No threads here.');
    };
    const engine = nodeEngine({ wasm, worker: 'worker.js' });
    const answer = await engine.ask(JOB);
    expect(answer).toMatchObject({ end: { state: 'unavailable', detail: 'No threads here.' } });
    expect(events).toEqual([OFF, 'start', ON]);
    await engine.close();
  });

  test('after the last one of several that start at once', async () => {
    const one = await started();
    const two = await started();
    expect(events).toEqual([OFF, 'start', 'start']);
    one.worker.emit('online');
    expect(events).not.toContain(ON);
    // Ending it later does not count twice.
    one.worker.emit('exit', 0);
    expect(events).not.toContain(ON);
    two.worker.emit('online');
    expect(events.filter((each) => each === ON)).toHaveLength(1);
    await Promise.all([one.engine.close(), two.engine.close()]);
    const three = await started();
    expect(events.filter((each) => each === OFF)).toHaveLength(2);
    three.worker.emit('online');
    expect(events.filter((each) => each === ON)).toHaveLength(2);
    await three.engine.close();
  });
});
