// `npm run test:editor`: the suites that need a real VS Code.
//
//   host  test/editor/suite/*.test.ts, in the extension host, against this folder
//   vsix  the same suites against the packed extension, installed in a VS Code that has nothing else
//   web   test/editor/web, in the extension host of a browser, with the packed extension and no machine behind it
//   ui    test/editor/ui/*.ui.mjs, which look at the workbench, also against the packed extension
//
// A suite `name.test.ts` runs in the workspace `single`, `name.<workspace>.test.ts` in that one.
// Options: --only host,vsix,web,ui · --grep <part of a title>. Variables: SHOTS=<folder for screenshots>,
// TOOLSPEC_EDITOR=served|desktop.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { chooseEditor, installPacked, SetupError, served } from './editors.mjs';
import { runInBrowser } from './web.mjs';
import { startWorkbench } from './workbench.mjs';
import { copyWorkspace, workspaceNames } from './workspaces.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = path.join(root, 'test/editor');
const out = path.join(root, 'out/editor');
const UI_TEST_LIMIT = 60_000;
const { values: options } = parseArgs({ options: { only: { type: 'string' }, grep: { type: 'string' } } });
const wanted = new Set((options.only ?? 'host,vsix,web,ui').split(','));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolspec-editor-'));
const totals = [];
/** Suites of the UI that passed only at the second attempt. */
const unsteady = [];

