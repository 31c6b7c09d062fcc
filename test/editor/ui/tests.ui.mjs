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
        properties: { days: { type: 'integer', maximum: 14 } },
        required: ['days'],
        additionalProperties: false,
      },
    },
  ],
  null,
  2,
)}\n`;

const HANDLER = `export function parse({ days }) {
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

/** A row of the Test Explorer; its label tells the state too: "three days (Passed)". */
function row(workbench, name, state = '') {
  const pattern = new RegExp(`^${name}.*${state}`);
  return workbench.page.locator('.test-explorer .monaco-list-row').and(workbench.page.getByLabel(pattern)).first();
}

export const tests = [
  [
    'samples are shown with their tools, and run',
    async (workbench) => {
      write(workbench, 'forecast.tools.json', TOOLS);
      write(workbench, 'forecast.mjs', HANDLER);
      write(workbench, 'forecast.samples.json', SAMPLES);
      await workbench.openFile('forecast.samples.json');
      await workbench.page.locator('.activitybar .action-label[aria-label^="Testing"]').click();
      await row(workbench, 'forecast.samples.json').waitFor();
      await workbench.command('Test: Run All Tests');
      await row(workbench, 'forecast.samples.json', 'Failed').waitFor();
      
      await workbench.shot('tests-run');
    },
  ],
];
