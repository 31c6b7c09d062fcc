import { stat } from 'node:fs/promises';
import path from 'node:path';
import { differenceText, type SnapshotState } from '../../core/calls/snapshot';
import { CONFIG_FILE_NAME } from '../../core/check';
import type { SourceSpec } from '../../core/config/handlers';
import { render } from '../../core/text/message';
import { ConfigFinder, type LoadedConfig } from '../../host/configFiles';
import { filesBelow, slashes } from '../../host/files';
import { guardExit } from '../../host/handlers/guardExit';
import { snapshotFile, snapshotState, storeSnapshot } from '../../host/sources/snapshots';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions } from '../options';
import { SNAPSHOT } from '../specs';
import { plain } from '../style';

/** A source of a config file. */
interface Job {
  readonly source: SourceSpec;
  readonly folder: string;
  readonly file: string;
}

/** `toolspec snapshot`: definitions out of code into files, or what has changed since. */
export async function runSnapshot(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(SNAPSHOT, args);
  const check = options.flag('check');
  const jobs = await findJobs(options.positionals, io.cwd);
  const release = guardExit(true);
  try {
    return await runJobs(jobs, check, io);
  } finally {
    release();
  }
}

async function runJobs(jobs: readonly Job[], check: boolean, io: Io): Promise<number> {
  let stale = 0;
  let failed = 0;
  for (const job of jobs) {
    if (io.progress) io.err(`\r\u001b[KRunning ${plain(job.source.command.join(' ')).slice(0, io.columns - 10)}`);
    const state = await snapshotState(job.source, job.folder);
    if (io.progress) io.err('\r\u001b[K');
    const shown = plain(slashes(path.relative(io.cwd, job.file) || '.'));
    if (state.state === 'failed') {
      failed++;
      tellFailure(state, shown, check, io);
    } else if (state.state === 'current') {
      if (!check) await io.out(`${shown}: up to date, ${tools(state.tools)}\n`);
    } else if (check) {
      stale++;
      await io.out(`${differences(state, shown).join('\n')}\n`);
    } else {
      const failure = await storeSnapshot(job.file, state.text);
      if (failure !== undefined) {
        failed++;
        io.err(`toolspec: ${shown} ${failure}.\n`);
        continue;
      }
      await io.out(`${shown}: written, ${tools(state.tools)}\n`);
      if (state.state === 'stale') await io.out(`${differences(state, '  ').join('\n')}\n`);
    }
  }
  if (check && stale > 0) {
    const files = stale === 1 ? '1 file is' : `${stale} files are`;
    io.err(`${files} stale. "toolspec snapshot" writes what the code says now.\n`);
  } else if (check && failed === 0) {
    io.err(jobs.length === 1 ? 'The stored definitions are current.\n' : `All ${jobs.length} files are current.\n`);
  }
  return failed > 0 ? EXIT.usage : stale > 0 ? EXIT.findings : EXIT.fine;
}

function differences(state: SnapshotState, shown: string): string[] {
  const start = shown.trim() === '' ? shown : `${shown}: `;
  if (state.state === 'missing') return [`${start}does not exist yet, ${tools(state.tools)}`];
  if (state.state !== 'stale') return [];
  if (state.differences.length === 0) return [`${start}holds no definitions`];
  return state.differences.map((each) => `${start}${plain(render(differenceText(each)))}`);
}

function tellFailure(state: Extract<SnapshotState, { state: 'failed' }>, shown: string, check: boolean, io: Io): void {
  const failure = plain(render(state.failure));
  // Words of a server may end without a stop.
  const stop = /[.!?…。]$/.test(failure) ? '' : '.';
  io.err(`toolspec: ${shown}: ${failure}${stop}${check ? '' : ' The file stays as it is.'}\n`);
  for (const note of state.notes.slice(-10)) io.err(`  ${plain(note)}\n`);
}

function tools(count: number): string {
  return count === 1 ? '1 tool' : `${count.toLocaleString('en-US')} tools`;
}

/** The sources that paths name: config files, folders (the config that holds there and those below), stored files. */
async function findJobs(paths: readonly string[], cwd: string): Promise<Job[]> {
  const configs = new ConfigFinder(cwd);
  const jobs = new Map<string, Job>();
  for (const typed of paths.length === 0 ? ['.'] : paths) {
    const target = path.resolve(cwd, typed);
    const facts = await stat(target).catch(() => undefined);
    if (facts?.isDirectory()) {
      const below = await filesBelow(target, CONFIG_FILE_NAME);
      const files = [
        path.join(target, CONFIG_FILE_NAME),
        ...below.filter((each) => path.basename(each) === CONFIG_FILE_NAME),
      ];
      for (const file of files) add(jobs, await configs.configFor(file));
    } else {
      const config = await configs.configFor(target);
      const wanted = path.basename(target) === CONFIG_FILE_NAME ? undefined : target;
      if (add(jobs, config, wanted) === 0 && wanted !== undefined) {
        throw new UsageError(
          `No source of a ${CONFIG_FILE_NAME} writes ${typed}.`,
          'A path is a folder, a config file, or a file that a source has as its "out".',
        );
      }
    }
  }
  if (jobs.size === 0) {
    throw new UsageError(
      `There is no ${CONFIG_FILE_NAME} with "sources" here.`,
      'A source looks like {"mcp": {"command": ["node", "server.mjs"]}, "out": "server.tools.json"}; "toolspec check" names what is wrong with one.',
    );
  }
  return [...jobs.values()];
}

function add(jobs: Map<string, Job>, config: LoadedConfig | undefined, wanted?: string): number {
  let added = 0;
  for (const source of config?.config.sources ?? []) {
    const folder = config!.folder;
    const file = snapshotFile(source, folder);
    if (wanted !== undefined && wanted !== file) continue;
    jobs.set(file, { source, folder, file });
    added++;
  }
  return added;
}
