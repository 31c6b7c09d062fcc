import type { JudgedInput, ProviderAnswer, ProviderTerminal } from '../core/grammar/provider';
import { charactersText } from '../core/grammar/providerWords';
import { type GrammarSource, loadSource } from './grammarInput';
import { EXIT, type Io } from './io';
import type { ParsedOptions } from './options';
import { excerpt } from './report/grammarError';
import { count, plain, type Style, styleFor } from './style';

/** A verdict may take this long. */
const MILLISECONDS = 10_000;

interface NamedText {
  readonly text: string;
  readonly shown: string;
}

/** What Lark says of the same text, in short; `undefined` for regular expressions, of which it has no notion. */
interface LarkVerdict {
  readonly loads: boolean;
  readonly accepted: boolean;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The text was too much work, so there is no verdict. */
  readonly gaveUp?: boolean;
}

/**
 * `toolspec grammar parse --engine llguidance`: the verdict of the provider's engine, with Lark's beside it. The exit
 * code follows the provider.
 */
export async function judgeWithProvider(
  grammar: GrammarSource,
  input: NamedText,
  options: ParsedOptions,
  io: Io,
): Promise<number> {
  const source = { syntax: grammar.syntax, text: grammar.text };
  const engine = await io.engine();
  let answer: ProviderAnswer;
  try {
    const job = { kind: 'judge', grammar: source, inputs: [input.text], next: true } as const;
    answer = await engine.ask(job, { milliseconds: MILLISECONDS });
  } finally {
    await engine.close();
  }
  const lark = grammar.syntax === 'lark' ? larkVerdict(grammar, input, options, io) : undefined;
  if (options.text('format') === 'json') await io.out(`${JSON.stringify(verdictJson(answer, lark))}\n`);
  else {
    const lines = [...providerLines(grammar, input, answer, styleFor(io.color))];
    if (lark !== undefined) lines.push(larkLine(lark));
    await io.out(lines.map((line) => `${line}\n`).join(''));
  }
  return answer.inputs[0]?.verdict.accepted === true ? EXIT.fine : EXIT.findings;
}

function larkVerdict(grammar: GrammarSource, input: NamedText, options: ParsedOptions, io: Io): LarkVerdict {
  const ready = loadSource(grammar, options, io);
  if ('problems' in ready) return { loads: false, accepted: false, line: undefined, column: undefined };
  const result = ready.parser.parse(input.text, { tree: false });
  if (result.accepted) return { loads: true, accepted: true, line: undefined, column: undefined };
  const { kind, line, column } = result.error;
  return { loads: true, accepted: false, line, column, gaveUp: kind === 'too-complex' };
}

function larkLine({ loads, accepted, line, column, gaveUp }: LarkVerdict): string {
  if (!loads) return 'Lark refuses the grammar; "toolspec grammar parse" without --engine says why.';
  if (accepted) return 'Lark accepts the text.';
  if (gaveUp) return 'There is no verdict for Lark: the text is too complex to parse with this grammar.';
  return `Lark refuses the text${line === undefined ? '' : ` at ${line}:${column}`}.`;
}

function providerLines(grammar: GrammarSource, input: NamedText, answer: ProviderAnswer, style: Style): string[] {
  const { load, end } = answer;
  if (load?.ok === false) {
    const { offset, message } = load.refusal;
    const place = offset === undefined ? plain(grammar.shown) : grammar.at(offset);
    return [`${place} ${style('error', 'red')} llguidance refuses the grammar: ${plain(message)}`];
  }
  const judged = answer.inputs[0];
  const lines = (load?.warnings ?? []).map(
    (warning) => `${plain(grammar.shown)} ${style('warning', 'yellow')} ${plain(warning)}`,
  );
  if (judged !== undefined) lines.push(...judgedLines(judged, input, style));
  if (end.state === 'timed-out') {
    const about =
      judged === undefined
        ? `${load === undefined ? 'loading the grammar' : 'reading the text'}`
        : 'finding out what may be generated next, so generation hangs there';
    lines.push(`llguidance was stopped after ${end.milliseconds / 1000} s, ${about}.`);
  } else if (end.state === 'crashed') lines.push(`llguidance broke (${end.cause}): ${plain(end.detail)}`);
  else if (end.state === 'unavailable') lines.push(`The engine cannot run here: ${plain(end.detail)}`);
  return lines;
}

