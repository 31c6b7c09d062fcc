// Finds a VS Code for the suites: a downloaded desktop one where the network and a display allow it, else one that is
// served to a headless browser.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath } from '@vscode/test-electron';
import { findChromium, serverMain } from './vscode/serve.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shim = path.join(root, 'test/editor/vscode/vscode-shim.mjs');
const UPDATE_SERVICE = 'https://update.code.visualstudio.com/api/releases/stable';
const PROBE_LIMIT = 5000; // Milliseconds until the update service must have answered.
const DOWNLOAD_LIMIT = 300_000;

/** A reason the suites cannot run that a person can mend; its message is one line. */
export class SetupError extends Error {}

const onPath = (command) =>
  (process.env.PATH ?? '').split(path.delimiter).some((each) => existsSync(path.join(each, command)));

/** Installs Debian packages as root; a SetupError says what to run where that cannot be done from here. */
function installPackages(packages) {
  if (packages.length === 0) return;
  if (process.getuid?.() !== 0 || !onPath('apt-get')) {
    throw new SetupError(
      `Run: sudo apt-get install -y ${packages.join(' ')} (another browser can be named in CHROMIUM).`,
    );
  }
  console.log(`Installing ${packages.join(', ')} with apt-get …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env };
  spawnSync('apt-get', ['update', '-qq'], options);
  const { status } = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  if (status !== 0) throw new SetupError(`apt-get could not install ${packages.join(', ')}.`);
}

/** Installs what the served VS Code needs and is not there yet. Throws a SetupError when it cannot. */
function prepareServed() {
  const installed = existsSync(serverMain);
  if (!installed && (process.platform !== 'linux' || process.arch !== 'x64')) {
    throw new SetupError('The served VS Code exists for Linux on x64 only; elsewhere the desktop VS Code is needed.');
  }
  // Three small native modules of the served VS Code are compiled on this machine.
  const compilers = installed ? [] : ['python3', 'make', 'g++'].filter((each) => !onPath(each));
  installPackages([...compilers, ...(findChromium() ? [] : ['chromium', 'fonts-dejavu-core'])]);
  if (installed) return;
  console.log('Installing a served VS Code (about half a minute, once) …');
  const script = path.join(root, 'test/editor/vscode/install-vscode.sh');
  const { status, stderr } = spawnSync('bash', [script], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) {
    console.error(stderr.split('\n').slice(-20).join('\n'));
    throw new SetupError('The served VS Code could not be installed; see above.');
  }
}

async function desktopProblem() {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return 'there is no display';
  try {
    const { ok, status } = await fetch(UPDATE_SERVICE, { signal: AbortSignal.timeout(PROBE_LIMIT) });
    return ok ? undefined : `the update service answered ${status}`;
  } catch (error) {
    return `the update service cannot be reached (${error.cause?.code ?? error.name})`;
  }
}

async function desktop() {
  let timer;
  const limit = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the download took too long')), DOWNLOAD_LIMIT);
  });
  const executable = await Promise.race([downloadAndUnzipVSCode('stable'), limit]).finally(() => clearTimeout(timer));
  const installVsix = (vsix, extensionsDir, userDataDir) => {
    const [cli, ...args] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
    const folders = [`--extensions-dir=${extensionsDir}`, `--user-data-dir=${userDataDir}`];
    execFileSync(cli, [...args, ...folders, '--install-extension', vsix], { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  return { name: 'desktop VS Code', executable, installVsix };
}

/** The served VS Code, installed where it is not there yet. Throws a SetupError when it cannot be. */
export function served() {
  prepareServed();
  const installVsix = (vsix, extensionsDir, userDataDir) => {
    const args = ['--install-extension', vsix, '--extensions-dir', extensionsDir, '--server-data-dir', userDataDir];
    execFileSync(process.execPath, [shim, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  };
  const version = process.env.CODE_SERVER_VERSION ?? '4.139.1';
  return { name: `served VS Code ${version.replace(/^4/, '1')}`, executable: shim, installVsix };
}

/**
 * Packs the extension and installs it into a VS Code that has nothing else. Gives the folder of its extensions.
 * @param {{ installVsix: (vsix: string, extensionsDir: string, userDataDir: string) => void }} editor
 * @param {string} scratch a folder of the caller's
 */
export function installPacked(editor, scratch) {
  const vsix = path.join(scratch, 'toolspec.vsix');
  const script = path.join(root, 'scripts/package.mjs');
  execFileSync(process.execPath, [script, vsix], { stdio: ['ignore', 'ignore', 'inherit'] });
  const extensionsDir = path.join(scratch, 'extensions');
  editor.installVsix(vsix, extensionsDir, path.join(scratch, 'install'));
  return extensionsDir;
}

/**
 * The VS Code that host suites run in. TOOLSPEC_EDITOR=served or desktop forces one.
 * @returns {Promise<{ name: string, executable: string, installVsix: (vsix: string, extensionsDir: string, userDataDir: string) => void }>}
 */
export async function chooseEditor() {
  const wanted = process.env.TOOLSPEC_EDITOR;
  if (wanted === 'served') return served();
  const problem = await desktopProblem();
  if (!problem) {
    try {
      return await desktop();
    } catch (error) {
      console.log(`The desktop VS Code could not be downloaded: ${error.message}.`);
    }
  } else {
    console.log(`No desktop VS Code: ${problem}.`);
  }
  if (wanted === 'desktop') throw new SetupError('TOOLSPEC_EDITOR asks for a desktop VS Code, and there is none.');
  return served();
}
