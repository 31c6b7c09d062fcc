import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { metafile, root } from '../tidy/sources';

/** What the editor calls of the built extension. */
interface FirstStage {
  activate(context: object): Promise<void>;
  deactivate(): Promise<void>;
}

/** What the second stage of these tests writes down. */
const did: string[] = [];
Object.assign(globalThis, { toolspecStages: did });

const SECOND_STAGE = `
  const did = globalThis.toolspecStages;
  did.push('loaded');
  exports.activate = ({ name }) => did.push('activated ' + name);
  exports.deactivate = async () => did.push('deactivated');
`;

/** The built first stage, beside another second stage. */
function firstStage(secondStage: string): FirstStage {
  did.length = 0;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-stages-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'client.js');
  copyFileSync(path.join(root, 'dist/client.js'), file);
  writeFileSync(path.join(folder, 'extension.js'), secondStage);
  return createRequire(import.meta.url)(file);
}

const context = { name: 'here' };

describe('the first stage of the extension', () => {
  test('gives way before the second one is loaded, and is done when that is', async () => {
    const { activate, deactivate } = firstStage(SECOND_STAGE);
    const active = activate(context);
    // Not in the turns of promises either: other extensions are waiting for the thread.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    await Promise.resolve();
    expect(did).toEqual([]);
    await active;
    expect(did).toEqual(['loaded', 'activated here']);
    await deactivate();
    expect(did).toEqual(['loaded', 'activated here', 'deactivated']);
  });

  test('is stopped in order, also while the second one is on its way or has never been wanted', async () => {
    const { activate, deactivate } = firstStage(SECOND_STAGE);
    await deactivate();
    expect(did).toEqual([]);
    const active = activate(context);
    await Promise.all([active, deactivate()]);
    expect(did).toEqual(['loaded', 'activated here', 'deactivated']);
  });

  test('tells the editor why the second one could not be loaded', async () => {
    const { activate, deactivate } = firstStage('throw new Error("it is broken")');
    await expect(activate(context)).rejects.toThrow('it is broken');
    await expect(deactivate()).resolves.toBeUndefined();
  });

  test('holds nothing else', () => {
    expect(Object.keys(metafile('client').inputs).sort()).toEqual(['client/src/main.node.ts', 'client/src/stages.ts']);
  });
});
