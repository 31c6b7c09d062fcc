// Updates of the panel among 1,000 tools: how long the page takes to make once the edit is checked, and how large it is.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { launchChromium } from '../editor/vscode/serve.mjs';
import { toolFile } from './generate.mjs';
import { ms, report } from './measure.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** So much may go to the page with one update, in kilobytes. */
const MOST_KILOBYTES = 64;

const PAGES = [
  { name: 'Wire, one tool', page: 'wire', wire: { mode: 'responses', scope: 'tool' } },
  { name: 'Wire, set', page: 'wire', wire: { mode: 'responses', scope: 'set' } },
  { name: 'Compile', page: 'compile' },
  { name: 'Calls', page: 'calls' },
  { name: 'Search', page: 'search', search: { query: 'order', limit: 8, all: true } },
];

/** A frame of the page, in milliseconds. */
const FRAME = 16;

/**
 * The page of the panel in a browser, or `undefined` where there is none.
 * @returns {Promise<{ draw(model: object): Promise<number>, close(): Promise<void> } | undefined>}
 */
async function openPage() {
  let browser;
  try {
    browser = await launchChromium();
  } catch {
    return undefined;
  }
  const page = await browser.newPage({ viewport: { width: 800, height: 1000 } });
  await page.setContent('<div id="panel"></div>');
  await page.addStyleTag({ content: readFileSync(path.join(root, 'dist/panel/panel.css'), 'utf8') });
  await page.addScriptTag({
    content: 'window.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });',
  });
  await page.addScriptTag({ content: readFileSync(path.join(root, 'dist/panel/panel.js'), 'utf8'), type: 'module' });
  await page.waitForFunction(() => customElements.get('toolspec-code') !== undefined);
  return {
    /** The median time from a message to the layout of what it shows. */
    draw: (model) =>
      page.evaluate(async (data) => {
        const state = { uri: data.uri, tool: data.tool.key, page: data.page, pinned: false };
        const times = [];
        for (let round = -3; round < 15; round++) {
          // What changes with a key stroke: the numbers and the text.
          const message = { type: 'model', state, after: 0, model: structuredClone(data) };
          const begin = performance.now();
          window.dispatchEvent(new MessageEvent('message', { data: message }));
          await new Promise((resolve) => setTimeout(resolve));
          document.body.getBoundingClientRect();
          if (round >= 0) times.push(performance.now() - begin);
        }
        return times.sort((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
      }, model),
    close: () => browser.close(),
  };
}

export async function measurePanel() {
  const bundle = path.join(root, 'out/bench/panel.cjs');
  await build({
    entryPoints: [path.join(root, 'test/bench/panel.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
  });
  const { openFile } = createRequire(import.meta.url)(bundle);
  const text = toolFile(1000);
  const lines = text.split('\n');
  const described = lines.flatMap((line, index) => (line.includes('"description": "') ? [index] : []));
  // Tokens are counted by a library of their own, whose time is no affair of the panel's.
  const server = await openFile('file:///bench.tools.json', text, (each) => each.length >> 2);
  const page = await openPage();
  if (page === undefined) console.log('No browser: the page of the panel is not measured.');
  try {
    const first = await server.ask({ page: 'wire' });
    const list = first.list.stamp;
    for (const { name, ...params } of PAGES) {
      const checks = [];
      const times = [];
      let bytes = 0;
      let newest = first;
      for (let round = -3; round < 15; round++) {
        const line = described[((round + 3) * 131) % described.length];
        await server.edit(line, lines[line].indexOf('": "') + 4, 0, 'x');
        // The editor asks for findings with each edit; the panel's answer is made of the same state.
        const before = performance.now();
        await server.check();
        const begin = performance.now();
        const model = await server.ask({ ...params, list, tool: first.tool.key });
        newest = model;
        if (round < 0) continue;
        checks.push(begin - before);
        times.push(performance.now() - begin);
        bytes = Math.max(bytes, Buffer.byteLength(JSON.stringify(model)));
      }
      const middle = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
      const [answer, check] = [middle(times), middle(checks)];
      report(`panel, ${name}: answer / check of the edit`, answer / check, 1, `${ms(answer)} against ${ms(check)}`);
      report(
        `panel, ${name}: message / ${MOST_KILOBYTES} kB`,
        bytes / (MOST_KILOBYTES * 1000),
        1,
        `${bytes.toLocaleString('en-US')} bytes`,
      );
      const drawn = await page?.draw({ ...newest, list: first.list });
      if (drawn !== undefined) report(`panel, ${name}: page / frame`, drawn / FRAME, 1, ms(drawn));
    }
  } finally {
    await page?.close();
    server.close();
  }
}
