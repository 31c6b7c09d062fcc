import { stat } from 'node:fs/promises';
import path from 'node:path';
import { differenceText, type SnapshotState } from '../../core/calls/snapshot';
import { CONFIG_FILE_NAME } from '../../core/check';
import type { SourceSpec } from '../../core/config/handlers';
import { sourceFaults } from '../../core/config/sources';
import { parseJson, syntaxFault } from '../../core/text/json';
import { LineIndex } from '../../core/text/lines';
import { render } from '../../core/text/message';
import { list } from '../../core/text/words';
import { ConfigFinder, type LoadedConfig } from '../../host/configFiles';
import { filesBelow, readRegularFile, slashes } from '../../host/files';
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

/** What there is to do: the sources by the files that they write, and what keeps others from being one. */
interface Jobs {
  readonly byFile: Map<string, Job[]>;
  /** A line for each fault, with its place. */
  readonly faults: string[];
}

/** `toolspec snapshot`: definitions out of code into files, or what has changed since. */
export async function runSnapshot(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(SNAPSHOT, args);
  const check = options.flag('check');
  const jobs = await findJobs(options.positionals, io.cwd);
  for (const fault of jobs.faults) io.err(`toolspec: ${fault}\n`);
  const release = guardExit(true);
  try {
    return await runJobs(jobs, check, io);
  } finally {
    release();
  }
}

async function runJobs({ byFile, faults }: Jobs, check: boolean, io: Io): Promise<number> {
  let stale = 0;
  let failed = faults.length;
  for (const [file, [job, ...others]] of byFile) {
    const shown = plain(slashes(path.relative(io.cwd, file) || '.'));
    if (job === undefined) continue;
    if (others.length > 0) {
      failed++;
      io.err(`toolspec: ${shown}: ${conflictWords([job, ...others], io.cwd)}\n`);
      continue;
    }
    if (io.progress) io.err(`\r\u001b[KRunning ${plain(job.source.command.join(' ')).slice(0, io.columns - 10)}`);
    const state = await snapshotState(job.source, job.folder);
    if (io.progress) io.err('\r\u001b[K');
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
    io.err(byFile.size === 1 ? 'The stored definitions are current.\n' : `All ${byFile.size} files are current.\n`);
  }
  return failed > 0 ? EXIT.usage : stale > 0 ? EXIT.findings : EXIT.fine;
}

/** Why a file that several sources write is left alone. */
function conflictWords(jobs: readonly Job[], cwd: string): string {
  const configs = new Set(jobs.map(({ folder }) => slashes(path.relative(cwd, path.join(folder, CONFIG_FILE_NAME)))));
  return `${jobs.length.toLocaleString('en-US')} sources of ${plain(render(list([...configs])))} write this file, and one would overwrite the other, so none of them is run. Give each an "out" of its own.`;
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
async function findJobs(paths: readonly string[], cwd: string): Promise<Jobs> {
  const configs = new ConfigFinder(cwd);
  const search = new JobSearch(cwd);
  for (const typed of paths.length === 0 ? ['.'] : paths) {
    const target = path.resolve(cwd, typed);
    const facts = await stat(target).catch(() => undefined);
    if (facts?.isDirectory()) {
      const below = await filesBelow(target, CONFIG_FILE_NAME);
      const files = [
        path.join(target, CONFIG_FILE_NAME),
        ...below.filter((each) => path.basename(each) === CONFIG_FILE_NAME),
      ];
      for (const file of files) await search.add(await configs.configFor(file));
    } else {
      const config = await configs.configFor(target);
      const wanted = path.basename(target) === CONFIG_FILE_NAME ? undefined : target;
      if ((await search.add(config, wanted)) === 0 && wanted !== undefined) {
        throw new UsageError(
          `No source of a ${CONFIG_FILE_NAME} writes ${typed}.`,
          'A path is a folder, a config file, or a file that a source has as its "out".',
        );
      }
    }
  }
  if (search.byFile.size === 0 && search.faults.length === 0) {
    throw new UsageError(
      `There is no ${CONFIG_FILE_NAME} with "sources" here.`,
      'A source looks like {"mcp": {"command": ["node", "server.mjs"]}, "out": "server.tools.json"}; "toolspec check" names what is wrong with one.',
    );
  }
  return search;
}

class JobSearch implements Jobs {
  readonly byFile = new Map<string, Job[]>();
  readonly faults: string[] = [];
  readonly #told = new Set<string>();

  constructor(private readonly cwd: string) {}

  /** Adds the sources of a config, or those that write one file. Gives how many there are, faulty ones included. */
  async add(config: LoadedConfig | undefined, wanted?: string): Promise<number> {
    if (config === undefined) return 0;
    const { folder, file: from } = config;
    let added = 0;
    for (const source of config.config.sources) {
      const file = snapshotFile(source, folder);
      if (wanted !== undefined && wanted !== file) continue;
      added++;
      const known = this.byFile.get(file);
      if (known === undefined) this.byFile.set(file, [{ source, folder, file }]);
      else if (!known.some((job) => job.source === source)) known.push({ source, folder, file });
    }
    const read = await readRegularFile(from);
    if ('failure' in read) return added;
    const document = parseJson(read.text);
    const lines = new LineIndex(read.text);
    const broken = syntaxFault(document);
    // Behind a fault of the text there may be sources that nobody sees.
    const faults = broken === undefined ? sourceFaults(document) : [{ ...broken, out: undefined }];
    for (const { span, message, out } of faults) {
      const named = out === undefined ? undefined : snapshotFile({ out }, folder);
      if (wanted !== undefined && named !== wanted && broken === undefined) continue;
      added++;
      const { line, character } = lines.position(span.start);
      const place = `${plain(slashes(path.relative(this.cwd, from)))}:${line + 1}:${character + 1}`;
      if (this.#told.has(place)) continue;
      this.#told.add(place);
      this.faults.push(`${place} ${plain(render(message))}`);
    }
    return added;
  }
}
