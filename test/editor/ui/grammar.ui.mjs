// What a person sees of a grammar, in a file of its own and inside JSON. SHOTS keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const options = { size: { width: 1280, height: 920 } };

const THEMES = ['dark', 'light', 'contrast'];

const GRAMMAR = String.raw`// Patch format of apply_patch. One patch, one or more sections.
%import common.LF
PATH: /(?!\/)[^\n]{1,255}/
TEXT: /.+/

start: head section+ tail
head: "*** Begin Patch" LF
tail: "*** End Patch" LF?

section: adding
       | deleting
       | updating

adding: "*** Add File: " PATH LF plus_row+ -> add
deleting: "*** Delete File: " PATH LF
updating: "*** Update File: " PATH LF moving? edits?
moving: "*** Move to: " PATH LF
edits: (anchor | row)+ at_eof?
anchor: "@@" LF | "@@ " TEXT LF
row: (" " | "+" | "-") TEXT? LF
plus_row: "+" TEXT? LF
at_eof: "*** End of File" LF
`;

const TOOL = `${JSON.stringify(
  {
    type: 'custom',
    name: 'apply_patch',
    description: 'Changes files.',
    format: { type: 'grammar', syntax: 'lark', definition: GRAMMAR },
  },
  null,
  2,
)}\n`;

async function goTo(workbench, line, column) {
  await workbench.page.keyboard.press('Control+G');
  await workbench.page.keyboard.type(`${line}:${column}`);
  const row = workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: `column ${column}` });
  await row.first().waitFor();
  await workbench.page.keyboard.press('Enter');
  await row.first().waitFor({ state: 'hidden' });
}

const lineOf = (part) => GRAMMAR.split('\n').findIndex((line) => line.startsWith(part)) + 1;

/** Leaves one editor with the file, the cursor at its start. */
async function only(workbench, name) {
  await workbench.command('View: Close All Editors');
  // Quick open would offer the file that was closed last before it has looked for this one.
  await workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first().dblclick();
  await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
  await workbench.page.keyboard.press('Control+Home');
}

async function showHover(workbench, text) {
  await workbench.command('Show or Focus Hover');
  const hover = workbench.page.locator('.monaco-hover:visible', { hasText: text }).first();
  await hover.waitFor();
  return hover;
}

