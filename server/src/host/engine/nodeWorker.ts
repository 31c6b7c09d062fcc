import { parentPort, workerData } from 'node:worker_threads';
import { type EngineRequest, type EngineStart, engineSession } from './session';

// The bundle of this file is what `nodeEngine` starts.
const port = parentPort;
if (port !== null) {
  const handle = engineSession(workerData as EngineStart, (message) => port.postMessage(message));
  port.on('message', (request: EngineRequest) => handle(request));
}
