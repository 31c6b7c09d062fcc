// The panel in a real workbench with tools that nobody would write by hand: names of hundreds of letters, in other
// directions and with marks in them, a tool of 20,000 properties, and a pinned tool that goes away. SHOTS keeps the
// pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { checkAccessibility, choosePage, focused, openPanel, settled, title, write } from './panelPage.mjs';

export const options = { size: { width: 1400, height: 1000 } };

const LONG = `get_the_weather_of_every_station_${'x'.repeat(300)}`;
const RTL = 'قائمة_الطلبات';
const MARKS = 'it\'s "quoted" `ticks` <b>';

const tool = (name, properties) => ({
  type: 'function',
  name,
  description: `Does it: ${name}.`,
  parameters: { type: 'object', properties },
});

const HUGE = Object.fromEntries(
  Array.from({ length: 20_000 }, (_, i) => [`p${i}`, { type: 'string', description: 'p' }]),
);

const TOOLS = [
  tool(LONG, { [LONG]: { type: 'object', properties: { [LONG]: { description: 'no type' } } } }),
  tool(RTL, { الاسم: { type: 'string', minLength: 2, description: 'a\u202eb' } }),
  tool(MARKS, { '`': { type: 'string', minLength: 1 } }),
  tool('huge', { ...HUGE, zany: { description: 'Anything.' } }),
];

const FILE = 'hostile.tools.json';

/** The tool with a name, by the picker. */
async function pick(panel, name) {
  const picker = panel.locator('.tool-pick');
  await picker.selectOption({ label: name });
  await panel.locator('header .place').waitFor();
  await settled(panel);
}

async function maximize(workbench) {
  await workbench.page.locator('.tabs-container .tab', { hasText: 'ToolSpec' }).click();
  await workbench.command('View: Toggle Maximize Editor Group');
}

