import type { CompiledTerminal } from '../grammar/compiled';
import type { ProviderVerdict } from '../grammar/provider';
import { type Message, t } from '../text/message';
import { type LarkReading, type LarkVerdict, terminalName, ZERO_WIDTH } from './contractLark';

/** A difference between the engines on one input. */
export interface Difference {
  readonly grammar: string;
  readonly input: string;
  readonly provider: ProviderVerdict;
  readonly lark: LarkVerdict;
  readonly reading: LarkReading;
}

/**
 * Why the provider's engine (llguidance 1.9.1, observed) and Lark 1.3.1 judge an input differently, where a known
 * difference between them explains it; `undefined` else.
 */
export function whyTheyDiffer(difference: Difference): Message | undefined {
  if (difference.lark.verdict === 'refused') return whyRefused(difference);
  const why = difference.provider.accepted ? whyLarkRejects(difference) : whyProviderRejects(difference);
  return why ?? whyAlternationLeaks(difference);
}

/** Lark puts the texts of a terminal's parts together, so that a bar in one of them reaches over the others. */
function whyAlternationLeaks({ grammar, reading }: Difference): Message | undefined {
  const literals = grammar.match(/\/(?:[^/\\\n]|\\.)+\//g) ?? [];
  if (!literals.some((literal) => barOutside(literal))) return undefined;
  const joined = reading.grammar?.terminals.find(
    ({ pattern, regexp }) => pattern.raw === undefined && regexp.includes('|'),
  );
  return (
    joined &&
    t(
      'In {0} the bar of one part reaches over the others in Lark; the provider reads each part by itself.',
      nameOf(reading, joined),
    )
  );
}

/** Whether an expression has a bar outside of groups and classes. */
function barOutside(expression: string): boolean {
  let plain = expression.replace(/\\./gs, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/\([^()]*\)/g, 'x');
  }
  return plain.includes('|');
}

function whyRefused({ lark, reading }: Difference): Message | undefined {
  if (lark.verdict !== 'refused') return undefined;
  if (lark.code === ZERO_WIDTH) {
    const name = reading.grammar?.terminals.find(({ minWidth }) => minWidth === 0)?.pattern.raw ?? '';
    return t('Lark refuses a terminal that can match nothing, such as {0}; the provider reads it as optional.', name);
  }
  return t('Lark does not take the grammar: {0}', lark.reason);
}

/** The provider takes the input and Lark does not. */
function whyLarkRejects({ grammar, input, reading, lark }: Difference): Message | undefined {
  const terminals = reading.grammar?.terminals ?? [];
  const at = lark.verdict === 'rejected' ? lark.offset : 0;
  if (/\bESCAPED_STRING\b/.test(grammar) && /"[^"]*\n[^"]*"/.test(input)) {
    return t("The provider's ESCAPED_STRING takes line breaks within the quotes, and Lark's does not.");
  }
  const possessive = terminals.find(({ regexp }) => /[+*?}]\+/.test(withoutClasses(regexp)));
  if (possessive !== undefined) {
    return t(
      'In {0} a possessive quantifier never gives anything back in Lark; the provider reads a plain repetition.',
      nameOf(reading, possessive),
    );
  }
  const unicode = unicodeReason(reading, input, at);
  if (unicode !== undefined) return unicode;
  const ignored = ignoredAt(reading, input, at);
  if (ignored !== undefined) return t('Skipped text stands where Lark skips none: at {0}.', place(input, at));
  const flagged = terminals.find(({ regexp, pattern }) => pattern.flags.size > 0 || /\(\?[a-zA-Z]/.test(regexp));
  if (flagged !== undefined) {
    return t('The flags of {0} mean something else to the two engines.', nameOf(reading, flagged));
  }
  return undefined;
}

