import type { ProviderAnswer, ProviderEnd, ProviderGrammar } from '../../core/grammar/provider';
import { MOST_WALKED_BYTES } from '../../core/grammar/providerJobs';
import { placeOfByte, utf8Bytes } from '../../core/grammar/providerText';
import { readGrammarSource } from '../grammarInput';
import { GRAMMAR_WALK } from '../grammarSpecs';
import { readInput } from '../input';
import { EXIT, type Io, UsageError } from '../io';
import { parseOptions, usageLine } from '../options';
import { walkText } from '../report/grammarWalk';
import { count, plain, styleFor } from '../style';

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
    await io.out(`\n${verdictText(text, answer)}\n`);
  }
  return outcome(text, answer).accepted ? EXIT.fine : EXIT.findings;
}

/** Whether a walk reached the end of its text, and whether generation could stop there. */
function outcome(text: string, { end, steps }: ProviderAnswer): { accepted: boolean; prefix: number } {
  const last = steps.at(-1);
  const prefix = last === undefined ? 0 : last.at + (last.taken ? 1 : 0);
  const accepted = end.state === 'done' && last?.end === true && last.byte === undefined;
  return { accepted: accepted && prefix === utf8Bytes(text).length, prefix };
}

function walkJson(text: string, answer: ProviderAnswer): object {
  const { accepted, prefix } = outcome(text, answer);
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

function verdictText(text: string, answer: ProviderAnswer): string {
  const { accepted, prefix } = outcome(text, answer);
  if (accepted) return 'The text is accepted.';
  if (answer.end.state !== 'done') return endText(answer.end);
  const last = answer.steps.at(-1);
  const { line, column } = placeOfByte(text, prefix);
  if (last?.error !== undefined) return `At ${line}:${column} the engine gives up, so generation fails there.`;
  if (prefix === utf8Bytes(text).length) return 'The text is a beginning: it cannot end here.';
  if (prefix >= MOST_WALKED_BYTES) return `Only the first ${count(MOST_WALKED_BYTES, 'byte')} were walked.`;
  return `The text is refused at ${line}:${column}, after ${count(prefix, 'byte')}.`;
}

/** Why a walk did not come to its end. */
function endText(end: Exclude<ProviderEnd, { readonly state: 'done' }>): string {
  switch (end.state) {
    case 'timed-out':
      return `The engine did not come back within ${end.milliseconds / 1000} s: generation hangs after the last line.`;
    case 'crashed':
      return `The engine broke (${end.cause}): ${plain(end.detail)}`;
    case 'outdated':
      return 'A newer question took the place of this one.';
    case 'unavailable':
      return `The engine cannot run here: ${plain(end.detail)}`;
  }
}
