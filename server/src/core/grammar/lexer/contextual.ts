import { BasicLexer } from './basic';
import type { TerminalMatcher } from './matcher';

/**
 * Lark's contextual lexer (1.3.1): for each state of the parser a basic lexer over the terminals that have an action
 * there and the ignored ones. `root` knows all terminals and tells a misplaced token from no token.
 */
export class ContextualLexer {
  readonly root: BasicLexer;
  /** By number of the terminal. */
  readonly #matchers = new Map<number, TerminalMatcher>();
  readonly #ignore: ReadonlySet<number>;
  readonly #always: readonly number[];
  readonly #taken: (state: number) => readonly number[];
  /** Made when a state is first met. */
  readonly #states: (BasicLexer | undefined)[] = [];
  readonly #bySet = new Map<string, BasicLexer>();

  /**
   * @param taken the terminals that have an action in a state of the parser
   * @param always a terminal that a post-lexer wants wherever it stands
   */
  constructor(
    matchers: readonly TerminalMatcher[],
    ignore: ReadonlySet<number>,
    taken: (state: number) => readonly number[],
    always?: number,
  ) {
    this.root = new BasicLexer(matchers, ignore);
    for (const matcher of matchers) this.#matchers.set(matcher.id, matcher);
    this.#ignore = ignore;
    this.#always = always === undefined ? [...ignore] : [...ignore, always];
    this.#taken = taken;
  }

  of(state: number): BasicLexer {
    return this.#states[state] ?? this.#make(state);
  }

  #make(state: number): BasicLexer {
    const ids = [...new Set([...this.#taken(state), ...this.#always])].sort((a, b) => a - b);
    const wanted = ids.flatMap((id) => this.#matchers.get(id) ?? []);
    const key = ids.join(' ');
    let lexer = this.#bySet.get(key);
    if (lexer === undefined) {
      lexer = new BasicLexer(wanted, this.#ignore);
      this.#bySet.set(key, lexer);
    }
    this.#states[state] = lexer;
    return lexer;
  }
}
