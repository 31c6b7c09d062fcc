import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newSamplesText, sampleFromDrift } from '../../core/calls/drift/sample';
import { isSampleFileName } from '../../core/calls/fileNames';
import { readSamples } from '../../core/calls/read';
import { EMPTY_CONFIG } from '../../core/config/read';
import { type FuzzRun, fuzzTools, UNHANDLED } from '../../core/fuzzTools';
import { applyEdits } from '../../core/text/edits';
import { parseJson } from '../../core/text/json';
import { render, t } from '../../core/text/message';
import { ConfigFinder } from '../../host/configFiles';
import { readTextFile, slashes, writeFailureOf } from '../../host/files';
import { diskWorkspace } from '../../host/sampleFiles';
import { writeTextFile } from '../../host/writeFile';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, wholeNumber } from '../options';
import { Processes } from '../processes';
import { Progress } from '../progress';
import { type FuzzReport, skippedWords, toolName } from '../report/fuzzModel';
import { FUZZ } from '../specs';
import { plain, styleFor } from '../style';

const DEFAULT_RUNS = 5000;

/** The samples file of a search: the one that was named, or one that stands for a definition file. */
interface Subject {
  readonly uri: string;
  readonly text: string;
  /** Where drifts are stored; it may not exist yet. */
  readonly samples: string;
}

/** `toolspec fuzz`: inputs on which contract and handler differ. */
export async function runFuzz(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(FUZZ, args);
  const runs = wholeNumber(options, 'runs') ?? DEFAULT_RUNS;
  const seed = wholeNumber(options, 'seed') ?? 1;
  if (runs === 0) throw new UsageError('--runs takes a whole number above zero.');
  const named = options.positionals[0]!;
  const file = path.resolve(io.cwd, named);
  const subject = await readSubject(file, named);
  const config = await new ConfigFinder(io.cwd).configFor(file);
  const said = config?.config ?? EMPTY_CONFIG;
  const processes = new Processes(io, os.availableParallelism());
  const progress = new Progress(io);
  const abort = new AbortController();
  // Each call of a batch listens.
  setMaxListeners(0, abort.signal);
  const cancel = (): void => abort.abort();
  process.once('SIGINT', cancel);
  let run: FuzzRun;
  try {
    const environment = {
      workspace: diskWorkspace,
      provider: processes.provider,
      handlers: options.flag('no-handlers') ? undefined : processes.handlers,
      folderOf: (uri: string) => path.dirname(uri),
      now: () => performance.now(),
      pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
    };
    run = await fuzzTools({ uri: subject.uri, text: subject.text }, environment, {
      runs,
      seed,
      tool: options.text('tool'),
      profile: options.text('profile') ?? said.profile,
      budgetBytes: said.budgetBytes,
      config: config === undefined ? undefined : { from: config.file, handlers: said.handlers },
      withoutHandlers: t('--no-handlers was given, so the handler was not run.'),
      signal: abort.signal,
      onProgress: (tool, { phase, runs: done, of, drifts }) => {
        const what = phase === 'search' ? 'Searching' : 'Shrinking';
        const share = `${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')} runs`;
        progress.show(`${what} ${plain(tool)}: ${share}, ${drifts.toLocaleString('en-US')} kinds of drift`);
      },
    });
  } finally {
    process.off('SIGINT', cancel);
    progress.end();
    await processes.close();
  }
  refuseNothing(run, named, options.text('tool'));
  for (const { path: missing, failure } of run.missing) {
    io.err(`toolspec: the definition file ${plain(missing)} ${render(failure)}, so its tools were not searched.\n`);
  }
  const saved = options.flag('save') ? await save(run, subject, io) : undefined;
  const report: FuzzReport = { file: slashes(path.relative(io.cwd, file)) || '.', seed, run, saved };
  const format = options.text('format') ?? 'text';
  if (format === 'json') await io.out((await import('../report/fuzzJson')).fuzzJson(report));
  else if (format === 'junit') await io.out((await import('../report/fuzzJunit')).fuzzJunit(report));
  else await io.out((await import('../report/fuzzText')).fuzzText(report, styleFor(io.color)));
  if (saved !== undefined) io.err(savedWords(saved));
  return run.tools.some(({ report: found }) => (found?.drifts.length ?? 0) > 0) ? EXIT.findings : EXIT.fine;
}

