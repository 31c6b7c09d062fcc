// Takes the pictures of the README out of the running product: `npm run build && node scripts/screenshots.mjs`. The
// extension is packed and installed into a served VS Code, which opens the files of samples/. Writes media/*.png.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPacked, served } from '../test/editor/editors.mjs';
import { startWorkbench } from '../test/editor/workbench.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolspec-shots-'));
const only = process.argv.slice(2);

const panelOf = (page) => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');

/** Shows a page of the panel for the tool at the cursor, and nothing else beside the editor. */
async function showPage(workbench, name) {
  const tab = panelOf(workbench.page).getByRole('tab', { name });
  await tab.waitFor();
  await tab.click();
  await workbench.page.waitForTimeout(800);
}

/** Puts the cursor on a text of the file in front, by the search of the editor. */
async function goTo(workbench, text) {
  const { page } = workbench;
  await page
    .locator('.editor-instance .monaco-editor')
    .first()
    .click({ position: { x: 300, y: 5 } });
  await page.keyboard.press('Control+F');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

/** Opens a file in the first group, whatever has the focus. */
async function open(workbench, name) {
  await workbench.page.keyboard.press('Control+1');
  await workbench.openFile(name);
}

const openPanel = (workbench) => workbench.page.keyboard.press('Control+Alt+T');

/** What each picture shows: the file in front, and what is done before it is taken. */
const PICTURES = {
  async editor(workbench) {
    await open(workbench, 'weather.tools.json');
    await workbench.page.locator('.codelens-decoration', { hasText: 'go' }).first().waitFor();
    await workbench.page.getByText('→ {}').first().waitFor();
  },
  async 'panel-wire'(workbench) {
    await open(workbench, 'weather.tools.json');
    await goTo(workbench, 'get_forecast');
    await openPanel(workbench);
    await showPage(workbench, /^Wire/);
  },
  async 'panel-compile'(workbench) {
    await showPage(workbench, /^Compile/);
  },
  async 'panel-calls'(workbench) {
    await open(workbench, 'update_plan.samples.json');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Run all' }).first().click();
    await workbench.page.locator('.codelens-decoration', { hasText: 'run again' }).first().waitFor();
    await open(workbench, 'update_plan.tool.json');
    await goTo(workbench, '"update_plan"');
    await showPage(workbench, /^Calls/);
  },
  async 'panel-grammar'(workbench) {
    await open(workbench, 'query.lark');
    await workbench.page
      .locator('.editor-instance .monaco-editor')
      .first()
      .click({ position: { x: 300, y: 5 } });
    await showPage(workbench, /^Grammar/);
    const input = panelOf(workbench.page).locator('textarea').first();
    await input.fill('orders where total > 100 limit 20');
    await workbench.page.waitForTimeout(1500);
  },
  async 'tools-view'(workbench) {
    await workbench.page.locator('.activitybar').getByRole('tab', { name: 'ToolSpec' }).click();
    await open(workbench, 'weather.tools.json');
    await showPage(workbench, /^Search/);
    await panelOf(workbench.page).locator('input').first().fill('storm warning archive');
    const row = workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'weather.tools.json' });
    await row.locator('.monaco-tl-twistie').click();
    await workbench.page.locator('.pane-body .monaco-list-row', { hasText: 'get_forecast' }).waitFor();
    await workbench.page.waitForTimeout(800);
  },
};

try {
  const extensionsDir = installPacked(served(), scratch);
  const workbench = await startWorkbench({
    workspace: 'empty',
    extensionsDir,
    size: { width: 1400, height: 860 },
    settings: {
      'workbench.colorTheme': 'Default Dark Modern',
      'editor.minimap.enabled': false,
      'breadcrumbs.enabled': false,
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
      'editor.fontSize': 13,
    },
  });
  try {
    fs.cpSync(path.join(root, 'samples'), workbench.root, { recursive: true });
    await workbench.page.keyboard.press('Control+B');
    for (const [name, show] of Object.entries(PICTURES)) {
      await show(workbench);
      if (only.length > 0 && !only.includes(name)) continue;
      await workbench.page.mouse.move(5, 400);
      await workbench.page.waitForTimeout(400);
      const target = path.join(root, 'media', `${name}.png`);
      await workbench.page.screenshot({ path: target });
      console.log(`${path.relative(root, target)}  ${fs.statSync(target).size.toLocaleString('en-US')} bytes`);
    }
  } catch (error) {
    await workbench.page.screenshot({ path: path.join(os.tmpdir(), 'toolspec-shots-failure.png') });
    throw error;
  } finally {
    await workbench.close();
  }
} finally {
  fs.rmSync(scratch, { recursive: true, force: true });
}
