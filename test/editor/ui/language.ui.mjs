// The workbench in a made-up language, in which each text of ours stands in ⟦ ⟧: whatever does not was never translated.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const options = { size: { width: 1440, height: 900 }, pseudo: true };

const TOOLS = [
  {
    type: 'function',
    name: 'get_forecast',
    description: 'Forecast for a place.',
    strict: true,
    parameters: {
      type: 'object',
      properties: { days: { type: 'integer', minimum: 1 }, unit: { description: 'Any.' } },
      required: ['days'],
    },
  },
  {
    type: 'custom',
    name: 'query',
    description: 'Runs a query.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: WORD ("," WORD)*\nWORD: /[a-z]{1,9}/\n' },
  },
  {
    type: 'function',
    name: 'far_away',
    description: 'Found by a search only.',
    defer_loading: true,
    parameters: { type: 'object', properties: {} },
  },
];
const SAMPLES = {
  definitions: ['./forecast.tools.json'],
  handlers: { '*': { builtin: 'json-schema' } },
  calls: [
    { name: 'fine', tool: 'get_forecast', arguments: { days: 3 }, expect: { outcome: 'accepted' } },
    { name: 'amiss', tool: 'get_forecast', arguments: { days: 0 }, expect: { outcome: 'accepted' } },
  ],
};

/** Words of English outside of ⟦ ⟧, which are neither code nor names out of the files. */
function untranslated(text) {
  let depth = 0;
  let rest = '';
  for (const character of text) {
    if (character === '⟦') depth++;
    else if (character === '⟧') depth--;
    else if (depth === 0) rest += character;
  }
  return rest
    .replace(NAMES, ' ')
    .split(/[^A-Za-z]+/)
    .filter((word) => word.length > 2);
}

/** Names of files, tools, members and calls, of products, and of what the protocols call things. */
const NAMES =
  /forecast\.\w+\.json|get_forecast|far_away|workspace|ToolSpec|Codex|Lark|llguidance|OpenAI|Anthropic|Responses|Lite|Chat|MCP|JSON|\b(?:days|unit|query|fine|amiss|start|WORD|minimum|required|name|description|format)\b/g;

/** Texts that a person sees in the panel: neither code nor what people type. */
const seen = (frame) =>
  frame.locator('body').evaluate((body) => {
    const texts = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) {
        const text = node.textContent.trim();
        if (text !== '' && node.parentElement?.checkVisibility() !== false) texts.push(text);
        return;
      }
      if (node instanceof Element) {
        if (/^(?:SCRIPT|STYLE|PRE|CODE|TEXTAREA|OPTION|SVG)$/i.test(node.tagName)) return;
        if (/(?:^|\s)(?:code|line|codicon)(?:-|\s|$)/.test(node.getAttribute('class') ?? '')) return;
        for (const name of ['aria-label', 'title', 'placeholder']) {
          const value = node.getAttribute(name);
          if (value) texts.push(value);
        }
        if (node.shadowRoot) for (const child of node.shadowRoot.childNodes) walk(child);
      }
      for (const child of node.childNodes) walk(child);
    };
    walk(body);
    return texts;
  });

const faults = (texts) => texts.flatMap((text) => (untranslated(text).length > 0 ? [text] : []));

const panelOf = (page) => page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');

export const tests = [
  [
    'lenses, hints and problems',
    async (workbench) => {
      const { page } = workbench;
      for (const [name, content] of [
        ['forecast.tools.json', TOOLS],
        ['forecast.samples.json', SAMPLES],
      ]) {
        fs.writeFileSync(path.join(workbench.root, name), JSON.stringify(content, null, 2));
      }
      await workbench.openFile('forecast.tools.json');
      const lenses = page.locator('.codelens-decoration a');
      await lenses.filter({ hasText: '⟦' }).first().waitFor();
      assert.deepEqual(faults(await lenses.allTextContents()), []);
      const rows = await workbench.problems();
      await rows.filter({ hasText: '⟦' }).first().waitFor();
      const messages = await rows.locator('.marker-message').allTextContents();
      assert.ok(messages.length > 3);
      assert.deepEqual(faults(messages), []);
      await workbench.shot('language-problems');
      await page.keyboard.press('Control+Shift+M');
    },
  ],
  [
    'titles of commands and settings',
    async ({ page }) => {
      await page.keyboard.press('F1');
      const input = page.locator('.quick-input-widget input').first();
      await input.fill('>ToolSpec');
      const rows = page.locator('.quick-input-list .monaco-list-row .label-name');
      await rows.filter({ hasText: '⟦' }).first().waitFor();
      const ours = (await rows.allTextContents()).filter((text) => /T.{1,2}óĺ|⟦/.test(text));
      assert.ok(ours.length > 3, ours.join());
      assert.deepEqual(faults(ours), []);
      await page.keyboard.press('Escape');
    },
  ],
  [
    'the Tools view',
    async (workbench) => {
      const { page } = workbench;
      await page.locator('.activitybar').getByRole('tab', { name: 'ToolSpec' }).click();
      const file = page.locator('.pane-body .monaco-list-row', { hasText: 'forecast.tools.json' });
      await file.waitFor();
      await file.locator('.monaco-tl-twistie').click();
      const rows = page.locator('.pane-body .monaco-list-row');
      await rows.filter({ hasText: 'far_away' }).waitFor();
      const labels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('aria-label') ?? ''));
      assert.deepEqual(faults(labels.filter((label) => label.includes('forecast') || label.includes('far_away'))), []);
      await workbench.shot('language-tools');
    },
  ],
  [
    'every page of the panel',
    async (workbench) => {
      const { page } = workbench;
      await workbench.openFile('forecast.samples.json');
      await page.locator('.codelens-decoration a', { hasText: '⟦' }).first().click();
      await workbench.openFile('forecast.tools.json');
      await page.locator('.editor-instance .monaco-editor').first().click();
      await page.keyboard.press('Control+Alt+T');
      const panel = panelOf(page);
      const tabs = panel.getByRole('tab');
      await tabs.first().waitFor();
      const count = await tabs.count();
      assert.equal(count, 5);
      const choice = panel.locator('select').first();
      for (const tool of ['get_forecast', 'query', 'far_away']) {
        await choice.selectOption({ label: tool });
        for (let index = 0; index < count; index++) {
          await tabs.nth(index).click();
          // The page has come when something other than the tabs is in the made-up language.
          await panel.locator('[role=tabpanel]').filter({ hasText: '⟦' }).first().waitFor();
          const texts = await seen(panel);
          assert.ok(texts.length > 8, texts.join(' | '));
          assert.deepEqual(faults(texts), [], `${tool}, page ${index}`);
          await workbench.shot(`language-${tool}-${index}`);
        }
      }
    },
  ],
];
