// The activation of the packed extension, by the measure of the workbench itself.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPacked, SetupError, served } from '../editor/editors.mjs';
import { startWorkbench } from '../editor/workbench.mjs';
import { report } from './measure.mjs';

const STARTS = 5;

/** What *Developer: Show Running Extensions* tells of ToolSpec and of the built-in JSON support, in milliseconds. */
async function activations(/** @type {any} */ workbench) {
  const { page } = workbench;
  await workbench.command('Developer: Show Running Extensions');
  const rows = page.locator('.runtime-extensions-editor .monaco-list-row');
  const timeOf = async (/** @type {string} */ name) => {
    const text = await rows
      .filter({ hasText: name })
      .getByText(/Activation: \d/)
      .first()
      .textContent();
    return Number(/(\d+)\s*ms/.exec(text)?.[1]);
  };
  await rows.first().click();
  const json = await timeOf('JSON Language Features');
  // Slow ones come first, and only what is in sight is there.
  await page.keyboard.press('End');
  return { ours: await timeOf('ToolSpec'), json };
}

const median = (/** @type {number[]} */ times) => times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;

/** Starts a workbench with a tool definition open, again and again, and reports the median of the activation. */
export async function measureActivation() {
  if (process.platform !== 'linux') {
    console.log('The activation is measured in the served VS Code, which exists for Linux only.');
    return;
  }
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'toolspec-activation-'));
  try {
    const extensionsDir = installPacked(served(), scratch);
    const ours = [];
    const json = [];
    for (let start = 0; start < STARTS; start++) {
      const workbench = await startWorkbench({ files: ['weather.tool.json'], extensionsDir });
      try {
        await workbench.page.locator('.codelens-decoration').first().waitFor();
        const times = await activations(workbench);
        ours.push(times.ours);
        json.push(times.json);
      } finally {
        await workbench.close();
      }
    }
    const detail = `ms: ${ours.join(', ')}; the built-in JSON support took ${median(json)} ms`;
    report('activation, by the workbench', median(ours), 30, detail);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(error.message);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
