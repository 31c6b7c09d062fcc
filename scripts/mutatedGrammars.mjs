// Puts mutated grammars through everything that reads grammars, and looks that nothing throws, hangs or loses text:
//
//   node scripts/mutatedGrammars.mjs [--runs N] [--seed S]
//
// Each one is read (its tokens spell the text), loaded, checked for every target, laid out (twice gives the same as once,
// and nothing but white space changes), and parses a few texts with both parsers. A memory is shared as in an editor, and
// now and then findings are held against those of a check without one. What breaks is printed with its grammar; exit code
// 1 says that there was any. 100,000 grammars take about half an hour. A small run of the same laws is among the tests.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { grammarMaker, randomOf } from './grammarMaker.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const runs = Number(values.runs ?? 100_000);
const seed = Number(values.seed ?? 1);

/** Milliseconds after which a grammar counts as a hang. */
const HANG = 10_000;

const out = path.join(root, 'out/mutated', `${process.pid}.cjs`);
await build({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  mainFields: ['module', 'main'],
  logLevel: 'warning',
  stdin: {
    contents: `export { checkGrammar } from './server/src/core/checkGrammar';
export { createParser } from './server/src/core/grammar/engine';
export { formatGrammar } from './server/src/core/grammar/format';
export { loadGrammar } from './server/src/core/grammar/load/load';
export { GrammarMemory } from './server/src/core/grammar/memory';
export { parseGrammar } from './server/src/core/grammar/parse';
export { applyEdits } from './server/src/core/text/edits';
export { render } from './server/src/core/text/message';`,
    resolveDir: root,
    loader: 'ts',
  },
  outfile: out,
});
const core = createRequire(import.meta.url)(out);

const { vectors } = JSON.parse(readFileSync(path.join(root, 'test/vectors/lark/vectors.json'), 'utf8'));
/** @type {string[]} */
const recorded = [...new Set(vectors.map((/** @type {{ grammar: string }} */ { grammar }) => grammar))];
const make = grammarMaker(randomOf(seed), recorded);

const memory = new core.GrammarMemory();
const OPTIONS = { targets: ['openai', 'llguidance', 'lark'] };
const TEXTS = ['', 'a', 'ab', 'a b', 'aaaa', '1', '"x"', 'if x then', '\n'];
/** Tokens that a layout may change. */
const BLANK = new Set(['space', 'newline', 'lineBreak', 'end']);
const BUDGET = { items: 20_000, steps: 100_000 };

/** @param {string} text @returns {{ kind: string, text: string }[]} */
const tokensOf = (text) => core.parseGrammar(text).tokens;

/** Findings as text. @param {string} text @param {object} [more] */
function findings(text, more) {
  return core
    .checkGrammar(text, { ...OPTIONS, ...more })
    .map((/** @type {any} */ { rule, level, span, message }) => {
      if (!(0 <= span.start && span.start <= span.end && span.end <= text.length)) throw new Error(`${rule}: place`);
      return `${rule} ${level} ${span.start}-${span.end} ${core.render(message)}`;
    })
    .join('\n');
}

/** Throws what is wrong. @param {string} text @param {boolean} closely */
function look(text, closely) {
  const document = core.parseGrammar(text);
  const spelled = document.tokens.map((/** @type {any} */ { start, end }) => text.slice(start, end)).join('');
  if (spelled !== text) throw new Error('The tokens do not spell the text.');
  const loaded = core.loadGrammar(document, { lexer: 'dynamic' });
  if (loaded.grammar === undefined && loaded.problems.length === 0) throw new Error('Neither a grammar nor a problem.');
  const found = findings(text, { memory });
  if (found.includes('internal/rule-failed')) throw new Error(found);
  if (closely && found !== findings(text)) throw new Error('Findings differ with a memory.');

  const laid = core.applyEdits(text, core.formatGrammar(document));
  if (core.applyEdits(laid, core.formatGrammar(core.parseGrammar(laid))) !== laid) throw new Error('Laid out again.');
  if (words(laid) !== words(text)) throw new Error('The layout changes more than white space.');

  if (loaded.problems.length > 0) return;
  for (const parser of ['earley', 'lalr']) {
    const made = core.createParser(loaded.grammar, { parser, budget: BUDGET });
    for (const each of TEXTS) made.parser?.parse(each);
  }
}

/** Everything but white space. @param {string} text */
function words(text) {
  const pieces = tokensOf(text).filter(({ kind }) => !BLANK.has(kind));
  return pieces.map((/** @type {any} */ { start, end }) => text.slice(start, end).trim()).join('\n');
}

let broken = 0;
let slowest = { milliseconds: 0, text: '' };
const begin = performance.now();
for (let run = 0; run < runs; run++) {
  const text = make.mutated();
  const start = performance.now();
  try {
    look(text, run % 20 === 0);
  } catch (error) {
    broken++;
    console.log(
      `${error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : error}\n${JSON.stringify(text)}\n`,
    );
  }
  const milliseconds = performance.now() - start;
  if (milliseconds > slowest.milliseconds) slowest = { milliseconds, text };
  if ((run + 1) % 10_000 === 0) {
    console.log(`${run + 1} grammars, ${broken} broken, ${((performance.now() - begin) / 1000).toFixed(0)} s.`);
  }
}
console.log(`${runs} grammars with seed ${seed}: ${broken} broken.`);
console.log(`The slowest took ${slowest.milliseconds.toFixed(0)} ms: ${JSON.stringify(slowest.text.slice(0, 200))}`);
if (broken > 0 || slowest.milliseconds > HANG) process.exitCode = 1;
