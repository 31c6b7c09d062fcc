// The provider's engine in a worker of a browser page: the same code as in Node, and the same verdicts.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const ADDRESS = 'http://engine.test';

/** The page's side of the engine. The worker is the one that is shipped. */
async function host() {
  const result = await build({
    entryPoints: [path.join(root, 'server/src/host/engine/browserEngine.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'engine',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text;
}

export const tests = [
  [
    'a runaway grammar is ended in a page, and the next verdict comes',
    async (workbench) => {
      // The workbench's page owns its context, so this page gets one of its own.
      const context = await workbench.page.context().browser().newContext();
      const page = await context.newPage();
      try {
        const files = new Map([
          ['/', { contentType: 'text/html', body: '<!doctype html><script src="/engine.js"></script>' }],
          ['/engine.js', { contentType: 'text/javascript', body: await host() }],
          [
            '/worker.js',
            { contentType: 'text/javascript', body: fs.readFileSync(path.join(root, 'dist/browserEngineWorker.js')) },
          ],
          [
            '/engine.wasm',
            { contentType: 'application/wasm', body: fs.readFileSync(path.join(root, 'dist/llguidance.wasm')) },
          ],
        ]);
        await context.route(`${ADDRESS}/**`, (route) => {
          const file = files.get(new URL(route.request().url()).pathname);
          return file === undefined ? route.abort() : route.fulfill(file);
        });
        await page.goto(`${ADDRESS}/`);
        const answers = await page.evaluate(async () => {
          const service = globalThis.engine.browserEngine({
            wasm: async () => new Uint8Array(await (await fetch('/engine.wasm')).arrayBuffer()),
            worker: '/worker.js',
          });
          const judge = (text, input, milliseconds) =>
            service.ask({ kind: 'judge', grammar: { syntax: 'lark', text }, inputs: [input] }, { milliseconds });
          const first = await judge('start: "a"+', 'ab', 20_000);
          let ticks = 0;
          const timer = setInterval(() => ticks++, 20);
          const runaway = await judge('start: s\ns: s s s | s s | "a" | ', 'a'.repeat(20_000), 1_500);
          clearInterval(timer);
          const next = await judge('start: "é"', 'é', 20_000);
          const refused = await judge('start: x', '', 20_000);
          const { restarts } = service;
          await service.close();
          return { first, runaway, next, refused, restarts, ticks };
        });
        assert.equal(answers.first.inputs[0].verdict.prefix, 1);
        assert.deepEqual(answers.runaway.end, { state: 'timed-out', milliseconds: 1_500 });
        assert.ok(answers.ticks > 10, 'The page was blocked.');
        assert.equal(answers.next.inputs[0].verdict.accepted, true);
        assert.equal(answers.refused.load.refusal.message, 'unknown name: "x"');
        assert.equal(answers.restarts, 1);
      } finally {
        await context.close();
      }
    },
  ],
];
