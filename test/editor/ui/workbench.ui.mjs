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
      await workbench.page.locator('.codelens-decoration').first().waitFor();
      await workbench.command('Developer: Show Running Extensions');
      const rows = workbench.page.locator('.runtime-extensions-editor .monaco-list-row');
      const ours = rows.filter({ hasText: 'ToolSpec' });
      await rows.first().click();
      // Slow ones come first, only what is in sight is there, and the list is sorted anew whenever one more activates.
      for (let presses = 0; presses < 20 && !(await ours.isVisible()); presses++) {
        await workbench.page.keyboard.press('End');
        await ours.waitFor({ timeout: 1_000 }).catch(() => undefined);
      }
      await ours.waitFor();
      assert.equal(await workbench.page.locator('.notification-list-item-message').count(), 0);
      await workbench.shot('running-extensions');
    },
  ],
];
