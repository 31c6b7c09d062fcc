import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeLeftovers, temporaryName } from './temporaryFiles';

/** Permissions of a file that is new, less what the user's mask takes away. */
const NEW_FILE_MODE = 0o666;

/** Failures that say that a file cannot be put in the place of another here, while its content may be writable. */
const NO_REPLACING: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'EXDEV']);

/** A file that is there, or the place of one that is not. */
interface Target {
  readonly file: string;
  /** `undefined` for a file that is new. */
  readonly facts: { readonly mode: number; readonly uid: number; readonly gid: number } | undefined;
}

/**
 * Writes a text file as UTF-8 so that it holds the old text or the new one, whatever happens meanwhile: the text goes
 * into a file beside it, which then takes its place. Symbolic links are followed, permissions and the owner stay. What
 * cannot be replaced is written in place: pipes and devices, files with several names (hard links), and files in
 * folders where nothing may be made. Rejects with the error of the file system; no other file is left behind then. What a
 * process has left that was killed goes with the next write into the folder.
 */
export async function writeTextFile(file: string, text: string): Promise<void> {
  const target = await replaceable(file);
  if (target === undefined || !(await replaced(target, text))) await writeFile(file, text);
}

/** Where the text goes; `undefined` for what must be written in place. */
async function replaceable(file: string): Promise<Target | undefined> {
  let real: string;
  try {
    real = await realpath(file);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    // Nothing is there, or a link to nothing, where the file belongs at the other end.
    return newTarget(file);
  }
  const facts = await stat(real);
  if (!facts.isFile() || facts.nlink > 1) return undefined;
  // A file that is protected stays so, although its folder would let it be replaced.
  await access(real, constants.W_OK);
  return { file: real, facts };
}

async function newTarget(file: string): Promise<Target | undefined> {
  const folder = await realpath(path.dirname(file));
  const target = path.join(folder, path.basename(file));
  const isLink = await lstat(target).then(
    () => true,
    () => false,
  );
  return isLink ? undefined : { file: target, facts: undefined };
}

/** Whether the text has taken the place of the file. */
async function replaced({ file, facts }: Target, text: string): Promise<boolean> {
  const folder = path.dirname(file);
  // Before the write: leftovers may be what fills the disk.
  await removeLeftovers(folder);
  const beside = path.join(folder, temporaryName(randomBytes(6).toString('hex')));
  let handle: FileHandle;
  try {
    handle = await open(beside, 'wx', facts === undefined ? NEW_FILE_MODE : facts.mode & 0o777);
  } catch (error) {
    if (NO_REPLACING.has(codeOf(error))) return false;
    throw error;
  }
  try {
    try {
      await handle.writeFile(text);
      if (facts !== undefined) await keepOwner(handle, facts);
      // A disk may say only now that it is full.
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
    return true;
  } catch (error) {
    await unlink(beside).catch(() => {});
    if (NO_REPLACING.has(codeOf(error))) return false;
    throw error;
  }
}

/** Gives the new file the owner and the permissions of the old one. */
async function keepOwner(handle: FileHandle, { mode, uid, gid }: NonNullable<Target['facts']>): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== uid || made.gid !== gid) await handle.chown(uid, gid);
  // Behind the owner: a change of that takes some permissions away. The mask has taken others.
  if ((made.mode & 0o7777) !== (mode & 0o7777) || made.uid !== uid || made.gid !== gid) {
    await handle.chmod(mode & 0o7777);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | undefined)?.code ?? '';
}
