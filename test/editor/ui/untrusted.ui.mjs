// Sample calls in a workspace that is not trusted: contracts judge, handlers do not run, and the reason is told.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const options = {
  size: { width: 1280, height: 800 },
  trust: true,
  settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
};

const TOOLS = JSON.stringify([
  {
    type: 'function',
    name: 'touch',
    description: 'Leaves a mark.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
  },
]);

export const tests = [
  [
    'no handler is run, and the way to trust is shown',
    async (workbench) => {
      const { page, root } = workbench;
      const mark = path.join(root, 'mark.txt');
      const write = (name, text) => fs.writeFileSync(path.join(root, name), text);
      write('touch.tools.json', TOOLS);
      write(
        'touch.mjs',
        `import fs from 'node:fs';\nexport const parse = () => fs.writeFileSync(${JSON.stringify(mark)}, 'here');\n`,
      );
      write(
        'touch.samples.json',
        JSON.stringify(
          {
            definitions: ['./touch.tools.json'],
            handlers: { '*': { module: './touch.mjs', export: 'parse' } },
            calls: [{ name: 'once', tool: 'touch', arguments: {} }],
          },
          null,
          2,
        ),
      );
      await workbench.openFile('touch.samples.json');
      await page.locator('.codelens-decoration', { hasText: 'Run 1 call' }).first().waitFor();
      await workbench.command('ToolSpec: Run Samples');
      const told = page.locator('.notifications-toasts .notification-list-item', { hasText: 'not trusted' }).first();
      await told.waitFor();
      await told.getByText('Manage Workspace Trust').waitFor();
      await page.locator('.codelens-decoration', { hasText: 'Skipped, run again' }).first().waitFor();
      await workbench.shot('tests-untrusted');
      assert.equal(fs.existsSync(mark), false);
    },
  ],
];
