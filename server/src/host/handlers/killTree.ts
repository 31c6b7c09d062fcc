import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { MARK } from './environment';

/**
 * Whether a handler's process leads a group of its own, so that it can be ended together with what it starts. On Linux
 * marks do that better: they are carried on by processes that leave the group too. A group of its own would be a session
 * of its own, and on a busy machine the scheduler lets sessions wait for each other at every line that goes to and fro.
 */
export const OWN_GROUP = process.platform !== 'win32' && !existsSync('/proc/self/environ');

/** Sends a signal to a process and to all that it has started; it is fine when there are none. */
export function signalTree(pid: number, mark: string, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => {});
    return;
  }
  // The group has the number of the process that was started as its leader.
  sendSignal(OWN_GROUP ? -pid : pid, signal);
  for (const each of markedProcesses([mark])) if (each !== pid) sendSignal(each, signal);
}

/** Kills what carries one of the marks in its environment, and gives how many there were. */
export function killMarked(marks: readonly string[]): number {
  const found = markedProcesses(marks);
  for (const pid of found) sendSignal(pid, 'SIGKILL');
  return found.length;
}

/** The same until there is none: a process that starts others may have started one more, and dying takes a moment. */
export async function killMarkedForGood(mark: string): Promise<void> {
  for (let round = 0; round < 200 && killMarked([mark]) > 0; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function markedProcesses(marks: readonly string[]): number[] {
  return OWN_GROUP || process.platform === 'win32' || marks.length === 0
    ? []
    : processesWith(marks.map((mark) => `${MARK}=${mark}`));
}

/** Numbers of the living processes that have one of these variables, given as `NAME=value`. */
export function processesWith(variables: readonly string[]): number[] {
  const wanted = variables.map((each) => Buffer.from(each));
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || name === String(process.pid)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`);
      return wanted.some((each) => environment.includes(each)) ? [Number(name)] : [];
    } catch {
      // It has ended, or belongs to someone else.
      return [];
    }
  });
}

/** Numbers of the processes below one, where there are no marks to find them by. Those whose parent has ended are missed. */
export function descendants(pid: number): Promise<number[]> {
  if (!OWN_GROUP) return Promise.resolve([]);
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid='], (error, output) => {
      if (error !== null) return resolve([]);
      const children = new Map<number, number[]>();
      for (const line of output.split('\n')) {
        const [child, parent] = line.trim().split(/\s+/).map(Number);
        if (child === undefined || parent === undefined) continue;
        children.set(parent, [...(children.get(parent) ?? []), child]);
      }
      const found: number[] = [];
      const pending = [pid];
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        for (const child of children.get(next) ?? []) {
          found.push(child);
          pending.push(child);
        }
      }
      resolve(found);
    });
  });
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
