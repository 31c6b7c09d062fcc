// A served workbench with ToolSpec in it, for suites that look at what a person sees.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { collectTexts, pseudoBundle, readTexts } from '../../scripts/l10n.mjs';
import { launchChromium, openWorkbench, startServer } from './vscode/serve.mjs';
import { copyWorkspace } from './workspaces.mjs';

/** The language that texts are made up for. It has to be one that the extension has. */
const PSEUDO_LANGUAGE = 'zh-cn';

/** Names of the color themes for `setTheme`, dark, light and high contrast. */
export const THEMES = { dark: 'Dark Modern', light: 'Light Modern', contrast: 'Default High Contrast' };

/**
 * Starts a workbench with a profile of its own.
 * @param {{ workspace?: string, files?: string[], settings?: object, extensionsDir: string, size?: { width: number, height: number }, trust?: boolean, pseudo?: boolean }} options
 *   pseudo: the editor runs in another language, whose texts are made up: `⟦Ŕúń⟧` for `Run`.
 *   workspace: a folder of test/editor/workspaces, which is copied. files: opened at the start, relative to it.
 */
export async function startWorkbench(options) {
  const { workspace = 'single', files = [], settings, size, trust, pseudo = false } = options;
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolspec-ui-'));
  const userDataDir = path.join(scratch, 'profile');
  const opened = copyWorkspace(workspace, scratch);
  const extensionsDir = pseudo ? withPseudoTexts(options.extensionsDir, scratch) : options.extensionsDir;
  const server = await startServer({
    userDataDir,
    extensionsDir,
    settings: { 'files.exclude': { '**/.vscode': true }, ...settings },
    trust,
    logFile: path.join(scratch, 'server.log'),
  });
  let browser;
  try {
    browser = await launchChromium();
    const page = await browser.newPage({ viewport: size ?? { width: 1280, height: 800 } });
    page.setDefaultTimeout(20_000);
    if (pseudo) {
      // The workbench of this build is English alone, but it tells extensions the language that it finds here.
      await page.addInitScript((language) => {
        Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set() {} });
      }, PSEUDO_LANGUAGE);
    }
    await openWorkbench(page, server.authority, {
      folder: opened.folder,
      workspace: opened.workspace,
      files: files.map((each) => path.join(opened.root, each)),
    });
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    return new Workbench({ page, browser, server, scratch, root: opened.root, workspaceFile: opened.workspace });
  } catch (error) {
    await browser?.close();
    await server.stop();
    fs.rmSync(scratch, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of the installed extension whose texts in the language of the run are made up. */
function withPseudoTexts(extensionsDir, scratch) {
  const copy = path.join(scratch, 'pseudo-extensions');
  fs.cpSync(extensionsDir, copy, { recursive: true });
  const home = path.join(
    copy,
    fs.readdirSync(copy).find((each) => each.startsWith('toolspec.toolspec-')),
  );
  const write = (file, texts) => fs.writeFileSync(path.join(home, file), JSON.stringify(texts));
  write(`l10n/bundle.l10n.${PSEUDO_LANGUAGE}.json`, pseudoBundle(collectTexts().texts.keys()));
  const titles = Object.entries(readTexts('package.nls.json'));
  const made = pseudoBundle(titles.map(([, text]) => text));
  // Addresses stay as they are: of media, and of commands in links.
  const kept = (text) => {
    const addresses = text.match(/\]\([^)]*\)/g) ?? [];
    return made[text].replace(/\]\([^)]*\)/g, () => addresses.shift());
  };
  write(
    `package.nls.${PSEUDO_LANGUAGE}.json`,
    Object.fromEntries(titles.map(([key, text]) => [key, key.endsWith('.media') ? text : kept(text)])),
  );
  return copy;
}

/** What a UI suite works with. `page` is Playwright's page, `root` the folder of the workspace copy. */
class Workbench {
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** The n-th visible editor, from left to right. */
  editor(index = 0) {
    return this.page.locator('.editor-instance .monaco-editor').nth(index);
  }

  /** Runs a command by its title in the palette, as a person does. */
  async command(title) {
    const input = this.page.locator('.quick-input-widget:visible .input').first();
    // A key that comes while the focus is on its way to a web view is lost.
    for (let tries = 1; ; tries++) {
      await this.page.keyboard.press('F1');
      try {
        await input.waitFor({ timeout: 4000 });
        await input.fill(`>${title}`, { timeout: 4000 });
        break;
      } catch (error) {
        if (tries === 4) throw error;
      }
    }
    // Before the list is filtered, another command has the focus, or none: Enter would run that one.
    await this.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).first().waitFor();
    await this.page.keyboard.press('Enter');
  }

  /** Opens a file of the workspace by its name. */
  async openFile(name) {
    await this.page.keyboard.press('Control+P');
    const input = this.page.locator('.quick-input-widget input[type=text], .quick-input-widget .input').first();
    await input.waitFor();
    await input.fill(name);
    await this.page
      // Before the list is filtered, another file has the focus.
      .locator('.quick-input-list .monaco-list-row.focused', { hasText: path.basename(name) })
      .first()
      .waitFor();
    await this.page.keyboard.press('Enter');
    await this.page.locator('.tab.active', { hasText: path.basename(name) }).waitFor();
  }

  /** Rows of the Problems panel, which this opens. */
  async problems() {
    const panel = this.page.locator('.markers-panel');
    if (!(await panel.isVisible())) await this.page.keyboard.press('Control+Shift+M');
    await panel.waitFor();
    return panel.locator('.monaco-list-row');
  }

  /** Changes settings of the workspace; the workbench reads them again by itself within a second. */
  changeSettings(changes) {
    // The served workbench notices only the first change of a user's settings file, but every one of a workspace's.
    const file = this.workspaceFile ?? path.join(this.root, '.vscode', 'settings.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const content = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    const changed = this.workspaceFile
      ? { ...content, settings: { ...content.settings, ...changes } }
      : { ...content, ...changes };
    fs.writeFileSync(file, JSON.stringify(changed, null, 2));
  }

  /** Switches the color theme and waits until it is drawn: `dark`, `light` or `contrast`. */
  async setTheme(name) {
    this.changeSettings({ 'workbench.colorTheme': THEMES[name] });
    const body = { dark: '.vs-dark', light: '.vs', contrast: '.hc-black' }[name];
    await this.page.locator(`.monaco-workbench${body}`).waitFor();
  }

  /** Stores a picture as `<name>.png` in the folder that the variable SHOTS names; does nothing without it. */
  async shot(name) {
    const folder = process.env.SHOTS;
    if (!folder) return;
    fs.mkdirSync(folder, { recursive: true });
    await this.page.screenshot({ path: path.join(folder, `${name}.png`) });
  }

  async close() {
    // Leaving the page first lets the extension host end in order, so that `deactivate` runs.
    await this.page.goto('about:blank').catch(() => {});
    await this.browser.close();
    await this.server.stop();
    fs.rmSync(this.scratch, { recursive: true, force: true });
  }
}
