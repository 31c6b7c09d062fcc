// Holds the findings about grammars against the provider's engine, on grammars made by chance:
//
//   node scripts/lintsAgainstEngine.mjs [--runs N] [--seed S] [--report FILE]
//
// They are put together from parts, right and wrong, grown from every construct of the engine, glued from tokens, or
// others with a few changes. A grammar that the engine refuses must have a finding of level error for llguidance, and the
// model of the engine must stop where the engine does; one that it takes must have none, except those that say that
// nothing can ever be generated, and then nothing may be. What disagrees is shrunk and printed once for each kind; exit
// code 1 says that there was any. Refusals for the sake of size are counted by themselves. Meant for a nightly run:
// 20,000 grammars take some minutes. A small run of the same is among the tests.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { agreement } from './agreement.mjs';
import { grammarMaker, randomOf } from './grammarMaker.mjs';
import { shrink } from './shrink.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, report: { type: 'string' } },
});
const runs = Number(values.runs ?? 20_000);
const seed = Number(values.seed ?? 1);

// Runs at the same time do not get in each other's way.
const out = path.join(root, 'out/lints', String(process.pid));
const options = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
await build({
  ...options,
  stdin: {
    contents: `export { judgeForEngine } from './server/src/core/grammar/dialect/engineCheck';
export { checkGrammar } from './server/src/core/checkGrammar';
export { render } from './server/src/core/text/message';
export { nodeEngine } from './server/src/host/engine/nodeEngine';`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile: path.join(out, 'core.cjs'),
});
await build({
  ...options,
  entryPoints: [path.join(root, 'server/src/host/engine/nodeWorker.ts')],
  outfile: path.join(out, 'worker.cjs'),
});
const { checkGrammar, judgeForEngine, render, nodeEngine } = createRequire(import.meta.url)(path.join(out, 'core.cjs'));
const engine = nodeEngine({
  wasm: path.join(root, 'server/engine/llguidance.wasm'),
  worker: path.join(out, 'worker.cjs'),
});
const { disagreement, counts, limits, silent } = agreement({ engine, checkGrammar, judgeForEngine, render });

/** @param {string} kind */
const showing = (kind) => async (/** @type {string} */ grammar) => (await disagreement(grammar))?.kind === kind;

/** More kinds than this are shown as they came. */
const MOST_SHRUNK = 60;
let disagreements = 0;
/** @type {Map<string, { times: number, grammar: string, detail: string }>} */
const kinds = new Map();
const { vectors } = JSON.parse(readFileSync(path.join(root, 'test/vectors/llguidance/vectors.json'), 'utf8'));
const recorded = vectors.flatMap((/** @type {{ grammar?: string }} */ { grammar }) => grammar ?? []);
const maker = grammarMaker(randomOf(seed), recorded);

for (let run = 0; run < runs; run++) {
  const grammar = maker.any();
  const found = await disagreement(grammar);
  if (found === undefined) continue;
  disagreements++;
  const known = kinds.get(found.kind);
  if (known !== undefined) {
    known.times++;
    continue;
  }
  const before = { ...counts };
  const small = kinds.size < MOST_SHRUNK ? await shrink(grammar, showing(found.kind)) : grammar;
  const detail = (await disagreement(small))?.detail ?? found.detail;
  Object.assign(counts, before);
  kinds.set(found.kind, { times: 1, grammar: small, detail });
}
await engine.close();
rmSync(out, { recursive: true });

const share = Math.round((100 * counts.taken) / Math.max(1, counts.taken + counts.refused));
const report = [
  `${runs.toLocaleString('en-US')} grammars with seed ${seed}: ${disagreements} disagreements of ${kinds.size} kinds; ` +
    `the engine takes ${share} % of them and did not answer ${counts.unanswered} times.`,
  ...[...kinds]
    .sort((a, b) => b[1].times - a[1].times)
    .map(([kind, { times, grammar, detail }]) => `\n${times} × ${kind}\n  ${detail}\n  ${JSON.stringify(grammar)}`),
  ...[...limits].map(
    ([limit, { times, grammar }]) =>
      `\n${times} × refused for its size (${limit}), which no finding foretells\n  ${JSON.stringify(grammar)}`,
  ),
  ...silent.slice(0, 3).map((grammar) => `\nNo answer in 5 seconds\n  ${JSON.stringify(grammar)}`),
].join('\n');
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, `${report}\n`);
process.exitCode = disagreements === 0 ? 0 : 1;
