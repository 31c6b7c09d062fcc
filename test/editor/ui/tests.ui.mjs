// Sample calls in the Test Explorer: shown, run, failed, fixed, and run again by themselves. SHOTS keeps the pictures.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

export const options = { size: { width: 1280, height: 800 } };

const TOOLS = `${JSON.stringify(
  [
    {
      type: 'function',
      name: 'get_forecast',
      description: 'Forecast for the coming days.',
      parameters: {
        type: 'object',
        properties: { days: { type: 'integer', maximum: 30 } },
        required: ['days'],
        additionalProperties: false,
      },
    },
  ],
  null,
  2,
)}\n`;

const HANDLER = `export function parse(text) {
  const { days } = JSON.parse(text);
  if (days < 1 || days > 14) throw new Error('days must be between 1 and 14, got ' + days);
  return { days };
}
`;

const SAMPLES = `{
  "definitions": ["./forecast.tools.json"],
  "handlers": { "*": { "module": "./forecast.mjs", "export": "parse" } },
  "calls": [
    { "name": "three days", "tool": "get_forecast", "arguments": { "days": 3 } },
    {
      "name": "three weeks ahead",
      "tool": "get_forecast",
      "arguments": { "days": 21 },
      "expect": { "outcome": "accepted", "value": { "days": 21 } }
    }
  ]
}
`;

function write(workbench, name, text) {
  fs.writeFileSync(path.join(workbench.root, name), text);
}

/** An MCP server by hand: its one tool has the limit that `limit.txt` says. */
const SERVER = `import fs from 'node:fs';
import { createInterface } from 'node:readline';
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0.0' };
    answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo });
  } else if (method === 'tools/list') {
    const maximum = Number(fs.readFileSync(new URL('limit.txt', import.meta.url), 'utf8'));
    const inputSchema = { type: 'object', properties: { limit: { type: 'integer', maximum } } };
    answer(id, { tools: [{ name: 'search_orders', description: 'Searches orders.', inputSchema }] });
  }
});
`;

/** A row of the Test Explorer; its label tells the state too: "three days (Passed)". */
function row(workbench, name, state = '') {
  const pattern = new RegExp(`^${name}.*${state}`);
  return workbench.page.locator('.test-explorer .monaco-list-row').and(workbench.page.getByLabel(pattern)).first();
}

/** A line of the editor in front, by a part of its text. */
function line(workbench, text) {
  return workbench.page.locator('.editor-instance .view-line', { hasText: text }).first();
}

function notification(workbench, text) {
  return workbench.page.locator('.notifications-toasts .notification-list-item', { hasText: text }).first();
}

async function showTesting(workbench) {
  const explorer = workbench.page.locator('.test-explorer');
  if (!(await explorer.isVisible())) {
    await workbench.page.locator('.activitybar .action-label[aria-label^="Testing"]').click();
  }
  await explorer.waitFor();
}

/** Opens the file and its tool in the Test Explorer, so that the calls are seen. */
async function expand(workbench, file) {
  const top = row(workbench, file);
  await top.waitFor();
  await top.locator('.label, .name').first().click();
  await workbench.page.keyboard.press('ArrowRight');
  await row(workbench, 'get_forecast').waitFor();
  await workbench.page.keyboard.press('ArrowDown');
  await workbench.page.keyboard.press('ArrowRight');
  await row(workbench, 'three days').waitFor();
}