/** Writes the file until the page shows what is in it: the workbench may miss a file that is written while it reads. */
async function rewrite(workbench, tools, wanted) {
  for (let left = 5; ; left--) {
    writeTools(workbench, tools);
    try {
      await wanted.waitFor({ timeout: 5_000 });
      return;
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

const writeTools = (workbench, tools) => write(workbench, FILE, JSON.stringify(tools, null, 2));

/** Pins the panel to a tool, gives the tool another name in the file, and takes it out. */
async function pinRenameRemove(workbench) {
  writeTools(workbench, TOOLS);
  const panel = await openPanel(workbench, FILE, 'Wire');
  await pick(panel, RTL);
  await panel.locator('header vscode-toolbar-button').click();
  await panel.locator('header vscode-toolbar-button[checked]').waitFor();
  const chosen = () => panel.locator('.tool-pick').evaluate((pickers) => pickers.selectedOptions[0]?.textContent);
  const renamed = TOOLS.map((each) => (each.name === RTL ? { ...each, name: 'list_orders' } : each));
  await rewrite(workbench, renamed, panel.locator('toolspec-code .l', { hasText: '"list_orders"' }));
  assert.equal(await chosen(), 'list_orders');
  const gone = panel.getByText('list_orders is no longer in hostile.tools.json.');
  const others = renamed.filter(({ name }) => name !== 'list_orders');
  await rewrite(workbench, others, gone);
  // The file may have been read while it was written.
  await panel.locator('.answer').waitFor({ state: 'detached' });
  return { panel, chosen, renamed, others, gone };
}

export const tests = [
  [
    'names of any length and direction leave the pin and the tabs in sight',
    async (workbench) => {
      writeTools(workbench, TOOLS);
      const panel = await openPanel(workbench, FILE, 'Wire');
      if (await workbench.page.locator('.part.sidebar').isVisible()) {
        await workbench.command('View: Close Primary Side Bar');
      }
      await maximize(workbench);
      await workbench.page.setViewportSize({ width: 480, height: 1000 });
      for (const [name, key] of [
        [LONG, 'long'],
        [RTL, 'rtl'],
        [MARKS, 'marks'],
        ['huge', 'huge'],
      ]) {
        await pick(panel, name);
        for (const page of ['Wire', 'Compile', 'Calls', 'Search']) {
          await choosePage(panel, page);
          const { inner, scroll } = await panel
            .locator('html')
            .evaluate(({ clientWidth, scrollWidth }) => ({ inner: clientWidth, scroll: scrollWidth }));
          assert.ok(scroll <= inner, `${key}, ${page}: ${scroll} in ${inner}`);
          for (const part of ['header vscode-toolbar-button', 'vscode-tab-header:has-text("Search")']) {
            const box = await panel.locator(part).boundingBox();
            const frame = await panel.locator('html').boundingBox();
            assert.ok(box.x + box.width <= frame.x + inner, `${key}, ${page}: ${part}`);
          }
        }
        await workbench.shot(`panel-hostile-${key}`);
      }
      await checkAccessibility(workbench, 'hostile names, narrow');
      await workbench.page.setViewportSize(options.size);
    },
  ],
  [
    'what turns the direction is seen, and backticks of names are no marks',
    async (workbench) => {
      writeTools(workbench, TOOLS);
      const panel = await openPanel(workbench, FILE, 'Wire');
      await pick(panel, RTL);
      await panel.locator('toolspec-code .turn', { hasText: 'U+202E' }).waitFor();
      await pick(panel, MARKS);
      await choosePage(panel, 'Calls');
      await panel.locator('.step-text', { hasText: `The name leads to the tool "${MARKS}".` }).waitFor();
    },
  ],
  [
    'a long text comes in parts, by the keyboard too',
    async (workbench) => {
      const { keyboard } = workbench.page;
      writeTools(workbench, TOOLS);
      const panel = await openPanel(workbench, FILE, 'Wire');
      await pick(panel, 'huge');
      const status = panel.locator('.part-bar [role="status"]');
      assert.match(await status.textContent(), /^Lines 1 to 500 of 60,\d{3}$/);
      assert.equal(await panel.locator('toolspec-code .l').count(), 500);
      await panel.getByRole('button', { name: 'Next' }).focus();
      await keyboard.press('Enter');
      await panel.getByText(/^Lines 501 to 1,000 of/).waitFor();
      assert.match(await focused(workbench), /^button: Next/);
      await panel.getByLabel('Line', { exact: true }).fill('30000');
      await keyboard.press('Enter');
      await panel.getByText(/^Lines 30,000 to 30,499 of/).waitFor();
      await panel.locator('.part-note .link').click();
      await panel.locator('toolspec-code .mark', { hasText: '"zany"' }).waitFor();
      await checkAccessibility(workbench, 'a part of a long text');
      await workbench.shot('panel-part');
      await panel.getByRole('button', { name: 'Compare…' }).click();
      await panel.getByLabel('Compare with').selectOption('mcp');
      await panel.locator('.code.diff .added').first().waitFor();
      assert.ok((await panel.locator('.code.diff .l').count()) <= 500);
      await panel.getByText('Close comparison').click();
      await panel.locator('toolspec-code').waitFor();
    },
  ],
  [
    'a pinned panel follows a new name, and waits for a tool that is gone',
    async (workbench) => {
      const { panel, chosen, renamed, others, gone } = await pinRenameRemove(workbench);
      assert.equal(await chosen(), 'Gone: list_orders');
      await checkAccessibility(workbench, 'a tool that is gone');
      await workbench.shot('panel-gone');
      await rewrite(workbench, renamed, panel.locator('toolspec-code'));
      assert.equal(await chosen(), 'list_orders');
      assert.match(await title(panel).textContent(), /bytes/);
      await rewrite(workbench, others, gone);
      await panel.getByRole('button', { name: 'Follow the editor' }).click();
      await panel.locator('.answer').first().waitFor();
      assert.equal(await panel.locator('header vscode-toolbar-button[checked]').count(), 0);
      fs.rmSync(path.join(workbench.root, FILE));
    },
  ],
  [
    'a pinned panel tells its tool from another one that has got its former name',
    async (workbench) => {
      const { panel, chosen } = await pinRenameRemove(workbench);
      // The check of a file of this size takes so long that answers about it are overtaken by newer asks.
      await rewrite(workbench, [...TOOLS, tool('list_orders', {})], panel.locator('toolspec-code'));
      assert.equal(await chosen(), 'list_orders');
      for (const page of ['Compile', 'Wire']) {
        await choosePage(panel, page);
        assert.equal(await chosen(), 'list_orders');
      }
      await panel.locator('toolspec-code .l', { hasText: '"list_orders"' }).waitFor();
      await panel.locator('header vscode-toolbar-button').click();
      fs.rmSync(path.join(workbench.root, FILE));
    },
  ],
];