/** Lark takes the input and the provider does not. */
function whyProviderRejects({ grammar, input, provider, reading }: Difference): Message | undefined {
  const { offset, mayEnd } = provider;
  const terminals = reading.grammar?.terminals ?? [];
  if (ignoredAt(reading, input, offset) !== undefined) {
    if (offset === 0) return t('The provider skips nothing before the first token, and Lark does.');
    if (mayEnd && skipsToEnd(reading, input, offset)) {
      return t('The provider skips nothing behind a complete text that cannot go on, and Lark does.');
    }
  }
  const lazy = terminals.find(({ regexp }) => /[+*?}]\?/.test(withoutClasses(regexp)));
  if (lazy !== undefined) {
    return t(
      'The lazy quantifier in {0} changes nothing for the provider: it runs on to the longest match.',
      nameOf(reading, lazy),
    );
  }
  if (/"\s*~\s*[^\d\s]/.test(grammar)) {
    return t('"~" before an expression negates it for the provider; Lark reads something else.');
  }
  const unicode = unicodeReason(reading, input, offset);
  if (unicode !== undefined) return unicode;
  const skipWins = skipSwallows(reading, input, offset);
  if (skipWins !== undefined) {
    return t(
      '{0} is skipped text too, and for the provider skipping wins where both match the same length.',
      nameOf(reading, skipWins),
    );
  }
  const greedy = swallower(reading, input, offset);
  if (greedy !== undefined) {
    return t(
      'The provider takes {0}, the longest of the tokens that can stand there, and never goes back; Lark tries each of them.',
      nameOf(reading, greedy),
    );
  }
  return undefined;
}

function unicodeReason(reading: LarkReading, input: string, at: number): Message | undefined {
  const near = input.slice(Math.max(0, at - 1), at + 2);
  if (!/[^\x00-\x7f]|[\x1c-\x1f]/.test(near)) return undefined;
  const wordy = reading.grammar?.terminals.find(({ regexp }) => /\\[dDwWsSbB]/.test(regexp));
  return (
    wordy &&
    t(
      'The classes \\d, \\w and \\s in {0} have other characters beyond ASCII in the two engines.',
      nameOf(reading, wordy),
    )
  );
}

/** The terminal of skipped text that matches at a place. */
function ignoredAt({ parser }: LarkReading, input: string, at: number): CompiledTerminal | undefined {
  if (parser === undefined || at >= input.length) return undefined;
  const found = parser.grammar.ignore.find((id) => (parser.matchers[id]?.match(input, at) ?? -1) > at);
  return found === undefined ? undefined : parser.grammar.terminals[found];
}

function skipsToEnd({ parser }: LarkReading, input: string, at: number): boolean {
  let offset = at;
  while (offset < input.length) {
    const end = Math.max(...parser!.grammar.ignore.map((id) => parser!.matchers[id]?.match(input, offset) ?? -1));
    if (end <= offset) return false;
    offset = end;
  }
  return true;
}

/** So far back a token may have begun. */
const FARTHEST = 2_000;

/** A terminal whose text ends at or before the place and which skipped text matches just as long. */
function skipSwallows(reading: LarkReading, input: string, at: number): CompiledTerminal | undefined {
  const { parser } = reading;
  if (parser === undefined || parser.grammar.ignore.length === 0) return undefined;
  const used = new Set(reading.grammar?.rules.flatMap(({ expansion }) => expansion.map(({ name }) => name)));
  for (let from = Math.max(0, at - FARTHEST); from <= at; from++) {
    const skip = Math.max(...parser.grammar.ignore.map((id) => parser.matchers[id]?.match(input, from) ?? -1));
    if (skip <= from) continue;
    const equal = parser.matchers.findIndex(
      (matcher, id) => matcher?.match(input, from) === skip && used.has(parser.grammar.terminals[id]?.name ?? ''),
    );
    if (equal >= 0) return parser.grammar.terminals[equal];
  }
  return undefined;
}

/** The longest of several terminals that match at one place before the refused character, the latest such place. */
function swallower({ parser }: LarkReading, input: string, at: number): CompiledTerminal | undefined {
  if (parser === undefined) return undefined;
  for (let from = at - 1; from >= Math.max(0, at - FARTHEST); from--) {
    let longest: { readonly id: number; readonly end: number } | undefined;
    let lengths = 0;
    for (const [id, matcher] of parser.matchers.entries()) {
      const end = matcher?.match(input, from) ?? -1;
      if (end < 0 || end === longest?.end) continue;
      lengths++;
      if (longest === undefined || end > longest.end) longest = { id, end };
    }
    if (longest !== undefined && lengths > 1) return parser.grammar.terminals[longest.id];
  }
  return undefined;
}

/** An expression without its classes, in which signs are plain characters. */
function withoutClasses(regexp: string): string {
  return regexp
    .replace(/\\./gs, 'x')
    .replace(/\[\^?\]?[^\]]*\]/g, 'x')
    .replace(/\(\?[<!=:PaiLmsux-]/g, '(');
}

const nameOf = (reading: LarkReading, { name }: CompiledTerminal): string => terminalName(reading, name);

function place(input: string, at: number): string {
  const before = input.slice(0, at).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}
