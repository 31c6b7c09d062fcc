import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type NodeEngineFiles, nodeEngine } from '../server/src/host/engine/nodeEngine';
import type { EngineService } from '../server/src/host/engine/service';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The engine as built; TOOLSPEC_ENGINE names another build, such as one that has just been made. */
export const ENGINE_FILES: NodeEngineFiles = {
  wasm: path.resolve(root, process.env['TOOLSPEC_ENGINE'] ?? 'server/engine/llguidance.wasm'),
  worker: path.join(root, 'dist/engineWorker.js'),
};

/** The engine in a worker, for a test that closes it. */
export const startEngine = (files: Partial<NodeEngineFiles> = {}): EngineService =>
  nodeEngine({ ...ENGINE_FILES, ...files });
