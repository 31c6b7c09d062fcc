import { render } from '../../text/message';
import type { CompiledTerminal } from '../compiled';
import { compareNames } from '../parser/symbols';
import { parsePythonRegex } from '../regex/parsePython';
import type { RegexNode } from '../regex/tree';
import { LarkFault } from '../tree';
import { characterClass, OTHER_CHARACTER } from './first';
import { LineStarts } from './lineStarts';
import { TerminalMatcher } from './matcher';

/** How far a text has been read, and its lines so far. */
export class LexerState {
  offset = 0;
  readonly lines = new LineStarts();
  /** The last token read: `type` is the number of its terminal. */
  type = -1;
  start = 0;
  #nextLineFeed: number;

  constructor(readonly text: string) {
    this.#nextLineFeed = lineFeedFrom(text, 0);
  }

  /** Goes on behind a token. */
  advance(end: number, countsLines: boolean): void {
    if (this.#nextLineFeed < end) {
      let at = this.#nextLineFeed;
      for (; at < end; at = lineFeedFrom(this.text, at + 1)) if (countsLines) this.lines.add(at + 1);
      this.#nextLineFeed = at;
    }
    this.offset = end;
  }
}

function lineFeedFrom(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** What `BasicLexer.next` found. */
export const enum Lexed {
  Token,
  End,
  Nothing,
}

/**
 * Lark's basic lexer (1.3.1) over a set of terminals. Terminals are tried by priority, greatest width, length of the
 * pattern and name; the first that matches wins, not the longest. A string that an expression of equal priority matches
 * as a whole is not tried itself: the expression's token gets the string's type.
 */
export class BasicLexer {
  readonly #matchers: readonly TerminalMatcher[];
  readonly #ignore: ReadonlySet<number>;
  /** Matchers to try by first character; made on first use. */
  readonly #byCharacter: (readonly Entry[] | undefined)[] = new Array(OTHER_CHARACTER + 1);
  #entries: readonly Entry[] | undefined;
  #problem: LarkFault | undefined;

  constructor(matchers: readonly TerminalMatcher[], ignore: ReadonlySet<number>) {
    this.#matchers = [...matchers].sort((a, b) => compareTerminals(a.terminal, b.terminal));
    this.#ignore = ignore;
  }

  /** Reads the next token that is not ignored into `state`. */
  next(state: LexerState): Lexed {
    if (this.#entries === undefined) this.#entries = this.#prepare();
    if (state.offset < state.text.length && this.#problem !== undefined) throw this.#problem;
    const text = state.text;
    while (state.offset < text.length) {
      const start = state.offset;
      const kind = characterClass(text, start);
      const entries = this.#byCharacter[kind] ?? this.#select(kind);
      let found: Entry | undefined;
      let end = -1;
      for (const entry of entries) {
        end = entry.matcher.match(text, start);
        if (end >= 0) {
          found = entry;
          break;
        }
      }
      if (found === undefined) return Lexed.Nothing;
      state.advance(end, found.countsLines);
      if (found.ignored) continue;
      state.start = start;
      state.type = found.keywords === undefined ? found.matcher.id : found.keywords(text.slice(start, end));
      return Lexed.Token;
    }
    return Lexed.End;
  }

  /** Names of the terminals that are tried and not ignored, for the error when none matches. */
  allowed(): string[] {
    if (this.#entries === undefined) this.#entries = this.#prepare();
    const names = this.#entries.filter((entry) => !entry.ignored).map((entry) => entry.matcher.terminal.name);
    return names.length > 0 ? names : ['<END-OF-FILE>'];
  }

  #select(kind: number): readonly Entry[] {
    const entries = this.#entries!.filter((entry) => entry.matcher.first[kind] === 1);
    this.#byCharacter[kind] = entries;
    return entries;
  }

  #prepare(): readonly Entry[] {
    const strings = this.#matchers.filter((matcher) => matcher.terminal.pattern.kind === 'string');
    const removed = new Set<TerminalMatcher>();
    const keywords = new Map<TerminalMatcher, (value: string) => number>();
    for (const matcher of this.#matchers) {
      const { pattern, priority } = matcher.terminal;
      if (pattern.kind === 'string') continue;
      const covered: TerminalMatcher[] = [];
      for (const candidate of strings) {
        const word = candidate.terminal.pattern.value;
        if (candidate.terminal.priority !== priority || matcher.match(word, 0) !== word.length) continue;
        covered.push(candidate);
        if ([...candidate.terminal.pattern.flags].every((flag) => pattern.flags.has(flag))) removed.add(candidate);
      }
      if (covered.length > 0) keywords.set(matcher, keywordLookup(covered, matcher.id));
    }
    const kept = this.#matchers.filter((matcher) => !removed.has(matcher));
    return this.#join(kept).map((matcher, index) => ({
      matcher,
      ignored: this.#ignore.has(matcher.id),
      countsLines: looksMultiline(matcher.terminal.regexp),
      keywords: keywords.get(kept[index]!),
    }));
  }

  /**
   * Lark joins all expressions into one, which breaks some of them: numbers of groups shift, a name can be given
   * twice, and flags for the whole expression may only stand at its start. Then the joined expression decides.
   */
  #join(matchers: readonly TerminalMatcher[]): readonly TerminalMatcher[] {
    if (!matchers.some((matcher) => JOIN_SENSITIVE.test(matcher.terminal.regexp))) return matchers;
    const source = matchers.map((matcher) => `(?P<${matcher.terminal.name}>${matcher.terminal.regexp})`).join('|');
    const result = parsePythonRegex(source);
    if (result.problem !== undefined) {
      this.#problem = new LarkFault('error', render(result.problem.message));
      return matchers;
    }
    const tree = result.tree;
    const parts: readonly RegexNode[] = tree.root.kind === 'alternation' ? tree.root.items : [tree.root];
    return matchers.map((matcher, index) => {
      const joined = TerminalMatcher.ofTree(matcher.terminal, matcher.id, { ...tree, root: parts[index]! });
      return joined instanceof TerminalMatcher ? joined : matcher;
    });
  }
}

