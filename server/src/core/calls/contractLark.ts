import type { CompiledGrammar, CompiledRule, CompiledTerminal } from '../grammar/compiled';
import { createParser, type GrammarParser } from '../grammar/engine';
import { type LarkReading as PlainReading, readForLark } from '../grammar/enginesDiffer';
import { loadGrammar } from '../grammar/load/load';
import { type NextTerminal, whatComesNext } from '../grammar/next';
import { parseGrammar } from '../grammar/parse';
import type { ParseChild } from '../grammar/tree';
import { type Message, t } from '../text/message';

/** Lark's verdict on a text. Offsets are UTF-16 units. */
export type LarkVerdict =
  | { readonly verdict: 'accepted' }
  /** `offset` is the first character that no sentence has there. */
  | { readonly verdict: 'rejected'; readonly offset: number; readonly expected: readonly NextTerminal[] }
  /** Lark does not take the grammar. */
  | { readonly verdict: 'refused'; readonly reason: Message }
  | { readonly verdict: 'gave-up' };

/** A grammar as Lark 1.3.1 reads it, with the dynamic lexer of its default set-up. */
export interface LarkReading extends PlainReading {
  /** The grammar in BNF, as far as it could be loaded. */
  readonly grammar: CompiledGrammar | undefined;
  /** The code of what keeps Lark from taking the grammar. */
  readonly code: string | undefined;
  /**
   * Where Lark refuses the grammar only because terminals can be empty: a parser that reads them as optional, as the
   * provider's engine does. Else the same as `parser`.
   */
  readonly lenient: GrammarParser | undefined;
}

/** The code of the problem that a terminal can match nothing. */
const ZERO_WIDTH = 'terminal.zero-width';

/** So many grammars are kept ready. */
const MOST_KEPT = 40;

const kept = new Map<string, LarkReading>();

/** Reads a grammar, or takes the reading from the last time. */
export function larkReading(text: string): LarkReading {
  const known = kept.get(text);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const reading = read(text);
  kept.set(text, reading);
  return reading;
}

function read(text: string): LarkReading {
  const reading = readForLark(text);
  if (reading.parser !== undefined) {
    return { ...reading, grammar: reading.loaded.grammar, code: undefined, lenient: reading.parser };
  }
  // Without a lexer in mind, terminals that can be empty are no problem yet.
  const { grammar, problems } = loadGrammar(reading.document, { start: ['start'] });
  if (grammar === undefined || problems.length > 0) {
    return { ...reading, grammar, code: problems[0]?.code, lenient: undefined };
  }
  const code = createParser(grammar).problem?.code;
  const lenient = code === ZERO_WIDTH ? createParser(withoutEmptyTerminals(grammar)).parser : undefined;
  return { ...reading, grammar, code, lenient };
}

/** Lark's verdict, with the place of the first character that does not fit. */
export function larkVerdict(reading: LarkReading, text: string): LarkVerdict {
  const { parser, refusal, code } = reading;
  if (parser === undefined) {
    if (code === 'too-complex') return { verdict: 'gave-up' };
    return { verdict: 'refused', reason: refusal ?? t('The grammar cannot be loaded.') };
  }
  return judgeBy(parser, text);
}

/** The verdict of a parser of a grammar's reading. */
export function judgeBy(parser: GrammarParser, text: string): LarkVerdict {
  const result = parser.parse(text, { tree: false });
  if (result.accepted) return { verdict: 'accepted' };
  if (result.error.kind === 'too-complex') return { verdict: 'gave-up' };
  const offset = firstMisfit(parser, text, result.error.pos ?? 0);
  return { verdict: 'rejected', offset, expected: expectedAt(parser, text.slice(0, offset)) };
}

/** The terminals that can come, or go on, behind a beginning of a text. */
export function expectedAt(parser: GrammarParser, beginning: string): NextTerminal[] {
  return whatComesNext(parser, beginning).terminals.filter(({ ignored }) => !ignored);
}

/** How a terminal is called, or how it is written where it has no name of its own. */
export function terminalName(reading: LarkReading, name: string): string {
  if (!name.startsWith('__')) return name;
  const pattern = reading.grammar?.terminals.find((terminal) => terminal.name === name)?.pattern;
  return pattern?.raw ?? pattern?.value ?? name;
}

