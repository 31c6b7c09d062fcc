import os from 'node:os';
import path from 'node:path';
import type { SampleCall } from '../../core/calls/model';
import { readSamples } from '../../core/calls/read';
import type { SampleWorkspace } from '../../core/calls/workspace';
import { checkSamples } from '../../core/checkSamples';
import { EMPTY_CONFIG } from '../../core/config/read';
import { UNSUITED } from '../../core/rules/sample/unsuited';
import { compareSamples, type RunEnvironment, type RunOptions, runSamples } from '../../core/runSamples';
import { parseJson, syntaxFault } from '../../core/text/json';
import { t } from '../../core/text/message';
import { didYouMean } from '../../core/text/words';
import { ConfigFinder, type LoadedConfig } from '../../host/configFiles';
import { discoverSamples, readTextFile, slashes } from '../../host/files';
import { diskWorkspace, GitFailure, gitWorkspace } from '../../host/sampleFiles';
import { EXIT, type Io, UsageError } from '../io';
import { type ParsedOptions, parseOptions, wholeNumber } from '../options';
import { Processes } from '../processes';
import { Progress } from '../progress';
import { fileReport, type UnreadFile } from '../report/model';
import {
  type AgainstFile,
  type AgainstReport,
  againstFails,
  configFindings,
  contractFindings,
  placedCalls,
  placedComparisons,
  type RunFile,
  type RunReport,
  runFails,
  summarizeRun,
} from '../report/runModel';
import { RUN } from '../specs';
import { inPaths, plain, styleFor } from '../style';

const FORMATS = ['text', 'json', 'junit'] as const;
type Format = (typeof FORMATS)[number];

/** A samples file that was read, with the config that holds for it. */
interface Samples {
  readonly file: string;
  readonly shown: string;
  readonly text: string;
  readonly config: LoadedConfig | undefined;
}

/** `toolspec run`: sample calls through contract and handler, or through old and new contracts. */
export async function runRun(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(RUN, args);
  const jobs = wholeNumber(options, 'jobs') ?? os.availableParallelism();
  if (jobs === 0) throw new UsageError('--jobs takes a whole number above zero.');
  const paths = options.positionals.length > 0 ? options.positionals : ['.'];
  if (paths.includes('')) throw new UsageError('A path is empty.');
  const { samples: found, unread } = await readSamplesFiles(paths, io);
  for (const { file, failure } of unread) io.err(`toolspec: ${plain(file)} ${failure}.\n`);
  if (found.length === 0 && unread.length === 0) {
    io.err(`toolspec: no sample calls (*.samples.json) ${inPaths(paths)}.\n`);
  }
  const only = chosenCalls(options.text('tool'), found);
  const samples = only === undefined ? found : found.filter((each) => mayHave(each, only));
  const processes = new Processes(io, jobs);
  try {
    const against = options.text('against');
    const format = (options.text('format') ?? 'text') as Format;
    const work = { samples, unread, only, processes, options, io, jobs, format };
    return against === undefined ? await runAll(work) : await compareAll(work, against);
  } finally {
    await processes.close();
  }
}

interface Work {
  readonly samples: readonly Samples[];
  readonly unread: readonly UnreadFile[];
  readonly only: ((call: SampleCall) => boolean) | undefined;
  readonly processes: Processes;
  readonly options: ParsedOptions;
  readonly io: Io;
  readonly jobs: number;
  readonly format: Format;
}

async function readSamplesFiles(
  paths: readonly string[],
  io: Io,
): Promise<{ samples: Samples[]; unread: UnreadFile[] }> {
  const configs = new ConfigFinder(io.cwd);
  const samples: Samples[] = [];
  const unread: UnreadFile[] = [];
  const absolute = paths.map((named) => path.resolve(io.cwd, named));
  for await (const each of discoverSamples(absolute, configs)) {
    const shown = slashes(path.relative(io.cwd, each.file)) || '.';
    const read = 'failure' in each ? each : await readTextFile(each.file);
    if ('failure' in read) unread.push({ file: shown, failure: read.failure });
    else samples.push({ file: each.file, shown, text: read.text, config: await configs.configFor(each.file) });
  }
  return { samples, unread };
}

/** The calls that `--tool` chooses. Throws `UsageError` where it chooses none. */
function chosenCalls(
  wanted: string | undefined,
  samples: readonly Samples[],
): ((call: SampleCall) => boolean) | undefined {
  if (wanted === undefined) return undefined;
  const only = ({ tool, namespace }: SampleCall): boolean =>
    tool === wanted || (namespace !== undefined && `${namespace}.${tool}` === wanted);
  const calls = samples.flatMap(({ file, text }) => readSamples(parseJson(text), file).calls);
  if (samples.length > 0 && !calls.some(only)) {
    const guess = didYouMean(
      wanted,
      calls.flatMap(({ tool }) => tool ?? []),
    );
    throw new UsageError(
      `No sample call is for a tool named ${plain(wanted)}.${guess === undefined ? '' : ` Did you mean ${plain(guess)}?`}`,
    );
  }
  return only;
}

/** Whether a file has calls that are chosen. What stands in a broken one cannot be known. */
function mayHave({ file, text }: Samples, only: (call: SampleCall) => boolean): boolean {
  const document = parseJson(text);
  return syntaxFault(document) !== undefined || readSamples(document, file).calls.some(only);
}

function runOptions({ config }: Samples, { only, options, jobs }: Work): RunOptions {
  const said = config?.config ?? EMPTY_CONFIG;
  return {
    profile: options.text('profile') ?? said.profile,
    budgetBytes: said.budgetBytes,
    config: config === undefined ? undefined : { from: config.file, handlers: said.handlers },
    levels: said.rules,
    modelProvider: said.provider,
    only,
    parallel: jobs,
  };
}

