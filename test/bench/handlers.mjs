// Calls through a kept handler, against bare lines of JSON to and from a process that runs the same program.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { medians, ms, report } from './measure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = path.join(root, 'test/bench');
const CALLS = 10_000;
const TEXT = JSON.stringify({ path: 'notes/today.md', from: 1, to: 20 });

/** Bare lines: written, read, taken apart; nothing else. */
function bareLines() {
  const child = spawn(process.execPath, ['echo.cjs'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  /** @type {(line: string) => void} */
  let answered = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => answered(line));
  return {
    async run() {
      for (let i = 0; i < CALLS; i++) {
        const line = await new Promise((/** @type {(line: string) => void} */ resolve) => {
          answered = resolve;
          const call = { id: `${i}`, tool: 't', namespace: null, kind: 'function', arguments: TEXT };
          child.stdin.write(`${JSON.stringify(call)}\n`);
        });
        if (JSON.parse(line).value !== TEXT) throw new Error(line);
      }
    },
    end: () => child.stdin.end(),
  };
}

export async function measureHandlers() {
  const bundle = path.join(root, 'out/bench/handlers.cjs');
  await build({
    entryPoints: [path.join(folder, 'handlers.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: ['./mcpClient.js'],
    logLevel: 'warning',
  });
  const { createNodeHandlers } = createRequire(import.meta.url)(bundle);
  const handlers = createNodeHandlers({ handlerHost: path.join(root, 'dist/handlerHost.js') });
  const command = [process.execPath, 'echo.cjs'];
  const spec = { kind: 'command', command, timeoutMs: undefined, cwd: undefined, env: new Map() };
  const bare = bareLines();
  const [ours, plain] = await medians(
    5,
    async () => {
      for (let i = 0; i < CALLS; i++) {
        const request = { id: `${i}`, tool: 't', namespace: undefined, kind: 'function', text: TEXT };
        const outcome = await handlers.call(spec, folder, request);
        if (outcome.value !== JSON.stringify(TEXT)) throw new Error(JSON.stringify(outcome));
      }
    },
    () => bare.run(),
  );
  bare.end();
  await handlers.dispose();
  const rate = (/** @type {number} */ time) => `${Math.round((CALLS / time) * 1000).toLocaleString('en-US')} a second`;
  const detail = `${ms(ours)} against ${ms(plain)}: ${rate(ours)} and ${rate(plain)}`;
  report('10,000 calls of a kept handler / bare lines', ours / plain, 2, detail);
}
