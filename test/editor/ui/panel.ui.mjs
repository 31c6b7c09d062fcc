// The panel in a real workbench: it follows the editor, survives a reload, and works by mouse and by keyboard. SHOTS
// keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import {
  checkAccessibility,
  choosePage,
  copySamples,
  focused,
  openPanel,
  panelOf,
  settled,
  tabTo,
  title,
  walk,
  write,
} from './panelPage.mjs';

export const options = { size: { width: 2000, height: 1000 } };

const PATCH = `*** Begin Patch
*** Update File: docs/forecast.md
@@ ## Today
-Rain from noon, 4 mm.
+Rain from 15:00, 9 mm.
*** Remove File: docs/old.md
*** End Patch
`;

const HANDLER = `export function parse(text) {
  const { days = 3, place } = JSON.parse(text);
  if (days < 1 || days > 14) throw new Error('days must be between 1 and 14, got ' + days);
  if (place?.name === 'Atlantis') throw new Error('there is no station near Atlantis');
  return { days };
}
`;

const SAMPLES = `{
  "definitions": ["./weather.tools.json"],
  "handlers": { "get_forecast": { "module": "./forecast.mjs", "export": "parse" } },
  "calls": [
    { "name": "three days", "tool": "get_forecast", "arguments": { "place": { "name": "Oslo", "country": "NO" }, "days": 3 } },
    { "name": "no such place", "tool": "get_forecast", "arguments": "{\\"place\\": {\\"name\\": \\"Atlantis\\", \\"country\\": \\"NO\\"}, \\"days\\": 2}" },
    { "name": "three weeks ahead", "tool": "get_forecast", "arguments": { "place": { "name": "Oslo", "country": "NO" }, "days": 21 } },
    { "name": "cut off", "tool": "get_forecast", "arguments": "{\\"place\\": {\\"na", "expect": { "outcome": "rejected" } }
  ]
}
`;

/** Two small tools, and a call of each. */
function twoTools(workbench) {
  const tool = (name) => ({
    type: 'function',
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: { [name]: { type: 'string' } } },
  });
  const call = (name) => ({ name: `call of ${name}`, tool: name, arguments: { [name]: 'x' } });
  const samples = { definitions: ['./two.tools.json'], calls: [call('first'), call('second')] };
  write(workbench, 'two.tools.json', `${JSON.stringify([tool('first'), tool('second')], null, 1)}\n`);
  write(workbench, 'two.samples.json', `${JSON.stringify(samples, null, 1)}\n`);
}

function prepare(workbench) {
  twoTools(workbench);
  copySamples(workbench, 'weather.tools.json', 'shop.mcp.tools.json', 'apply_patch.tool.json', 'apply_patch.lark');
  write(workbench, 'weather.samples.json', SAMPLES);
  write(workbench, 'forecast.mjs', HANDLER);
}

/** Types into the editor text of the page, in the place of all that is there. */
async function retype(panel, text) {
  const area = panel.locator('toolspec-text textarea');
  await area.fill(text);
}

async function inThemes(workbench, name) {
  for (const theme of ['light', 'contrast', 'dark']) {
    await workbench.setTheme(theme);
    await checkAccessibility(workbench, `${name}, ${theme}`);
    await workbench.shot(`${name}-${theme}`);
  }
}

/** The file and the line of the tool are to be read as a whole. */
async function showsPlace(panel, name) {
  const cut = await panel.locator('.head .place .link').evaluate((link) => link.scrollWidth - link.clientWidth);
  assert.equal(cut, 0, `${name}: the place is cut off`);
}

/** The page as narrow as it may get, without anything beside it. */
async function narrow(workbench, name) {
  await workbench.page.setViewportSize({ width: 480, height: 1000 });
  const panel = await panelOf(workbench);
  await settled(panel);
  const width = () => panel.locator('html').evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
  const measured = await width();
  await workbench.shot(`${name}-narrow`);
  assert.ok(measured.scrollWidth <= measured.clientWidth, `${name}: ${JSON.stringify(measured)}`);
  await showsPlace(panel, name);
  await checkAccessibility(workbench, `${name}, narrow`);
  await workbench.page.setViewportSize(options.size);
}

