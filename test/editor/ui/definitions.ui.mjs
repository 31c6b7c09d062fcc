// What a person sees of a tool definition file, in the three kinds of themes. SHOTS keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const samples = fileURLToPath(new URL('../../../samples', import.meta.url));

export const options = { size: { width: 1280, height: 920 } };

const THEMES = ['dark', 'light', 'contrast'];

/** Brings the sample to front, with the cursor in its first line. */
async function openSample(workbench) {
  await workbench.openFile('weather.tools.json');
  await workbench.page.keyboard.press('Control+Home');
}

/** Closes the panel and all editors but the sample. */
async function onlySample(workbench) {
  await workbench.command('View: Close All Editors');
  await openSample(workbench);
  // VS Code remembers where an earlier test has scrolled to.
  await workbench.page.keyboard.press('Control+G');
  await workbench.page.keyboard.type('1');
  await workbench.page.keyboard.press('Enter');
}

/** A link in the lens line of the first tool. Which lines are drawn depends on where an earlier test has scrolled to. */
function forecastLens(workbench, title) {
  const line = workbench.editor().locator('.codelens-decoration', { hasText: '6,120 of 5,000 bytes' });
  return line.locator('a', { hasText: title });
}

export const tests = [
  [
    'lens, hints and squiggles of a tool over the budget',
    async (workbench) => {
      workbench.changeSettings({ 'editor.minimap.enabled': false });
      fs.copyFileSync(path.join(samples, 'weather.tools.json'), path.join(workbench.root, 'weather.tools.json'));
      await openSample(workbench);
      const editor = workbench.editor();
      await editor.locator('.codelens-decoration', { hasText: 'descriptions and definitions go' }).first().waitFor();
      await editor.locator('.squiggly-warning').first().waitFor();
      await editor.getByText('6,120 → 1,102 bytes').first().waitFor();
      await editor.getByText('→ {}').first().waitFor();
      await editor.getByText('3 dropped').first().waitFor();
    },
  ],
  [
    'hover tells what happens to a property, in every theme',
    async (workbench) => {
      const rows = await workbench.problems();
      await rows.filter({ hasText: 'codex/node-emptied' }).first().waitFor();
      for (const theme of THEMES) {
        await workbench.setTheme(theme);
        const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'Sent as' }).first();
        await workbench.editor().getByText('"place"').first().hover();
        await hover.waitFor();
        const text = await hover.textContent();
        assert.match(text, /The model can put anything into place/);
        assert.match(text, /Pass\s1\s+its description goes/);
        assert.match(text, /Pass\s2\s+\$ref to Place \([\d,]+ bytes\) becomes \{\}/);
        assert.match(text, /1,120 over the budget/);
        await workbench.shot(`definitions-${theme}`);
        await workbench.page.keyboard.press('Escape');
        await workbench.page.mouse.move(5, 5);
        await hover.waitFor({ state: 'hidden' });
      }
    },
  ],
  [
    'problems have messages, links and places',
    async (workbench) => {
      const rows = await workbench.problems();
      const row = rows.filter({ hasText: 'codex/schema-compacted' }).first();
      await row.waitFor();
      assert.match(await row.textContent(), /6,120 bytes, 1,120 over the budget of 5,000/);
      await workbench.page.keyboard.press('Control+J');
      await workbench.page.locator('.markers-panel').waitFor({ state: 'hidden' });
    },
  ],
  [
    'definitions say what they weigh, and unused ones are faded',
    async (workbench) => {
      await workbench.setTheme('dark');
      const line = fs
        .readFileSync(path.join(samples, 'weather.tools.json'), 'utf8')
        .split('\n')
        .findIndex((each) => each.includes('"LegacyStation"'));
      await workbench.page.keyboard.press('Control+G');
      await workbench.page.keyboard.type(`${line + 1}`);
      await workbench.page.keyboard.press('Enter');
      await workbench.editor().locator('.squiggly-inline-unnecessary').first().waitFor();
      await workbench.editor().getByText('not sent').first().waitFor();
      await workbench.shot('table-dark');
    },
  ],
  [
    'a lens opens the wire JSON beside the source',
    async (workbench) => {
      await onlySample(workbench);
      await forecastLens(workbench, 'Preview wire').click();
      await workbench.page.locator('.tab', { hasText: 'get_forecast.responses.json' }).waitFor();
      await workbench.editor(1).getByText('"alerts"').first().waitFor();
      await workbench.shot('wire-dark');
    },
  ],
  [
    'the comparison is a native diff',
    async (workbench) => {
      await onlySample(workbench);
      await forecastLens(workbench, 'Compare').click();
      await workbench.page.locator('.tab', { hasText: 'get_forecast: source ↔ wire' }).waitFor();
      await workbench.page.locator('.monaco-diff-editor .line-delete').first().waitFor();
      await workbench.shot('compare-dark');
    },
  ],
  [
    'the stages stand one below the other',
    async (workbench) => {
      await onlySample(workbench);
      await workbench.command('ToolSpec: Show Compile Stages');
      await workbench.page.locator('.tab', { hasText: 'get_forecast.stages.jsonc' }).waitFor();
      await workbench.editor(1).getByText('1. Lowered').first().waitFor();
      await workbench.shot('stages-dark');
    },
  ],
  [
    'the forms of the wire are picked by name',
    async (workbench) => {
      await onlySample(workbench);
      await workbench.page.keyboard.press('Control+G');
      await workbench.page.keyboard.type('9');
      await workbench.page.keyboard.press('Enter');
      await workbench.command('ToolSpec: Preview Wire JSON');
      const list = workbench.page.locator('.quick-input-list .monaco-list-row');
      await list.filter({ hasText: 'Responses Lite' }).first().waitFor();
      await workbench.shot('pick-dark');
      await workbench.page.keyboard.press('Escape');
    },
  ],
  [
    'the language status tells how many tools are over the budget',
    async (workbench) => {
      await onlySample(workbench);
      await workbench.page.locator('#status\\.languageStatus').click();
      const status = workbench.page.locator('.hover-language-status', { hasText: 'over budget' });
      await status.first().waitFor();
      await workbench.shot('status-dark');
    },
  ],
];
