import type { ProviderAnswer, ProviderGrammar } from '../../core/grammar/provider';
import { placeOfByte } from '../../core/grammar/providerText';
import { walkOutcome, walkText, walkVerdict } from '../../core/grammar/walkText';
import { render } from '../../core/text/message';
import { readGrammarSource } from '../grammarInput';
import { GRAMMAR_WALK } from '../grammarSpecs';
import { readInput } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, usageLine } from '../options';
import { plain, styleFor } from '../style';

/** A walk may take this long. */
const WALK_MILLISECONDS = 10_000;

/** `toolspec grammar walk`: what a generating model meets, byte by byte. */
export async function runGrammarWalk(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(GRAMMAR_WALK, args);
  const [named, file] = options.positionals;
  if (named === undefined) throw new UsageError('toolspec grammar walk needs a grammar.', usageLine(GRAMMAR_WALK));
  const given = options.text('input');
  if (given !== undefined && file !== undefined) {
    throw new UsageError(`The text comes from --input or from ${file}, not from both.`);
  }
  if (named === '-' && file === '-') throw new UsageError('Standard input holds the grammar or the text, not both.');
  const grammar = await readGrammarSource(named, options, io, true);
  // Without a text it is the beginning that is of interest.
  const text = given ?? (file === undefined ? '' : (await readInput(file, io)).text);
  const source: ProviderGrammar = { syntax: grammar.syntax, text: grammar.text };
  const engine = await io.engine();
  let answer: ProviderAnswer;
  try {
    answer = await engine.ask({ kind: 'walk', grammar: source, input: text }, { milliseconds: WALK_MILLISECONDS });
  } finally {
    await engine.close();
  }
  if (options.text('format') === 'json') {
    await io.out(`${JSON.stringify(walkJson(text, answer))}\n`);
  } else if (answer.load?.ok === false) {
    const { offset, message } = answer.load.refusal;
    const place = offset === undefined ? plain(grammar.shown) : grammar.at(offset);
    await io.out(`${place} error The provider's engine refuses the grammar: ${plain(message)}\n`);
  } else {
    const style = styleFor(io.color);
    await io.out(answer.steps.length === 0 ? '' : walkText(text, answer, style));
    await io.out(`\n${render(walkVerdict(text, answer))}\n`);
  }
  if (walkOutcome(text, answer).accepted) return EXIT.fine;
  const isAsked = given !== undefined || file !== undefined;
  return !isAsked && answer.load?.ok === true && answer.end.state === 'done' ? EXIT.fine : EXIT.findings;
}

function walkJson(text: string, answer: ProviderAnswer): object {
  const { accepted, prefix } = walkOutcome(text, answer);
  const { offset, line, column } = placeOfByte(text, prefix);
  const { load } = answer;
  return {
    version: 1,
    engine: 'llguidance',
    loadError:
      load?.ok === false
        ? { message: load.refusal.firstLine, text: load.refusal.text, offset: load.refusal.offset ?? null }
        : null,
    warnings: load?.ok === true ? load.warnings : [],
    end: answer.end.state,
    accepted,
    prefix,
    offset,
    line,
    column,
    steps: answer.steps.map((step) => ({
      at: step.at,
      byte: step.byte ?? null,
      taken: step.taken,
      allowed: step.allowed,
      end: step.end,
      forced: step.forced,
      forcedText: step.forcedText ?? null,
      error: step.error ?? null,
    })),
  };
}