interface Entry {
  readonly matcher: TerminalMatcher;
  readonly ignored: boolean;
  readonly countsLines: boolean;
  readonly keywords: ((value: string) => number) | undefined;
}

const JOIN_SENSITIVE = /\\[1-9]|\(\?\(|\(\?P<|\(\?[aiLmsux]+\)/;

/** Lark's order of terminals: the first that matches wins. */
export function compareTerminals(a: CompiledTerminal, b: CompiledTerminal): number {
  return (
    b.priority - a.priority ||
    b.maxWidth - a.maxWidth ||
    codePointCount(b.pattern.value) - codePointCount(a.pattern.value) ||
    compareNames(a.name, b.name)
  );
}

function codePointCount(text: string): number {
  let count = text.length;
  for (let i = 0; i + 1 < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

/** From the text of a token to its type: that of the first string that is all of it, else the expression's own. */
function keywordLookup(covered: readonly TerminalMatcher[], own: number): (value: string) => number {
  const exact = new Map<string, number>();
  if (covered.every((matcher) => matcher.terminal.pattern.flags.size === 0)) {
    for (const matcher of covered) {
      if (!exact.has(matcher.terminal.pattern.value)) exact.set(matcher.terminal.pattern.value, matcher.id);
    }
    return (value) => exact.get(value) ?? own;
  }
  return (value) => covered.find((matcher) => matcher.match(value, 0) === value.length)?.id ?? own;
}

/** Lark's guess whether a terminal can match a line feed; lines are only counted in those. */
export function looksMultiline(regexp: string): boolean {
  return (
    regexp.includes('\n') ||
    regexp.includes('\\n') ||
    regexp.includes('\\s') ||
    regexp.includes('[^') ||
    (regexp.includes('(?s') && regexp.includes('.'))
  );
}
