import { didYouMean } from '../core/text/words';
import { EXIT, type Io, UsageError } from './io';

/** A command: gets what stands behind its name, gives the exit code. */
type Command = (args: readonly string[], io: Io) => Promise<number>;

/** Loads a command on first use: the start of the others must not pay for it. */
const LOADERS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['check', async () => (await import('./commands/check')).runCheck],
  ['compile', async () => (await import('./commands/compile')).runCompile],
  ['wire', async () => (await import('./commands/wire')).runWire],
  ['grammar', async () => (await import('./commands/grammar')).runGrammar],
  ['run', async () => (await import('./commands/run')).runRun],
  ['fuzz', async () => (await import('./commands/fuzz')).runFuzz],
  ['snapshot', async () => (await import('./commands/snapshot')).runSnapshot],
  ['convert', async () => (await import('./commands/convert')).runConvert],
  ['search', async () => (await import('./commands/search')).runSearch],
  ['lsp', async () => (await import('./commands/lsp')).runLsp],
]);

/** Runs one command line. Never throws: every failure becomes a message and an exit code. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`toolspec: ${error.message}\n`);
    if (error.hint !== undefined) io.err(`${error.hint}\n`);
    return EXIT.usage;
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined) {
    io.err((await import('./help')).generalHelp());
    return EXIT.usage;
  }
  if (first === '--version' || first === '-v') {
    await io.out(`${io.version}\n`);
    return EXIT.fine;
  }
  if (first === '--help' || first === '-h' || first === 'help') {
    const about = first === 'help' ? rest[0] : undefined;
    if (about === undefined || about.startsWith('-')) {
      await io.out((await import('./help')).generalHelp());
      return EXIT.fine;
    }
    return help(rest, io);
  }
  const load = LOADERS.get(first);
  if (load === undefined) throw unknownCommand(first);
  const end = rest.indexOf('--');
  if ((end < 0 ? rest : rest.slice(0, end)).some((arg) => arg === '--help' || arg === '-h')) return help(args, io);
  return (await load())(rest, io);
}

/** The help of the command that the first words name. */
async function help([first = '', second]: readonly string[], io: Io): Promise<number> {
  const [{ commandHelp }, { COMMANDS }] = await Promise.all([import('./help'), import('./specs')]);
  const spec = COMMANDS.find((command) => command.name === first);
  if (spec === undefined) throw unknownCommand(first);
  const inner = spec.subcommands?.find((command) => command.name === `${first} ${second}`);
  await io.out(commandHelp(inner ?? spec));
  return EXIT.fine;
}

function unknownCommand(word: string): UsageError {
  if (word.startsWith('-')) {
    return new UsageError(
      `There is no option ${word} before a command.`,
      '"toolspec --help" lists commands and options.',
    );
  }
  const guess = didYouMean(word, LOADERS.keys());
  return new UsageError(
    `There is no command "${word}".${guess === undefined ? '' : ` Did you mean ${guess}?`}`,
    '"toolspec --help" lists the commands.',
  );
}
