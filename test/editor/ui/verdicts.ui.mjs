// What both engines say of a grammar, of its samples and of a text, step by step. SHOTS keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const options = { size: { width: 1280, height: 820 } };

const THEMES = ['dark', 'light', 'contrast'];

/** Lark refuses it for TEXT, which can be empty; the provider takes it. */
const GRAMMAR = String.raw`// Notes, one a line.
start: note+
note: "- " TEXT LF
TEXT: /[^\n]{0,80}/
LF: "\n"
%ignore "\r"
`;

const TOOL = `${JSON.stringify(
  [
    {
      type: 'custom',
      name: 'take_notes',
      description: 'Takes notes.',
      format: { type: 'grammar', syntax: 'lark', definition: { $file: './notes.lark' } },
    },
  ],
  null,
  2,
)}\n`;

const SAMPLES = `${JSON.stringify(
  {
    definitions: ['./notes.tools.json'],
    calls: [
      { name: 'one note', tool: 'take_notes', input: '- milk\n' },
      { name: 'an empty note', tool: 'take_notes', input: '- \n' },
      { name: 'two notes', tool: 'take_notes', input: '- milk\n- bread\n' },
      { name: 'no line end', tool: 'take_notes', input: '- milk' },
    ],
  },
  null,
  2,
)}\n`;

const write = (workbench, name, text) => fs.writeFileSync(path.join(workbench.root, name), text);

const lens = (workbench, text) => workbench.editor().locator('.codelens-decoration', { hasText: text }).first();

export const tests = [
  [
    'both verdicts stand above start, with the samples below',
    async (workbench) => {
      workbench.changeSettings({ 'editor.minimap.enabled': false });
      write(workbench, 'notes.lark', GRAMMAR);
      write(workbench, 'notes.tools.json', TOOL);
      write(workbench, 'notes.samples.json', SAMPLES);
      await workbench.openFile('notes.lark');
      await lens(workbench, 'OpenAI accepts it · Lark refuses it').waitFor();
      await lens(workbench, '3 of 4 samples fit').waitFor();
      for (const theme of THEMES) {
        await workbench.setTheme(theme);
        await lens(workbench, '3 of 4 samples fit').waitFor();
        await workbench.shot(`verdicts-${theme}`);
      }
      await workbench.setTheme('dark');
    },
  ],
  [
    'a click shows the samples that do not fit',
    async (workbench) => {
      await lens(workbench, '3 of 4 samples fit').locator('a', { hasText: 'samples fit' }).click();
      const peek = workbench.page.locator('.peekview-widget');
      await peek.filter({ hasText: 'notes.samples.json' }).waitFor();
      await workbench.shot('verdicts-samples-dark');
      await workbench.page.keyboard.press('Escape');
      await peek.waitFor({ state: 'detached' });
    },
  ],
  [
    'an edit changes the verdict',
    async (workbench) => {
      await workbench.editor().click();
      await workbench.page.keyboard.press('Control+End');
      await workbench.page.keyboard.type('%ignore /(?=x)y/');
      await lens(workbench, 'OpenAI refuses it').waitFor();
      await workbench.shot('verdicts-refused-dark');
      await workbench.command('View: Revert and Close Editor');
    },
  ],
  [
    'the language status says what both engines say',
    async (workbench) => {
      await workbench.openFile('notes.lark');
      await lens(workbench, 'OpenAI accepts it').waitFor();
      const { page } = workbench;
      await page.locator('#status\\.languageStatus').click();
      const items = page.locator('.hover-language-status');
      await items.filter({ hasText: 'Provider engine: llguidance 1.9.1 accepts it' }).waitFor();
      await items.filter({ hasText: 'Lark 1.3.1: refuses line 4' }).waitFor();
      await workbench.shot('verdicts-status-dark');
      await page.keyboard.press('Escape');
    },
  ],
  [
    'a text is walked step by step',
    async (workbench) => {
      await workbench.openFile('notes.lark');
      await lens(workbench, 'OpenAI accepts it').waitFor();
      await workbench.command('ToolSpec: Step Through Generation');
      await workbench.page.locator('.quick-input-widget input').waitFor();
      await workbench.page.keyboard.type('- milk\\n-bread');
      await workbench.page.keyboard.press('Enter');
      const walk = workbench.page.locator('.editor-instance', { hasText: 'step by step' }).first();
      await walk.waitFor();
      await walk.filter({ hasText: 'The text is refused at 2:2' }).waitFor();
      for (const theme of THEMES) {
        await workbench.setTheme(theme);
        await workbench.shot(`walk-${theme}`);
      }
      await workbench.setTheme('dark');
      assert.ok(await walk.isVisible());
    },
  ],
];
