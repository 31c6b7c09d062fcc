import path from 'node:path';
import { isSampleFileName } from '../../core/calls/fileNames';
import { type Checker, type CheckOptions, CONFIG_FILE_NAME, createChecker } from '../../core/check';
import { EMPTY_CONFIG } from '../../core/config/read';
import type { GrammarSurroundings } from '../../core/grammar/surroundings';
import { TARGETS, type Target } from '../../core/profiles/targets';
import { type Checked, fixText } from '../../core/rules/fixText';
import { embeddedGrammar } from '../../core/rules/grammar/embedded';
import { compareFindings } from '../../core/text/finding';
import { render } from '../../core/text/message';
import type { ToolSet } from '../../core/tools/model';
import { ConfigFinder } from '../../host/configFiles';
import {
  type Discovered,
  discoverFiles,
  readRegularFile,
  readTextFile,
  slashes,
  type TextFile,
  writeFailureOf,
} from '../../host/files';
import { grammarImporter, grammarSurroundings } from '../../host/grammarFiles';
import { writeTextFile } from '../../host/writeFile';
import type { ConfigHandlerCheck, HandlerJudge } from '../configHandlers';
import { ImportedGrammars } from '../importedGrammars';
import { EXIT, type Io, UsageError } from '../io';
import { Opinions } from '../opinions';
import { type ParsedOptions, parseOptions, wholeNumber } from '../options';
import { Progress } from '../progress';
import {
  allFindings,
  type CheckedFile,
  type CheckReport,
  type FileReport,
  fails,
  fileReport,
  summarize,
  type UnreadFile,
} from '../report/model';
import { CHECK } from '../specs';
import { count, inPaths, plain, styleFor } from '../style';

/** `toolspec check`: all rules over files and folders. */
export async function runCheck(args: readonly string[], io: Io): Promise<number> {
  const everything: Scope = { wanted: () => true, isGrammar: (file) => file.endsWith('.lark') };
  return checkPaths(parseOptions(CHECK, args), io, everything);
}

/** What a check is about. */
export interface Scope {
  /** Rules whose findings are reported. */
  wanted(rule: string): boolean;
  /** Whether a file is a grammar, by its name or text; others hold tools or settings. */
  isGrammar(file: string, text: string): boolean;
}

/** Checks the paths that were typed and prints the report. */
export async function checkPaths(options: ParsedOptions, io: Io, scope: Scope): Promise<number> {
  const maxWarnings = wholeNumber(options, 'max-warnings');
  const format = options.text('format') ?? 'text';
  const configs = new ConfigFinder(io.cwd);
  const paths = options.positionals.length > 0 ? options.positionals : ['.'];
  if (paths.includes('')) throw new UsageError('A path is empty.');

  const queue: Session['queue'] = [];
  const session: Session = {
    io,
    configs,
    checker: createChecker(),
    options,
    withEdits: format === 'sarif',
    scope,
    queue,
    imported: new ImportedGrammars(queue, io.cwd),
    known: new Set(),
    files: [],
    unread: [],
    opinions: new Opinions(io),
  };
  const { files, unread, known } = session;
  const absolute = paths.map((named) => path.resolve(io.cwd, named));
  for await (const each of discoverFiles(absolute, configs)) {
    queue.push(each);
    known.add(each.file);
  }
  const progress = new Progress(io);
  try {
    // The queue grows by the grammars that tools name.
    for (const [index, each] of queue.entries()) {
      progress.show(`Checking ${index + 1} of ${queue.length}: ${plain(displayPath(each.file, io.cwd))}`);
      await checkOne(each, session);
    }
  } finally {
    await session.opinions.close();
  }
  progress.end();

  for (const { file, failure } of unread) io.err(`toolspec: ${plain(file)} ${failure}.\n`);
  if (queue.length === 0)
    io.err(`toolspec: no tool definition files, no sample calls and no grammars ${inPaths(paths)}.\n`);
  const report: CheckReport = { files, unread, summary: summarize(files), maxWarnings };
  const code = exitCode(report);
  await print(report, format, code, options, io);
  return code;
}

/** A grammar that a tool names. */
interface NamedGrammar {
  readonly file: string;
  /** The name of the tool. */
  readonly namedBy: string;
}

/** What the work on one file needs and where its results go. */
interface Session {
  readonly io: Io;
  readonly configs: ConfigFinder;
  readonly checker: Checker;
  readonly options: ParsedOptions;
  readonly withEdits: boolean;
  readonly scope: Scope;
  /** What is to be checked, in order. */
  readonly queue: (Discovered | NamedGrammar)[];
  /** Which of the grammars are there for others. */
  readonly imported: ImportedGrammars;
  /** Paths in the queue. */
  readonly known: Set<string>;
  readonly files: FileReport[];
  readonly unread: UnreadFile[];
  /** What the provider's engine says of grammars. */
  readonly opinions: Opinions;
  /** Handlers of config files and the tools that they are named for; made for the first config file. */
  configHandlers?: ConfigHandlerCheck;
}

