import assert from 'node:assert/strict';

export const options = { files: ['weather.tool.json'] };

export const tests = [
  [
    'a tool definition stays in the built-in JSON editor',
    async (workbench) => {
      await workbench.editor().getByText('get_weather').waitFor();
      await workbench.page.locator('#status\\.editor\\.mode', { hasText: /^\s*JSON\s*$/ }).waitFor();
    },
  ],
  [
    'a folder with tool files activates the installed extension, without a word',
    async (workbench) => {
      await workbench.command('Developer: Show Running Extensions');
      const rows = workbench.page.locator('.runtime-extensions-editor .monaco-list-row');
      await rows.first().click();
      // Slow ones come first, and only what is in sight is there.
      await workbench.page.keyboard.press('End');
      await rows.filter({ hasText: 'ToolSpec' }).waitFor();
      assert.equal(await workbench.page.locator('.notification-list-item-message').count(), 0);
      await workbench.shot('running-extensions');
    },
  ],
];
