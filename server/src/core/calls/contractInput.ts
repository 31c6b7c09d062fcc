import { explainDifference, type LarkOpinion } from '../grammar/enginesDiffer';
import type { NextTerminal } from '../grammar/next';
import type { JudgedInput, Provider, ProviderAnswer, ProviderNext, ProviderTerminal } from '../grammar/provider';
import { charactersWords } from '../grammar/providerWords';
import { type JsonNode, parseJson } from '../text/json';
import { type Message, render, sentences, t } from '../text/message';
import { shorten } from '../text/words';
import {
  expectedAt,
  grammarOfRegex,
  judgeBy,
  type LarkReading,
  type LarkVerdict,
  larkReading,
  larkVerdict,
  terminalName,
} from './contractLark';
import type { ContractRequest } from './contractModel';
import { FindingPlaces } from './findings';
import type { CallFinding, ContractVerdict } from './report';

/** The engine may take this long to find out what could have come instead. */
const NEXT_MILLISECONDS = 2_000;

/** Terminals that are named in a message. */
const MOST_NAMED = 8;

/** Input of a custom tool against its format. */
export async function judgeInput(request: ContractRequest): Promise<ContractVerdict> {
  const { tool, text, provider } = request;
  const places = new FindingPlaces(text);
  const { format } = tool;
  const wrapped = wrapping(text);
  if (format === undefined || format.type === 'text') {
    return { verdict: 'accepted', findings: wrapped === undefined ? [] : [wrappedFinding(wrapped, places)] };
  }
  const grammar = await grammarText(request);
  if (grammar === undefined) {
    const path = format.file ?? '';
    const message =
      format.file === undefined
        ? t('The format of the tool has no grammar, so the input cannot be judged.')
        : t('The grammar file {0} cannot be read, so the input cannot be judged.', JSON.stringify(path));
    const rule = format.file === undefined ? 'grammar/empty' : 'grammar/missing-file';
    return { verdict: 'accepted', findings: [places.atOffset(rule, 'error', message, 0)], judged: false };
  }
  const asRegex = format.syntax === 'regex';
  const reading = larkReading(asRegex ? grammarOfRegex(grammar) : grammar);
  const lark = larkVerdict(reading, text);
  const asked = await askProvider(provider, asRegex ? 'regex' : 'lark', grammar, text);
  const findings: CallFinding[] = [];
  if (asked.refusal !== undefined) {
    const message = t("The provider's engine refuses the grammar, so the API refuses the tool: {0}", asked.refusal);
    findings.push(places.atOffset('grammar/provider-refuses', 'error', message, 0));
  }
  const { judged } = asked;
  const lenient = judged === undefined && lark.verdict === 'refused' && reading.lenient !== undefined;
  const stand = lenient ? judgeBy(reading.lenient!, text) : lark;
  const accepted = judged === undefined ? stand.verdict === 'accepted' : judged.verdict.accepted;
  const judgeable = judged !== undefined || (stand.verdict !== 'refused' && stand.verdict !== 'gave-up');
  if (!accepted && wrapped !== undefined) findings.push(wrappedFinding(wrapped, places));
  else if (!accepted && (judgeable || findings.length === 0)) {
    findings.push(mismatch(places, asked, stand, reading, lenient));
  }
  const differs =
    judged !== undefined && lark.verdict !== 'gave-up' && (lark.verdict === 'accepted') !== judged.verdict.accepted;
  if (differs && (lark.verdict !== 'refused' || judged.verdict.accepted)) {
    const why = explainDifference(reading, text, opinionOf(lark), { verdict: judged.verdict });
    const offset = judged.verdict.accepted ? (lark.verdict === 'rejected' ? lark.offset : 0) : judged.verdict.offset;
    findings.push(
      places.atOffset(
        'grammar/engines-differ',
        'info',
        differMessage(judged.verdict.accepted, why && withNames(why, reading)),
        offset,
      ),
    );
  }
  return {
    verdict: accepted ? 'accepted' : 'rejected',
    findings,
    ...(!accepted && !judgeable && wrapped === undefined && { judged: false }),
    provider: asked.state,
    lark: lark.verdict,
    ...(lark.verdict !== 'accepted' && { larkFinding: larkFinding(places, lark, reading) }),
  };
}

async function grammarText({ tool, grammar }: ContractRequest): Promise<string | undefined> {
  const { format } = tool;
  if (format?.file === undefined) return format?.definitionNode?.string;
  try {
    return await grammar?.(format.file, tool);
  } catch {
    return undefined;
  }
}

