// A pinned panel in a real workbench: it goes along with its file and the folder of that when they get other names, and
// waits for a file that is deleted. SHOTS keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { checkAccessibility, choosePage, panelOf, settled, write } from './panelPage.mjs';

const tool = (name, description) => ({
  type: 'function',
  name,
  description,
  parameters: { type: 'object', properties: {} },
});

const textOf = (description) => JSON.stringify([tool('one', 'Does one.'), tool('two', description)], null, 2);

const row = ({ page }, name) =>
  page
    .locator('.explorer-folders-view .monaco-list-row')
    .and(page.getByLabel(name, { exact: true }))
    .first();

/** Opens a file by the explorer, in the first group: quick open may not know yet what has just been written. */
async function openFile(workbench, ...names) {
  await workbench.command('View: Focus First Editor Group');
  const file = row(workbench, names.at(-1));
  if (names.length > 1 && !(await file.isVisible())) await row(workbench, names[0]).click();
  await file.dblclick();
  await workbench.page.locator('.tab.active', { hasText: names.at(-1) }).waitFor();
}

/** The panel with a file whose second tool it is pinned to. */
async function pinnedPanel(workbench, file) {
  write(workbench, file, textOf('Does two.'));
  await openFile(workbench, ...file.split('/'));
  await workbench.command('ToolSpec: Open Panel');
  const panel = await panelOf(workbench);
  await panel.locator('.tool-pick option', { hasText: 'two' }).waitFor({ state: 'attached' });
  await choosePage(panel, 'Wire');
  await panel.locator('.tool-pick').selectOption({ label: 'two' });
  await panel.locator('toolspec-code .l', { hasText: 'Does two.' }).waitFor();
  const pin = panel.locator('header vscode-toolbar-button');
  if ((await panel.locator('header vscode-toolbar-button[checked]').count()) === 0) await pin.click();
  await panel.locator('header vscode-toolbar-button[checked]').waitFor();
  await settled(panel);
  return panel;
}

/** The panel shows the second tool, with a description, and is still pinned. */
async function showsPinned(panel, description, timeout) {
  await panel.locator('toolspec-code .l', { hasText: description }).waitFor({ timeout });
  await settled(panel);
  const chosen = await panel.locator('.tool-pick').evaluate(({ selectedOptions: [option] }) => option?.textContent);
  assert.equal(chosen, 'two');
  assert.equal(await panel.locator('header vscode-toolbar-button[checked]').count(), 1);
}

/** Gives a row of the explorer another name, as a person does. */
async function rename(workbench, from, to) {
  const { page } = workbench;
  // A click opens a file, in the group with the focus.
  await workbench.command('View: Focus First Editor Group');
  await row(workbench, from).click();
  await page.keyboard.press('F2');
  const input = page.locator('.explorer-folders-view .monaco-inputbox input');
  await input.fill(to);
  await input.press('Enter');
  await row(workbench, to).waitFor();
}

/** Closes the editor of a file, and with it the document. */
async function closeEditor(workbench, name) {
  const tab = workbench.page.locator('.tabs-container .tab', { hasText: name });
  await tab.click({ button: 'middle' });
  await tab.waitFor({ state: 'detached' });
}

/** Writes a file until the page shows what is in it: the workbench may miss a file that is written while it reads. */
async function rewrite(workbench, file, description, shown) {
  for (let left = 5; ; left--) {
    write(workbench, file, textOf(description));
    try {
      await shown(5_000);
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

export const tests = [
  [
    'it goes along with new names of its file and of the folder',
    async (workbench) => {
      fs.mkdirSync(path.join(workbench.root, 'lists'));
      // The name of its folder begins with that of this one.
      fs.mkdirSync(path.join(workbench.root, 'list'));
      write(workbench, 'list/other.tools.json', textOf('Does other things.'));
      const panel = await pinnedPanel(workbench, 'lists/first.tools.json');
      await rename(workbench, 'first.tools.json', 'second.tools.json');
      await panel.locator('header .place', { hasText: /^second\.tools\.json:\d+$/ }).waitFor();
      await showsPinned(panel, 'Does two.');
      await rename(workbench, 'list', 'others');
      await rename(workbench, 'lists', 'kept');
      await closeEditor(workbench, 'second.tools.json');
      const file = 'kept/second.tools.json';
      await rewrite(workbench, file, 'Does two in another folder.', (timeout) =>
        showsPinned(panel, 'Does two in another folder.', timeout),
      );
      await panel.locator('header .place .link').click();
      await workbench.page.locator('.tab.active', { hasText: 'second.tools.json' }).waitFor();
      assert.match(await workbench.page.locator('.breadcrumbs-control').first().textContent(), /kept/);
    },
  ],
  [
    'it waits for a file that is deleted, and shows the tool again when that is back',
    async (workbench) => {
      const name = 'deleted.tools.json';
      const panel = await pinnedPanel(workbench, name);
      // The workbench itself keeps the text of a deleted file in an editor.
      await closeEditor(workbench, name);
      fs.rmSync(path.join(workbench.root, name));
      await panel.getByText(`${name} cannot be opened. It may have been deleted or renamed.`).waitFor();
      await checkAccessibility(workbench, 'a file that is gone');
      await workbench.shot('panel-file-gone');
      await rewrite(workbench, name, 'Does two again.', (timeout) => showsPinned(panel, 'Does two again.', timeout));
    },
  ],
];
