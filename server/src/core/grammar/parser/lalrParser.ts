import { type BasicLexer, Lexed, LexerState } from '../lexer/basic';
import type { ContextualLexer } from '../lexer/contextual';
import { type Indentation, type IndentedToken, Indenter } from '../lexer/indenter';
import { LarkFault, type ParseChild, type ParseToken, type RuleBuilder, TooComplex } from '../tree';
import type { LalrTable } from './lalrTable';
import type { ParseFailure, ParseOutcome, Waiting } from './outcome';
import { END, isUpperName, sortedNames } from './symbols';

/** Reductions without a token in between that are taken for an endless loop. */
const MAX_REDUCTIONS = 1_000_000;

/** How many tokens back a token may begin that reaches over the end of the text. */
const TOKENS_BACK = 4;

/** Places from which on a token may reach over the end of a text: the last few tokens, and its end. */
export function lalrNext(
  table: LalrTable,
  lexer: BasicLexer | ContextualLexer,
  text: string,
  language?: Indentation,
): Waiting {
  const whole = new LalrRun(table, lexer, undefined, text, language);
  const failure = whole.feedAll();
  const offsets = new Set(whole.lastStarts);
  if (failure?.offset !== undefined) offsets.add(failure.offset);
  const places = [...offsets].map((offset) => {
    const run = new LalrRun(table, lexer, undefined, text.slice(0, offset), language);
    return { offset, terminals: run.feedAll() === undefined ? run.accepts() : [] };
  });
  if (failure !== undefined) return { complete: false, places };
  const terminals = whole.accepts();
  places.push({ offset: text.length, terminals: terminals.filter((terminal) => terminal !== 0) });
  // The end of the text ends all blocks too.
  const complete =
    language === undefined
      ? terminals.includes(0)
      : new LalrRun(table, lexer, undefined, text, language).parse().accepted;
  return { complete, places };
}

/** A LALR(1) parse of one text, token by token. */
export class LalrRun {
  readonly state: LexerState;
  /** Where the last few tokens began. */
  readonly lastStarts: number[] = [];
  readonly #table: LalrTable;
  readonly #lexer: BasicLexer | ContextualLexer;
  readonly #builders: readonly RuleBuilder[] | undefined;
  readonly #end: number;
  #states = new Int32Array(64);
  #depth = 0;
  readonly #values: ParseChild[] = [];
  #last: ParseToken | undefined;
  readonly #indenter: Indenter | undefined;

  /**
   * @param builders makes the tree; without them the text is only judged
   * @param language makes tokens out of indentation
   */
  constructor(
    table: LalrTable,
    lexer: BasicLexer | ContextualLexer,
    builders: readonly RuleBuilder[] | undefined,
    text: string,
    language?: Indentation,
  ) {
    this.#table = table;
    this.#lexer = lexer;
    this.#builders = builders;
    this.#states[0] = table.starts[0]!;
    this.#end = table.ends[0]!;
    this.state = new LexerState(text);
    this.#indenter = language === undefined ? undefined : new Indenter(language, table.grammar);
  }

  parse(): ParseOutcome {
    const failure = this.feedAll() ?? this.#takeAll(this.#indenter?.finish() ?? []) ?? this.#finish();
    if (failure !== undefined) return { accepted: false, failure };
    return { accepted: true, tree: this.#values[this.#values.length - 1] ?? null, lines: this.state.lines };
  }

  /** Reads tokens to the end of the text, or to the first problem. */
  feedAll(): ParseFailure | undefined {
    const names = this.#table.grammar.terminalNames;
    const state = this.state;
    for (;;) {
      const lexer = this.#currentLexer();
      const lexed = lexer.next(state);
      if (lexed === Lexed.End) return undefined;
      if (lexed === Lexed.Nothing) return this.#unreadable(lexer);
      const token: ParseToken = {
        kind: 'token',
        type: names[state.type]!,
        value: state.text.slice(state.start, state.offset),
        start: state.start,
        end: state.offset,
      };
      if (this.lastStarts.push(state.start) > TOKENS_BACK) this.lastStarts.shift();
      const failure = this.#take(state.type, token);
      if (failure !== undefined) return failure;
    }
  }

  /** Hands a token on, or what the post-lexer makes of it. */
  #take(terminal: number, token: ParseToken): ParseFailure | undefined {
    if (this.#indenter !== undefined) {
      const { type: name, value, start, end } = token;
      return this.#takeAll(this.#indenter.of({ type: terminal, name, value, start, end }));
    }
    this.#last = token;
    return this.#feed(terminal, token) ? undefined : this.#unexpected(token, this.#expected());
  }

  #takeAll(tokens: Iterable<IndentedToken>): ParseFailure | undefined {
    for (const { type, name, value, start, end } of tokens) {
      const token: ParseToken = { kind: 'token', type: name, value, start, end };
      this.#last = token;
      if (type < 0 || !this.#feed(type, token)) return this.#unexpected(token, this.#expected());
    }
    return undefined;
  }

