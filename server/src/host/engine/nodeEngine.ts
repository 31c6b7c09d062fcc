import { readFile } from 'node:fs/promises';
import v8 from 'node:v8';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { type EngineHost, EngineService, type EngineWorker } from './service';
import type { EngineReply, EngineStart } from './session';
import { compileEngine, type EngineModule, MAXIMUM_PAGES } from './wasm';

export interface NodeEngineFiles {
  /** The built engine. */
  readonly wasm: string;
  /** The bundle of `nodeWorker.ts`. */
  readonly worker: string;
  /** Memory of the engine; 128 MB by default. */
  readonly maximumPages?: number;
}

/** Chains of rules are followed by recursion, in the engine and by the machine's own stack. */
const STACK_MB = 16;

/** The JavaScript around the engine needs little; Lark's tables for large grammars are the most of it. */
const HEAP_MB = 512;

/** The engine in a worker thread of Node. Nothing is read before the first request. */
export function nodeEngine(files: NodeEngineFiles): EngineService {
  let module: Promise<EngineModule> | undefined;
  const host: EngineHost = {
    async start(events) {
      module ??= readFile(files.wasm).then(compileEngine);
      const start: EngineStart = { module: await module, maximumPages: files.maximumPages ?? MAXIMUM_PAGES };
      return startWorker(files.worker, start, events);
    },
    after(milliseconds, call) {
      const timer = setTimeout(call, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  return new EngineService(host);
}

/** Workers that are being started. */
let starting = 0;

/**
 * Makes a worker whose JavaScript V8 optimizes in the worker itself, not in the background. Where the background is still
 * at work for a worker that ends, Node aborts the whole process, with the assertion `(data.first) != nullptr` (seen in
 * 20.20.2). V8 reads the flag when the worker begins; after that it is set back for everybody else. Hardly anything is
 * lost: what takes time in the worker is WebAssembly, which has a compiler of its own.
 */
function workerOptimizedInPlace(file: string, options: WorkerOptions): Worker {
  if (starting++ === 0) v8.setFlagsFromString('--no-concurrent-recompilation');
  let begun = false;
  const restore = (): void => {
    if (begun) return;
    begun = true;
    if (--starting === 0) v8.setFlagsFromString('--concurrent-recompilation');
  };
  try {
    const worker = new Worker(file, options);
    worker.once('online', restore);
    worker.once('exit', restore);
    return worker;
  } catch (error) {
    restore();
    throw error;
  }
}

function startWorker(file: string, start: EngineStart, events: Parameters<EngineHost['start']>[0]): EngineWorker {
  const worker = workerOptimizedInPlace(file, {
    workerData: start,
    resourceLimits: { stackSizeMb: STACK_MB, maxOldGenerationSizeMb: HEAP_MB },
    // The options of the process, such as a debugger's, are not the worker's.
    execArgv: [],
    env: {},
  });
  // An idle worker does not keep the process alive.
  worker.unref();
  worker.on('message', (message: EngineReply) => events.reply(message));
  worker.on('error', (error) => events.ended(error.message));
  worker.on('exit', (code) => events.ended(`The worker ended with code ${code}.`));
  return {
    post: (request) => worker.postMessage(request),
    hold: (held) => (held ? worker.ref() : worker.unref()),
    terminate: async () => {
      await worker.terminate();
    },
  };
}