async function checkOne(each: Discovered | NamedGrammar, session: Session): Promise<void> {
  const { io, checker, files, unread } = session;
  const shown = displayPath(each.file, io.cwd);
  if ('failure' in each) {
    unread.push({ file: shown, failure: each.failure });
    return;
  }
  const read = await ('namedBy' in each ? readRegularFile : readTextFile)(each.file);
  if ('failure' in read) {
    const whose = 'namedBy' in each ? `(the grammar of ${plain(each.namedBy)}) ` : '';
    unread.push({ file: shown, failure: `${whose}${read.failure}` });
    return;
  }
  const options = await checkOptions(each.file, session);
  if ('namedBy' in each || session.scope.isGrammar(each.file, read.text)) {
    const check = await grammarCheck(each.file, read.text, options, session);
    const learn = async (text: string): Promise<boolean> => {
      await session.opinions.learn([{ syntax: 'lark', text }], options.targets);
      return text !== read.text;
    };
    await learn(read.text);
    const checked = await settled(each.file, shown, read, check, learn, session);
    files.push(fileReport(shown, checked, session.withEdits));
    return;
  }
  if (isSampleFileName(path.basename(each.file))) {
    files.push(fileReport(shown, await samplesCheck(each.file, read.text, options, session), session.withEdits));
    return;
  }
  const surroundings = grammarSurroundings(path.dirname(each.file));
  const isConfig = path.basename(each.file) === CONFIG_FILE_NAME;
  const handlers = isConfig ? await handlerJudge(each.file, read.text, options, session) : undefined;
  const check = (text: string): CheckedText => {
    const input = { uri: each.file, text, jsonc: each.file.endsWith('.jsonc') };
    const result = checker.check(input, { ...options, surroundings, opinionOf: session.opinions.of });
    const unsuited = handlers?.(result.document) ?? [];
    const all = unsuited.length === 0 ? result.findings : [...result.findings, ...unsuited].sort(compareFindings);
    const findings = all.filter(({ rule }) => session.scope.wanted(rule));
    return { text, tools: result.set.tools.length, findings, document: result.document, set: result.set };
  };
  const learn = async (text: string, { set }: CheckedText): Promise<boolean> => {
    const grammars = set?.tools.flatMap((tool) => embeddedGrammar(text, tool) ?? []) ?? [];
    await session.opinions.learn(grammars, options.targets);
    return grammars.length > 0;
  };
  const result = await settled(each.file, shown, read, check, learn, session);
  files.push(fileReport(shown, result, session.withEdits));
  if (result.set !== undefined) addGrammars(result.set, each.file, surroundings, session);
  checker.forget(each.file);
}

/** The judge of the handlers that a config file names. Loaded on first use: most files are none. */
async function handlerJudge(
  file: string,
  text: string,
  options: CheckOptions,
  session: Session,
): Promise<HandlerJudge> {
  const { ConfigHandlerCheck } = await import('../configHandlers');
  session.configHandlers ??= new ConfigHandlerCheck(session.configs);
  return session.configHandlers.judge(file, text, options);
}

/** A check of one version of a text: for the report, and for fixing. */
interface CheckedText extends CheckedFile, Checked {
  /** Of a file of tool definitions. */
  readonly set?: ToolSet;
}

/** The check of a grammar file. Loaded on first use: files of tools have no need of it. */
async function grammarCheck(
  file: string,
  before: string,
  { targets, levels }: CheckOptions,
  session: Session,
): Promise<(text: string) => CheckedText> {
  const [{ checkGrammar }, { parseGrammar }, { isLibrary }] = await Promise.all([
    import('../../core/checkGrammar'),
    import('../../core/grammar/parse'),
    import('../../core/rules/grammar/library'),
  ]);
  const importer = grammarImporter(path.dirname(file));
  const options = {
    importer,
    ...(targets === undefined ? {} : { targets }),
    ...(levels === undefined ? {} : { levels }),
  };
  const imported = isLibrary(parseGrammar(before)) && (await session.imported.has(file));
  return (text) => ({
    text,
    tools: undefined,
    findings: checkGrammar(text, { ...options, imported, provider: session.opinions.of('lark', text) }).filter(
      ({ rule }) => session.scope.wanted(rule),
    ),
    document: { problems: [] },
  });
}

