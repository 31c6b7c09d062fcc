// The panel in a workspace that nobody has trusted: the contract judges, no handler runs.
import assert from 'node:assert/strict';
import { checkAccessibility, openPanel, write } from './panelPage.mjs';

export const options = {
  size: { width: 2000, height: 1000 },
  trust: true,
  settings: {
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.untrustedFiles': 'open',
  },
};

const TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      name: 'days',
      description: 'Days ahead.',
      parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    },
  ],
  null,
  2,
);

const SAMPLES = `{
  "definitions": ["./days.tools.json"],
  "handlers": { "days": { "command": ["python3", "days.py"] } },
  "calls": [{ "name": "three", "tool": "days", "arguments": { "n": 3 } }]
}
`;

export const tests = [
  [
    'the page Calls says that handlers are off, and how to change that',
    async (workbench) => {
      write(workbench, 'days.tools.json', TOOLS);
      write(workbench, 'days.samples.json', SAMPLES);
      const panel = await openPanel(workbench, 'days.tools.json', 'Calls');
      await panel.getByText('Handlers are off in this untrusted workspace.').waitFor();
      await panel.getByText('The contract accepts this call. The handler has not run.').waitFor();
      assert.equal(await panel.getByRole('button', { name: 'Run handler' }).isDisabled(), true);
      await checkAccessibility(workbench, 'untrusted');
      await workbench.shot('panel-untrusted');
      await panel.getByRole('button', { name: 'Manage Workspace Trust' }).click();
      await workbench.page.locator('.workspace-trust-editor').waitFor();
    },
  ],
];
