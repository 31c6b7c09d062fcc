import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { Io } from '../../server/src/cli/io';
import { main } from '../../server/src/cli/main';
import { o200kCounter } from '../../server/src/core/budget/tokensO200k';
import { createNodeHandlers } from '../../server/src/host/handlers/nodeHandlers';
import { startEngine } from '../engineFiles';

/** The project's root folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder with these files, which is gone after the test. Its path holds no link. */
export function workspace(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'toolspec-cli-')));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return folder;
}

/** What a command did. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  let out = '';
  let err = '';
  const io: Io = {
    cwd: options.cwd ?? root,
    version: '1.2.3',
    async out(text) {
      out += text;
    },
    err(text) {
      err += text;
    },
    get closed() {
      return options.closed?.(out) ?? false;
    },
    color: options.color ?? false,
    progress: false,
    columns: 100,
    async *input() {
      for (const chunk of options.input ?? []) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    },
    tokens: async () => o200kCounter(),
    engine: async () => startEngine(),
    handlers: async (parallel) => createNodeHandlers({ handlerHost: path.join(root, 'dist/handlerHost.js'), parallel }),
  };
  const code = await main(args, io);
  return { code, out, err };
}

export interface RunOptions {
  readonly cwd?: string;
  /** Standard input, in pieces. */
  readonly input?: readonly (string | Uint8Array)[];
  readonly color?: boolean;
  /** Whether the reader has gone, after this much output. */
  readonly closed?: (out: string) => boolean;
}

/** A file with one tool of OpenAI's Responses shape. */
export function responsesTool(name: string, parameters: unknown, more: object = {}): string {
  const tool = { type: 'function', name, description: `Does what ${name} says.`, parameters, ...more };
  return `${JSON.stringify([tool], undefined, 2)}\n`;
}

/** A schema that no rule complains about, not even with a hint. */
export const PLAIN = { type: 'object', properties: {}, additionalProperties: false };
