import type { CompiledTerminal } from '../compiled';
import { parsePythonRegex } from '../regex/parsePython';
import { compileJs } from '../regex/toJs';
import type { RegexProblem, RegexTree } from '../regex/tree';
import { firstCharacters, OTHER_CHARACTER } from './first';

/** Matches one terminal at a place of a text. */
export class TerminalMatcher {
  /** First characters of its matches, as `firstCharacters` gives them. */
  readonly first: Uint8Array;
  readonly #literal: string | undefined;
  readonly #regexp: RegExp | undefined;

  private constructor(
    readonly terminal: CompiledTerminal,
    /** Number of the terminal in the grammar's tables. */
    readonly id: number,
    literal: string | undefined,
    regexp: RegExp | undefined,
    first: Uint8Array,
  ) {
    this.#literal = literal;
    this.#regexp = regexp;
    this.first = first;
  }

  /** A matcher for a terminal, or why its expression cannot be used. Plain strings need no expression. */
  static of(terminal: CompiledTerminal, id: number): TerminalMatcher | RegexProblem {
    if (isPlain(terminal)) return TerminalMatcher.literal(terminal, id);
    const result = parsePythonRegex(terminal.regexp);
    if (result.problem !== undefined) return result.problem;
    return TerminalMatcher.ofTree(terminal, id, result.tree);
  }

  /** A matcher for an expression that is read already. */
  static ofTree(terminal: CompiledTerminal, id: number, tree: RegexTree): TerminalMatcher | RegexProblem {
    const regexp = compileJs(tree, { sticky: true });
    if (!(regexp instanceof RegExp)) return regexp;
    return new TerminalMatcher(terminal, id, undefined, regexp, firstCharacters(tree.root));
  }

  private static literal(terminal: CompiledTerminal, id: number): TerminalMatcher {
    const text = terminal.pattern.value;
    const first = new Uint8Array(OTHER_CHARACTER + 1);
    first[Math.min(text.charCodeAt(0), OTHER_CHARACTER)] = 1;
    return new TerminalMatcher(terminal, id, text, undefined, first);
  }

  /** Offset behind the match at `offset`, or -1. Matches of no character do not count. */
  match(text: string, offset: number): number {
    if (this.#literal !== undefined) {
      return text.startsWith(this.#literal, offset) ? offset + this.#literal.length : -1;
    }
    const regexp = this.#regexp!;
    regexp.lastIndex = offset;
    if (!regexp.test(text)) return -1;
    return regexp.lastIndex > offset ? regexp.lastIndex : -1;
  }
}

/** A string without flags is matched as it stands. */
function isPlain(terminal: CompiledTerminal): boolean {
  return terminal.pattern.kind === 'string' && terminal.pattern.flags.size === 0 && terminal.pattern.value.length > 0;
}
