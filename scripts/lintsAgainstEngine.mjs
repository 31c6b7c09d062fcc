// Holds the findings about grammars against the provider's engine, on grammars made by chance:
//
//   node scripts/lintsAgainstEngine.mjs [--runs N] [--seed S] [--report FILE]
//
// Half of the grammars are put together from parts, half are recorded ones with a few changes. A grammar that the engine
// refuses must have a finding of level error for llguidance, and one that it takes must have none, except those that say
// that nothing can ever be generated, and then nothing may be. What disagrees is shrunk and printed once for each kind; exit code 1 says that
// there was any. Meant for a nightly run: 20,000 grammars take some minutes.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { grammarMaker, randomOf } from './grammarMaker.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, report: { type: 'string' } },
});
const runs = Number(values.runs ?? 20_000);
const seed = Number(values.seed ?? 1);

const outfile = path.join(root, 'out/lints/core.cjs');
await build({
  stdin: {
    contents: `export { checkGrammar } from './server/src/core/checkGrammar';
export { render } from './server/src/core/text/message';
export { nodeEngine } from './server/src/host/engine/nodeEngine';`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
await build({
  entryPoints: [path.join(root, 'server/src/host/engine/nodeWorker.ts')],
  outfile: path.join(root, 'out/lints/worker.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
});
const { checkGrammar, render, nodeEngine } = createRequire(import.meta.url)(outfile);
const engine = nodeEngine({
  wasm: path.join(root, 'server/engine/llguidance.wasm'),
  worker: path.join(root, 'out/lints/worker.cjs'),
});

/** Findings that say of a grammar which the engine takes that it is of no use. */
const USELESS = new Set([
  'grammar/non-productive',
  'grammar/stuck-lexeme',
  'grammar/free-text-split',
  'grammar/ignored-literal',
]);

/**
 * What finding and engine say of a grammar, or `undefined` where they agree or the engine does not answer.
 * @param {string} grammar
 * @returns {Promise<{ kind: string, detail: string } | undefined>}
 */
async function disagreement(grammar) {
  const answer = await engine.ask(
    { kind: 'load', grammar: { syntax: 'lark', text: grammar } },
    { milliseconds: 5_000 },
  );
  if (answer.end.state !== 'done' || answer.load === undefined) {
    counts.unanswered++;
    return undefined;
  }
  /** @type {{ rule: string, level: string, message: unknown }[]} */
  let findings;
  try {
    findings = checkGrammar(grammar, { targets: ['llguidance'] });
  } catch (error) {
    return { kind: `the check throws: ${error instanceof Error ? error.message.slice(0, 60) : error}`, detail: '' };
  }
  const errors = findings.filter(({ level }) => level === 'error');
  if (answer.load.ok) {
    const wrong = errors.find(({ rule }) => !USELESS.has(rule));
    if (wrong !== undefined) return { kind: `false: ${wrong.rule}`, detail: render(wrong.message) };
    if (errors.length === 0) return undefined;
    // What nothing can be generated from has no text.
    const job = { kind: 'generate', grammar: { syntax: 'lark', text: grammar }, seed: 1, count: 1, mostBytes: 60 };
    const { texts } = await engine.ask(job, { milliseconds: 1_000 });
    if (texts.length === 0) return undefined;
    const detail = `${render(errors[0]?.message)} Yet the engine makes ${JSON.stringify(texts[0])}.`;
    return { kind: `false: ${errors[0]?.rule}, for there is a text`, detail };
  }
  if (errors.length > 0) return undefined;
  const { message, firstLine } = answer.load.refusal;
  // Names and numbers differ from case to case.
  const kind = message.replace(/"[^"]*"|'[^']*'|\/.*\/|\d+/g, '…').slice(0, 80);
  return { kind: `missed: ${kind}`, detail: firstLine };
}

/**
 * Takes away lines, then words, then characters, as long as the same kind of disagreement stays.
 * @param {string} grammar
 * @param {string} kind
 */
async function shrink(grammar, kind) {
  let small = grammar;
  for (const cut of [/(?<=\n)/, /(?<=\s)|(?=\s)|(?<=[()|[\]"/])/, /(?:)/u]) {
    for (let changed = true, rounds = 0; changed && rounds < 20; rounds++) {
      changed = false;
      const parts = small.split(cut);
      if (parts.length > 200) break;
      for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
        for (let at = 0; at < parts.length; ) {
          const without = [...parts.slice(0, at), ...parts.slice(at + size)];
          if (without.length < parts.length && (await disagreement(without.join('')))?.kind === kind) {
            parts.splice(at, size);
            changed = true;
          } else at += size;
        }
      }
      small = parts.join('');
    }
  }
  return small;
}

const counts = { grammars: 0, refused: 0, taken: 0, unanswered: 0, disagreements: 0 };
/** @type {Map<string, { times: number, grammar: string, detail: string }>} */
const kinds = new Map();
const { vectors } = JSON.parse(readFileSync(path.join(root, 'test/vectors/llguidance/vectors.json'), 'utf8'));
const recorded = vectors.flatMap((/** @type {{ grammar?: string }} */ { grammar }) => grammar ?? []);
const maker = grammarMaker(randomOf(seed), recorded);

for (let run = 0; run < runs; run++) {
  const grammar = run % 2 === 0 ? maker.made() : maker.mutated();
  counts.grammars++;
  const found = await disagreement(grammar);
  if (found === undefined) continue;
  counts.disagreements++;
  const known = kinds.get(found.kind);
  if (known !== undefined) {
    known.times++;
    continue;
  }
  const small = await shrink(grammar, found.kind);
  const detail = (await disagreement(small))?.detail ?? found.detail;
  kinds.set(found.kind, { times: 1, grammar: small, detail });
}
await engine.close();

const report = [
  `${counts.grammars.toLocaleString('en-US')} grammars with seed ${seed}: ${counts.disagreements} disagreements of ` +
    `${kinds.size} kinds; the engine did not answer ${counts.unanswered} times.`,
  ...[...kinds]
    .sort((a, b) => b[1].times - a[1].times)
    .map(([kind, { times, grammar, detail }]) => `\n${times} × ${kind}\n  ${detail}\n  ${JSON.stringify(grammar)}`),
].join('\n');
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, `${report}\n`);
process.exitCode = counts.disagreements === 0 ? 0 : 1;
