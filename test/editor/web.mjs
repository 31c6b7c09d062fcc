// Runs a suite in the extension host of a browser. The served workbench is told of no server behind it, so that it is
// one like vscode.dev: extensions run in a worker of the page, and files stand in its memory.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { launchChromium, serverMain, startServer } from './vscode/serve.mjs';

const RUN_LIMIT = 60_000;
const TYPES = { '.js': 'text/javascript', '.json': 'application/json', '.wasm': 'application/wasm' };

/** What has to be replaced in the workbench as it is served, so that it works without a machine behind it. */
const ALONE = [
  [/remoteAuthority:location\.host/, 'remoteAuthority:void 0'],
  [
    /\(this\.userDataPath\)\.with\(\{scheme:\w+\.vscodeRemote\}\)/,
    '(this.userDataPath).with({scheme:"vscode-userdata"})',
  ],
];

function alone(text) {
  return ALONE.reduce((changed, [pattern, replacement]) => {
    if (!pattern.test(changed)) throw new Error(`The workbench has another form than expected: no ${pattern}.`);
    return changed.replace(pattern, replacement);
  }, text);
}

/** Serves the workbench and, from the same address, folders of extensions. */
async function serveAlone(authority, folders) {
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const [, name, ...rest] = decodeURIComponent(pathname).split('/');
    const folder = folders[name];
    if (folder !== undefined) {
      const file = path.join(folder, ...rest);
      if (!file.startsWith(folder) || !fs.statSync(file, { throwIfNoEntry: false })?.isFile()) {
        response.writeHead(404).end();
      } else {
        const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'Content-Type': type }).end(fs.readFileSync(file));
      }
      return;
    }
    const headers = { ...request.headers, host: authority };
    const isWorkbench = pathname.endsWith('/workbench/workbench.js');
    if (isWorkbench) delete headers['accept-encoding'];
    const passed = http.request(`http://${authority}${request.url}`, { method: request.method, headers }, (answer) => {
      if (!isWorkbench) {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
        return;
      }
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const { 'content-length': _, etag: __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode, kept).end(alone(Buffer.concat(parts).toString('utf8')));
      });
    });
    passed.on('error', () => response.writeHead(502).end());
    request.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    authority: `127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The folders in which the suite is run, each in a workbench of its own: an empty one, and those of `web/memory.ts`. */
const FOLDERS = ['tmp:/project', 'memory:/plain', 'memory:/definition', 'memory:/config'];

/** Manifests of the extensions that tests need: their own, and one with a file system. */
const ENGINES = { vscode: '^1.91.0' };
const TESTER = {
  name: 'tester',
  publisher: 'toolspec',
  version: '0.0.1',
  engines: ENGINES,
  browser: './index.js',
  activationEvents: ['onLanguage:json'],
};
const MEMORY = {
  ...TESTER,
  name: 'memory',
  activationEvents: ['onFileSystem:memory', 'onSearch:memory'],
  enabledApiProposals: ['fileSearchProvider'],
};

/**
 * Runs bundled suites with the extension of a folder.
 *
 * @param {{ extension: string, suite: string, memory: string, scratch: string }} options folders of the extension, of
 *   the suite's `index.js` and of that of its file system, which get manifests here, and one for what is left behind
 * @returns {Promise<{ results: { title: string, state: string, error?: string }[], log: string[] }>}
 */
export async function runInBrowser({ extension, suite, memory, scratch }) {
  fs.writeFileSync(path.join(suite, 'package.json'), JSON.stringify(TESTER));
  fs.writeFileSync(path.join(memory, 'package.json'), JSON.stringify(MEMORY));
  const json = path.join(path.dirname(path.dirname(serverMain)), 'extensions/json');
  const server = await startServer({
    userDataDir: path.join(scratch, 'web-profile'),
    extensionsDir: path.join(scratch, 'web-extensions'),
    logFile: path.join(scratch, 'web-server.log'),
  });
  const served = await serveAlone(server.authority, { extension, suite, memory, json });
  let browser;
  const results = [];
  const log = [];
  try {
    browser = await launchChromium();
    for (const folder of FOLDERS) results.push(...(await runInPage(browser, served.authority, folder, log)));
  } finally {
    await browser?.close();
    await server.stop();
    served.close();
  }
  return { results, log };
}

/** Opens a folder in a workbench of its own, which runs the tests for it. */
async function runInPage(browser, authority, folder, log) {
  const results = [];
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  let finish;
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    const line = args.map(String).join(' ');
    const result = /toolspec-result (\{.*\})/s.exec(line)?.[1];
    if (result === undefined) log.push(`${type}: ${line}`);
    else results.push(JSON.parse(result));
  });
  await page.exposeFunction('codeAutomationExit', finish);
  page.on('pageerror', (error) => log.push(`pageerror: ${error.stack}`));
  page.on('console', (message) => log.push(`console ${message.type()}: ${message.text()}`));
  page.on('crash', () => finish(1));
  await page.addInitScript(
    ({ authority }) => {
      const at = (folder) => ({ scheme: 'http', authority, path: `/${folder}` });
      const getAttribute = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = getAttribute.call(this, name);
        if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings') return value;
        const { remoteAuthority, ...config } = JSON.parse(value);
        return JSON.stringify({
          ...config,
          configurationDefaults: { 'files.autoSave': 'off', 'workbench.startupEditor': 'none' },
          developmentOptions: {
            extensions: [at('json'), at('extension'), at('suite'), at('memory')],
            extensionTestsPath: { scheme: 'http', authority, path: '/suite/index.js' },
          },
        });
      };
    },
    { authority },
  );
  const limit = setTimeout(() => finish('no end in time'), RUN_LIMIT);
  await page.goto(`http://${authority}/?folder=${encodeURIComponent(folder)}`);
  const code = await finished;
  clearTimeout(limit);
  const fault = (error) => results.push({ title: `the run in ${folder}`, state: 'failed', error });
  if (code !== 0 && !results.some(({ state }) => state === 'failed')) {
    fault(`ended with ${code}\n${log.slice(-30).join('\n')}`);
  }
  if (code === 0 && results.length === 0) fault('no test');
  await page.close();
  return results;
}
