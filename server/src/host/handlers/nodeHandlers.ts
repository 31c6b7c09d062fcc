import { statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CancelSignal, HandlerOutcome, HandlerRequest, HandlerRunner } from '../../core/calls/handler';
import type { CommandHandler, McpHandler, ModuleHandler } from '../../core/calls/model';
import { guardExit } from './guardExit';
import { KeptHandler } from './keptHandler';
import { DEFAULT_TIMEOUT_MS, KEPT } from './limits';
import { LineSession } from './lineSession';
import type { Session } from './session';
import { canceled } from './stops';
import { Turns } from './turns';

/** A handler that runs in a process. */
export type ProcessSpec = CommandHandler | ModuleHandler | McpHandler;

export interface NodeHandlerOptions {
  /** The bundle of `handlerHost.ts`, in which modules run. */
  readonly handlerHost: string;
  /** Most calls that run at the same time: without it, as many as there are processors. Calls of one handler never do. */
  readonly parallel?: number;
  /** Milliseconds for a call whose handler names none: without it, 10,000. */
  readonly timeoutMs?: number;
  /** A clock in milliseconds, for tests. */
  readonly now?: () => number;
  /** End all processes when this one is told to end by a signal. For programs that listen to no signals themselves. */
  readonly signals?: boolean;
}

export interface NodeHandlers extends HandlerRunner {
  /** Ends every process; calls that run or wait are aborted. Later ones start new processes, which see every change. */
  restart(): Promise<void>;
}

/**
 * Handlers in processes of their own: one for each handler, kept between calls. Each has a clean environment and limits
 * of time and output, and is ended together with everything that it has started.
 */
export function createNodeHandlers(options: NodeHandlerOptions): NodeHandlers {
  return new ProcessHandlers(options);
}

class ProcessHandlers implements NodeHandlers {
  readonly #kept = new Map<string, KeptHandler>();
  readonly #ending = new Set<Promise<void>>();
  readonly #turns: Turns;
  readonly #release: () => void;
  #disposed = false;

  constructor(readonly options: NodeHandlerOptions) {
    this.#turns = new Turns(options.parallel ?? os.availableParallelism());
    this.#release = guardExit(options.signals === true);
  }

  call(spec: ProcessSpec, folder: string, request: HandlerRequest, signal?: CancelSignal): Promise<HandlerOutcome> {
    if (this.#disposed) return Promise.resolve({ ...canceled(), notes: [] });
    const handler = this.#handler(spec, folder);
    return handler.call(request, spec.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal);
  }

  async restart(): Promise<void> {
    for (const handler of this.#kept.values()) this.#end(handler);
    this.#kept.clear();
    await Promise.all(this.#ending);
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    await this.restart();
    this.#release();
  }

  #handler(spec: ProcessSpec, folder: string): KeptHandler {
    const cwd = spec.cwd === undefined ? folder : path.resolve(folder, spec.cwd);
    const module = spec.kind === 'module' ? path.resolve(folder, spec.module) : undefined;
    const what = spec.kind === 'module' ? [module, spec.export] : spec.command;
    const key = JSON.stringify([spec.kind, cwd, what, [...spec.env]]);
    const known = this.#kept.get(key);
    // The map keeps the order of use.
    if (known !== undefined) this.#kept.delete(key);
    const files = spec.kind === 'module' ? [module!] : spec.command.map((each) => path.resolve(cwd, each));
    const handler =
      known ??
      new KeptHandler(
        () => this.#start(spec, cwd, module),
        () => stampOf(files),
        this.#turns,
        this.options.now ?? (() => performance.now()),
      );
    this.#kept.set(key, handler);
    this.#trim();
    return handler;
  }

  async #start(spec: ProcessSpec, cwd: string, module: string | undefined): Promise<Session> {
    if (spec.kind === 'command') return new LineSession({ command: spec.command, cwd, env: spec.env });
    if (spec.kind === 'module') {
      const command = [
        process.execPath,
        this.options.handlerHost,
        module!,
        ...(spec.export === undefined ? [] : [spec.export]),
      ];
      // In an editor, `execPath` is the editor's program, which works as Node when it is told to.
      const env =
        process.versions['electron'] === undefined ? spec.env : new Map([...spec.env, ['ELECTRON_RUN_AS_NODE', '1']]);
      return new LineSession({ command, cwd, env, answersApart: true, saysReady: true });
    }
    const { McpSession } = await import('./mcpSession');
    return new McpSession({ command: spec.command, cwd, env: spec.env });
  }

  /** Ends handlers that have had nothing to do for the longest time. */
  #trim(): void {
    for (const [key, handler] of this.#kept) {
      if (this.#kept.size <= KEPT) return;
      if (handler.busy > 0) continue;
      this.#kept.delete(key);
      this.#end(handler);
    }
  }

  #end(handler: KeptHandler): void {
    const ending = handler.end().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }
}

/** Size and time of the files among these; what is no file is no part of it. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      try {
        const stat = statSync(file, { throwIfNoEntry: false });
        return stat?.isFile() ? `${stat.mtimeMs}:${stat.size}` : '';
      } catch {
        // No name that a file could have.
        return '';
      }
    })
    .join('|');
}