function judgedLines(judged: JudgedInput, input: NamedText, style: Style): string[] {
  const { verdict, next, generation, terminals } = judged;
  const lines: string[] = [];
  if (verdict.accepted) lines.push('llguidance accepts the text.');
  else {
    const atEnd = verdict.offset === input.text.length;
    const why =
      verdict.error !== undefined
        ? `gives up: ${plain(verdict.error)}`
        : atEnd
          ? 'takes the text as a beginning that cannot end here.'
          : `refuses the text after ${count(verdict.prefix, 'byte')}${verdict.mayEnd ? ', where it could end' : ''}.`;
    lines.push(
      `${plain(input.shown)}:${verdict.line}:${verdict.column} ${style('error', 'red')} llguidance ${why}`,
      ...excerpt(input.text, verdict.offset, style),
    );
  }
  if (next?.ok === true) {
    const { within, bytes, characters, more } = next.value;
    const listed = within
      ? `${count(bytes.length, 'byte')} that go on with the character`
      : charactersText(characters, more);
    if (listed !== '') lines.push(`  may come next: ${listed}`);
  }
  if (terminals !== undefined && terminals.length > 0)
    lines.push(`  terminals: ${terminals.map(terminalText).join(', ')}`);
  if (generation !== undefined && generation.forced !== '') {
    const { forced, forcedBytes } = generation;
    const shown = forced.length <= 60 ? forced : `${forced.slice(0, 59)}…`;
    lines.push(`  must follow: ${plain(JSON.stringify(shown))} (${count(forcedBytes, 'byte')})`);
  }
  if (generation?.error !== undefined) lines.push(`  generation fails here: ${plain(generation.error)}`);
  return lines;
}

/** `NAME`, or `"+"` where it stands for one text. */
const terminalText = ({ name, text }: ProviderTerminal): string =>
  text === undefined ? name : plain(JSON.stringify(text));

function verdictJson(answer: ProviderAnswer, lark: LarkVerdict | undefined): object {
  const { load, end } = answer;
  const judged = answer.inputs[0];
  const refusal = load?.ok === false ? load.refusal : undefined;
  const next = judged?.next?.ok === true ? judged.next.value : undefined;
  return {
    version: 1,
    engine: 'llguidance',
    loadError:
      refusal === undefined ? null : { message: refusal.firstLine, text: refusal.text, offset: refusal.offset ?? null },
    warnings: load?.ok === true ? load.warnings : [],
    end: end.state,
    accepted: judged?.verdict.accepted ?? false,
    prefix: judged?.verdict.prefix ?? null,
    offset: judged?.verdict.offset ?? null,
    line: judged?.verdict.line ?? null,
    column: judged?.verdict.column ?? null,
    mayEnd: judged?.verdict.mayEnd ?? null,
    error: judged?.verdict.error ?? null,
    next:
      next === undefined ? null : { characters: next.characters, more: next.more, bytes: next.bytes, end: next.end },
    terminals: judged?.terminals?.map(({ name, text, begun }) => ({ name, text: text ?? null, begun })) ?? null,
    forced: judged?.generation?.forced ?? null,
    forcedBytes: judged?.generation?.forcedBytes ?? null,
    generationError: judged?.generation?.error ?? null,
    lark:
      lark === undefined
        ? null
        : { loads: lark.loads, accepted: lark.accepted, line: lark.line ?? null, column: lark.column ?? null },
  };
}
