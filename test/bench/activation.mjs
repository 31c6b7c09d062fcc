// The activation of the packed extension, by the measure of the workbench itself.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installPacked, SetupError, served } from '../editor/editors.mjs';
import { startWorkbench } from '../editor/workbench.mjs';
import { report } from './measure.mjs';

const STARTS = 5;

/** What a start costs, in milliseconds: up to the end of the call of `activate`, and until its promise is kept. */
/** @typedef {{ activation: number, whole: number }} Start */

/**
 * What *Developer: Startup Performance* tells of ToolSpec and of the built-in JSON support. The activation is what
 * *Show Running Extensions* calls by that name: the loading of the code and the call.
 * @returns {Promise<{ ours: Start, json: Start }>}
 */
async function activations(/** @type {any} */ workbench) {
  const { page } = workbench;
  await workbench.command('Developer: Startup Performance');
  const lines = page.locator('.editor-instance .view-line');
  const timesOf = async (/** @type {string} */ id) => {
    // The table is long, only what is in sight is there, and it is written after the document is open.
    for (let screens = 1; screens < 200; screens++) {
      for (const line of await lines.allTextContents()) {
        const [, name = '', , load, call, finish] = line.split('|').map((cell) => cell.trim());
        if (name === id && finish !== undefined) {
          return { activation: Number(load) + Number(call), whole: Number(load) + Number(call) + Number(finish) };
        }
      }
      await page.keyboard.press(screens % 20 === 0 ? 'Control+Home' : 'PageDown');
      await page.waitForTimeout(100);
    }
    throw new Error(`Startup Performance has no row of ${id}`);
  };
  await lines.first().click();
  const ours = await timesOf('toolspec.toolspec');
  await page.keyboard.press('Control+Home');
  return { ours, json: await timesOf('vscode.json-language-features') };
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
    /** @type {Start[]} */
    const ours = [];
    /** @type {Start[]} */
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
    const starts = ours.map(({ activation }) => activation);
    report('activation, by the workbench', median(starts), 30, `ms: ${starts.join(', ')}`);
    const times = ours.map(({ whole }) => whole);
    const others = median(json.map(({ whole }) => whole));
    const detail = `ms: ${times.join(', ')}, against ${others}`;
    report('until all is registered / built-in JSON support', median(times) / others, 0.5, detail);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.log(error.message);
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}
