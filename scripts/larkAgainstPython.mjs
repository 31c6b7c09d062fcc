// Holds the Lark engine against reference Lark 1.3.1 in Python, on grammars made by chance:
//
//   node scripts/larkAgainstPython.mjs [--runs N] [--seed S] [--python COMMAND] [--report FILE]
//
// Each grammar comes with the set-up of a parser and with texts. Both must load it or both refuse it, for the same reason
// and at the same line; they must take the same texts with the same trees, and refuse the others with the same error at
// the same place. What differs is shrunk and printed once for each kind; exit code 1 says that there was any, 2 that
// Python or Lark is missing. A thousand grammars take about a minute.

import { spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { build } from 'esbuild';
import { randomOf } from './grammarMaker.mjs';
import { larkMaker } from './larkMaker.mjs';
import { reasonOf } from './larkReasons.mjs';
import { shrink } from './shrink.mjs';

const VERSION = '1.3.1';
const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({
  options: {
    runs: { type: 'string' },
    seed: { type: 'string' },
    python: { type: 'string' },
    report: { type: 'string' },
  },
});
const runs = Number(values.runs ?? 1_000);
const seed = Number(values.seed ?? 1);
const python = values.python ?? 'python3';

const found = spawnSync(python, ['-c', 'import lark; print(lark.__version__)'], { encoding: 'utf8' });
if (found.status !== 0 || found.stdout.trim() !== VERSION) {
  console.error(
    `${python} has no lark ${VERSION}: python3 -m venv out/lark && out/lark/bin/pip install lark==${VERSION}, then pass --python out/lark/bin/python.`,
  );
  process.exit(2);
}

const out = path.join(root, 'out/lark-against-python', String(process.pid));
await build({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  stdin: {
    contents: `export { grammarParseLine } from './server/src/core/grammar/jsonl';
export { createParser } from './server/src/core/grammar/engine';
export { generateRefused, generateSentences } from './server/src/core/grammar/generate';
export { loadGrammar } from './server/src/core/grammar/load/load';
export { parseGrammar } from './server/src/core/grammar/parse';`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile: path.join(out, 'core.cjs'),
});
const core = createRequire(import.meta.url)(path.join(out, 'core.cjs'));

const reference = spawn(python, [fileURLToPath(new URL('larkReference.py', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const answers = createInterface({ input: reference.stdout })[Symbol.asyncIterator]();
await answers.next();

/** @typedef {import('./larkMaker.d.mts').LarkCase} LarkCase */

/** Texts by chance are seldom sentences, so some sentences are added, and some that are almost. @param {LarkCase} each */
function withSentences(each) {
  const { grammar, problems } = core.loadGrammar(core.parseGrammar(each.grammar), { start: ['start'] });
  const parser = problems.length > 0 ? undefined : core.createParser(grammar, each.options).parser;
  if (parser === undefined) return each;
  const { sentences } = core.generateSentences(parser, { seed, count: 6, length: 8, maxCovering: 6 });
  const texts = sentences.map((/** @type {{ text: string }} */ { text }) => text);
  const almost = core.generateRefused(parser, sentences, { seed, count: 4 });
  return { ...each, inputs: [...each.inputs, ...texts, ...almost] };
}

/** @param {LarkCase} each */
async function askReference(each) {
  reference.stdin.write(`${JSON.stringify(each)}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error('Python has ended.');
  return JSON.parse(value);
}

const counts = { loaded: 0, refused: 0, accepted: 0, rejected: 0, unanswered: 0, tooComplex: 0 };

/**
 * What differs; `undefined` where nothing does, or where one side gives up for the sake of time.
 * @param {LarkCase} each
 * @returns {Promise<{ kind: string, detail: string } | undefined>}
 */
async function difference(each) {
  const theirs = await askReference(each);
  const ours = JSON.parse(core.grammarParseLine(JSON.stringify({ id: 0, ...each })));
  if (theirs.timeout === true || ours.loadError?.code === 'too-complex') {
    counts[theirs.timeout === true ? 'unanswered' : 'tooComplex']++;
    return undefined;
  }
  const who = each.options['parser'];
  if (theirs.loadError !== null || ours.loadError !== null) return differentLoad(who, theirs.loadError, ours.loadError);
  counts.loaded++;
  for (const [i, input] of each.inputs.entries()) {
    const [wanted, given] = [theirs.results[i], ours.results[i]];
    if (wanted.timeout === true) counts.unanswered++;
    else if (given.error?.kind === 'too-complex') counts.tooComplex++;
    else {
      if (wanted.accepted) counts.accepted++;
      else counts.rejected++;
      if (isDeepStrictEqual(comparable(given), comparable(wanted))) continue;
      const verdict = (/** @type {any} */ result) => (result.accepted ? 'accepted' : result.error.kind);
      const [theirVerdict, ourVerdict] = [verdict(wanted), verdict(given)];
      const what =
        theirVerdict !== ourVerdict ? `${theirVerdict} there, ${ourVerdict} here` : `different ${theirVerdict}`;
      const texts = `${JSON.stringify(wanted.tree ?? wanted.error)} there, ${JSON.stringify(given.tree ?? given.error)} here`;
      return { kind: `${who}: ${what}`, detail: `${JSON.stringify(input)}: ${texts}` };
    }
  }
  return undefined;
}

/** @param {unknown} who @param {any} theirs @param {any} ours */
function differentLoad(who, theirs, ours) {
  if (theirs === null || ours === null) {
    const code = theirs === null ? ours.code : reasonOf(theirs);
    const kind = `${who}: ${theirs === null ? 'refused here' : 'refused there'} (${code})`;
    return { kind, detail: (theirs ?? ours).message };
  }
  counts.refused++;
  const reason = reasonOf(theirs);
  const sameLine = theirs.line === undefined || theirs.line === ours.line;
  if (reason === ours.code || (reason === 'syntax' && ours.code.startsWith('syntax.'))) {
    if (sameLine) return undefined;
    return { kind: `${who}: another line (${reason})`, detail: `line ${theirs.line} there, ${ours.line} here` };
  }
  return { kind: `${who}: ${reason} there, ${ours.code} here`, detail: `${theirs.kind}: ${theirs.message}` };
}

/**
 * A result without what is Python's own: failures outside Lark's own exceptions have no place.
 * @param {any} result
 */
function comparable(result) {
  if (result.accepted) return result;
  const { kind, line = null, column = null, pos = null, token, expected = [], accepts } = result.error;
  // Lark gives -1 or "?" where a text ends too early.
  if (kind === 'UnexpectedEOF') return { kind, expected };
  return { kind, line, column, pos, expected, ...(token && { token }), ...(accepts && { accepts }) };
}

/** @param {LarkCase} each @param {string} kind */
const shrunk = async (each, kind) => {
  const shows = async (/** @type {LarkCase} */ smaller) => (await difference(smaller))?.kind === kind;
  let small = each;
  for (const input of each.inputs) {
    if (await shows({ ...each, inputs: [input] })) {
      small = { ...each, inputs: [input] };
      break;
    }
  }
  for (const name of Object.keys(small.options)) {
    if (name === 'parser') continue;
    const { [name]: _, ...options } = small.options;
    if (await shows({ ...small, options })) small = { ...small, options };
  }
  return { ...small, grammar: await shrink(small.grammar, (grammar) => shows({ ...small, grammar })) };
};

/** More kinds than this are shown as they came. */
const MOST_SHRUNK = 20;
let differences = 0;
/** @type {Map<string, { times: number, detail: string, shown: LarkCase }>} */
const kinds = new Map();
const make = larkMaker(randomOf(seed));
for (let run = 0; run < runs; run++) {
  const each = withSentences(make());
  const differs = await difference(each);
  if (differs === undefined) continue;
  differences++;
  const known = kinds.get(differs.kind);
  if (known !== undefined) {
    known.times++;
    continue;
  }
  const before = { ...counts };
  const shown = kinds.size < MOST_SHRUNK ? await shrunk(each, differs.kind) : each;
  const detail = (await difference(shown))?.detail ?? differs.detail;
  Object.assign(counts, before);
  kinds.set(differs.kind, { times: 1, detail, shown });
}
reference.stdin.end();
rmSync(out, { recursive: true });

const number = (/** @type {number} */ value) => value.toLocaleString('en-US');
const report = [
  `${number(runs)} grammars with seed ${seed}: ${number(counts.loaded)} loaded and ${number(counts.refused)} refused by both; ` +
    `${number(counts.accepted)} texts accepted and ${number(counts.rejected)} refused; ` +
    `no answer in time ${number(counts.unanswered)} times, too complex here ${number(counts.tooComplex)} times; ` +
    `${number(differences)} differences of ${number(kinds.size)} kinds.`,
  ...[...kinds]
    .sort((a, b) => b[1].times - a[1].times)
    .map(
      ([kind, { times, detail, shown }]) =>
        `\n${times} × ${kind}\n  ${detail}\n  ${JSON.stringify(shown.grammar)} with ${JSON.stringify(shown.options)}`,
    ),
].join('\n');
console.log(report);
if (values.report !== undefined) writeFileSync(values.report, `${report}\n`);
process.exitCode = differences === 0 ? 0 : 1;