  /** Numbers of the terminals that can be read next, found by trying each. */
  accepts(): number[] {
    return this.#table.taken(this.#states[this.#depth]!).filter((terminal) => this.#canTake(terminal));
  }

  #currentLexer(): BasicLexer {
    const lexer = this.#lexer;
    return 'root' in lexer ? lexer.of(this.#states[this.#depth]!) : lexer;
  }

  #push(state: number, value: ParseChild): void {
    this.#depth++;
    if (this.#depth === this.#states.length) {
      const grown = new Int32Array(this.#depth * 2);
      grown.set(this.#states);
      this.#states = grown;
    }
    this.#states[this.#depth] = state;
    this.#values.push(value);
  }

  /** Takes a token: reduces as long as the table says so, then shifts. False when it does not fit. */
  #feed(terminal: number, token: ParseChild): boolean {
    const table = this.#table;
    for (let steps = 0; ; steps++) {
      const action = table.action(this.#states[this.#depth]!, terminal);
      if (action === 0) return false;
      if (action > 0) {
        this.#push(action - 1, token);
        return true;
      }
      this.#reduce(-action - 1, steps);
    }
  }

  #reduce(rule: number, steps: number): void {
    if (steps > MAX_REDUCTIONS) throw new TooComplex();
    const { grammar } = this.#table;
    const size = grammar.right[rule]!.length;
    this.#depth -= size;
    const children = size === 0 ? [] : this.#values.splice(this.#values.length - size, size);
    const value = this.#builders === undefined ? null : this.#builders[rule]!(children);
    this.#push(this.#table.goto(this.#states[this.#depth]!, grammar.left[rule]!), value);
  }

  #finish(): ParseFailure | undefined {
    for (let steps = 0; ; steps++) {
      const action = this.#table.action(this.#states[this.#depth]!, 0);
      if (action >= 0) {
        const place = this.#last ?? { start: 0 };
        return this.#unexpected({ type: END, value: '', start: place.start }, this.#expected());
      }
      this.#reduce(-action - 1, steps);
      if (this.#states[this.#depth] === this.#end) return undefined;
    }
  }

  #expected(): string[] {
    const { terminalNames } = this.#table.grammar;
    const names = this.#table.taken(this.#states[this.#depth]!).map((terminal) => terminalNames[terminal]!);
    return names.filter(isUpperName);
  }

  #unexpected(token: { type: string; value: string; start: number }, expected: readonly string[]): ParseFailure {
    const names = this.#table.grammar.terminalNames;
    return {
      kind: 'UnexpectedToken',
      offset: token.start,
      lines: this.state.lines,
      token: { type: token.type, value: token.value },
      expected: sortedNames(expected),
      accepts: sortedNames(
        this.accepts()
          .map((terminal) => names[terminal]!)
          .filter(isUpperName),
      ),
    };
  }

  /** No terminal matches here; one that does not belong here may, which makes the better error. */
  #unreadable(lexer: BasicLexer): ParseFailure {
    const allowed = lexer.allowed();
    const state = this.state;
    const failure: ParseFailure = {
      kind: 'UnexpectedCharacters',
      offset: state.offset,
      lines: state.lines,
      token: undefined,
      expected: sortedNames(allowed),
      accepts: undefined,
    };
    if (!('root' in this.#lexer)) return failure;
    const lexed = this.#lexer.root.next(state);
    if (lexed === Lexed.Nothing) return { ...failure, offset: failure.offset };
    if (lexed === Lexed.End) throw new LarkFault('EOFError', 'end of the text');
    const value = state.text.slice(state.start, state.offset);
    const type = this.#table.grammar.terminalNames[state.type]!;
    return this.#unexpected({ type, value, start: state.start }, allowed);
  }

  /** Whether a terminal can be shifted after reductions, tried on a copy of the top of the stack. */
  #canTake(terminal: number): boolean {
    const { grammar } = this.#table;
    const pushed: number[] = [];
    let base = this.#depth;
    for (let steps = 0; steps <= MAX_REDUCTIONS; steps++) {
      const state = pushed.length > 0 ? pushed[pushed.length - 1]! : this.#states[base]!;
      const action = this.#table.action(state, terminal);
      if (action === 0) return false;
      if (action > 0) return true;
      const rule = -action - 1;
      let size = grammar.right[rule]!.length;
      while (size > 0 && pushed.length > 0) {
        pushed.pop();
        size--;
      }
      base -= size;
      const under = pushed.length > 0 ? pushed[pushed.length - 1]! : this.#states[base]!;
      const next = this.#table.goto(under, grammar.left[rule]!);
      pushed.push(next);
      if (terminal === 0 && next === this.#end) return true;
    }
    throw new TooComplex();
  }
}
