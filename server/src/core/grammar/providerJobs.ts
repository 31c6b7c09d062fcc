import { createParser, type GrammarParser } from './engine';
import { loadGrammar } from './load/load';
import { whatComesNext } from './next';
import { parseGrammar } from './parse';
import type {
  Attempt,
  NextBytes,
  ProviderEngine,
  ProviderFailure,
  ProviderGeneration,
  ProviderGrammar,
  ProviderJob,
  ProviderMatcher,
  ProviderNext,
  ProviderPart,
  ProviderStep,
  ProviderTerminal,
  ProviderVerdict,
} from './provider';
import { characterLength, placeOfByte, ranges, utf8Bytes, utf8Text } from './providerText';
import { SeededRandom } from './random';

/** Forced text is shown, not used: more of it helps nobody. */
const FORCED_UNITS = 2_000;

/** A walk ends after this many bytes. */
export const MOST_WALKED_BYTES = 10_000;

/** Steps that go into one part of the answer. */
const STEPS_PER_PART = 64;

/** As many first bytes are tried, all of them: words begin with letters, and each letter has its own. */
const MOST_FIRST_BYTES = 32;

/** So many are where there are more: free text, which goes on alike behind most of them. */
const SOME_FIRST_BYTES = 16;

/** How many places are looked at to find the characters that several bytes make together. */
const MOST_LOOKS = 40;

/**
 * Runs a job on the engine, part by part; what is surest to come back comes first. The caller stops it by ending the
 * thread it runs in, for some calls of the engine never come back.
 */
export function* runJob(engine: ProviderEngine, job: ProviderJob): Generator<ProviderPart, void, undefined> {
  const compiled = engine.compile(job.grammar);
  if (!compiled.ok) {
    yield { kind: 'refused', text: compiled.error };
    return;
  }
  const matcher = compiled.value;
  try {
    yield { kind: 'loaded', warnings: matcher.warnings };
    if (job.kind === 'load' && job.begin === true) yield { kind: 'begun', failure: failureAtFirst(matcher) };
    else if (job.kind === 'judge') yield* judge(matcher, job.grammar, job.inputs, job.next ?? false);
    else if (job.kind === 'walk') yield* walk(matcher, job.input);
    else if (job.kind === 'generate') yield* generate(matcher, job);
  } finally {
    matcher.free();
  }
}

/**
 * Begins texts with a few of the bytes that may come first. No mask is asked for: there are grammars for which it never
 * comes back.
 */
function failureAtFirst(matcher: ProviderMatcher): ProviderFailure | undefined {
  const tried = matcher.triedNext();
  if (!tried.ok) return { error: tried.error, always: true };
  const { bytes, end } = tried.value;
  const step = bytes.length <= MOST_FIRST_BYTES ? 1 : bytes.length / SOME_FIRST_BYTES;
  const errors: string[] = [];
  let tries = 0;
  for (let at = 0; at < bytes.length; at += step) {
    const byte = bytes[Math.floor(at)]!;
    tries++;
    const fork = matcher.fork();
    const consumed = fork.consume(Uint8Array.of(byte));
    const error = consumed.ok ? (consumed.value.error ?? errorOf(fork.triedNext())) : consumed.error;
    fork.free();
    if (error !== undefined) errors.push(error);
    // Some fail and some do not: more of either says nothing new.
    if (errors.length > 0 && errors.length < tries) break;
  }
  return errors.length === 0 ? undefined : { error: errors[0]!, always: errors.length === tries && !end };
}

function* judge(
  matcher: ProviderMatcher,
  grammar: ProviderGrammar,
  inputs: readonly string[],
  next: boolean,
): Generator<ProviderPart, void, undefined> {
  const verdicts: ProviderVerdict[] = [];
  for (const [input, text] of inputs.entries()) {
    const verdict = verdictOf(matcher, text);
    verdicts.push(verdict);
    yield { kind: 'verdict', input, verdict };
    if (next) yield { kind: 'next', input, next: charactersNext(matcher) };
  }
  if (!next) return;
  for (const [input, text] of inputs.entries()) {
    matcher.reset();
    matcher.consume(utf8Bytes(text).subarray(0, verdicts[input]!.prefix));
    yield { kind: 'generation', input, generation: generationOf(matcher) };
  }
  const lark = grammar.syntax === 'lark' ? larkParser(grammar.text) : undefined;
  for (const [input, text] of inputs.entries()) {
    const terminals = lark && terminalsNext(lark, text.slice(0, verdicts[input]!.offset));
    if (terminals !== undefined) yield { kind: 'terminals', input, terminals };
  }
}

