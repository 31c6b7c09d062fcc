import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { MARK } from './environment';

/** Sends a signal to a process and to those of its group; it is fine when there are none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    execFile('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }, () => {});
    return;
  }
  // The group has the number of the process that was started as its leader.
  sendSignal(-pid, signal);
}

/**
 * Kills the processes that carry one of the marks in their environment, on Linux: those that left the group of the
 * handler that started them. A process inherits the mark from the one that started it, so none is missed because its
 * parent has ended.
 */
export function killMarked(marks: readonly string[]): void {
  if (process.platform !== 'linux' || marks.length === 0) return;
  const variables = marks.map((mark) => `${MARK}=${mark}`);
  // Those that start another one while they are looked for are found in the next round.
  for (let round = 0; round < 10; round++) {
    const found = processesWith(variables);
    if (found.length === 0) return;
    for (const pid of found) sendSignal(pid, 'SIGKILL');
  }
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

/** Numbers of the processes below one, where `/proc` does not tell marks. Those whose parent has ended are not found. */
export function descendants(pid: number): Promise<number[]> {
  if (process.platform === 'linux' || process.platform === 'win32') return Promise.resolve([]);
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