function environmentOf(workspace: SampleWorkspace, { processes, options }: Work): RunEnvironment {
  return {
    workspace,
    provider: processes.provider,
    handlers: options.flag('no-handlers') ? undefined : processes.handlers,
    folderOf: (uri) => path.dirname(uri),
    now: () => performance.now(),
    // Signals and output of processes get their turn between calls.
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

async function runAll(work: Work): Promise<number> {
  const { samples, unread, io, format } = work;
  const progress = new Progress(io);
  const files: RunFile[] = [];
  const told = new Set<string>();
  const { only = () => true } = work;
  const all = samples.reduce(
    (sum, { file, text }) => sum + readSamples(parseJson(text), file).calls.filter(only).length,
    0,
  );
  let done = 0;
  for (const each of samples) {
    const { file, shown, text, config } = each;
    const jsonc = file.endsWith('.jsonc');
    const { profile, levels } = runOptions(each, work);
    const { findings } = await checkSamples({ uri: file, text, jsonc }, diskWorkspace, {
      syntax: true,
      ...(profile === undefined ? {} : { profile }),
      ...(levels === undefined ? {} : { levels }),
    });
    const check = fileReport(shown, { text, tools: 0, findings }, false);
    const run = await runSamples({ uri: file, text }, environmentOf(diskWorkspace, work), {
      ...runOptions(each, work),
      withoutHandlers: t('--no-handlers was given, so the handler was not run.'),
      onStart: (call) => progress.show(`Running ${++done} of ${all}: ${plain(call.name ?? call.tool ?? shown)}`),
    });
    const relative = (other: string): string => slashes(path.relative(io.cwd, other));
    const ruled = config && { file: config.file, level: levels?.get(UNSUITED) };
    const contracts = [
      ...contractFindings(run, { file: shown, text }, relative),
      // One config file may hold for many samples files.
      ...(await configFindings(run, ruled, textOf, relative)).filter(({ file: where, pointer }) => {
        const key = `${where}#${pointer}`;
        return !told.has(key) && told.add(key);
      }),
    ];
    files.push({ file: shown, calls: placedCalls(run.reports, text), check, contracts });
  }
  progress.end();
  const report: RunReport = { files, unread, summary: summarizeRun(files) };
  if (format === 'json') await io.out((await import('../report/runJson')).runJson(report));
  else if (format === 'junit') await io.out((await import('../report/runJunit')).runJunit(report));
  else {
    const { runSummary, runText } = await import('../report/runText');
    await io.out(runText(report, styleFor(io.color)));
    if (files.length > 0) io.err(runSummary(report));
  }
  if (unread.length > 0) return EXIT.usage;
  return runFails(report) ? EXIT.findings : EXIT.fine;
}

async function textOf(file: string): Promise<string | undefined> {
  const read = await readTextFile(file);
  return 'failure' in read ? undefined : read.text;
}

async function compareAll(work: Work, against: string): Promise<number> {
  const { samples, unread, io, format } = work;
  const progress = new Progress(io);
  const old = await oldDefinitions(against, io);
  const files: AgainstFile[] = [];
  const summary: AgainstReport['summary'] = { same: 0, broken: 0, repaired: 0, added: 0, removed: 0, unclear: 0 };
  for (const each of samples) {
    progress.show(`Comparing ${plain(each.shown)}`);
    const input = { uri: each.file, text: each.text };
    const before = environmentOf(await old(each.file), work);
    const { comparisons } = await compareSamples(
      input,
      before,
      environmentOf(diskWorkspace, work),
      runOptions(each, work),
    );
    for (const { change } of comparisons) summary[change]++;
    files.push({ file: each.shown, calls: placedComparisons(comparisons, each.text) });
  }
  progress.end();
  const report: AgainstReport = { against, files, unread, summary };
  if (format === 'json') await io.out((await import('../report/runJson')).againstJson(report));
  else if (format === 'junit') await io.out((await import('../report/runJunit')).againstJunit(report));
  else {
    const { againstSummary, againstText } = await import('../report/runText');
    await io.out(againstText(report, styleFor(io.color)));
    if (files.length > 0) io.err(againstSummary(report));
  }
  if (unread.length > 0) return EXIT.usage;
  return againstFails(report) ? EXIT.findings : EXIT.fine;
}

/**
 * The files as they were: at a commit, or one file in the place of every definition file that a samples file names.
 * Throws `UsageError` where there is no such commit or file.
 */
async function oldDefinitions(against: string, io: Io): Promise<(samples: string) => Promise<SampleWorkspace>> {
  if (!against.startsWith('git:')) {
    const file = path.resolve(io.cwd, against);
    const read = await readTextFile(file);
    if ('failure' in read) throw new UsageError(`${plain(against)} ${read.failure}.`);
    return async (samples) => ({
      read: async (named, from) => {
        if (from !== samples) return diskWorkspace.read(named, file);
        // The name decides what MCP tools are called, and so stays the new one's.
        return { uri: path.resolve(path.dirname(from), named), text: read.text };
      },
    });
  }
  const folders = new Map<string, Promise<SampleWorkspace>>();
  return async (samples) => {
    const folder = path.dirname(samples);
    let workspace = folders.get(folder);
    if (workspace === undefined) {
      workspace = gitWorkspace(against.slice('git:'.length), folder);
      folders.set(folder, workspace);
    }
    try {
      return await workspace;
    } catch (error) {
      if (error instanceof GitFailure) throw new UsageError(error.message);
      throw error;
    }
  };
}
