// `node scripts/handlerFaults.mjs [COUNT]` makes 1,000 calls (or COUNT) to each handler that misbehaves, and a tenth of
// them where each must run out of time. Every call must have one outcome, the right one, and no process may be left.
// Build first: the process for modules is a bundle.
import { randomUUID } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../', import.meta.url));
const fixtures = path.join(root, 'test/fixtures/handlers');
const count = Number(process.argv[2] ?? 1000);

const bundle = path.join(root, 'out/scripts/handlers.cjs');
await build({
  entryPoints: [path.join(root, 'server/src/host/handlers/nodeHandlers.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  external: ['./mcpClient.js'],
  logLevel: 'warning',
});
// A copy, so that a build in the meantime does not disturb.
const handlerHost = path.join(root, 'out/scripts/handlerHost.js');
copyFileSync(path.join(root, 'dist/handlerHost.js'), handlerHost);
const { createNodeHandlers } = createRequire(import.meta.url)(bundle);

const node = (/** @type {string} */ kind) => ({ kind: 'command', command: [process.execPath, 'faulty.cjs', kind] });
const shell = (/** @type {string} */ kind) => ({ kind: 'command', command: ['sh', 'faulty.sh', kind] });
const inModule = (/** @type {string} */ name) => ({ kind: 'module', module: './faults.mjs', export: name });

/** @type {[name: string, spec: object, verdict: string][]} */
const kinds = [
  ['hangs', node('hang'), 'timed-out'],
  ['ignores SIGTERM', node('ignore-sigterm'), 'timed-out'],
  ['blocks the event loop', inModule('block'), 'timed-out'],
  ['leaves a child behind and hangs', node('fork-hang'), 'timed-out'],
  ['exits', shell('exit'), 'crashed'],
  ['crashes by a signal', shell('signal'), 'crashed'],
  ['prints junk', shell('junk'), 'crashed'],
  ['prints noise around its answer', node('noise'), 'accepted'],
  ['prints 1 GB', shell('flood'), 'crashed'],
  ['prints 1 GB in lines', shell('flood-lines'), 'crashed'],
  ['answers twice', node('twice'), 'accepted'],
  ['answers out of order', node('out-of-order'), 'accepted'],
  ['answers with another id', node('wrong-id'), 'crashed'],
  ['leaves a child behind', shell('fork'), 'accepted'],
  ['leaves a child of another group behind', shell('fork-detached'), 'accepted'],
  ['throws a string', inModule('throwsString'), 'rejected'],
  ['gives a BigInt', inModule('bigint'), 'crashed'],
  ['gives a cycle', inModule('cycle'), 'crashed'],
];

/** Numbers of the processes that have this variable. */
function processesWith(/** @type {string} */ variable) {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`).includes(variable);
    } catch {
      return false;
    }
  });
}

let wrong = 0;
const before = process.memoryUsage.rss();
let most = before;
for (const [name, spec, verdict] of kinds) {
  const mark = randomUUID();
  const slow = verdict === 'timed-out';
  const full = { cwd: undefined, timeoutMs: slow ? 100 : 30_000, env: new Map([['TOOLSPEC_FAULTS', mark]]), ...spec };
  const handlers = createNodeHandlers({ handlerHost });
  const begin = performance.now();
  const calls = slow ? count / 10 : count;
  /** @type {number[]} */
  const settled = new Array(calls).fill(0);
  let unexpected = 0;
  await Promise.all(
    settled.map(async (_, i) => {
      const request = { id: `call_${i}`, tool: 't', namespace: undefined, kind: 'function', text: `${i}` };
      const outcome = await handlers.call(full, fixtures, request);
      settled[i]++;
      const own = outcome.verdict !== 'accepted' || outcome.value === JSON.stringify(`${i}`);
      if (outcome.verdict !== verdict || !own) unexpected++;
      most = Math.max(most, process.memoryUsage.rss());
    }),
  );
  await handlers.dispose();
  const lost = settled.filter((times) => times !== 1).length;
  const left = processesWith(`TOOLSPEC_FAULTS=${mark}`).length;
  if (lost > 0 || unexpected > 0 || left > 0) wrong++;
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.log(
    `${name.padEnd(40)} ${String(calls).padStart(5)} calls  ${verdict.padEnd(9)}  lost or doubled ${lost}, ` +
      `other verdicts ${unexpected}, processes left ${left}  ${seconds} s`,
  );
}
const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1024 / 1024).toLocaleString('en-US');
console.log(`memory: ${megabytes(before)} MB at the start, ${megabytes(most)} MB at most`);
process.exitCode = wrong > 0 ? 1 : 0;