/** What the provider's engine says. */
interface Asked {
  readonly state: NonNullable<ContractVerdict['provider']>;
  readonly judged: JudgedInput | undefined;
  /** Why it refuses the grammar, in its own words. */
  readonly refusal: string | undefined;
  /** Why it has no verdict. */
  readonly silence: Message | undefined;
}

async function askProvider(
  provider: Provider | undefined,
  syntax: 'lark' | 'regex',
  grammar: string,
  text: string,
): Promise<Asked> {
  const nothing = { judged: undefined, refusal: undefined, silence: undefined };
  if (provider === undefined) {
    return {
      ...nothing,
      state: 'unavailable',
      silence: t("The provider's engine is not available here, so this is Lark's verdict."),
    };
  }
  const job = { kind: 'judge', grammar: { syntax, text: grammar }, inputs: [text] } as const;
  const answer = await provider.ask(job);
  if (answer.load?.ok === false) return { ...nothing, state: 'refused', refusal: answer.load.refusal.firstLine };
  const judged = answer.inputs[0];
  if (judged !== undefined && judged.verdict.error === undefined) {
    if (judged.verdict.accepted) return { ...nothing, state: 'accepted', judged };
    // What may come next costs more, and with some grammars it never comes: it is asked where it is needed.
    const more = await provider.ask({ ...job, next: true }, { milliseconds: NEXT_MILLISECONDS });
    return { ...nothing, state: 'rejected', judged: more.inputs[0] ?? judged };
  }
  if (answer.end.state === 'unavailable') {
    return {
      ...nothing,
      state: 'unavailable',
      silence: t("The provider's engine is not available here, so this is Lark's verdict."),
    };
  }
  return { ...nothing, state: 'gave-up', silence: silenceOf(answer, judged) };
}

function silenceOf({ end }: ProviderAnswer, judged: JudgedInput | undefined): Message {
  const error = judged?.verdict.error;
  if (error !== undefined)
    return t("The provider's engine gave up ({0}), so this is Lark's verdict.", shorten(error, 200));
  if (end.state === 'timed-out') {
    return t("The provider's engine did not answer within {0} ms, so this is Lark's verdict.", end.milliseconds);
  }
  return t("The provider's engine gave no answer, so this is Lark's verdict.");
}

/** What Lark has against the input, whatever the provider's engine says. */
function larkFinding(places: FindingPlaces, lark: LarkVerdict, reading: LarkReading): CallFinding {
  if (lark.verdict === 'refused') {
    const message = t('Lark does not take the grammar: {0}', lark.reason);
    return places.atOffset('call/grammar-mismatch', 'error', message, 0);
  }
  return mismatch(places, { judged: undefined, silence: undefined }, lark, reading, false);
}

/** The first character that does not fit, and what was expected there. */
function mismatch(
  places: FindingPlaces,
  { judged, silence }: Pick<Asked, 'judged' | 'silence'>,
  lark: LarkVerdict,
  reading: LarkReading,
  lenient: boolean,
): CallFinding {
  const { text } = places;
  if (judged !== undefined) {
    const { offset } = judged.verdict;
    const expected = expectedBy(judged, reading, text.slice(0, offset));
    return places.atOffset('call/grammar-mismatch', 'error', sentences(misfit(text, offset), expected), offset);
  }
  if (lark.verdict === 'rejected') {
    const { offset } = lark;
    const names = lark.expected.map(({ name, literal }) => terminalText(reading, name, literal));
    const expected = names.length === 0 ? undefined : t('Expected {0}.', alternatives(names));
    const how = lenient ? t('Terminals that can match nothing are read as optional.') : undefined;
    const message = sentences(misfit(text, offset), expected, silence, how);
    return places.atOffset('call/grammar-mismatch', 'error', message, offset);
  }
  const message =
    lark.verdict === 'refused'
      ? t('The input cannot be judged: no engine accepts the grammar. Lark says: {0}', lark.reason)
      : t('The input cannot be judged: the grammar is too complex for this text.');
  return places.atOffset('call/grammar-mismatch', 'error', sentences(message), 0);
}

function misfit(text: string, offset: number): Message {
  if (offset >= text.length) return t('The input ends too early for the grammar.');
  return t('The grammar does not allow {0} here.', characterWords(text, offset));
}

