// The panel in a real workbench: it follows the editor, survives a reload, and works by mouse and by keyboard. SHOTS
// keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { panelOf } from './panelPage.mjs';

export const options = { size: { width: 1440, height: 900 } };

const SAMPLE = fs.readFileSync(new URL('../../../samples/weather.tools.json', import.meta.url), 'utf8');

async function openPanel(workbench) {
  fs.writeFileSync(path.join(workbench.root, 'weather.tools.json'), SAMPLE);
  await workbench.openFile('weather.tools.json');
  await workbench.command('ToolSpec: Open Panel');
  return panelOf(workbench);
}

export const tests = [
  [
    'the panel shows the wire of the tool at the cursor, in every theme',
    async (workbench) => {
      const panel = await openPanel(workbench);
      await panel.getByRole('status').first().waitFor();
      const title = await panel.locator('.answer .title').first().textContent();
      assert.match(title, /bytes/);
      for (const theme of ['dark', 'light', 'contrast']) {
        await workbench.setTheme(theme);
        await workbench.shot(`panel-wire-${theme}`);
      }
      await workbench.setTheme('dark');
    },
  ],
];