/** The verdict on one text; the matcher stays where the text was refused. */
function verdictOf(matcher: ProviderMatcher, text: string): ProviderVerdict {
  const bytes = utf8Bytes(text);
  matcher.reset();
  const consumed = matcher.consume(bytes);
  const prefix = consumed.ok ? consumed.value.taken : 0;
  const error = consumed.ok ? consumed.value.error : consumed.error;
  const accepting = error === undefined ? matcher.accepting() : undefined;
  const mayEnd = accepting?.ok === true && accepting.value;
  const accepted = mayEnd && prefix === bytes.length;
  return { accepted, prefix, ...placeOfByte(text, prefix), mayEnd, error: error ?? errorOf(accepting) };
}

const errorOf = (attempt: Attempt<unknown> | undefined): string | undefined =>
  attempt === undefined || attempt.ok ? undefined : attempt.error;

/** What may come next, with the bytes that begin characters beyond ASCII followed to whole characters. */
function charactersNext(matcher: ProviderMatcher): Attempt<ProviderNext> {
  const tried = matcher.triedNext();
  if (!tried.ok) return tried;
  const { bytes, end } = tried.value;
  const within = bytes.some((byte) => byte >= 0x80 && byte < 0xc0);
  const codes = bytes.filter((byte) => byte < 0x80);
  const found = within ? undefined : beyondAscii(matcher, bytes);
  return {
    ok: true,
    value: {
      characters: ranges([...codes, ...(found?.codes ?? [])].sort((a, b) => a - b)),
      more: found?.more ?? false,
      bytes,
      within,
      end,
    },
  };
}

function beyondAscii(matcher: ProviderMatcher, bytes: readonly number[]): { codes: number[]; more: boolean } {
  const codes: number[] = [];
  const pending: number[][] = bytes.filter((byte) => byte >= 0xc2).map((byte) => [byte]);
  for (let looks = 0; pending.length > 0; looks++) {
    if (looks === MOST_LOOKS) return { codes: [], more: true };
    const begun = pending.shift()!;
    const fork = matcher.fork();
    const consumed = fork.consume(Uint8Array.from(begun));
    const tried = consumed.ok ? fork.triedNext() : consumed;
    fork.free();
    if (!tried.ok) return { codes: [], more: true };
    const whole = characterLength(begun[0]!);
    for (const byte of tried.value.bytes) {
      const longer = [...begun, byte];
      if (longer.length < whole) pending.push(longer);
      else codes.push(utf8Text(Uint8Array.from(longer)).codePointAt(0)!);
    }
  }
  return { codes, more: false };
}

function generationOf(matcher: ProviderMatcher): ProviderGeneration {
  const mask = matcher.allowedNext();
  // Where there is a choice nothing is forced, and where there is none the engine may go on for long.
  const single = mask.ok && mask.value.bytes.length === 1 && !mask.value.end;
  const forced = single ? matcher.forced() : undefined;
  const bytes = forced?.ok === true ? forced.value : new Uint8Array();
  return {
    forced: utf8Text(bytes, FORCED_UNITS),
    forcedBytes: bytes.length,
    error: errorOf(mask) ?? errorOf(forced),
  };
}

function* walk(matcher: ProviderMatcher, text: string): Generator<ProviderPart, void, undefined> {
  const bytes = utf8Bytes(text).subarray(0, MOST_WALKED_BYTES);
  let steps: ProviderStep[] = [];
  // The run that is being walked: its bytes, and where it begins.
  let run: { readonly bytes: Uint8Array; readonly start: number } | undefined;
  for (let at = 0; ; at++) {
    const mask = matcher.allowedNext();
    const next: NextBytes = mask.ok ? mask.value : { bytes: [], end: false };
    let forcedText: string | undefined;
    if (run !== undefined && at >= run.start + run.bytes.length) run = undefined;
    if (run === undefined && next.bytes.length === 1 && !next.end) {
      const forced = matcher.forced();
      if (forced.ok && forced.value.length > 0) {
        run = { bytes: forced.value, start: at };
        forcedText = utf8Text(forced.value, FORCED_UNITS);
      }
    }
    const byte = at < bytes.length ? bytes[at]! : undefined;
    const consumed = byte === undefined || !mask.ok ? undefined : matcher.consume(bytes.subarray(at, at + 1));
    const taken = consumed?.ok === true && consumed.value.taken === 1;
    const error = errorOf(mask) ?? (consumed?.ok === true ? consumed.value.error : errorOf(consumed));
    steps.push({
      at,
      byte,
      taken,
      allowed: ranges(next.bytes),
      end: next.end,
      forced: run === undefined ? 0 : run.bytes.length - (at - run.start),
      ...(forcedText !== undefined && { forcedText }),
      ...(error !== undefined && { error }),
    });
    if (!taken || steps.length === STEPS_PER_PART) {
      yield { kind: 'steps', steps };
      steps = [];
    }
    if (!taken) return;
  }
}