export const tests = [
  [
    'a grammar file has colors, findings and a hover, in every theme',
    async (workbench) => {
      workbench.changeSettings({ 'editor.minimap.enabled': false });
      fs.writeFileSync(path.join(workbench.root, 'apply_patch.lark'), GRAMMAR);
      fs.writeFileSync(path.join(workbench.root, 'definitions.tool.json'), TOOL);
      await workbench.openFile('apply_patch.lark');
      const rows = await workbench.problems();
      await rows.filter({ hasText: 'grammar/lookaround' }).first().waitFor();
      await workbench.editor().locator('.squiggly-error').first().waitFor();
      for (const theme of THEMES) {
        await workbench.setTheme(theme);
        await workbench.editor().click();
        await goTo(workbench, lineOf('updating:'), 3);
        const hover = await showHover(workbench, 'Shortest texts');
        const text = await hover.textContent();
        assert.match(text, /updating rule, used in section\./);
        assert.match(text, /Tree: updating\(PATH, LF, moving\?, edits\?\)/);
        assert.match(text, /\*\*\* Update File: a⏎\*\*\* Move to: a⏎/);
        await workbench.shot(`grammar-file-${theme}`);
        await workbench.page.keyboard.press('Escape');
        await hover.waitFor({ state: 'hidden' });
      }
    },
  ],
  [
    'the same grammar inside JSON, in every theme',
    async (workbench) => {
      await only(workbench, 'definitions.tool.json');
      workbench.changeSettings({ 'editor.wordWrap': 'on' });
      await workbench.editor().locator('.squiggly-error').first().waitFor();
      const line = TOOL.split('\n').findIndex((each) => each.includes('"definition"')) + 1;
      const column = TOOL.split('\n')[line - 1].indexOf('updating:') + 3;
      for (const theme of THEMES) {
        await workbench.setTheme(theme);
        await workbench.editor().click();
        await goTo(workbench, line, column);
        const hover = await showHover(workbench, 'Shortest texts');
        assert.match(await hover.textContent(), /updating rule, used in section\./);
        await workbench.shot(`grammar-json-${theme}`);
        await workbench.page.keyboard.press('Escape');
        await hover.waitFor({ state: 'hidden' });
      }
      await workbench.setTheme('dark');
    },
  ],
  [
    'names are completed inside JSON',
    async (workbench) => {
      await only(workbench, 'definitions.tool.json');
      const line = TOOL.split('\n').findIndex((each) => each.includes('"definition"')) + 1;
      await goTo(workbench, line, TOOL.split('\n')[line - 1].indexOf('moving? edits?') + 'moving? edits?'.length + 1);
      await workbench.page.keyboard.type(' sec');
      // For the editor a string of JSON is one word, so it asks by itself only behind the string.
      await workbench.page.keyboard.press('Control+Space');
      const list = workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'section' });
      await list.first().waitFor();
      await workbench.shot('grammar-completion-json-dark');
      await workbench.page.keyboard.press('Escape');
      await workbench.command('View: Revert and Close Editor');
    },
  ],
  [
    'names of common are completed, with their definitions beside them',
    async (workbench) => {
      await only(workbench, 'apply_patch.lark');
      await goTo(workbench, lineOf('%import') + 1, 1);
      await workbench.page.keyboard.type('%import common.');
      const list = workbench.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'CNAME' });
      await list.first().waitFor();
      await workbench.shot('grammar-completion-dark');
      await workbench.page.keyboard.press('Escape');
      await workbench.command('View: Revert and Close Editor');
    },
  ],
  [
    'the outline and the breadcrumbs name rules and terminals',
    async (workbench) => {
      await only(workbench, 'apply_patch.lark');
      await goTo(workbench, lineOf('updating:'), 3);
      await workbench.page.locator('.breadcrumbs-control', { hasText: 'updating' }).first().waitFor();
      await workbench.page.keyboard.press('Control+Shift+O');
      const rows = workbench.page.locator('.quick-input-list .monaco-list-row');
      await rows.filter({ hasText: 'plus_row' }).first().waitFor();
      await workbench.shot('grammar-symbols-dark');
      await workbench.page.keyboard.press('Escape');
    },
  ],
  [
    'uses are told over each definition where the setting asks for it, and open',
    async (workbench) => {
      await only(workbench, 'apply_patch.lark');
      workbench.changeSettings({ 'toolspec.codeLens.references': true });
      const lens = workbench.editor().locator('.codelens-decoration a', { hasText: 'used 4 times' });
      // Lenses move down as they come one by one; the last one stands still.
      await workbench.editor().locator('.codelens-decoration', { hasText: 'entry' }).first().waitFor();
      await goTo(workbench, 1, 1);
      await lens.first().click();
      await workbench.page.locator('.peekview-widget').first().waitFor();
      await workbench.page.locator('.peekview-widget .monaco-list-row', { hasText: 'moving?' }).first().waitFor();
      await workbench.shot('grammar-uses-dark');
      await workbench.page.keyboard.press('Escape');
      workbench.changeSettings({ 'toolspec.codeLens.references': false });
      await lens.first().waitFor({ state: 'detached' });
    },
  ],
  [
    'a library opens to be read',
    async (workbench) => {
      await only(workbench, 'apply_patch.lark');
      await goTo(workbench, lineOf('%import'), 17);
      await workbench.page.keyboard.press('F12');
      await workbench.page.locator('.tab', { hasText: 'common.lark' }).waitFor();
      await workbench.editor().getByText('NEWLINE').first().waitFor();
      await workbench.shot('grammar-library-dark');
    },
  ],
  [
    'the light bulb offers fixes and the way into a file',
    async (workbench) => {
      await only(workbench, 'definitions.tool.json');
      const line = TOOL.split('\n').findIndex((each) => each.includes('"definition"')) + 1;
      await goTo(workbench, line, TOOL.split('\n')[line - 1].indexOf('updating:') + 3);
      await workbench.page.keyboard.press('Control+.');
      const menu = workbench.page.locator('.action-widget .monaco-list-row', { hasText: 'Extract grammar to' });
      await menu.first().waitFor();
      await workbench.shot('grammar-actions-dark');
      await workbench.page.keyboard.press('Escape');
    },
  ],
];