function expectedBy({ next, terminals }: JudgedInput, reading: LarkReading, beginning: string): Message | undefined {
  const value = next?.ok === true ? next.value : undefined;
  const characters = value === undefined ? undefined : charactersOf(value);
  // Where Lark refuses the grammar, the engine's host has no names of terminals.
  const named =
    terminals ?? (reading.lenient === undefined ? [] : expectedAt(reading.lenient, beginning)).map(toTerminal);
  const names = named.map(({ name, text }) => terminalText(reading, name, text));
  const end = value?.end === true;
  if (characters === undefined) {
    if (names.length > 0) return t('Expected {0}.', alternatives(names));
    return end ? t('Expected the end of the input.') : undefined;
  }
  const what = names.length === 0 ? characters : t('{0} for {1}', characters, alternatives(names));
  return end ? t('Expected {0}, or the end of the input.', what) : t('Expected {0}.', what);
}

function charactersOf(next: ProviderNext): Message | undefined {
  if (next.within) return t('the rest of a character beyond ASCII');
  if (next.characters.length === 0 && !next.more) return undefined;
  const words = charactersWords(next.characters, next.more);
  return render(words) === 'line feed' ? t('a line end') : words;
}

const toTerminal = ({ name, literal, begun }: NextTerminal): ProviderTerminal => ({
  name,
  text: literal,
  begun: begun.length,
});

/** A terminal in words: its text in quotes, or its name. */
function terminalText(reading: LarkReading, name: string, text: string | undefined): string {
  if (text !== undefined) return JSON.stringify(shorten(text, 40));
  const shown = terminalName(reading, name);
  return shown === 'LF' || shown === 'NEWLINE' ? `${shown} (a line end)` : shown;
}

function alternatives(names: readonly string[]): Message {
  const unique = [...new Set(names)];
  const shown: (string | Message)[] = unique.slice(0, MOST_NAMED);
  if (unique.length > MOST_NAMED) shown.push(t('{0} more', unique.length - MOST_NAMED));
  const last = shown.pop()!;
  if (shown.length === 0) return t('{0}', last);
  return t('{0} or {1}', { text: shown.map((_, i) => `{${i}}`).join(', '), args: shown }, last);
}

/** The character at an offset, as a line can show it. */
function characterWords(text: string, offset: number): string | Message {
  const code = text.codePointAt(offset)!;
  const words = charactersWords([[code, code]], false);
  const shown = render(words);
  if (shown.startsWith('U+')) return shown;
  return /^[a-z]+ |^(?:tab|space)$/.test(shown) ? t('a {0}', words) : JSON.stringify(shown);
}

/** Lark's verdict as the search for reasons takes it. */
function opinionOf(lark: LarkVerdict): LarkOpinion {
  if (lark.verdict === 'accepted' || lark.verdict === 'refused') return { state: lark.verdict };
  const pos = lark.verdict === 'rejected' ? lark.offset : undefined;
  const error = { kind: 'UnexpectedCharacters', pos, line: undefined, column: undefined, expected: [] };
  return { state: 'rejected', error };
}

/** The message with terminals that have no name of their own as they are written. */
function withNames({ text, args }: Message, reading: LarkReading): Message {
  return { text, args: args.map((each) => (typeof each === 'string' ? terminalName(reading, each) : each)) };
}

function differMessage(providerTakes: boolean, why: Message | undefined): Message {
  const first = providerTakes
    ? t("The provider's engine accepts this input, and Lark does not.")
    : t("Lark accepts this input, and the provider's engine does not.");
  return sentences(first, why ?? t('No known difference between the engines explains it.'));
}

/** What raw text is wrapped in: an object with one string, or a JSON string. */
interface Wrapping {
  readonly kind: 'object' | 'string';
  readonly key: string;
}

function wrapping(text: string): Wrapping | undefined {
  const trimmed = text.trim();
  if (!/^(?:\{[\s\S]*\}|"[\s\S]*")$/.test(trimmed)) return undefined;
  const { root, problems } = parseJson(trimmed);
  if (root === undefined || problems.length > 0) return undefined;
  if (root.kind === 'string') return { kind: 'string', key: '' };
  const [only] = root.properties;
  if (root.kind !== 'object' || root.properties.length !== 1 || !isText(only?.value)) return undefined;
  return { kind: 'object', key: only!.key };
}

const isText = (node: JsonNode | undefined): boolean => node?.kind === 'string';

function wrappedFinding({ kind, key }: Wrapping, places: FindingPlaces): CallFinding {
  const message =
    kind === 'object'
      ? t(
          'A custom tool takes raw text, and this is a JSON object whose member {0} holds the text. Send that text alone.',
          JSON.stringify(key),
        )
      : t('A custom tool takes raw text, and this is a JSON string that holds the text. Send that text alone.');
  const start = places.text.search(/\S/);
  return places.atOffset('call/json-wrapped-freeform', 'error', message, Math.max(0, start));
}
