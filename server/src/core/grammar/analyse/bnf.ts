import type { Span } from '../../text/span';
import type { Alternatives, Definition, Expression, GrammarDocument } from '../ast';
import type { GrammarNames } from './names';

/** A terminal as the parser sees it: one that has a name, or a literal in a rule. */
export interface Lexeme {
  readonly id: number;
  /** A name, or the literal as written. */
  readonly label: string;
  /** Of a named one, also of imports. */
  readonly name: string | undefined;
  /** Of a literal. */
  readonly expression: Expression | undefined;
  /** Where it is used first. */
  readonly span: Span;
  /** A rule that the engine reads as one token, with an end of its own: `lazy`, `stop`, `suffix`, `max_tokens`. */
  readonly special: boolean;
}

/** An occurrence of a symbol. */
export interface Occurrence {
  /** Number of a lexeme, or `~n` for nonterminal n. */
  readonly symbol: number;
  readonly span: Span;
}

export interface Production {
  readonly symbols: readonly Occurrence[];
  readonly span: Span;
}

export interface Nonterminal {
  readonly id: number;
  /** Name of a rule; `undefined` for groups and repetitions. */
  readonly name: string | undefined;
  readonly span: Span;
  readonly productions: Production[];
  /** Of a repetition: what is repeated. */
  readonly repeated: { readonly item: Expression; readonly symbols: readonly Occurrence[] } | undefined;
}

/** A grammar as alternatives of symbols, both dialects, with the place of each occurrence. */
export interface Bnf {
  readonly nonterminals: readonly Nonterminal[];
  readonly lexemes: readonly Lexeme[];
  readonly byName: ReadonlyMap<string, Nonterminal>;
  readonly start: Nonterminal | undefined;
  /** The work was cut off, so that it says too little. */
  readonly incomplete: boolean;
}

/** More symbols than this are not analyzed. */
const MOST_SYMBOLS = 200_000;
const MOST_INSTANCES = 500;
/** Counts are written out up to here; a longer one has no end here. */
const MOST_COPIES = 4;

type Bindings = ReadonlyMap<string, Argument>;

interface Argument {
  readonly expression: Expression;
  readonly bindings: Bindings;
}

/** Makes alternatives of symbols out of the rules of a grammar. Terminals stay whole. */
export function makeBnf(document: GrammarDocument, names: GrammarNames): Bnf {
  return new Maker(document, names).make();
}

class Maker {
  readonly #nonterminals: Nonterminal[] = [];
  readonly #lexemes: Lexeme[] = [];
  readonly #byName = new Map<string, Nonterminal>();
  readonly #lexemeIds = new Map<string, number>();
  readonly #instances = new Map<string, Nonterminal>();
  #count = 0;
  #incomplete = false;

  constructor(
    readonly document: GrammarDocument,
    readonly names: GrammarNames,
  ) {}

