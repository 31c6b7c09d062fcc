// The provider's engine in its worker, from a keystroke to the verdict, against the Python package of the same version
// in the same run where it is there (TOOLSPEC_PYTHON names the Python that has it), else against a time.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { medians, ms, report } from './measure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ROUNDS = 41;
const VERSION = '1.9.1';

const TEXT = [
  '*** Begin',
  '*** Update: src/app.py',
  '@@ def greet():',
  '-print("Hi")',
  '+print("Hello, world!")',
  '*** Add: docs/notes.md',
  '+# Notes',
  '+',
  '+Some words about what has changed, and why.',
  '*** Remove: old.txt',
  '*** End',
  '',
].join('\n');

/** Ends of the time in which a person sees no delay, where there is nothing to compare with. */
const UNSEEN_MS = 60;

export async function measureEngine() {
  const outfile = path.join(root, 'out/bench/engine.cjs');
  await build({
    entryPoints: [path.join(root, 'server/src/host/engine/nodeEngine.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    logLevel: 'warning',
  });
  const { nodeEngine } = createRequire(import.meta.url)(outfile);
  const start = () =>
    nodeEngine({ wasm: path.join(root, 'dist/llguidance.wasm'), worker: path.join(root, 'dist/engineWorker.js') });
  const patch = readFileSync(new URL('patch.lark', import.meta.url), 'utf8');
  // Every keystroke makes a grammar that was not seen before.
  const grammars = Array.from({ length: ROUNDS + 2 }, (_, index) =>
    patch.replace('"*** End of file"', `"*** End of file${'x'.repeat(index)}"`),
  );

  /** @param {any} engine @param {string} text @param {boolean} next */
  const judge = async (engine, text, next) => {
    const job = { kind: 'judge', grammar: { syntax: 'lark', text }, inputs: [TEXT], next };
    const answer = await engine.ask(job, { milliseconds: 60_000 });
    if (answer.inputs[0]?.verdict.accepted !== true) throw new Error(`No verdict: ${JSON.stringify(answer.end)}`);
  };

  const begin = performance.now();
  const engine = start();
  await judge(engine, patch, true);
  console.log(`First verdict, with the start of the worker: ${ms(performance.now() - begin)}.`);
  // The machine compiles the module again, better, while it is used; a hundred keystrokes are typed soon.
  for (let index = 0; index < 100; index++) await judge(engine, `${patch}${'\n'.repeat(index)}`, true);
  let round = 0;
  let round2 = 0;
  let round3 = 0;
  const [full, verdict, text, opinion] = await medians(
    ROUNDS,
    () => judge(engine, `${grammars[round++ % grammars.length]}\n`, true),
    () => judge(engine, `${grammars[round2++ % grammars.length]}`, false),
    () => judge(engine, patch, false),
    async () => {
      const grammar = { syntax: 'lark', text: `\n${grammars[round3++ % grammars.length]}` };
      const { load } = await engine.ask({ kind: 'load', grammar, begin: true }, { milliseconds: 60_000 });
      if (load?.ok !== true) throw new Error('The grammar is refused.');
    },
  );
  await engine.close();

  const native = nativeTimes(grammars);
  if (native === undefined) {
    report('keystroke in the grammar to verdict, ms', verdict, UNSEEN_MS, `${ms(verdict)}, the wheel is not there`);
    report('keystroke in the text to verdict, ms', text, UNSEEN_MS, `${ms(text)}, the wheel is not there`);
    report('keystroke in the grammar to opinion, ms', opinion, UNSEEN_MS, `${ms(opinion)}, the wheel is not there`);
  } else {
    report(
      'keystroke in the grammar to verdict / wheel',
      verdict / native.grammar,
      3,
      `${ms(verdict)} against ${ms(native.grammar)}`,
    );
    report('keystroke in the text to verdict / wheel', text / native.text, 3, `${ms(text)} against ${ms(native.text)}`);
    report(
      'keystroke in the grammar to opinion / wheel',
      opinion / native.grammar,
      3,
      `${ms(opinion)} against ${ms(native.grammar)} with a verdict`,
    );
  }
  report('the same with next, forced and terminals, ms', full, UNSEEN_MS, ms(full));
}

/** @param {readonly string[]} grammars @returns {{ grammar: number, text: number } | undefined} */
function nativeTimes(grammars) {
  const script = fileURLToPath(new URL('llguidance_times.py', import.meta.url));
  const { stdout, status } = spawnSync(process.env['TOOLSPEC_PYTHON'] ?? 'python3', [script], {
    input: JSON.stringify({ grammars, text: TEXT, rounds: ROUNDS }),
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const { version, grammar, text } = JSON.parse(stdout);
  return version === VERSION ? { grammar, text } : undefined;
}