function* generate(
  matcher: ProviderMatcher,
  { seed, count, mostBytes }: { readonly seed: number; readonly count: number; readonly mostBytes: number },
): Generator<ProviderPart, void, undefined> {
  const random = new SeededRandom(seed);
  const seen = new Set<string>();
  for (let attempt = 0, found = 0; found < count && attempt < count * 8; attempt++) {
    const text = generateOne(matcher, mostBytes, random);
    if (text === undefined || seen.has(text)) continue;
    seen.add(text);
    found++;
    yield { kind: 'text', text };
  }
}

/** A text that the engine accepts, byte by byte out of its masks; `undefined` when none came within the length. */
function generateOne(matcher: ProviderMatcher, mostBytes: number, random: SeededRandom): string | undefined {
  matcher.reset();
  const bytes: number[] = [];
  // Some texts are meant to be short, so that ends in the middle of a repeat occur too.
  const wanted = Math.floor(mostBytes * random.next() * random.next());
  while (bytes.length <= mostBytes) {
    const mask = matcher.allowedNext();
    if (!mask.ok) return undefined;
    const { bytes: choices, end } = mask.value;
    if (end && (choices.length === 0 || bytes.length >= wanted || random.next() < 0.1)) {
      return utf8Text(Uint8Array.from(bytes));
    }
    if (choices.length === 0) return undefined;
    const byte = choose(choices, bytes.length >= wanted, random);
    const consumed = matcher.consume(Uint8Array.of(byte));
    if (!consumed.ok || consumed.value.taken === 0) return undefined;
    bytes.push(byte);
  }
  return undefined;
}

/**
 * Kinds of bytes, with how often one of each kind is chosen. Free text is mostly letters, and has to come to an end
 * some time: what ends words and lines is chosen more often than it would be by its number, most of all once the text
 * is as long as it should be.
 */
const KINDS: readonly { readonly has: (byte: number) => boolean; readonly share: number; readonly late: number }[] = [
  { has: (byte) => byte >= 0x61 && byte <= 0x7a, share: 8, late: 2 },
  { has: (byte) => byte >= 0x41 && byte <= 0x5a, share: 2, late: 1 },
  { has: (byte) => byte >= 0x30 && byte <= 0x39, share: 3, late: 1 },
  { has: (byte) => byte === 0x20, share: 2, late: 2 },
  { has: (byte) => byte === 0x0a, share: 3, late: 12 },
  { has: (byte) => byte > 0x20 && byte < 0x7f && !/[A-Za-z0-9]/.test(String.fromCharCode(byte)), share: 4, late: 8 },
  { has: (byte) => byte >= 0x80, share: 0.5, late: 0.1 },
  { has: (byte) => (byte < 0x20 && byte !== 0x0a) || byte === 0x7f, share: 0.2, late: 0.1 },
];

/** A byte out of those allowed. */
function choose(choices: readonly number[], late: boolean, random: SeededRandom): number {
  const kinds = KINDS.map((kind) => ({ bytes: choices.filter(kind.has), weight: late ? kind.late : kind.share }));
  const present = kinds.filter(({ bytes }) => bytes.length > 0);
  let left = random.next() * present.reduce((sum, { weight }) => sum + weight, 0);
  const kind = present.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return random.pick((kind ?? present[0]!).bytes)!;
}

/** A parser for the grammar as Lark reads it; `undefined` when Lark does not take it. */
function larkParser(text: string): GrammarParser | undefined {
  const { grammar, problems } = loadGrammar(parseGrammar(text), { start: ['start'], lexer: 'dynamic' });
  if (grammar === undefined || problems.length > 0) return undefined;
  const made = createParser(grammar);
  return made.problem === undefined ? made.parser : undefined;
}

/** The terminals that could come, or go on, at the end of a text, as Lark reads the grammar. */
function terminalsNext(parser: GrammarParser, prefix: string): ProviderTerminal[] | undefined {
  const { terminals, partial } = whatComesNext(parser, prefix);
  if (partial) return undefined;
  return terminals
    .filter(({ ignored }) => !ignored)
    .map(({ name, literal, begun }) => ({ name, text: literal, begun: begun.length }));
}