/** The check of a file of sample calls, which also looks at the files that it names. */
async function samplesCheck(
  file: string,
  text: string,
  { levels, profile }: CheckOptions,
  session: Session,
): Promise<CheckedFile> {
  const [{ checkSamples }, { diskWorkspace }] = await Promise.all([
    import('../../core/checkSamples'),
    import('../../host/sampleFiles'),
  ]);
  const result = await checkSamples({ uri: file, text, jsonc: file.endsWith('.jsonc') }, diskWorkspace, {
    syntax: true,
    ...(levels === undefined ? {} : { levels }),
    ...(profile === undefined ? {} : { profile }),
  });
  const findings = result.findings.filter(({ rule }) => session.scope.wanted(rule));
  return { text, tools: 0, calls: result.file.calls.length, findings };
}

/** Puts the grammars that the tools of a file name behind what is to be checked. */
function addGrammars({ tools }: ToolSet, file: string, around: GrammarSurroundings, session: Session): void {
  for (const { name, format } of tools) {
    if (format?.file === undefined || format.syntax === 'regex') continue;
    // A finding tells of one that is missing.
    if (around.grammarFile(format.file)?.there === false) continue;
    const grammar = path.resolve(path.dirname(file), format.file);
    if (session.known.has(grammar)) continue;
    session.known.add(grammar);
    session.queue.push({ file: grammar, namedBy: name ?? 'a tool' });
  }
}

/** Options of the config file that holds for the file; what was typed goes before it. */
async function checkOptions(file: string, session: Session): Promise<CheckOptions> {
  const { config } = (await session.configs.configFor(file)) ?? { config: EMPTY_CONFIG };
  const typed = session.options.list('target');
  const targets = typed.includes('all') ? TARGETS : typed.length > 0 ? (typed as readonly Target[]) : config.targets;
  const profile = session.options.text('profile') ?? config.profile;
  return {
    syntax: true,
    levels: config.rules,
    ...(targets === undefined ? {} : { targets }),
    ...(profile === undefined ? {} : { profile }),
    ...(config.budgetBytes === undefined ? {} : { budgetBytes: config.budgetBytes }),
  };
}

/** Checks a file, or fixes it; with what the provider's engine says of the grammars that are in it then. */
async function settled(
  file: string,
  shown: string,
  read: TextFile,
  check: (text: string) => CheckedText,
  learn: (text: string, checked: CheckedText) => Promise<boolean>,
  session: Session,
): Promise<CheckedText> {
  const checked = session.options.flag('fix') ? await fix(file, shown, read, check, session) : check(read.text);
  return (await learn(checked.text, checked)) ? check(checked.text) : checked;
}

/** Fixes a file and says what was done to it. */
async function fix(
  file: string,
  shown: string,
  read: TextFile,
  check: (text: string) => CheckedText,
  session: Session,
): Promise<CheckedText> {
  const outcome = fixText(read.text, check);
  if (outcome.text === read.text) return outcome.result;
  try {
    await writeTextFile(file, `${read.bom ? '\ufeff' : ''}${outcome.text}`);
  } catch (error) {
    session.unread.push({ file: shown, failure: writeFailureOf(error), unwritten: true });
    return check(read.text);
  }
  session.io.err(`${plain(shown)}: ${count(outcome.applied.length, 'fix', 'fixes')} applied.\n`);
  const times = new Map<string, number>();
  for (const { title } of outcome.applied) times.set(render(title), (times.get(render(title)) ?? 0) + 1);
  for (const [title, number] of times) {
    session.io.err(`  ${plain(title)}${number > 1 ? ` (${number.toLocaleString('en-US')} times)` : ''}\n`);
  }
  return outcome.result;
}

function exitCode(report: CheckReport): number {
  if (report.unread.length > 0) return EXIT.usage;
  return allFindings(report).some(({ level }) => fails(level, report)) ? EXIT.findings : EXIT.fine;
}

async function print(report: CheckReport, format: string, code: number, options: ParsedOptions, io: Io): Promise<void> {
  const shown = options.flag('hints')
    ? allFindings(report)
    : allFindings(report).filter(({ level }) => level !== 'hint');
  switch (format) {
    case 'json':
      return io.out((await import('../report/json')).jsonReport(report));
    case 'junit':
      return io.out((await import('../report/junit')).junitReport(report));
    case 'github':
      return io.out((await import('../report/github')).githubReport(shown));
    case 'sarif': {
      const [{ sarifReport }, { ruleLink }] = await Promise.all([
        import('../report/sarif'),
        import('../../core/rules/links'),
      ]);
      return io.out(sarifReport(report, { version: io.version, cwd: io.cwd, exitCode: code, link: ruleLink }));
    }
    default: {
      const { summaryText, textReport } = await import('../report/text');
      await io.out(textReport(shown, styleFor(io.color)));
      if (report.files.length > 0 || report.unread.length > 0)
        io.err(summaryText(report, { hiddenHints: !options.flag('hints'), offerFix: !options.flag('fix') }));
    }
  }
}

/** The path as reports give it: relative to the working directory, with `/`. */
function displayPath(file: string, cwd: string): string {
  return slashes(path.relative(cwd, file)) || '.';
}