/** Keeps what one suite did; `results` has one `{ title, state, error }` per test. */
function record(name, results) {
  const count = (state) => results.filter((each) => each.state === state).length;
  const line = { name, passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  totals.push({ ...line, failures: results.filter((each) => each.state === 'failed') });
}

async function bundleSuites() {
  const suites = fs.readdirSync(path.join(here, 'suite')).filter((each) => each.endsWith('.test.ts'));
  fs.rmSync(path.join(out, 'suite'), { recursive: true, force: true });
  await build({
    entryPoints: ['index.ts', ...suites].map((each) => path.join(here, 'suite', each)),
    outdir: path.join(out, 'suite'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return suites.map((each) => each.replace(/\.ts$/, '.js'));
}

/** Groups suite files by the workspace they name. */
function byWorkspace(suites) {
  const groups = new Map(workspaceNames().map((name) => [name, []]));
  for (const suite of suites) {
    const name = /\.([^.]+)\.test\.js$/.exec(suite)?.[1] ?? 'single';
    if (!groups.has(name)) throw new SetupError(`${suite} names the workspace ${name}, which does not exist.`);
    groups.get(name).push(suite);
  }
  return [...groups].filter(([, files]) => files.length > 0);
}

/** Runs host suites; with extensionsDir against what is installed there, an empty extension standing in for ours. */
async function runHost(label, editor, suites, extensionsDir) {
  for (const [workspace, files] of byWorkspace(suites)) {
    const folder = fs.mkdtempSync(path.join(scratch, 'host-'));
    const opened = copyWorkspace(workspace, folder);
    const resultsFile = path.join(folder, 'results.json');
    const name = `${label} ${workspace}`;
    console.log(`\n=== ${name} ===`);
    try {
      await runTests({
        vscodeExecutablePath: editor.executable,
        extensionDevelopmentPath: extensionsDir ? path.join(here, 'tester') : root,
        extensionTestsPath: path.join(out, 'suite/index.js'),
        launchArgs: [
          opened.workspace ?? opened.folder,
          `--user-data-dir=${path.join(folder, 'profile')}`,
          '--disable-workspace-trust',
          ...(extensionsDir ? [`--extensions-dir=${extensionsDir}`] : ['--disable-extensions']),
        ],
        extensionTestsEnv: {
          TOOLSPEC_SUITES: files.join(','),
          TOOLSPEC_RESULTS: resultsFile,
          TOOLSPEC_EXPECTED_HOME: extensionsDir ?? root.replace(/[\\/]$/, ''),
          TOOLSPEC_GREP: options.grep,
        },
      });
      record(name, JSON.parse(fs.readFileSync(resultsFile, 'utf8')));
    } catch (error) {
      const results = fs.existsSync(resultsFile) ? JSON.parse(fs.readFileSync(resultsFile, 'utf8')) : [];
      // A host that broke down without a failed test is a failure too.
      const broken = results.some((each) => each.state === 'failed')
        ? []
        : [{ title: `${name}: the run itself`, state: 'failed', error: String(error) }];
      record(name, [...results, ...broken]);
    }
  }
}

function withLimit(promise, milliseconds) {
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`took more than ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, limit]).finally(() => clearTimeout(timer));
}

/**
 * Runs the UI suites. Each exports `tests`, an array of `[title, async (workbench) => {}]`, and may export `options` for
 * `startWorkbench`. The tests of a file share one workbench.
 */
async function runUi(extensionsDir) {
  for (const file of fs.readdirSync(path.join(here, 'ui')).filter((each) => each.endsWith('.ui.mjs'))) {
    const suite = await import(pathToFileURL(path.join(here, 'ui', file)).href);
    const name = `ui ${file.replace('.ui.mjs', '')}`;
    const tests = suite.tests.filter(([title]) => !options.grep || `${name} ${title}`.includes(options.grep));
    if (tests.length === 0) continue;
    console.log(`\n=== ${name} ===`);
    const run = { name, file, tests, workbenchOptions: { ...suite.options, extensionsDir } };
    let results = await runUiSuite(run, 1);
    if (results.some(({ state }) => state === 'failed')) {
      // The workbench is a program of its own that draws when it can. A fault of ours shows again, in a new one.
      console.log('  Once more, in a new workbench:');
      results = await runUiSuite(run, 2);
      if (results.every(({ state }) => state === 'passed')) unsteady.push(name);
    }
    record(name, results);
  }
}

async function runUiSuite({ name, file, tests, workbenchOptions }, attempt) {
  const results = [];
  let workbench;
  try {
    workbench = await startWorkbench(workbenchOptions);
    for (const [title, body] of tests) {
      const start = Date.now();
      try {
        await withLimit(body(workbench), UI_TEST_LIMIT);
        results.push({ title, state: 'passed' });
        console.log(`  ✔ ${title} (${Date.now() - start} ms)`);
      } catch (error) {
        const picture = path.join(out, 'failures', `${file}-${results.length + 1}-${attempt}.png`);
        await workbench.page.screenshot({ path: picture }).catch(() => {});
        results.push({ title, state: 'failed', error: error.message });
        console.log(`  ✖ ${title}\n${error.stack}\n    Picture: ${picture}`);
      }
    }
  } catch (error) {
    results.push({ title: `${name}: the workbench`, state: 'failed', error: error.message });
    console.log(`  ✖ the workbench did not start\n${error.stack}`);
  } finally {
    await workbench?.close();
  }
  return results;
}

/** Runs the suite of the browser against the packed extension. */
async function runWeb(extensionsDir) {
  console.log('\n=== web ===');
  const [suite, memory] = await Promise.all(
    ['index', 'memory'].map(async (entry) => {
      const folder = path.join(out, 'web', entry);
      await build({
        entryPoints: [path.join(here, 'web', `${entry}.ts`)],
        outfile: path.join(folder, 'index.js'),
        bundle: true,
        platform: 'browser',
        format: 'cjs',
        target: 'es2022',
        external: ['vscode'],
        logLevel: 'warning',
      });
      return folder;
    }),
  );
  const installed = fs.readdirSync(extensionsDir).find((each) => each.startsWith('toolspec.toolspec-'));
  const { results } = await runInBrowser({
    extension: path.join(extensionsDir, installed),
    suite,
    memory,
    scratch,
  });
  for (const { title, state, error } of results) {
    console.log(state === 'passed' ? `  ✔ ${title}` : `  ✖ ${title}\n${error}`);
  }
  record('web', results);
}

try {
  const suites = await bundleSuites();
  const editor = await chooseEditor();
  console.log(`Host suites run in ${editor.name}.`);
  if (wanted.has('host')) await runHost('host', editor, suites);
  if (['vsix', 'web', 'ui'].some((each) => wanted.has(each))) {
    const extensionsDir = installPacked(editor, scratch);
    if (wanted.has('vsix')) await runHost('vsix', editor, suites, extensionsDir);
    if (wanted.has('web') || wanted.has('ui')) {
      if (process.platform === 'linux') {
        served();
        if (wanted.has('web')) await runWeb(extensionsDir);
        if (wanted.has('ui')) await runUi(extensionsDir);
      } else {
        console.log(
          'The suites of the browser and the UI need the served VS Code, which exists for Linux only: not run.',
        );
      }
    }
  }
} catch (error) {
  const text = error instanceof SetupError ? error.message : (error.stack ?? String(error));
  console.error(text);
  record('set-up', [{ title: 'set-up', state: 'failed', error: text }]);
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}

console.log('');
for (const { name, passed, failed, skipped } of totals) {
  console.log(`${name.padEnd(24)} ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
}
if (unsteady.length > 0) console.log(`Passed only at the second attempt: ${unsteady.join(', ')}.`);
const sum = (state) => totals.reduce((count, each) => count + each[state], 0);
const summary = { passed: sum('passed'), failed: sum('failed') };
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, 'results.json'), JSON.stringify({ ...summary, suites: totals }, null, 2));
console.log(`${summary.passed} passed, ${summary.failed} failed`);
process.exitCode = summary.failed > 0 || summary.passed === 0 ? 1 : 0;
