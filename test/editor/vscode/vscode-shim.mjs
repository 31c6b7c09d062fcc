#!/usr/bin/env node
// Stands in for the desktop's `code` executable in @vscode/test-electron: same arguments, same exit code.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium, node, openWorkbench, serverMain, startServer } from './serve.mjs';

const START_LIMIT = 60_000; // Until the tests begin, in milliseconds.
const RUN_LIMIT = Number(process.env.VSCODE_SHIM_TIMEOUT ?? 600_000); // Until they end.
const WITH_VALUE = new Set([
  ...['extensionDevelopmentPath', 'extensionTestsPath', 'user-data-dir', 'extensions-dir', 'folder-uri', 'file-uri'],
  ...['locale', 'log', 'disable-extension', 'enable-proposed-api', 'inspect-extensions', 'inspect-brk-extensions'],
  ...['crash-reporter-directory', 'profile', 'password-store'],
]);
const PASSED_ON = ['version', 'list-extensions', 'install-extension', 'uninstall-extension'];

function readArguments(argv) {
  const options = new Map();
  const positional = [];
  for (let index = 0; index < argv.length; index++) {
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(argv[index]);
    if (!match) {
      if (!argv[index].startsWith('-')) positional.push(argv[index]);
      continue;
    }
    const next = argv[index + 1];
    const takesNext = match[2] === undefined && WITH_VALUE.has(match[1]) && next !== undefined && !next.startsWith('-');
    if (takesNext) index++;
    const value = match[2] ?? (takesNext ? next : true);
    options.set(match[1], [...(options.get(match[1]) ?? []), value]);
  }
  return { options, positional };
}

const argv = process.argv.slice(2);
const { options, positional } = readArguments(argv);
const all = (name) => options.get(name) ?? [];
const last = (name) => all(name).at(-1);
const asPath = (text) => (text.startsWith('file:') ? fileURLToPath(text) : path.resolve(text));
const isFolder = (file) => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;

if (PASSED_ON.some((name) => options.has(name))) {
  process.exit(spawnSync(node, [serverMain, ...argv], { stdio: 'inherit' }).status ?? 1);
}
if (!options.has('extensionDevelopmentPath') || !options.has('extensionTestsPath')) {
  console.error('vscode-shim: needs --extensionDevelopmentPath and --extensionTestsPath');
  process.exit(2);
}
const named = [...positional, ...all('folder-uri'), ...all('file-uri')].map(asPath);

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'vscode-shim-'));
const output = path.join(scratch, 'output.txt');
const serverLog = path.join(scratch, 'server.log');
const workbenchLog = path.join(scratch, 'workbench.log');
const note = (text) => fs.appendFileSync(workbenchLog, `${text}\n`);
let server;
let browser;
let page;
let timer;

// Streams what runner.cjs writes, and tells whether it has begun.
let sent = 0;
function pump() {
  if (!fs.existsSync(output)) return false;
  const data = fs.readFileSync(output).subarray(sent);
  sent += data.length;
  process.stdout.write(data);
  return true;
}

async function run() {
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => finish({ code: 130, why: signal }));
  process.stdout.on('error', () => finish({ code: 1 })); // Its reader has gone.

  server = await startServer({
    userDataDir: path.resolve(last('user-data-dir') ?? path.join(scratch, 'user-data')),
    extensionsDir: path.resolve(last('extensions-dir') ?? path.join(scratch, 'extensions')),
    logFile: serverLog,
    env: { VSCODE_SHIM_OUTPUT: output, VSCODE_SHIM_TESTS: asPath(last('extensionTestsPath')) },
  });
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  // The workbench calls these two on its window when it runs extension tests.
  await page.exposeFunction('codeAutomationLog', (type, args) => note(`${type}: ${args.join(' ')}`));
  await page.exposeFunction('codeAutomationExit', (code) => finish({ code }));
  page.on('pageerror', (error) => note(`pageerror: ${error.stack}`));
  page.on('crash', () => finish({ code: 1, why: 'the browser page crashed' }));
  browser.on('disconnected', () => finish({ code: 1, why: 'Chromium ended' }));

  const start = Date.now();
  timer = setInterval(() => {
    const begun = pump();
    const spent = Date.now() - start;
    if (!begun && spent > START_LIMIT) finish({ code: 1, why: `no test runner after ${START_LIMIT / 1000} s` });
    else if (spent > RUN_LIMIT) finish({ code: 1, why: `still running after ${RUN_LIMIT / 1000} s` });
  }, 100);
  await openWorkbench(page, server.authority, {
    workspace: named.find((each) => each.endsWith('.code-workspace')),
    folder: named.find(isFolder),
    files: named.filter((each) => !isFolder(each) && !each.endsWith('.code-workspace')),
    devPaths: all('extensionDevelopmentPath').map(asPath),
    testsPath: fileURLToPath(new URL('./runner.cjs', import.meta.url)),
    disableExtensions: options.has('disable-extensions'),
  });
  return finished;
}

let result;
try {
  result = await run();
} catch (error) {
  result = { code: 1, why: error.stack };
}
clearInterval(timer);
const begun = pump();
// The web workbench reports code 0 when its remote extension host dies, so 0 counts only with runner.cjs's own word.
if (result.code === 0 && !fs.existsSync(`${output}.passed`)) {
  result = { code: 1, why: `the extension host ended ${begun ? 'during' : 'before'} the tests` };
}
if (result.why) {
  const picture = process.env.VSCODE_SHIM_SCREENSHOT;
  if (picture) await page?.screenshot({ path: picture }).catch(() => {});
  console.error(`vscode-shim: ${result.why}`);
  for (const file of [serverLog, workbenchLog].filter((each) => fs.existsSync(each))) {
    console.error(`--- ${path.basename(file)}\n${fs.readFileSync(file, 'utf8').split('\n').slice(-40).join('\n')}`);
  }
}
await browser?.close().catch(() => {});
await server?.stop();
if (process.env.VSCODE_SHIM_KEEP) console.error(`vscode-shim: kept ${scratch}`);
else fs.rmSync(scratch, { recursive: true, force: true });
process.exitCode = result.code >= 0 && result.code < 256 ? result.code : 1;
