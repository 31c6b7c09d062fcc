import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
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

function startWorker(file: string, start: EngineStart, events: Parameters<EngineHost['start']>[0]): EngineWorker {
  const worker = new Worker(file, {
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
