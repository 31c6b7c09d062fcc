import { type GeneratedSentences, generateRefused, generateSentences } from '../../core/grammar/generate';
import { type GrammarSource, loadSource, type ReadyGrammar, readGrammarSource } from '../grammarInput';
import { GRAMMAR_GENERATE } from '../grammarSpecs';
import { EXIT, type Io } from '../io';
import { parseOptions, wholeNumber } from '../options';
import { count, plain } from '../style';

/** Texts by chance, beside those that cover the alternatives, when nobody says how many. */
const BY_CHANCE = 10;
/** So many alternatives that no text uses are named. */
const MOST_NAMED = 20;

/** `toolspec grammar generate`: texts that a grammar accepts, or almost accepts. */
export async function runGrammarGenerate(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(GRAMMAR_GENERATE, args);
  const most = wholeNumber(options, 'count');
  const seed = wholeNumber(options, 'seed') ?? 1;
  const grammar = await readGrammarSource(options.positionals[0]!, options, io);
  const ready = loadSource(grammar, options, io);
  if ('problems' in ready) {
    io.err(ready.problems.map((line) => `${line}\n`).join(''));
    return EXIT.findings;
  }
  const found = generateSentences(ready.parser, {
    seed,
    count: most ?? BY_CHANCE,
    ...(most === undefined ? {} : { maxCovering: most }),
  });
  let texts = found.sentences.map(({ text }) => text);
  if (options.flag('refused')) {
    texts = [...generateRefused(ready.parser, found.sentences, { seed, count: most ?? BY_CHANCE })];
  }
  if (most !== undefined) texts = texts.slice(0, most);
  if (options.text('format') === 'json') await io.out(`${JSON.stringify(texts)}\n`);
  else await io.out(texts.map((text) => `${JSON.stringify(text)}\n`).join(''));
  // A limit that was typed may well be below the number of alternatives.
  if (!options.flag('refused') && (most === undefined || (most > 0 && texts.length === 0)))
    sayCoverage(found, ready, grammar, io);
  return EXIT.fine;
}

function sayCoverage(found: GeneratedSentences, ready: ReadyGrammar, grammar: GrammarSource, io: Io): void {
  const total = ready.grammar.rules.length;
  const missed = found.unusable.length + found.uncovered.length;
  const covered = `${(total - missed).toLocaleString('en-US')} of ${count(total, 'alternative')}`;
  io.err(`${count(found.sentences.length, 'text covers', 'texts cover')} ${covered}.\n`);
  const name = (rules: readonly number[], why: string): void => {
    for (const number of rules.slice(0, MOST_NAMED)) {
      const { origin, span } = ready.grammar.rules[number]!;
      const where = span === undefined ? plain(grammar.shown) : grammar.at(span.start);
      io.err(`${where}: ${why} of ${plain(origin)}.\n`);
    }
    if (rules.length > MOST_NAMED) io.err(`${count(rules.length - MOST_NAMED, 'alternative')} more like these.\n`);
  };
  name(found.unusable, 'no text at all can use this alternative');
  name(found.uncovered, 'no text was found that uses this alternative');
}
