import type { NumberedGrammar } from '../parser/symbols';
import { LarkFault } from '../tree';

/** What a post-lexer for indentation is told of a language. */
export interface Indentation {
  /** The terminal that takes a line end with the blanks behind it. */
  readonly newline: string;
  readonly indent: string;
  readonly dedent: string;
  /** Between these, line ends do not count. */
  readonly open: readonly string[];
  readonly close: readonly string[];
  /** Columns of a tab. */
  readonly tabLength: number;
}

/** Languages by name. `python` is what Lark 1.3.1 has as `PythonIndenter`. */
export const INDENTATIONS: ReadonlyMap<string, Indentation> = new Map([
  [
    'python',
    {
      newline: '_NEWLINE',
      indent: '_INDENT',
      dedent: '_DEDENT',
      open: ['LPAR', 'LSQB', 'LBRACE'],
      close: ['RPAR', 'RSQB', 'RBRACE'],
      tabLength: 8,
    },
  ],
]);

/** A token as the parser gets it. What the grammar has no terminal for has -1, which fits nowhere. */
export interface IndentedToken {
  readonly type: number;
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Puts tokens for the beginning and the end of blocks between those of the lexer (Lark 1.3.1, `Indenter`). One for each
 * text.
 */
export class Indenter {
  readonly #levels = [0];
  #open = 0;
  #last: IndentedToken | undefined;

  constructor(
    readonly language: Indentation,
    readonly grammar: NumberedGrammar,
  ) {}

  /** What the parser gets for a token of the lexer. Goes on only after the parser has taken what it got so far. */
  *of(token: IndentedToken): Generator<IndentedToken, void> {
    const { newline, open, close } = this.language;
    this.#last = token;
    if (token.name !== newline) yield token;
    else if (this.#open === 0) yield* this.#line(token);
    if (open.includes(token.name)) this.#open++;
    else if (close.includes(token.name) && --this.#open < 0) {
      throw new LarkFault('AssertionError', 'a bracket is closed that was not opened');
    }
  }

  /** What the parser gets at the end of the text: the ends of all blocks. */
  *finish(): Generator<IndentedToken, void> {
    while (this.#levels.length > 1) {
      this.#levels.pop();
      const { start, end } = this.#last!;
      yield this.#made(this.language.dedent, '', start, end);
    }
  }

  *#line(token: IndentedToken): Generator<IndentedToken, void> {
    yield token;
    const { indent, dedent, tabLength } = this.language;
    const feed = token.value.lastIndexOf('\n');
    // Lark looks for the part behind the last line feed and does not expect that there is none.
    if (feed < 0) throw new LarkFault('IndexError', 'list index out of range');
    const blanks = token.value.slice(feed + 1);
    let column = 0;
    for (const c of blanks) column += c === ' ' ? 1 : c === '\t' ? tabLength : 0;
    if (column > this.#levels.at(-1)!) {
      this.#levels.push(column);
      yield this.#made(indent, blanks, token.start, token.end);
      return;
    }
    while (column < this.#levels.at(-1)!) {
      this.#levels.pop();
      yield this.#made(dedent, blanks, token.start, token.end);
    }
    const level = this.#levels.at(-1)!;
    if (column !== level) {
      throw new LarkFault('DedentError', `Unexpected dedent to column ${column}. Expected dedent to ${level}`);
    }
  }

  #made(name: string, value: string, start: number, end: number): IndentedToken {
    return { type: this.grammar.terminalIds.get(name) ?? -1, name, value, start, end };
  }
}