export const tests = [
  [
    'samples are shown with their tools, run, and a drift is told',
    async (workbench) => {
      write(workbench, 'forecast.tools.json', TOOLS);
      write(workbench, 'forecast.mjs', HANDLER);
      write(workbench, 'forecast.samples.json', SAMPLES);
      await workbench.openFile('forecast.samples.json');
      await line(workbench, 'three weeks ahead').waitFor();
      await showTesting(workbench);
      await expand(workbench, 'forecast.samples.json');
      await workbench.command('Test: Run All Tests');
      await row(workbench, 'three weeks ahead', 'Failed').waitFor();
      await row(workbench, 'three days', 'Passed').waitFor();
      await workbench.page.locator('.test-explorer .monaco-list-row', { hasText: '1/2' }).first().waitFor();
      await workbench.page.locator('.codelens-decoration', { hasText: 'Failed, run again' }).first().waitFor();
      await workbench.page.locator('.codelens-decoration', { hasText: '1 of 2 passed, run all' }).first().waitFor();
      await row(workbench, 'three weeks ahead').dblclick();
      await workbench.page.getByText('Drift: the contract accepts, the handler refuses.').first().waitFor();
      await workbench.shot('tests-failed');
    },
  ],
  [
    'the drift is a problem at the sample and at the contract',
    async (workbench) => {
      await workbench.openFile('forecast.tools.json');
      const rows = await workbench.problems();
      await rows.filter({ hasText: 'The handler refuses what this contract accepts' }).first().waitFor();
      await workbench.shot('tests-problems');
    },
  ],
  [
    'the sample passes once the handler is fixed, by itself in a continuous run',
    async (workbench) => {
      await workbench.openFile('forecast.samples.json');
      await workbench.command('Test: Start Continuous Run');
      await row(workbench, 'three weeks ahead', 'Failed').waitFor();
      write(workbench, 'forecast.mjs', HANDLER.replaceAll('14', '30'));
      await row(workbench, 'three weeks ahead', 'Passed').waitFor();
      await workbench.page.locator('.test-explorer .monaco-list-row', { hasText: '2/2' }).first().waitFor();
      await workbench.shot('tests-passed');
      // The contract counts as it stands in its editor.
      write(workbench, 'forecast.tools.json', TOOLS.replace('"days"\n', '"days",\n        "place"\n'));
      await row(workbench, 'three days', 'Failed').waitFor();
      write(workbench, 'forecast.tools.json', TOOLS);
      await row(workbench, 'three days', 'Passed').waitFor();
      await workbench.command('Test: Stop Continuous Run');
    },
  ],
  [
    'a sample call is added by the command, and shown',
    async (workbench) => {
      await workbench.openFile('forecast.tools.json');
      await workbench.command('ToolSpec: Add Sample Call');
      await workbench.page.locator('.tab.active', { hasText: 'forecast.samples.json' }).waitFor();
      await line(workbench, '"name": "example"').waitFor();
      await row(workbench, 'example').waitFor();
      await workbench.shot('tests-added');
    },
  ],
  [
    'drift is looked for, told at its tool, and stored as a sample',
    async (workbench) => {
      write(workbench, 'forecast.mjs', HANDLER.replaceAll('14', '10'));
      await workbench.command('ToolSpec: Find Drift');
      const told = notification(workbench, 'Contract and handler differ in');
      await told.waitFor();
      await workbench.shot('tests-drift');
      await told.getByText('Store as Samples').click();
      await line(workbench, 'drift, handler').waitFor();
      await workbench.shot('tests-drift-stored');
      // Each difference can be stored alone too, where the Test Explorer lists them.
      await workbench.command('Test: Show Output');
      const results = workbench.page.locator('.test-output-peek-tree .monaco-list-row');
      const drift = results.filter({ hasText: 'Drift: the contract accepts' }).first();
      await drift.waitFor();
      await drift.click();
      await drift.locator('.action-label[aria-label^="Store as Sample"]').waitFor();
      await workbench.shot('tests-drift-results');
      await drift.locator('.action-label[aria-label^="Store as Sample"]').click();
      await notification(workbench, 'holds this already').waitFor();
    },
  ],
  [
    'tools are imported from an MCP server, and what is stale is found and stored',
    async (workbench) => {
      const { page } = workbench;
      fs.mkdirSync(path.join(workbench.root, '.vscode'), { recursive: true });
      const server = { command: process.execPath, args: ['$' + '{workspaceFolder}/server.mjs'] };
      write(workbench, '.vscode/mcp.json', JSON.stringify({ servers: { shop: server } }, null, 2));
      write(workbench, 'server.mjs', SERVER);
      write(workbench, 'limit.txt', '50');
      await workbench.openFile('weather.tool.json');
      await page.locator('.codelens-decoration', { hasText: 'Preview wire' }).first().waitFor();
      await workbench.command('ToolSpec: Import Tools from MCP Server');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'shop' }).first().waitFor();
      await workbench.shot('sources-servers');
      await page.keyboard.press('Enter');
      await page.getByText('The file to store the tools in').first().waitFor();
      await page.keyboard.press('Enter');
      await page.locator('.tab.active', { hasText: 'shop.tools.json' }).waitFor();
      await line(workbench, '"maximum": 50').waitFor();
      const config = JSON.parse(fs.readFileSync(path.join(workbench.root, 'toolspec.config.json'), 'utf8'));
      assert.equal(config.sources[0].out, 'shop.tools.json');
      write(workbench, 'limit.txt', '100');
      // Only three toasts are shown at a time, and those of earlier tests stay.
      await workbench.command('Notifications: Clear All Notifications');
      await workbench.command('ToolSpec: Check Snapshots');
      await notification(workbench, 'Not what the source says now').waitFor();
      const rows = await workbench.problems();
      await rows.filter({ hasText: 'maximum was 50, is 100' }).first().waitFor();
      await workbench.shot('sources-stale');
      await workbench.command('ToolSpec: Refresh Snapshot');
      await line(workbench, '"maximum": 100').waitFor();
      await workbench.shot('sources-refreshed');
    },
  ],
];