/** Texts longer than this are not looked at again for the exact character. */
const LONGEST_SEARCH = 200_000;

/**
 * Length of the longest beginning that a sentence could have. Lark names the place where the token begins that it cannot
 * read; the character that does not fit may lie within it.
 */
function firstMisfit(parser: GrammarParser, text: string, known: number): number {
  if (text.length > LONGEST_SEARCH) return known;
  const couldGoOn = (length: number): boolean => {
    const { complete, terminals, partial } = whatComesNext(parser, text.slice(0, length));
    return complete || partial || terminals.length > 0;
  };
  let low = Math.min(known, text.length);
  let high = text.length;
  if (!couldGoOn(low)) return low;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (couldGoOn(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The innermost rules around a place of a text that the grammar takes, from outside in. Where Lark refuses the grammar
 * only because terminals can be empty, they are read as the provider's engine does: as optional. `undefined` when the
 * text cannot be parsed.
 */
export function rulesAt(text: string, input: string, offset: number): string[] | undefined {
  const { grammar } = loadGrammar(parseGrammar(text), { start: ['start'], keepAllTokens: true });
  if (grammar === undefined) return undefined;
  const made = createParser(withoutEmptyTerminals(grammar));
  if (made.problem !== undefined) return undefined;
  const result = made.parser.parse(input);
  if (!result.accepted) return undefined;
  const at = Math.min(offset, Math.max(0, input.length - 1));
  const names: string[] = [];
  let node: ParseChild = result.tree;
  while (node?.kind === 'tree') {
    if (!node.name.startsWith('_')) names.push(node.name);
    node = node.children.find((child) => spans(child, at)) ?? null;
  }
  return names;
}

/** Whether a node covers a place: its first and last tokens tell. */
function spans(node: ParseChild, at: number): boolean {
  const first = edge(node, 'first');
  const last = edge(node, 'last');
  return first !== undefined && last !== undefined && first.start <= at && at < last.end;
}

function edge(node: ParseChild, side: 'first' | 'last'): { readonly start: number; readonly end: number } | undefined {
  const stack: ParseChild[] = [node];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (next === null) continue;
    if (next.kind === 'token') return next;
    if (side === 'first') for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i]!);
    else for (const child of next.children) stack.push(child);
  }
  return undefined;
}

/** The name of the rule that stands in the place of a terminal that can be empty. */
const OPTIONAL = '__optional_';

/** A symbol of a grammar with the name that its author gave it. */
export function writtenName(symbol: string): string {
  return symbol.startsWith(OPTIONAL) ? symbol.slice(OPTIONAL.length) : symbol;
}

/** The grammar with an optional rule in the place of every terminal that can be empty. */
function withoutEmptyTerminals(grammar: CompiledGrammar): CompiledGrammar {
  const empty = new Set(
    grammar.terminals.filter(({ minWidth, declared }) => minWidth === 0 && !declared).map(({ name }) => name),
  );
  if (empty.size === 0) return grammar;
  const terminals = grammar.terminals.map(
    (terminal): CompiledTerminal => (empty.has(terminal.name) ? { ...terminal, minWidth: 1 } : terminal),
  );
  const optional = (name: string): string => OPTIONAL + name;
  const rules: CompiledRule[] = grammar.rules.map((rule) => ({
    ...rule,
    expansion: rule.expansion.map((symbol) =>
      symbol.terminal && empty.has(symbol.name)
        ? { name: optional(symbol.name), terminal: false, filterOut: false }
        : symbol,
    ),
  }));
  for (const name of empty) {
    const options = {
      keepAllTokens: true,
      expand1: false,
      priority: undefined,
      templateSource: undefined,
      emptyIndices: [],
    };
    const base = { origin: optional(name), alias: undefined, options, span: undefined };
    rules.push({ ...base, order: 0, expansion: [{ name, terminal: true, filterOut: false }] });
    rules.push({ ...base, order: 1, expansion: [] });
  }
  return { ...grammar, terminals, rules };
}

/** The grammar of a custom tool with `syntax: "regex"`: one rule that is the expression (llguidance reads both alike). */
export function grammarOfRegex(source: string): string {
  let literal = '';
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '\\') literal += char + (source[++at] ?? '');
    else literal += char === '/' ? '\\/' : char;
  }
  return `start: /${literal}/\n`;
}
