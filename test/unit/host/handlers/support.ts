import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { CancelSignal, HandlerOutcome } from '../../../../server/src/core/calls/handler';
import {
  createNodeHandlers,
  type NodeHandlers,
  type ProcessSpec,
} from '../../../../server/src/host/handlers/nodeHandlers';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The folder of the handlers that misbehave. */
export const FIXTURES = path.join(root, 'test/fixtures/handlers');
export const HANDLER_HOST = path.join(root, 'dist/handlerHost.js');

const NO_LIMITS = { timeoutMs: undefined, cwd: undefined, env: new Map<string, string>() };

/** A handler in Node that misbehaves in a way of `faulty.cjs`. */
export const faulty = (kind: string, timeoutMs?: number): ProcessSpec => ({
  ...NO_LIMITS,
  kind: 'command',
  command: [process.execPath, 'faulty.cjs', kind],
  timeoutMs,
});

/** A handler in the shell that misbehaves in a way of `faulty.sh`. */
export const faultyShell = (kind: string): ProcessSpec => command('sh', 'faulty.sh', kind);

export const command = (...words: string[]): ProcessSpec => ({ ...NO_LIMITS, kind: 'command', command: words });

export const module = (file: string, name?: string, timeoutMs?: number): ProcessSpec => ({
  ...NO_LIMITS,
  kind: 'module',
  module: file,
  export: name,
  timeoutMs,
});

export const mcp = (...words: string[]): Extract<ProcessSpec, { kind: 'mcp' }> => ({
  ...NO_LIMITS,
  kind: 'mcp',
  command: words,
});

let open: NodeHandlers | undefined;
afterEach(async () => {
  await open?.dispose();
  open = undefined;
});

/** Handlers that are disposed of after the test. */
export function handlers(options: { readonly parallel?: number; readonly now?: () => number } = {}): NodeHandlers {
  open = createNodeHandlers({ handlerHost: HANDLER_HOST, ...options });
  return open;
}

/** One call of a tool `t`. */
export function call(
  runner: NodeHandlers,
  spec: ProcessSpec,
  text: string,
  signal?: CancelSignal,
): Promise<HandlerOutcome> {
  return runner.call(spec, FIXTURES, { id: 'c1', tool: 't', namespace: undefined, kind: 'function', text }, signal);
}
