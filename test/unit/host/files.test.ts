import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { t } from '../../../server/src/core/text/message';
import { ConfigFinder } from '../../../server/src/host/configFiles';
import { filesBelow, readRegularFile, readTextFile } from '../../../server/src/host/files';
import { diskWorkspace } from '../../../server/src/host/sampleFiles';

const folder = mkdtempSync(path.join(os.tmpdir(), 'toolspec-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);
const SPECIAL = 'is a pipe or a device';

/** A pipe that nobody writes to: opening it waits for ever. */
function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)]);
  return at(name);
}

describe.skipIf(process.platform === 'win32')('pipes and devices', () => {
  test('are not read where another file names them, as they may never end', async () => {
    const named = pipe('named.tools.json');
    const linked = at('linked.tools.json');
    symlinkSync(named, linked);
    for (const file of [named, linked, '/dev/null', '/dev/zero']) {
      expect(await readRegularFile(file)).toEqual({ failure: SPECIAL });
      expect(await diskWorkspace.read(file, at('a.samples.json'))).toEqual({ failure: t('{0}', SPECIAL) });
    }
  });

  test('are not found in folders, nor are links to them', async () => {
    symlinkSync(pipe('found.tool.json'), at('link.tool.json'));
    writeFileSync(at('file.tool.json'), '[]');
    symlinkSync(at('file.tool.json'), at('second.tool.json'));
    const found = await filesBelow(folder, '.tool.json');
    expect(found.map((file) => path.basename(file))).toEqual(['file.tool.json', 'second.tool.json']);
  });

  test('a config file that is one counts as absent', async () => {
    pipe('toolspec.config.json');
    expect(await new ConfigFinder(folder).configFor(at('a.tools.json'))).toBeUndefined();
  });

  test('are read where a person names them, up to the size of a file', async () => {
    const written = pipe('written.json');
    const writer = spawn('sh', ['-c', 'printf "[1]" > "$0"', written], { stdio: 'ignore' });
    expect(await readTextFile(written)).toEqual({ text: '[1]', bom: false });
    writer.kill();
    expect(await readTextFile('/dev/null')).toEqual({ text: '', bom: false });
  });

  test.skipIf(!existsSync('/dev/zero'))(
    'one without an end is left when it has more than a file may have',
    async () => {
      expect(await readTextFile('/dev/zero', 1_000_000)).toEqual({
        failure: 'has more than 1,000,000 bytes, which are not read',
      });
    },
  );
});

test('other files are read alike, and folders and large files are named for what they are', async () => {
  writeFileSync(at('a.json'), '\ufeff[2]');
  for (const read of [readTextFile, readRegularFile]) {
    expect(await read(at('a.json'))).toEqual({ text: '[2]', bom: true });
    expect(await read(folder)).toEqual({ failure: 'is a folder' });
    expect(await read(at('none.json'))).toEqual({ failure: 'does not exist' });
    expect(await read(at('a\0.json'))).toEqual({ failure: 'does not exist' });
    expect(await read(at('a.json'), 5)).toEqual({ failure: 'has 6 bytes; more than 5 are not read' });
  }
});
