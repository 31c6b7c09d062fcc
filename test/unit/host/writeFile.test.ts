import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { removeLeftovers, temporaryName } from '../../../server/src/host/temporaryFiles';
import { writeTextFile } from '../../../server/src/host/writeFile';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'toolspec-write-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder = top;
beforeEach(() => {
  folder = mkdtempSync(path.join(top, 'case-'));
});

const at = (name: string): string => path.join(folder, name);
const content = (name: string): string => readFileSync(at(name), 'utf8');
const mode = (name: string): number => statSync(at(name)).mode & 0o7777;
const posix = process.platform !== 'win32';
const isRoot = posix && process.getuid?.() === 0;

describe('writing a file', () => {
  test('replaces a file, makes a new one, and leaves nothing else', async () => {
    writeFileSync(at('a.json'), 'old and longer');
    await writeTextFile(at('a.json'), 'néw');
    await writeTextFile(at('b.json'), '');
    expect([content('a.json'), content('b.json')]).toEqual(['néw', '']);
    expect(readdirSync(folder)).toEqual(['a.json', 'b.json']);
  });

  test('names as long as names can be are no hindrance', async () => {
    const name = `${'n'.repeat(250)}.json`;
    writeFileSync(at(name), 'old');
    await writeTextFile(at(name), 'new');
    expect(content(name)).toBe('new');
  });

  test('a folder that is missing, and a folder in the place of the file, are told by their codes', async () => {
    await expect(writeTextFile(at('no/a.json'), 'x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(writeTextFile(folder, 'x')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('nothing else of the server writes files', () => {
  const sources = readdirSync(path.join(root, 'server/src'), { recursive: true, encoding: 'utf8' });
  const writers = sources.filter((name) => {
    if (!name.endsWith('.ts') || path.basename(name) === 'writeFile.ts') return false;
    const text = readFileSync(path.join(root, 'server/src', name), 'utf8');
    return /\b(?:writeFile|writeFileSync|createWriteStream|appendFile|copyFile)\b\s*[,(}]/.test(text);
  });
  expect(writers).toEqual([]);
});

describe.skipIf(!posix)('what a file is stays', () => {
  test.each([0o600, 0o644, 0o666, 0o755, 0o777, 0o2664])('permissions %o, whatever the mask', async (wanted) => {
    writeFileSync(at('a.json'), 'old');
    chmodSync(at('a.json'), wanted);
    await writeTextFile(at('a.json'), 'new');
    expect(content('a.json')).toBe('new');
    expect(mode('a.json')).toBe(wanted);
  });

  test('a new file has what any new file has', async () => {
    await writeTextFile(at('a.json'), 'x');
    writeFileSync(at('b.json'), 'x');
    expect(mode('a.json')).toBe(mode('b.json'));
  });

  test.skipIf(!isRoot)('the owner', async () => {
    writeFileSync(at('a.json'), 'old');
    chownSync(at('a.json'), 1234, 4321);
    await writeTextFile(at('a.json'), 'new');
    expect(statSync(at('a.json'))).toMatchObject({ uid: 1234, gid: 4321 });
    expect(content('a.json')).toBe('new');
  });

  test('a symbolic link, be it one to a link in another folder or to a file that is not there yet', async () => {
    mkdirSync(at('real'));
    writeFileSync(at('real/a.json'), 'old');
    symlinkSync('real/a.json', at('one.json'));
    symlinkSync(at('one.json'), at('two.json'));
    symlinkSync('real/new.json', at('three.json'));
    await writeTextFile(at('two.json'), 'new');
    await writeTextFile(at('three.json'), 'made');
    for (const name of ['one.json', 'two.json', 'three.json']) expect(lstatSync(at(name)).isSymbolicLink()).toBe(true);
    expect([content('real/a.json'), content('real/new.json')]).toEqual(['new', 'made']);
    expect(readdirSync(at('real'))).toEqual(['a.json', 'new.json']);
  });

  test('other names of the same file', async () => {
    writeFileSync(at('a.json'), 'old');
    linkSync(at('a.json'), at('b.json'));
    await writeTextFile(at('a.json'), 'new');
    expect(content('b.json')).toBe('new');
  });

  test('a device', async () => {
    await writeTextFile('/dev/null', 'x');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

/** A program that writes so many characters into a file, and says what came of it. */
function writer(): string {
  const script = path.join(top, 'write.cjs');
  if (!existsSync(script)) {
    buildSync({
      stdin: {
        contents: `import { writeTextFile } from './server/src/host/writeFile';
const [file, length] = process.argv.slice(2);
writeTextFile(file, 'x'.repeat(Number(length))).then(() => console.log('fine'), ({ code }) => console.log(code));`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile: script,
      bundle: true,
      platform: 'node',
    });
    chmodSync(top, 0o755);
    chmodSync(script, 0o644);
  }
  return script;
}

/** Writes in a process of its own, which may not make files longer than `most` blocks, and is nobody special. */
function elsewhere(file: string, length: number, { most, plain }: { most?: number; plain?: boolean } = {}): string {
  const script = writer();
  const limit = most === undefined ? '' : `ulimit -f ${most}; `;
  return spawnSync('sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, script, file, String(length)], {
    encoding: 'utf8',
    ...(plain === true && isRoot && { uid: 65534, gid: 65534 }),
  }).stdout.trim();
}

/** A process that stands still when the text is written and the file not replaced yet. */
async function halfway(file: string): Promise<ChildProcess> {
  const preload = at('preload.cjs');
  writeFileSync(
    preload,
    `require('node:fs/promises').rename = () => {
  console.log('half');
  setInterval(() => {}, 1000);
  return new Promise(() => {});
};`,
  );
  const child = spawn(process.execPath, ['-r', preload, writer(), file, '5'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout!, 'data');
  rmSync(preload);
  return child;
}

describe('what a write has left', () => {
  test('of a process that was killed goes with the next write, of one that works stays', async () => {
    writeFileSync(at('a.json'), 'old');
    const child = await halfway(at('a.json'));
    try {
      await writeTextFile(at('a.json'), 'mine');
      const left = readdirSync(folder).filter((name) => name !== 'a.json');
      expect(left).toEqual([
        expect.stringMatching(new RegExp(`^\\.toolspec-[0-9a-f]{8}-${child.pid}-[0-9a-f]{12}\\.tmp$`)),
      ]);
      expect(readFileSync(at(left[0]!), 'utf8')).toBe('xxxxx');
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    expect(readdirSync(folder)).toHaveLength(2);
    await writeTextFile(at('b.json'), 'new');
    expect(readdirSync(folder)).toEqual(['a.json', 'b.json']);
    expect(content('a.json')).toBe('mine');
  });

  test('of other machines goes when it is a day old, and nothing else does', async () => {
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    const unique = '0123456789ab';
    const own = temporaryName(unique);
    const [, place] = own.split('-');
    const elsewhereName = `.toolspec-${place === '00000000' ? '11111111' : '00000000'}-${gone}-${unique}.tmp`;
    const plain = `.toolspec-${unique}.tmp`;
    const others = ['.toolspec-x.tmp', `.toolspec-${place}-${gone}-${unique}.tmp.json`, 'a.tmp'];
    for (const name of [own, elsewhereName, plain, ...others]) writeFileSync(at(name), 'x');
    mkdirSync(at(`.toolspec-${place}-${gone}-aaaaaaaaaaaa.tmp`));
    const all = readdirSync(folder);
    await removeLeftovers(folder);
    expect(readdirSync(folder)).toEqual(all);
    const day = 24 * 60 * 60 * 1000;
    await removeLeftovers(folder, Date.now() + day - 60_000);
    expect(readdirSync(folder)).toEqual(all);
    await removeLeftovers(folder, Date.now() + day + 60_000);
    const expected = all.filter((name) => ![own, elsewhereName, plain].includes(name));
    expect(readdirSync(folder)).toEqual(expected);
  });

  test('is no hindrance where it cannot be looked for or removed', async () => {
    await expect(removeLeftovers(at('none'))).resolves.toBeUndefined();
    writeFileSync(at('file'), '');
    await expect(removeLeftovers(at('file'))).resolves.toBeUndefined();
  });
});

describe.skipIf(!posix)('where something is in the way', () => {
  test.each(['a.json', 'new.json'])('a text that does not fit leaves the old one, and nothing else: %s', (name) => {
    writeFileSync(at('a.json'), 'old');
    expect(elsewhere(at(name), 100_000, { most: 8 })).toBe('EFBIG');
    expect(content('a.json')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test('a file that may be written in a folder where nothing may be made', () => {
    writeFileSync(at('a.json'), 'old and longer');
    chmodSync(at('a.json'), 0o666);
    chmodSync(folder, 0o555);
    expect(elsewhere(at('a.json'), 3, { plain: true })).toBe('fine');
    expect(content('a.json')).toBe('xxx');
    expect(elsewhere(at('b.json'), 3, { plain: true })).toBe('EACCES');
    chmodSync(folder, 0o755);
  });

  test('a file that may not be written stays, although its folder would let it be replaced', () => {
    chmodSync(folder, 0o777);
    writeFileSync(at('a.json'), 'old');
    chmodSync(at('a.json'), 0o444);
    expect(elsewhere(at('a.json'), 3, { plain: true })).toBe('EACCES');
    expect(content('a.json')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  test.skipIf(!isRoot)('a file of another owner, which nobody may give away', () => {
    chmodSync(folder, 0o777);
    writeFileSync(at('a.json'), 'old');
    chmodSync(at('a.json'), 0o666);
    expect(elsewhere(at('a.json'), 3, { plain: true })).toBe('fine');
    expect(content('a.json')).toBe('xxx');
    expect(statSync(at('a.json'))).toMatchObject({ uid: 0, mode: 0o100666 });
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});
