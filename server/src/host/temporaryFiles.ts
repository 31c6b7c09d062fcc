import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { lstat, readdir, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** `.toolspec-<where>-<process>-<by chance>.tmp`; what comes before the last part is left out where it is not known. */
const NAME = /^\.toolspec-(?:([0-9a-f]{8})-(\d{1,10})-)?[0-9a-f]{12}\.tmp$/;

/** No write takes so long, whoever makes it: milliseconds of a day. */
const MOST_AGE = 24 * 60 * 60 * 1000;

let known: string | undefined;

/** Where numbers of processes are those that this process knows: the machine, and on Linux the namespace of processes. */
function here(): string {
  if (known !== undefined) return known;
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Elsewhere a machine has one.
  }
  known = createHash('sha256').update(`${os.hostname()}\n${namespace}`).digest('hex').slice(0, 8);
  return known;
}

/**
 * The name of a file for a text that is being written. It is short, since that of the file may be as long as names can
 * be, and says which process it belongs to.
 *
 * @param unique twelve hexadecimal digits
 */
export function temporaryName(unique: string): string {
  return `.toolspec-${here()}-${process.pid}-${unique}.tmp`;
}

/**
 * Removes what `temporaryName` has named in a folder and nobody works on: its process is gone, or it is a day old. Files
 * of other machines and containers wait for that day, since nobody can tell here whether their process lives. Never
 * rejects: what cannot be removed stays.
 *
 * @param now milliseconds of the clock
 */
export async function removeLeftovers(folder: string, now = Date.now()): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const file = path.join(folder, name);
    try {
      const facts = await lstat(file);
      if (facts.isFile() && (isGone(match) || now - facts.mtimeMs > MOST_AGE)) await unlink(file);
    } catch {
      // Somebody else has removed it, or it may not be removed.
    }
  }
}

/** Whether the process that a name tells is known to have ended. */
function isGone([, where, pid]: RegExpExecArray): boolean {
  if (where !== here() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // One that belongs to somebody else lives, too.
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
