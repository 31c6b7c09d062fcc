import { didYouMean } from '../../core/text/words';
import { type Io, UsageError } from '../io';
import { usageLine } from '../options';
import { GRAMMAR } from '../specs';

/** A command behind `grammar`: gets what stands behind its name, gives the exit code. */
type Command = (args: readonly string[], io: Io) => Promise<number>;

/** Loads a command on first use: checking must not pay for the parsers, nor the batch form for the diagrams. */
const LOADERS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['check', async () => (await import('./grammarCheck')).runGrammarCheck],
  ['parse', async () => (await import('./grammarParse')).runGrammarParse],
  ['walk', async () => (await import('./grammarWalk')).runGrammarWalk],
  ['generate', async () => (await import('./grammarGenerate')).runGrammarGenerate],
  ['format', async () => (await import('./grammarFormat')).runGrammarFormat],
  ['railroad', async () => (await import('./grammarRailroad')).runGrammarRailroad],
]);

/** `toolspec grammar`: the grammar side alone. */
export async function runGrammar(args: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined) throw new UsageError('toolspec grammar needs a command.', usageLine(GRAMMAR));
  const load = LOADERS.get(first);
  if (load !== undefined) return (await load())(rest, io);
  const guess = didYouMean(first, LOADERS.keys());
  throw new UsageError(
    `There is no command "grammar ${first}".${guess === undefined ? '' : ` Did you mean grammar ${guess}?`}`,
    '"toolspec grammar --help" lists the commands.',
  );
}