  make(): Bnf {
    const rules: { nonterminal: Nonterminal; definition: Definition }[] = [];
    for (const item of this.document.items) {
      if (item.kind !== 'definition' || item.name.terminal || item.parameters !== undefined) continue;
      let nonterminal = this.#byName.get(item.name.text);
      if (nonterminal === undefined || item.directive === 'override') {
        nonterminal = this.#nonterminal(item.name.text, item.name.span, undefined);
        this.#byName.set(item.name.text, nonterminal);
      } else if (item.directive !== 'extend') continue;
      rules.push({ nonterminal, definition: item });
    }
    for (const { nonterminal, definition } of rules) {
      if (readAsToken(definition)) {
        const symbol = this.#lexeme(
          `R ${definition.name.text}`,
          definition.name.text,
          undefined,
          definition.name.span,
          true,
        );
        nonterminal.productions.push({ symbols: [{ symbol, span: definition.name.span }], span: definition.body.span });
      } else this.#alternatives(definition.body, nonterminal, new Map());
    }
    return {
      nonterminals: this.#nonterminals,
      lexemes: this.#lexemes,
      byName: this.#byName,
      start: this.#byName.get('start'),
      incomplete: this.#incomplete,
    };
  }

  #nonterminal(name: string | undefined, span: Span, repeated: Nonterminal['repeated']): Nonterminal {
    const made = { id: this.#nonterminals.length, name, span, productions: [], repeated };
    this.#nonterminals.push(made);
    return made;
  }

  #lexeme(key: string, label: string, expression: Expression | undefined, span: Span, special = false): number {
    let id = this.#lexemeIds.get(key);
    if (id === undefined) {
      id = this.#lexemes.length;
      this.#lexemeIds.set(key, id);
      const name = expression === undefined && !special ? label : undefined;
      this.#lexemes.push({ id, label, name, expression, span, special });
    }
    return id;
  }

  #alternatives(body: Alternatives, into: Nonterminal, bindings: Bindings): void {
    for (const { items, span } of body.items) {
      into.productions.push({ symbols: items.flatMap((item) => this.#symbols(item, bindings)), span });
    }
  }

  /** The symbols of an expression: none for what is empty. */
  #symbols(expression: Expression, bindings: Bindings): Occurrence[] {
    if (++this.#count > MOST_SYMBOLS) {
      this.#incomplete = true;
      return [];
    }
    const { span } = expression;
    const whole = (symbol: number): Occurrence[] => [{ symbol, span }];
    switch (expression.kind) {
      case 'reference': {
        const { text } = expression.name;
        const bound = bindings.get(text);
        if (bound !== undefined) return this.#symbols(bound.expression, bound.bindings);
        const rule = this.#byName.get(text);
        if (rule !== undefined) return whole(~rule.id);
        return whole(this.#lexeme(`T ${text}`, text, undefined, span));
      }
      case 'string':
        if (expression.raw === '""' || expression.raw === '""i') return [];
        return whole(this.#lexeme(`L ${expression.raw}`, expression.raw, expression, span));
      case 'regexp':
        return whole(this.#lexeme(`L ${expression.raw}`, expression.raw, expression, span));
      case 'group':
      case 'optional': {
        const only = expression.body.items.length === 1 ? expression.body.items[0] : undefined;
        if (expression.kind === 'group' && only !== undefined)
          return only.items.flatMap((item) => this.#symbols(item, bindings));
        const made = this.#nonterminal(undefined, span, undefined);
        this.#alternatives(expression.body, made, bindings);
        if (expression.kind === 'optional') made.productions.push({ symbols: [], span });
        return whole(~made.id);
      }
      case 'repeat':
        return this.#repeat(expression, bindings);
      case 'template': {
        const made = this.#instance(expression, bindings);
        return made === undefined ? whole(this.#opaque(expression)) : whole(~made.id);
      }
      default:
        return whole(this.#opaque(expression));
    }
  }

  #opaque(expression: Expression): number {
    const { start, end } = expression.span;
    const text = this.document.text.slice(start, end);
    return this.#lexeme(`L ${text}`, text, expression, expression.span);
  }

  #repeat(expression: Expression & { kind: 'repeat' }, bindings: Bindings): Occurrence[] {
    const { item, least, operator, range, span } = expression;
    const most = operator === '~' && !range ? least : expression.most;
    const copies: Occurrence[] = [];
    for (let i = 0; i < Math.min(least, MOST_COPIES); i++) copies.push(...this.#symbols(item, bindings));
    if (most !== undefined && most <= least) return copies;
    const more = this.#symbols(item, bindings);
    const made = this.#nonterminal(undefined, span, most === 1 ? undefined : { item, symbols: more });
    made.productions.push({ symbols: [], span });
    const again = most === undefined || most - least > 1 ? [{ symbol: ~made.id, span }, ...more] : more;
    made.productions.push({ symbols: again, span });
    return [...copies, { symbol: ~made.id, span }];
  }

  #instance(use: Expression & { kind: 'template' }, bindings: Bindings): Nonterminal | undefined {
    const bound = bindings.get(use.name.text)?.expression;
    const name = bound?.kind === 'reference' ? bound.name.text : use.name.text;
    const definition = this.names.symbols.get(name)?.definition;
    const parameters = definition?.parameters;
    if (definition === undefined || parameters?.length !== use.arguments.length) return undefined;
    const key = `${name}{${use.arguments.map((argument) => this.#written(argument, bindings)).join(',')}}`;
    const known = this.#instances.get(key);
    if (known !== undefined) return known;
    if (this.#instances.size >= MOST_INSTANCES) {
      this.#incomplete = true;
      return undefined;
    }
    const made = this.#nonterminal(key, definition.name.span, undefined);
    this.#instances.set(key, made);
    const inner = new Map(
      parameters.map((parameter, i) => [parameter.text, { expression: use.arguments[i]!, bindings }] as const),
    );
    this.#alternatives(definition.body, made, inner);
    return made;
  }

  #written(expression: Expression, bindings: Bindings): string {
    const bound = expression.kind === 'reference' ? bindings.get(expression.name.text) : undefined;
    if (bound !== undefined) return this.#written(bound.expression, bound.bindings);
    if (expression.kind === 'template')
      return `${expression.name.text}{${expression.arguments.map((each) => this.#written(each, bindings)).join(',')}}`;
    return this.document.text.slice(expression.span.start, expression.span.end);
  }
}

/** Rules that llguidance reads as one token. */
function readAsToken({ attributes }: Definition): boolean {
  return attributes.some(({ name }) => ['lazy', 'stop', 'suffix', 'max_tokens', 'temperature'].includes(name));
}