async function readSubject(file: string, named: string): Promise<Subject> {
  const read = await readTextFile(file);
  if ('failure' in read) throw new UsageError(`${plain(named)} ${read.failure}.`);
  if (isSampleFileName(file)) return { uri: file, text: read.text, samples: file };
  const base = path.basename(file);
  const stem = base.replace(/(?:\.tools?)?\.jsonc?$/, '');
  // The handlers of a samples file beside the definitions hold for them too, if it names them.
  for (const name of [`${stem}.samples.json`, `${stem}.drift.samples.json`]) {
    const samples = path.join(path.dirname(file), name);
    if (!existsSync(samples)) return { uri: samples, text: newSamplesText(`./${base}`), samples };
    const beside = await readTextFile(samples);
    if ('failure' in beside) continue;
    const { definitions } = readSamples(parseJson(beside.text), samples);
    if (definitions.some((each) => path.resolve(path.dirname(samples), each.path) === file)) {
      return { uri: samples, text: beside.text, samples };
    }
  }
  throw new UsageError(
    `${plain(named)} has samples files beside it that do not name it.`,
    'Name a samples file that does.',
  );
}

/** Throws `UsageError` where there was nothing to search. */
function refuseNothing({ tools, missing }: FuzzRun, named: string, wanted: string | undefined): void {
  const [first] = missing;
  if (tools.length === 0 && first !== undefined) {
    throw new UsageError(`${plain(named)}: the definition file ${plain(first.path)} ${render(first.failure)}.`);
  }
  if (tools.length === 0) {
    throw new UsageError(
      wanted === undefined ? `${plain(named)} has no tools.` : `${plain(named)} has no tool named ${plain(wanted)}.`,
    );
  }
  if (tools.every(({ report }) => report === undefined)) {
    const reasons = tools.map((tool) => `${plain(toolName(tool))}: ${plain(skippedWords(tool))}`);
    const head = `${plain(named)} has nothing to search.`;
    throw new UsageError(
      reasons.length === 1 ? `${head} ${reasons[0]}` : [head, ...reasons].join('\n'),
      tools.some(({ skipped }) => skipped === UNHANDLED)
        ? 'A handler is named in a samples file, under x-toolspec in the definition, or in toolspec.config.json.'
        : undefined,
    );
  }
}

/** Stores every drift as a sample call. */
async function save(run: FuzzRun, { samples, text, uri }: Subject, io: Io): Promise<{ file: string; count: number }> {
  const read = existsSync(samples) ? await readTextFile(samples) : undefined;
  let content = read === undefined || 'failure' in read ? text : read.text;
  let count = 0;
  for (const { report, tool } of run.tools) {
    for (const drift of report?.drifts ?? []) {
      const edits = sampleFromDrift(content, drift, tool);
      if (edits.length === 0) continue;
      content = applyEdits(content, edits);
      count++;
    }
  }
  const shown = slashes(path.relative(io.cwd, uri)) || uri;
  if (count > 0) {
    try {
      await writeTextFile(samples, content);
    } catch (error) {
      throw new UsageError(`${plain(shown)} ${writeFailureOf(error)}.`);
    }
  }
  return { file: shown, count };
}

function savedWords({ file, count }: { readonly file: string; readonly count: number }): string {
  if (count === 0) return `${plain(file)} holds all of them already.\n`;
  return `${count.toLocaleString('en-US')} stored as sample ${count === 1 ? 'call' : 'calls'} in ${plain(file)}.\n`;
}
