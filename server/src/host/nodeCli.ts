import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, type Io } from '../cli/io';
import { main } from '../cli/main';

/** Package manifest of the installed product; the bundle lies in a folder beside it. */
const MANIFEST = path.join(__dirname, '..', 'package.json');

let closed = false;
let unwritten = false;

// `toolspec check | head` closes the pipe early. That is no failure: the rest of the output has no reader. A full disk
// is one, and who reads the exit code must not take it for findings.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && !unwritten) {
    unwritten = true;
    process.exitCode = EXIT.usage;
    process.stderr.write(`toolspec: the output could not be written: ${error.message}.\n`);
  }
  closed = true;
});
process.stderr.on('error', () => {});

const io: Io = {
  cwd: process.cwd(),
  get version() {
    return (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version;
  },
  async out(text) {
    if (closed || text === '' || process.stdout.write(text)) return;
    await new Promise<void>((resolve) => {
      process.stdout.once('drain', resolve);
      // Ends the wait when the reader has gone.
      process.stdout.once('close', resolve);
    });
  },
  err(text) {
    process.stderr.write(text);
  },
  get closed() {
    return closed;
  },
  color: process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb',
  progress: process.stderr.isTTY === true && !process.env['CI'] && process.env['TERM'] !== 'dumb',
  columns: process.stdout.columns ?? 100,
  input: () => process.stdin,
  async tokens() {
    const { o200kCounter } = await import('../core/budget/tokensO200k');
    return o200kCounter();
  },
  async engine() {
    const { nodeEngine } = await import('./engine/nodeEngine');
    const file = (name: string): string => path.join(__dirname, name);
    return nodeEngine({ wasm: file('llguidance.wasm'), worker: file('engineWorker.js') });
  },
  async handlers(parallel) {
    const { createNodeHandlers } = await import('./handlers/nodeHandlers');
    return createNodeHandlers({ handlerHost: path.join(__dirname, 'handlerHost.js'), parallel, signals: true });
  },
};

main(process.argv.slice(2), io).then(
  (code) => {
    // Not `process.exit`: what has been written must reach its reader first.
    process.exitCode = unwritten ? EXIT.usage : code;
  },
  (error: unknown) => {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`toolspec: this is a fault of ToolSpec itself.\n${detail}\n`);
    process.exitCode = EXIT.usage;
  },
);
