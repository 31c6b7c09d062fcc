import { parentPort, workerData } from 'node:worker_threads';
import './browserWorker';
import type { EngineReply, EngineRequest, EngineStart } from './session';

/** What `browserWorker.ts` finds in a browser, which a worker thread of Node does not have. */
interface WorkerScope {
  postMessage(message: EngineReply): void;
  onmessage(event: { readonly data: EngineStart | EngineRequest }): void;
}

// The bundle of this file is what `nodeEngine` starts. The engine itself stands in the bundle for browsers alone.
const port = parentPort;
if (port !== null) {
  const scope = globalThis as unknown as WorkerScope;
  scope.postMessage = (message) => port.postMessage(message);
  scope.onmessage({ data: workerData as EngineStart });
  port.on('message', (data: EngineRequest) => scope.onmessage({ data }));
}
