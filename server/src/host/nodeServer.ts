import { readFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { startServer } from '../lsp/server';
import { filesBelow, readRegularFile, slashes } from './files';
import { Frames } from './frames';
import type { NodeHandlers } from './handlers/nodeHandlers';

/** Package manifest of the installed product; the bundle lies in a folder beside it. */
const MANIFEST = path.join(__dirname, '..', 'package.json');

/** Larger files are not read unless an editor has them open. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Handlers of sample calls, once one has been run. */
let running: Promise<NodeHandlers> | undefined;

/** The tokenizer, once it has been asked for. */
let counting: Promise<(text: string) => number> | undefined;

// The transport (IPC, stdio) is named on the command line; the library reads it there.
startServer(createConnection(ProposedFeatures.all), {
  version: (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version,
  async readFile(uri) {
    try {
      const read = await readRegularFile(fileURLToPath(uri), MAX_BYTES);
      return 'text' in read ? read.text : undefined;
    } catch {
      // No path of this machine.
      return undefined;
    }
  },
  async findFiles(folder, ending) {
    try {
      return (await filesBelow(fileURLToPath(folder), ending)).map((file) => pathToFileURL(file).href);
    } catch {
      return [];
    }
  },
  async engine() {
    const { nodeEngine } = await import('./engine/nodeEngine');
    const file = (name: string): string => path.join(__dirname, name);
    return nodeEngine({ wasm: file('llguidance.wasm'), worker: file('engineWorker.js') });
  },
  handlers() {
    running ??= import('./handlers/nodeHandlers').then(({ createNodeHandlers }) =>
      createNodeHandlers({ handlerHost: path.join(__dirname, 'handlerHost.js'), signals: true }),
    );
    return running;
  },
  async sources() {
    const { snapshotState } = await import('./sources/snapshots');
    return {
      state: (source, folder, signal) => snapshotState(source, fileURLToPath(folder), signal),
      variables: (folder) => ({
        workspaceFolder: slashes(fileURLToPath(folder)),
        userHome: slashes(os.homedir()),
        env: (name) => process.env[name],
      }),
    };
  },
  folderOf(uri) {
    return uri.startsWith('file:') ? path.dirname(fileURLToPath(uri)) : '';
  },
  now: () => performance.now(),
  countTokens() {
    counting ??= import('../core/budget/tokensO200k').then(({ o200kCounter }) => o200kCounter().count);
    return counting;
  },
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  after(milliseconds, call) {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
});

// The library drops what it cannot read and waits for more, which is for ever when a header is garbled.
if (process.argv.includes('--stdio')) {
  // A client that reads no more has gone without a word; the library would log that, to the same pipe.
  process.stdout.on('error', () => process.exit(1));
  const frames = new Frames();
  process.stdin.on('data', (bytes: Uint8Array) => {
    const fault = frames.take(bytes);
    if (fault === undefined) return;
    const words = `toolspec: standard input is no stream of messages of the Language Server Protocol. ${fault} The server ends, as it cannot know where the next message begins.\n`;
    writeSync(process.stderr.fd, words);
    process.exit(2);
  });
}