export const tests = [
  [
    'the page Wire shows what goes out, in every theme',
    async (workbench) => {
      prepare(workbench);
      if (await workbench.page.locator('.part.sidebar').isVisible()) {
        await workbench.command('View: Close Primary Side Bar');
      }
      const panel = await openPanel(workbench, 'weather.tools.json', 'Wire');
      assert.match(await title(panel).textContent(), /bytes/);
      await inThemes(workbench, 'panel-wire');
    },
  ],
  [
    'where a remark has little room it gives way, and the buttons stay beside it',
    async (workbench) => {
      const panel = await panelOf(workbench);
      for (const width of [1700, 1800, 2000]) {
        await workbench.page.setViewportSize({ ...options.size, width });
        await settled(panel);
        const { height } = await panel.locator('.part-head').first().boundingBox();
        assert.ok(height < 48, `${width}: ${height}`);
        await showsPlace(panel, `panel-wire at ${width}`);
      }
    },
  ],
  [
    'the page Compile shows the stages and what each takes',
    async (workbench) => {
      const panel = await panelOf(workbench);
      await choosePage(panel, 'Compile');
      await panel.getByText('1,120 bytes over the budget').waitFor();
      const cut = await panel
        .locator('.stages .lost')
        .evaluateAll((cells) =>
          cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
        );
      assert.deepEqual(cut, [], 'what is lost is cut off');
      await inThemes(workbench, 'panel-compile');
    },
  ],
  [
    'the page Calls judges what is typed, and runs the handler',
    async (workbench) => {
      const panel = await panelOf(workbench);
      await choosePage(panel, 'Calls');
      await panel.getByRole('option', { name: /no such place/ }).click();
      // The call before it has the same verdict.
      await panel.getByRole('option', { name: /no such place/, selected: true }).waitFor();
      await panel.getByText('The contract accepts this call. The handler has not run.').waitFor();
      await panel.getByRole('button', { name: 'Run handler' }).click();
      await panel.getByText('Drift: the contract lets this call through').waitFor();
      await panel.getByText('≠ Drift').waitFor();
      await inThemes(workbench, 'panel-calls');
      await retype(panel, '{"place": {"name": "Oslo", "country": "NO"}, "days": "two"}');
      await panel.locator('.verdict').first().getByText('Rejected').waitFor();
      await workbench.shot('panel-calls-typed');
      await retype(panel, '{"place": {"name": "Oslo", "country": "NO"}, "days": 2}');
      await panel.locator('.verdict').first().getByText('Accepted').waitFor();
      await panel.getByRole('button', { name: 'Run all calls of the list' }).first().click();
      await panel.getByRole('tab', { name: /Calls.*1\/4|Calls.*2\/4/ }).waitFor();
      await workbench.shot('panel-calls-all');
    },
  ],
  [
    'the line over a tool opens the panel for it, and calls of a samples file lead to theirs',
    async (workbench) => {
      const { page } = workbench;
      const panel = await panelOf(workbench);
      const shown = (name) => panel.locator('header .tool-pick option:checked', { hasText: name });
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile('two.tools.json');
      await page.locator('.codelens-decoration a', { hasText: 'of 5,000 bytes' }).nth(1).click();
      await panel.getByRole('tab', { name: /^Compile/, selected: true }).waitFor();
      await shown('second').waitFor({ state: 'attached' });
      await choosePage(panel, 'Calls');
      await workbench.command('View: Focus First Editor Group');
      await workbench.openFile('two.samples.json');
      const line = page.locator('.editor-instance').first().locator('.view-line', { hasText: 'call of first' });
      await line.click();
      await shown('first').waitFor({ state: 'attached' });
      await panel.getByRole('option', { name: /call of first/, selected: true }).waitFor();
    },
  ],
  [
    'a call is stored, and only by a click',
    async (workbench) => {
      const file = path.join(workbench.root, 'weather.samples.json');
      const panel = await openPanel(workbench, 'weather.tools.json', 'Calls');
      await panel.getByRole('option', { name: /no such place/ }).click();
      // What was typed there before is still there.
      await panel.getByRole('button', { name: 'Back to the stored text' }).waitFor();
      assert.equal(fs.readFileSync(file, 'utf8'), SAMPLES);
      await panel.getByRole('button', { name: 'Save as sample' }).click();
      await panel.getByRole('option', { name: /no such place, changed/, selected: true }).waitFor();
      await workbench.shot('panel-calls-saved');
    },
  ],
  [
    'the page Grammar says where the input stops, and a click puts in what may come',
    async (workbench) => {
      const panel = await openPanel(workbench, 'apply_patch.tool.json', 'Grammar');
      await retype(panel, PATCH);
      await panel.getByText('The input stops fitting on line 6').waitFor();
      await panel.getByRole('option', { name: /updating/ }).click();
      await panel.getByRole('region', { name: 'Railroad of updating' }).waitFor();
      await inThemes(workbench, 'panel-grammar');
      await panel.getByRole('treeitem', { name: /Today/ }).hover();
      await panel.locator('.behind .pointed').waitFor();
      await panel.locator('.chip', { hasText: 'End Patch' }).click();
      await panel.getByText('Both engines accept this input.').waitFor();
      await panel.locator('.railroad a', { hasText: 'moving' }).click();
      await panel.getByRole('region', { name: 'Railroad of moving' }).waitFor();
      await panel.getByRole('button', { name: 'Step through generation' }).click();
      await panel.getByText('The text is accepted.').waitFor();
      await workbench.shot('panel-grammar-walk');
      await panel.getByRole('button', { name: 'Generate', exact: true }).click();
      await panel.getByText('Both engines accept this input.').waitFor();
    },
  ],
  [
    'the page Search ranks deferred tools',
    async (workbench) => {
      const panel = await openPanel(workbench, 'shop.mcp.tools.json', 'Search');
      await panel.getByRole('searchbox', { name: 'Query' }).fill('order');
      await panel.locator('.hit').first().waitFor();
      await inThemes(workbench, 'panel-search');
    },
  ],
  [
    'pages with nothing to show say why',
    async (workbench) => {
      const panel = await openPanel(workbench, 'weather.tools.json', 'Grammar');
      assert.match(await title(panel).textContent(), /has no grammar/);
      await checkAccessibility(workbench, 'empty');
      await workbench.shot('panel-empty');
    },
  ],
  [
    'the panel works by the keyboard alone',
    async (workbench) => {
      const panel = await openPanel(workbench, 'weather.tools.json', 'Wire');
      await panel.getByRole('tab', { name: /^Wire/ }).focus();
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.page.keyboard.press('Enter');
      await panel.getByRole('listbox', { name: 'Samples' }).waitFor();
      await tabTo(workbench, /^option:/);
      await workbench.page.keyboard.press('Home');
      await panel.getByRole('option', { name: /three days/, selected: true }).waitFor();
      await workbench.page.keyboard.press('ArrowDown');
      await panel
        .getByRole('option', { name: /no such place/, selected: true })
        .first()
        .waitFor();
      await tabTo(workbench, /^textarea: Arguments/);
      // Not Control+A: the workbench has a command of its own for it, which selects once more when the typing has begun.
      await workbench.page.keyboard.press('Control+End');
      await workbench.page.keyboard.press('Control+Shift+Home');
      await workbench.page.keyboard.type('{"days": 40}');
      await panel.locator('.verdict').first().getByText('Rejected').waitFor();
      await tabTo(workbench, /Run handler/);
      await workbench.page.keyboard.press('Enter');
      await panel.getByText('days must be between 1 and 14, got 40').first().waitFor();
      assert.match(await focused(workbench), /Run handler|Stop/);
    },
  ],
  [
    'Wire and Compile by the keyboard alone',
    async (workbench) => {
      const { keyboard } = workbench.page;
      prepare(workbench);
      const panel = await openPanel(workbench, 'weather.tools.json', 'Wire');
      await panel.locator('header .tool-pick').focus();
      const stops = await walk(workbench, /Open as document/);
      assert.deepEqual(
        stops.map((stop) => stop.replace(/:.*/, '')),
        // The picker, the place, the pin; the page and its answer; a stop for each group of choices; what is done with it.
        [
          ...['select', 'button', 'switch'],
          ...['tab', 'tabpanel', 'button'],
          ...['input', 'input', 'input'],
          ...['button', 'button', 'button'],
        ],
        stops.join(),
      );
      await panel.getByRole('radio', { name: 'Responses' }).focus();
      await keyboard.press('ArrowRight');
      await panel.getByRole('radio', { name: 'Lite', checked: true }).waitFor();
      await settled(panel);
      await tabTo(workbench, /Compare…/);
      await keyboard.press('Enter');
      await panel.getByRole('region', { name: 'Comparison' }).waitFor();
      assert.match(await focused(workbench), /^select: Compare with/);
      await tabTo(workbench, /Close comparison/);
      await keyboard.press('Enter');
      await panel.getByRole('region', { name: 'Wire JSON' }).waitFor();
      await panel.locator('vscode-button:focus', { hasText: 'Compare…' }).waitFor();
      await panel.getByRole('radio', { name: 'Tool', exact: true }).focus();
      await keyboard.press('ArrowRight');
      const fold = panel.locator('button.fold').first();
      await fold.waitFor();
      await walk(workbench, /^button: Show/);
      await keyboard.press('Enter');
      await panel.locator('button.fold:focus[aria-expanded="true"]').waitFor();
      await panel.getByRole('tab', { name: /^Wire/ }).focus();
      await keyboard.press('ArrowRight');
      await keyboard.press('Enter');
      await panel.getByText('1,120 bytes over the budget').waitFor();
      await walk(workbench, /^button: 1 Descriptions/);
      await keyboard.press('Enter');
      await panel.locator('tr[aria-current="true"]', { hasText: '1 Descriptions' }).waitFor();
      await walk(workbench, /^select: From stage/);
      await keyboard.press('ArrowUp');
      await panel.getByRole('combobox', { name: 'From stage' }).and(panel.locator(':focus')).waitFor();
      await tabTo(workbench, /^region: Difference between/);
      await panel.locator('.losses .at .link').first().focus();
      await keyboard.press('Enter');
      await workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
    },
  ],
  [
    'Search and Grammar by the keyboard alone',
    async (workbench) => {
      const { keyboard } = workbench.page;
      prepare(workbench);
      let panel = await openPanel(workbench, 'shop.mcp.tools.json', 'Search');
      await panel.locator('header .tool-pick').focus();
      await walk(workbench, /^input: Query/);
      await keyboard.type('order');
      await panel.locator('.hit summary').first().waitFor();
      assert.match(await focused(workbench), /^input: Query/);
      await walk(workbench, /^summary/);
      const first = panel.locator('.hit').first();
      const open = await first.evaluate((hit) => hit.open);
      await keyboard.press('Enter');
      assert.equal(await first.evaluate((hit) => hit.open), !open);
      await tabTo(workbench, /^button: shop\.mcp\.tools\.json:\d+|^button: \w+/);
      panel = await openPanel(workbench, 'apply_patch.tool.json', 'Grammar');
      await retype(panel, PATCH);
      await panel.getByText('The input stops fitting on line 6').waitFor();
      // An earlier test may have left the steps open.
      const hide = panel.getByText('Hide the steps');
      if (await hide.isVisible()) await hide.click();
      await panel.getByText('Step through generation').waitFor();
      await panel.locator('header .tool-pick').focus();
      await walk(workbench, /^option:/);
      await keyboard.press('End');
      await keyboard.press('Home');
      await keyboard.press('ArrowDown');
      await panel.locator('[role="option"]:focus[aria-selected="true"]').waitFor();
      await walk(workbench, /^treeitem:/);
      await keyboard.press('End');
      await keyboard.press('ArrowUp');
      await keyboard.press('ArrowLeft');
      await panel.locator('.behind .pointed').waitFor();
      await keyboard.press('Enter');
      assert.match(await focused(workbench), /^textarea: Input/);
      await panel.locator('.railroad a').first().waitFor();
      await tabTo(workbench, /^a:/);
      const rule = panel.locator('.railroad-part .part-head code');
      const before = await rule.textContent();
      await keyboard.press('Enter');
      await panel.locator('.railroad-part .part-head code', { hasNotText: before }).waitFor();
      // The diagram is another one, and the keyboard is still in it.
      await settled(panel);
      await panel.locator('.diagram-scroll:focus, .diagram-scroll a:focus').waitFor();
      await walk(workbench, /Step through generation/);
      await keyboard.press('Enter');
      await panel.getByRole('region', { name: 'Steps of generation' }).waitFor();
      assert.match(await focused(workbench), /Hide the steps/);
    },
  ],
  [
    'something is chosen on each page, so that a reload keeps page and choice',
    async (workbench) => {
      prepare(workbench);
      const panel = await openPanel(workbench, 'weather.tools.json', 'Wire');
      await panel.getByRole('radio', { name: 'Anthropic' }).check();
      await settled(panel);
      await choosePage(panel, 'Compile');
      await panel.getByRole('button', { name: 'Pruned' }).click();
      await panel.locator('tr[aria-current="true"]', { hasText: 'Pruned' }).waitFor();
      await choosePage(panel, 'Search');
      await panel.getByRole('searchbox', { name: 'Query' }).fill('rain in Oslo');
      await panel.getByText('rain').first().waitFor();
      await choosePage(panel, 'Calls');
      await panel.getByRole('option', { name: /three days/ }).click();
      await panel.getByRole('option', { name: /three days/, selected: true }).waitFor();
      await settled(panel);
      await retype(panel, '{"days": 1234}');
      await panel.locator('.verdict').first().getByText('Rejected').waitFor();
    },
  ],
  [
    'a reload keeps page, tool and what was typed',
    async (workbench) => {
      const panel = await openPanel(workbench, 'apply_patch.tool.json', 'Grammar');
      await retype(panel, '*** Begin Patch\n*** kept');
      await panel.getByText('The input stops fitting on line 2').waitFor();
      // As a person does it: the workbench stores what it has first.
      const loaded = workbench.page.waitForEvent('load');
      await workbench.command('Developer: Reload Window');
      await loaded;
      const again = await panelOf(workbench);
      await again.getByText('The input stops fitting on line 2').waitFor({ timeout: 40_000 });
      assert.equal(await again.locator('toolspec-text textarea').inputValue(), '*** Begin Patch\n*** kept');
      assert.equal(await again.getByRole('tab', { selected: true }).textContent(), 'Grammar');
      await openPanel(workbench, 'weather.tools.json', 'Wire');
      await again.getByRole('radio', { name: 'Anthropic', checked: true }).waitFor();
      await choosePage(again, 'Compile');
      await again.locator('tr[aria-current="true"]', { hasText: 'Pruned' }).waitFor();
      await choosePage(again, 'Search');
      assert.equal(await again.getByRole('searchbox', { name: 'Query' }).inputValue(), 'rain in Oslo');
      await choosePage(again, 'Calls');
      await again.getByRole('option', { name: /three days/, selected: true }).waitFor();
      assert.equal(await again.locator('toolspec-text textarea').inputValue(), '{"days": 1234}');
    },
  ],
  [
    'narrow pages lose nothing',
    async (workbench) => {
      prepare(workbench);
      if (await workbench.page.locator('.part.sidebar').isVisible()) {
        await workbench.command('View: Close Primary Side Bar');
      }
      const panel = await openPanel(workbench, 'apply_patch.tool.json', 'Grammar');
      // The command is about the group with the focus.
      await workbench.page.locator('.tabs-container .tab', { hasText: 'ToolSpec' }).click();
      await workbench.command('View: Toggle Maximize Editor Group');
      await narrow(workbench, 'panel-grammar');
      await choosePage(panel, 'Wire');
      await narrow(workbench, 'panel-wire');
      await choosePage(panel, 'Calls');
      await narrow(workbench, 'panel-calls');
      for (const [file, page] of [
        ['weather.tools.json', 'Compile'],
        ['shop.mcp.tools.json', 'Search'],
      ]) {
        await openPanel(workbench, file, page);
        if (page === 'Search') await panel.getByRole('searchbox', { name: 'Query' }).fill('customer order');
        await settled(panel);
        await workbench.page.locator('.tabs-container .tab', { hasText: 'ToolSpec' }).click();
        await workbench.command('View: Toggle Maximize Editor Group');
        await narrow(workbench, `panel-${page.toLowerCase()}`);
      }
    },
  ],
];
