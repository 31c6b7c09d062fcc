import type { GrammarParser } from './engine';
import { UNKNOWN, type Unknown } from './regex/automaton';
import { TerminalTexts } from './terminalTexts';

/** A terminal that can come next. */
export interface NextTerminal {
  readonly name: string;
  /** Offset where its token begins; before the end of the text when some of it is there already. */
  readonly offset: number;
  /** What is there of it already. */
  readonly begun: string;
  /**
   * The shortest text that makes it complete. Empty when it is complete and could be longer, `undefined` when no text can
   * be found (back-references and the like).
   */
  readonly rest: string | undefined;
  /** The whole text of a terminal that is a plain string. */
  readonly literal: string | undefined;
  /** It is skipped. Such terminals are only named where they are begun. */
  readonly ignored: boolean;
}

/** What can come behind a beginning of a text. */
export interface NextResult {
  /** The text is a sentence as it stands. */
  readonly complete: boolean;
  /** Begun tokens first, the longest first; then by name. Empty when no sentence begins like this. */
  readonly terminals: readonly NextTerminal[];
  /** Not all places could be looked at. */
  readonly partial: boolean;
}

function known(rest: string | undefined | Unknown): string | undefined {
  return rest === UNKNOWN ? undefined : rest;
}

/** Characters that are read again to find out what can become longer. */
const MAX_READ = 2_000_000;

const TEXTS = new WeakMap<GrammarParser, TerminalTexts>();

/**
 * What can come next behind a beginning of a text: the terminals that the parser waits for at its end, and those that
 * begin earlier and reach over it, found on the automata of their expressions.
 */
export function whatComesNext(parser: GrammarParser, text: string): NextResult {
  const waiting = parser.waiting(text);
  if (waiting === undefined) return { complete: false, terminals: [], partial: true };
  let texts = TEXTS.get(parser);
  if (texts === undefined) {
    texts = new TerminalTexts();
    TEXTS.set(parser, texts);
  }
  const found: NextTerminal[] = [];
  let read = 0;
  let partial = false;
  // The latest places first: a long text has many, and the budget goes to those near its end.
  for (let i = waiting.places.length - 1; i >= 0 && !partial; i--) {
    const { offset, terminals } = waiting.places[i]!;
    const begun = text.slice(offset);
    const skipped = begun === '' ? [] : parser.grammar.ignore;
    for (const id of new Set([...terminals, ...skipped])) {
      const terminal = parser.grammar.terminals[id];
      if (terminal === undefined) continue;
      const ignored = !terminals.includes(id);
      const plain = terminal.pattern.kind === 'string' && terminal.pattern.flags.size === 0;
      const literal = plain ? terminal.pattern.value : undefined;
      if (begun === '') {
        const whole = known(texts.growth(terminal, ''));
        found.push({ name: terminal.name, offset, begun, rest: whole, literal, ignored });
        continue;
      }
      if (parser.matchers[id]!.first[Math.min(begun.charCodeAt(0), 128)] === 0) continue;
      if (literal === undefined) read += begun.length;
      if (read > MAX_READ) {
        partial = true;
        break;
      }
      const rest = texts.growth(terminal, begun);
      if (rest === undefined) continue;
      if (rest === UNKNOWN) {
        // Without an automaton all that can be told is whether the token has ended before the end of the text.
        const end = parser.matchers[id]!.match(text, offset);
        if (end >= 0 && end < text.length) continue;
      }
      found.push({ name: terminal.name, offset, begun, rest: known(rest), literal, ignored });
    }
  }
  found.sort((a, b) => a.offset - b.offset || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return { complete: waiting.complete, terminals: found, partial };
}
