import { BasicLexer } from './basic';
import type { TerminalMatcher } from './matcher';

/**
 * Lark's contextual lexer (1.3.1): for each state of the parser a basic lexer over the terminals that have an action
 * there and the ignored ones. `root` knows all terminals and tells a misplaced token from no token.
 */
export class ContextualLexer {
  readonly root: BasicLexer;
  readonly #states: readonly BasicLexer[];

  /** @param accepts numbers of the terminals with an action, per state */
  constructor(
    matchers: readonly TerminalMatcher[],
    ignore: ReadonlySet<number>,
    accepts: readonly (readonly number[])[],
  ) {
    const byId = new Map(matchers.map((matcher) => [matcher.id, matcher]));
    const bySet = new Map<string, BasicLexer>();
    this.root = new BasicLexer(matchers, ignore);
    this.#states = accepts.map((ids) => {
      const wanted = [...new Set([...ids, ...ignore])].filter((id) => byId.has(id)).sort((a, b) => a - b);
      const key = wanted.join(' ');
      let lexer = bySet.get(key);
      if (lexer === undefined) {
        lexer = new BasicLexer(
          wanted.map((id) => byId.get(id)!),
          ignore,
        );
        bySet.set(key, lexer);
      }
      return lexer;
    });
  }

  of(state: number): BasicLexer {
    return this.#states[state]!;
  }
}
