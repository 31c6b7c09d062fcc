import { resultText } from '../../core/grammar/jsonl';
import { type GrammarSource, loadSource, readGrammarSource } from '../grammarInput';
import { GRAMMAR_PARSE } from '../grammarSpecs';
import { readInput } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { checkBatch, type ParsedOptions, parseOptions, usageLine } from '../options';
import { styleFor } from '../style';

/** `toolspec grammar parse`: the tree of a text, or where and why it is refused. */
export async function runGrammarParse(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(GRAMMAR_PARSE, args);
  const [named] = options.positionals;
  if (options.flag('jsonl')) {
    checkBatch(options, []);
    const { answerGrammarLines } = await import('../grammarLines');
    await answerGrammarLines(io);
    return EXIT.fine;
  }
  if (named === undefined) throw new UsageError('toolspec grammar parse needs a grammar.', usageLine(GRAMMAR_PARSE));
  const text = textNamed(options);
  const provider = options.text('engine') === 'llguidance';
  const grammar = await readGrammarSource(named, options, io, provider);
  const input = 'text' in text ? text : await readInput(text.file, io);
  if (!provider) return parse(grammar, input, options, io);
  const { judgeWithProvider } = await import('../grammarProvider');
  return judgeWithProvider(grammar, input, options, io);
}

/** The text to parse, or the file that holds it. */
function textNamed(options: ParsedOptions): { text: string; shown: string } | { file: string } {
  const [grammar, file] = options.positionals;
  const text = options.text('input');
  if (text !== undefined) {
    if (file !== undefined) throw new UsageError(`The text comes from --input or from ${file}, not from both.`);
    return { text, shown: '<input>' };
  }
  if (file === undefined) {
    throw new UsageError(
      'toolspec grammar parse needs a text: a file, - for standard input, or --input TEXT.',
      usageLine(GRAMMAR_PARSE),
    );
  }
  if (file === '-' && grammar === '-') throw new UsageError('Standard input holds the grammar or the text, not both.');
  return { file };
}

async function parse(
  grammar: GrammarSource,
  input: { readonly text: string; readonly shown: string },
  options: ParsedOptions,
  io: Io,
): Promise<number> {
  const json = options.text('format') === 'json';
  const ready = loadSource(grammar, options, io);
  if ('problems' in ready) {
    if (json) await io.out(`{"loadError":${ready.loadError},"results":[]}\n`);
    else await io.out(ready.problems.map((line) => `${line}\n`).join(''));
    return EXIT.findings;
  }
  const { parser } = ready;
  if (json) {
    const result = resultText(parser, input.text);
    await io.out(`{"loadError":null,"results":[${result}]}\n`);
    return result.startsWith('{"accepted":true') ? EXIT.fine : EXIT.findings;
  }
  const style = styleFor(io.color);
  const result = parser.parse(input.text);
  if (result.accepted) {
    const { treeLines } = await import('../report/grammarTree');
    for (const piece of treeLines(result, style)) await io.out(piece);
    return EXIT.fine;
  }
  const { refusalText } = await import('../report/grammarError');
  await io.out(refusalText(result.error, input.text, input.shown, ready.grammar, style));
  return EXIT.findings;
}
