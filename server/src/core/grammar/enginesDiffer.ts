import { type Message, t } from '../text/message';
import { expressions, owners } from './analyse/walk';
import type { Alternatives, Expression, GrammarDocument } from './ast';
import { createParser, type GrammarParser, type ParseError } from './engine';
import type { TerminalMatcher } from './lexer/matcher';
import type { Importer } from './load/definitions';
import { type LoadResult, loadGrammarSteps } from './load/load';
import { whatComesNext } from './next';
import { parseGrammar } from './parse';
import type { EarleyBudget } from './parser/earley';
import type { ProviderRefusal, ProviderVerdict } from './provider';
import { topAlternation } from './regex/lints';
import { parsePythonRegex } from './regex/parsePython';

/** A grammar as reference Lark 1.3.1 reads it by default: Earley with the dynamic lexer. */
export interface LarkReading {
  readonly document: GrammarDocument;
  readonly loaded: LoadResult;
  /** `undefined` when Lark refuses the grammar. */
  readonly parser: GrammarParser | undefined;
  /** Why Lark refuses the grammar. */
  readonly refusal: Message | undefined;
}

/** Reads a grammar for Lark. Never throws. With a `budget` texts that need more work are `too-complex`. */
export function readForLark(text: string, importer?: Importer, budget?: Partial<EarleyBudget>): LarkReading {
  const steps = readForLarkSteps(parseGrammar(text), importer, budget);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As `readForLark`, a part at a time: a host can do other things in between. */
export function* readForLarkSteps(
  document: GrammarDocument,
  importer?: Importer,
  budget?: Partial<EarleyBudget>,
): Generator<void, LarkReading, undefined> {
  const options = { lexer: 'dynamic', ...(importer === undefined ? {} : { importer }) } as const;
  const loaded = yield* loadGrammarSteps(document, options);
  yield;
  const problem = loaded.problems[0];
  if (loaded.grammar === undefined || problem !== undefined) {
    return { document, loaded, parser: undefined, refusal: problem?.message ?? t('It has no rule to start with.') };
  }
  const made = createParser(loaded.grammar, budget === undefined ? {} : { budget });
  return { document, loaded, parser: made.parser, refusal: made.problem?.message };
}

/** What Lark says of a text: the grammar is refused, or the text is taken or not. */
export type LarkOpinion =
  | { readonly state: 'refused' }
  | { readonly state: 'accepted' }
  | { readonly state: 'rejected'; readonly error: ParseError };

/** Judges a text with Lark. */
export function judgeByLark({ parser }: LarkReading, input: string): LarkOpinion {
  if (parser === undefined) return { state: 'refused' };
  const result = parser.parse(input, { tree: false });
  return result.accepted ? { state: 'accepted' } : { state: 'rejected', error: result.error };
}

/** What the provider's engine says of a text: the grammar is refused, or there is a verdict. */
export type ProviderOpinionOfText = { readonly refusal: ProviderRefusal } | { readonly verdict: ProviderVerdict };

/**
 * Why Lark and the provider's engine disagree about a text, where a known difference of the two explains it (llguidance
 * 1.9.1 and Lark 1.3.1, both observed); `undefined` where they agree, and where nothing known explains it.
 */
export function explainDifference(
  reading: LarkReading,
  input: string,
  lark: LarkOpinion,
  provider: ProviderOpinionOfText,
): Message | undefined {
  const larkTakes = lark.state === 'accepted';
  if ('refusal' in provider) {
    return larkTakes
      ? t("The provider's engine refuses the grammar itself: {0}.", provider.refusal.message.replace(/\.$/, ''))
      : undefined;
  }
  const { verdict } = provider;
  if (verdict.accepted === larkTakes) return undefined;
  if (lark.state === 'refused') return t('Lark refuses the grammar itself. {0}', reading.refusal ?? t(''));
  if (lark.state === 'rejected' && lark.error.kind === 'too-complex') {
    return t('The text is too complex for Lark, so it was not judged there.');
  }
  return verdict.accepted ? providerTakesMore(reading, input) : larkTakesMore(reading, input, verdict);
}

/** The provider's engine takes the text and Lark does not. */
function providerTakesMore(reading: LarkReading, input: string): Message | undefined {
  return leak(reading) ?? escapedString(reading, input) ?? flavor(reading, input) ?? firstAlternative(reading);
}

/** Lark takes the text and the provider's engine does not. */
function larkTakesMore(reading: LarkReading, input: string, verdict: ProviderVerdict): Message | undefined {
  if (verdict.error !== undefined && /items/.test(verdict.error)) {
    return t(
      "The provider's engine keeps at most 2,000 items in a row, which right recursion and many alternatives use up; Lark has no such limit. Left recursion or `+` needs few.",
    );
  }
  return (
    skipAtStart(reading, input, verdict) ??
    skipWins(reading, input, verdict) ??
    skipAtEnd(reading, input, verdict) ??
    leak(reading) ??
    longestMatch(reading, input, verdict) ??
    flavor(reading, input)
  );
}

/** Matchers of ignored terminals. */
function skipped({ parser }: LarkReading): TerminalMatcher[] {
  return (parser?.grammar.ignore ?? []).flatMap((id) => parser?.matchers[id] ?? []);
}

/** Where skipped text that begins at an offset ends, with as many ignored terminals in a row as there are. */
function skipFrom(ignored: readonly TerminalMatcher[], input: string, from: number): number {
  for (let at = from; ; ) {
    const next = ignored.reduce((most, matcher) => Math.max(most, matcher.match(input, at)), -1);
    if (next <= at) return at;
    at = next;
  }
}

function skipAtStart(reading: LarkReading, input: string, { offset }: ProviderVerdict): Message | undefined {
  const end = skipFrom(skipped(reading), input, 0);
  if (end === 0 || offset >= end) return undefined;
  return t(
    "The provider's engine skips nothing in front of the first terminal; Lark skips ignored text there too. Name it in the grammar, or drop it from the text.",
  );
}

function skipAtEnd(reading: LarkReading, input: string, { offset, mayEnd }: ProviderVerdict): Message | undefined {
  if (!mayEnd || offset >= input.length || skipFrom(skipped(reading), input, offset) < input.length) return undefined;
  return t(
    "The provider's engine skips text behind the last terminal only while the grammar could go on; Lark skips ignored text there too.",
  );
}

/** Places in front of a refusal that are looked at, in UTF-16 units. */
const LOOK_BACK = 2_000;

/** A terminal that is also ignored: the engine takes the longest text, and skipping wins over a terminal of its length. */
function skipWins(reading: LarkReading, input: string, { offset }: ProviderVerdict): Message | undefined {
  const ignored = skipped(reading);
  if (ignored.length === 0 || reading.parser === undefined) return undefined;
  const { grammar, matchers } = reading.parser;
  const own = new Set(grammar.ignore);
  for (let at = offset; at >= Math.max(0, offset - LOOK_BACK); at--) {
    const end = skipFrom(ignored, input, at);
    if (end <= at || end < offset) continue;
    for (const matcher of matchers) {
      if (matcher === undefined) continue;
      const alsoUsed =
        own.has(matcher.id) &&
        reading.parser.waiting(input.slice(0, at))?.places.some(({ terminals }) => terminals.includes(matcher.id));
      if (own.has(matcher.id) && alsoUsed !== true) continue;
      const match = matcher.match(input, at);
      if (match <= at || match > end) continue;
      return t(
        "{0} also matches text that the grammar ignores. Where both match the same text the provider's engine skips it, so the grammar never sees the terminal; Lark tries both.",
        matcher.terminal.name,
      );
    }
  }
  return undefined;
}

/** The engine takes the longest text that a terminal can match, and never goes back. */
function longestMatch({ parser }: LarkReading, input: string, { offset }: ProviderVerdict): Message | undefined {
  if (parser === undefined) return undefined;
  for (let at = offset; at >= Math.max(0, offset - LOOK_BACK); at--) {
    for (const matcher of parser.matchers) {
      if (matcher === undefined) continue;
      const end = matcher.match(input, at);
      if (end < offset || end <= at + 1) continue;
      for (let shorter = end - 1; shorter > at && shorter >= end - 64; shorter--) {
        if (matcher.match(input.slice(0, shorter), at) !== shorter) continue;
        return t(
          "The provider's engine gives a terminal the longest text that it can match and never goes back; Lark also tries shorter ones. Here {0} takes more than the grammar leaves it.",
          matcher.terminal.name,
        );
      }
    }
  }
  return competing(parser, input, offset) ?? unfinished(parser, input, offset);
}

/** A longer terminal has begun, so the shorter one that would do is not taken any more. */
function unfinished(parser: GrammarParser, input: string, offset: number): Message | undefined {
  const { terminals } = whatComesNext(parser, input.slice(0, offset));
  const longer = terminals.find(({ begun, ignored, rest }) => begun !== '' && !ignored && rest !== '');
  return (
    longer &&
    t(
      "Here {0} has begun, and the provider's engine stays with the longer terminal; Lark goes back to the shorter one.",
      longer.name,
    )
  );
}

/** Two terminals that begin at the same place: the longer one wins, also where only the shorter one leads on. */
function competing(parser: GrammarParser, input: string, offset: number): Message | undefined {
  for (let at = offset; at >= Math.max(0, offset - LOOK_BACK); at--) {
    const found = parser.matchers.flatMap((matcher) => {
      const end = matcher?.match(input, at) ?? -1;
      return matcher === undefined || end < 0 ? [] : [{ matcher, end }];
    });
    const longest = found.reduce((most, { end }) => Math.max(most, end), -1);
    const long = found.find(({ end }) => end === longest);
    const short = found.find(({ end }) => end < longest);
    if (long === undefined || short === undefined || longest < offset) continue;
    return t(
      "{0} and {1} begin alike. The provider's engine takes the longer one and never goes back; Lark tries both.",
      short.matcher.terminal.name,
      long.matcher.terminal.name,
    );
  }
  return undefined;
}

/** Bodies of terminals, groups in them included. */
function* terminalBodies({ items }: GrammarDocument): Generator<Alternatives> {
  for (const owner of owners(items)) {
    if (owner.kind === 'definition' && !owner.name.terminal) continue;
    yield owner.body;
    for (const node of expressions(owner.body)) if (node.kind === 'group' || node.kind === 'optional') yield node.body;
  }
}

/** Lark puts the expressions of a terminal together as text, so that an alternation reaches over its neighbors. */
function leak({ document }: LarkReading): Message | undefined {
  const definitions = new Map(
    document.items.flatMap((item) => (item.kind === 'definition' ? [[item.name.text, item] as const] : [])),
  );
  for (const body of terminalBodies(document)) {
    for (const { items } of body.items) {
      if (items.length < 2) continue;
      for (const item of items) {
        const literal =
          item.kind === 'reference' ? single(definitions.get(item.name.text)?.body) : single(undefined, item);
        if (literal?.kind !== 'regexp' || literal.flags !== '') continue;
        const { tree } = parsePythonRegex(document.text.slice(literal.bodySpan.start, literal.bodySpan.end));
        if (tree === undefined || topAlternation(tree) === undefined) continue;
        return t(
          "Lark joins {0} with its neighbors as text, so its alternatives reach over them; the provider's engine keeps them together. Put `(?:…)` around them.",
          literal.raw,
        );
      }
    }
  }
  return undefined;
}

/** The only expression of a body, out of its groups. */
function single(body: Alternatives | undefined, given?: Expression): Expression | undefined {
  let current = given;
  for (let inside = body; ; ) {
    if (inside !== undefined) {
      const items = inside.items.length === 1 ? inside.items[0]!.items : [];
      if (items.length !== 1) return undefined;
      current = items[0];
    }
    if (current?.kind !== 'group') return current;
    inside = current.body;
  }
}

/** Lark's ESCAPED_STRING ends at a line break, the engine's does not. */
function escapedString({ document }: LarkReading, input: string): Message | undefined {
  const imported = document.items.some(
    (item) =>
      item.kind === 'import' &&
      !item.relative &&
      item.path[0]?.text === 'common' &&
      [...item.path, ...(item.names ?? [])].some(({ text }) => text === 'ESCAPED_STRING'),
  );
  return imported && /"[^"]*\n/.test(input)
    ? t("The provider's engine takes line breaks inside ESCAPED_STRING; Lark does not.")
    : undefined;
}

