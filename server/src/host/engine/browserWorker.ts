import { type EngineReply, type EngineRequest, type EngineStart, engineSession } from './session';

/** What a dedicated worker of a browser has, as far as it is used here. */
interface WorkerScope {
  postMessage(message: EngineReply): void;
  onmessage: ((event: { readonly data: EngineStart | EngineRequest }) => void) | null;
}

// The bundle of this file is what `browserEngine` starts. Its first message is the module.
const scope = globalThis as unknown as WorkerScope;
let handle: ((request: EngineRequest) => void) | undefined;
scope.onmessage = ({ data }) => {
  if ('module' in data) handle = engineSession(data, (message) => scope.postMessage(message));
  else handle?.(data);
};
