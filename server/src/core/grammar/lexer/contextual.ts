import { BasicLexer } from './basic';
import type { TerminalMatcher } from './matcher';

/**
 * Lark's contextual lexer (1.3.1): for each state of the parser a basic lexer over the terminals that have an action
 * there and the ignored ones. `root` knows all terminals and tells a misplaced token from no token.
 */
export class ContextualLexer {
  readonly root: BasicLexer;
  readonly #matchers: readonly TerminalMatcher[];
  readonly #ignore: ReadonlySet<number>;
  readonly #accepts: (state: number, terminal: number) => boolean;
  /** Made when a state is first met. */
  readonly #states: (BasicLexer | undefined)[] = [];
  readonly #bySet = new Map<string, BasicLexer>();

  /**
   * @param accepts whether a terminal has an action in a state of the parser
   * @param always a terminal that a post-lexer wants wherever it stands
   */
  constructor(
    matchers: readonly TerminalMatcher[],
    ignore: ReadonlySet<number>,
    accepts: (state: number, terminal: number) => boolean,
    always?: number,
  ) {
    this.root = new BasicLexer(matchers, ignore);
    this.#matchers = matchers;
    this.#ignore = ignore;
    this.#accepts = (state, terminal) => terminal === always || accepts(state, terminal);
  }

  of(state: number): BasicLexer {
    return this.#states[state] ?? this.#make(state);
  }

  #make(state: number): BasicLexer {
    const wanted = this.#matchers.filter(({ id }) => this.#ignore.has(id) || this.#accepts(state, id));
    const key = wanted.map(({ id }) => id).join(' ');
    let lexer = this.#bySet.get(key);
    if (lexer === undefined) {
      lexer = new BasicLexer(wanted, this.#ignore);
      this.#bySet.set(key, lexer);
    }
    this.#states[state] = lexer;
    return lexer;
  }
}