/** Characters that Rust's and Python's classes do not agree about: marks, connectors, joiners, odd numbers and spaces. */
const APART = /[\p{M}\u203f\u2040\u2054\ufe33\ufe34\ufe4d-\ufe4f\uff3f\p{No}\u0085\u001c-\u001f]|\u200c|\u200d/u;

/** Expressions and strings that the two read in different ways. */
function flavor({ document }: LarkReading, input: string): Message | undefined {
  for (const owner of owners(document.items)) {
    for (const node of expressions(owner.body)) {
      if (node.kind === 'string' && /\\[/b]/.test(node.raw.replaceAll('\\\\', ''))) {
        return t(
          "{0} stands for other text in the provider's engine: there `\\/` is a slash and `\\b` a backspace.",
          node.raw,
        );
      }
      const caseless =
        (node.kind === 'string' && /"i$/.test(node.raw)) || (node.kind === 'regexp' && node.flags.includes('i'));
      if (caseless && /[\u0130\u0131]/.test(input + node.raw)) {
        return t('{0} ignores case: Lark takes İ and ı for the letter i, the provider’s engine does not.', node.raw);
      }
      if (node.kind !== 'regexp') continue;
      const bare = node.raw.replace(/\\\\/g, '');
      if (/[*+?}][?+]/.test(bare)) {
        return t(
          "The provider's engine has no lazy and no possessive quantifiers: in {0} the mark behind the quantifier changes nothing there.",
          node.raw,
        );
      }
      if (/\\[wWdDsS]/.test(bare) && APART.test(input)) {
        return t(
          "The classes in {0} come from Rust's tables in the provider's engine and from Python's in Lark, and they differ about a character of this text.",
          node.raw,
        );
      }
      if (/\[\[|\[[^\]]*(?:&&|--|~~)/.test(bare)) {
        return t('The class in {0} has a special form in Rust, which Python reads as plain characters.', node.raw);
      }
      if (/\{ |\{\d* *, \d|\{\d+ /.test(bare)) {
        return t('Rust reads the count with blanks in {0} as a count; Python takes it for plain text.', node.raw);
      }
      if (/[$^]/.test(bare) && /\n/.test(input)) {
        return t("Anchors in {0} are dropped by the provider's engine; Lark obeys them.", node.raw);
      }
    }
  }
  return undefined;
}

/** Python takes the first alternative of an expression that fits, the engine the longest. */
function firstAlternative({ document }: LarkReading): Message | undefined {
  for (const owner of owners(document.items)) {
    for (const node of expressions(owner.body)) {
      if (node.kind !== 'regexp' || !node.raw.includes('|')) continue;
      return t(
        "In {0} Lark takes the first alternative that fits and does not come back to the others; the provider's engine takes the longest.",
        node.raw,
      );
    }
  }
  return undefined;
}
