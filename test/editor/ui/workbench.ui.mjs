import assert from 'node:assert/strict';

export const options = { files: ['weather.tool.json'] };

export const tests = [
  [
    'a tool definition opens in the built-in JSON editor',
    async (workbench) => {
      await workbench.editor().getByText('get_weather').waitFor();
      const language = workbench.page.locator('#status\\.editor\\.mode');
      await language.waitFor();
      assert.equal((await language.textContent()).trim(), 'JSON');
    },
  ],
  [
    'the extension is installed and raises no message of its own',
    async (workbench) => {
      await workbench.command('Extensions: Show Installed Extensions');
      await workbench.page.locator('.extensions-list .monaco-list-row', { hasText: 'ToolSpec' }).first().waitFor();
      assert.equal(await workbench.page.locator('.notification-list-item-message').count(), 0);
      await workbench.shot('installed');
    },
  ],
];
