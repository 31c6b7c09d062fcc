import { ENGINE_LARGEST_NATURAL } from '../../profiles/llguidance';
import type { Span } from '../../text/span';
import type {
  EngineAlternative,
  EngineAtom,
  EngineAttributes,
  EngineExpansions,
  EngineExpression,
  EngineItem,
  EngineName,
  EngineRule,
  EngineTerminal,
  EngineValue,
} from './engineAst';
import { type EngineToken, type EngineTokenKind, wholeNumber } from './engineLex';

/** Levels of lists of alternatives that the engine takes (1.9.1): 28 brackets inside a body. */
const MOST_NESTING = 30;

/** Templates and conditions inside one another, which the engine does not count. */
const MOST_RECURSION = 500;

export type SyntaxReason =
  | 'item'
  | 'value'
  | 'expected'
  | 'name'
  | 'number'
  | 'count-zero'
  | 'nesting'
  | 'string'
  | 'flags'
  | 'attribute'
  | 'several-stops'
  | 'declare-empty'
  | 'nested-open'
  | 'parameter'
  | 'after-nested';

/** Where the engine's parser gives up, and why. */
export interface SyntaxFailure {
  readonly reason: SyntaxReason;
  /** The token that does not fit; empty at the end of the text. */
  readonly span: Span;
  /** What was wanted or what was wrong. */
  readonly detail: string;
}

class Failure extends Error {
  constructor(readonly failure: SyntaxFailure) {
    super(failure.reason);
  }
}

/** Reads the tokens of a grammar as llguidance 1.9.1 does. */
export function engineParse(
  tokens: readonly EngineToken[],
): { readonly items: readonly EngineItem[]; readonly failure?: undefined } | { readonly failure: SyntaxFailure } {
  try {
    return { items: new EngineParser(tokens, 0, 0).start() };
  } catch (error) {
    if (error instanceof Failure) return { failure: error.failure };
    throw error;
  }
}

const LIST_ENDS = new Set<EngineTokenKind>(['newline', '|', '->', '}', ')', ']', '&', '%if']);

class EngineParser {
  #at = 0;
  #recursion: number;

  constructor(
    readonly tokens: readonly EngineToken[],
    private nesting: number,
    recursion: number,
  ) {
    this.#recursion = recursion;
  }

  start(): EngineItem[] {
    if (this.nesting >= MOST_NESTING) this.#fail('nesting', '');
    const items: EngineItem[] = [];
    for (;;) {
      while (this.#accept('newline')) {
        // Any number of line ends stands between items.
      }
      if (this.#token === undefined) return items;
      items.push(this.#item());
    }
  }

  get #token(): EngineToken | undefined {
    return this.tokens[this.#at];
  }

  get #last(): number {
    return this.tokens[this.#at - 1]?.end ?? 0;
  }

  #is(kind: EngineTokenKind): boolean {
    return this.#token?.kind === kind;
  }

  #accept(kind: EngineTokenKind): EngineToken | undefined {
    const token = this.#token;
    if (token?.kind !== kind) return undefined;
    this.#at++;
    return token;
  }

  #expect(kind: EngineTokenKind): EngineToken {
    return this.#accept(kind) ?? this.#fail('expected', kind);
  }

  #fail(reason: SyntaxReason, detail: string, at?: Span): never {
    const token = this.#token;
    const end = this.tokens.at(-1)?.end ?? 0;
    const span = at ?? (token === undefined ? { start: end, end } : { start: token.start, end: token.end });
    throw new Failure({ reason, span, detail });
  }

  #guard<T>(read: () => T): T {
    if (this.#recursion >= MOST_RECURSION) this.#fail('nesting', '');
    this.#recursion++;
    const value = read();
    this.#recursion--;
    return value;
  }

  #item(): EngineItem {
    if (this.#is('rule')) return this.#rule();
    if (this.#is('token')) return this.#terminal();
    return this.#statement();
  }

  #rule(): EngineRule {
    const token = this.#expect('rule');
    let parametric = false;
    if (this.#accept('::')) {
      this.#expect('_');
      parametric = true;
    }
    const template = this.#is('{') ? this.#parameters('rule') : undefined;
    const priority = this.#priority();
    const marks = /^!?\??/.exec(token.text)![0].length;
    const name = { text: token.text.slice(marks), span: { start: token.start + marks, end: token.end } };
    const attributes = this.#attributes();
    this.#expect(':');
    return { kind: 'rule', name, template, priority, parametric, attributes, body: this.#expansions() };
  }

  #terminal(): EngineTerminal {
    const token = this.#expect('token');
    const template = this.#is('{') ? this.#parameters('token') : undefined;
    const priority = this.#priority();
    this.#expect(':');
    const name = { text: token.text, span: { start: token.start, end: token.end } };
    return { kind: 'token', name, template, priority, body: this.#expansions() };
  }

  #parameters(kind: 'rule' | 'token'): Span {
    const { start } = this.#expect('{');
    do this.#expect(kind);
    while (this.#accept(','));
    this.#expect('}');
    return { start, end: this.#last };
  }

  #priority(): Span | undefined {
    const dot = this.#accept('.');
    if (dot === undefined) return undefined;
    this.#whole();
    return { start: dot.start, end: this.#last };
  }

  #whole(): number {
    const token = this.#expect('number');
    return wholeNumber(token.text) ?? this.#fail('number', token.text, token);
  }

  /** A number without a sign; the engine as WebAssembly has 32 bits for one. */
  #natural(most = ENGINE_LARGEST_NATURAL): number {
    const token = this.#expect('number');
    const value = /^\+?[0-9]+$/.test(token.text) ? Number(token.text) : Number.NaN;
    return value <= most ? value : this.#fail('number', token.text, token);
  }

  #attributes(): EngineAttributes {
    const open = this.#accept('[');
    let stop: EngineValue | undefined;
    let suffix: EngineValue | undefined;
    let stopCapture = false;
    let maxTokens: number | undefined;
    let temperature = false;
    if (open === undefined) return { span: undefined, stop, suffix, stopCapture, maxTokens, temperature };
    while (!this.#is(']')) {
      const key = this.#expect('rule');
      if (key.text === 'capture') {
        if (this.#accept('=')) this.#simpleString();
      } else if (key.text === 'lazy') {
        // It is a suffix without text, and only where the rule does not end early for another reason.
        const other: EngineValue | undefined = stop ?? suffix;
        if (other === undefined || (other.kind === 'string' && other.value === ''))
          suffix = { kind: 'regexp', span: { start: key.start, end: key.end }, source: '', flags: '' };
      } else {
        this.#expect('=');
        switch (key.text) {
          case 'stop':
          case 'suffix': {
            const value = this.#value();
            if (stop !== undefined || suffix !== undefined) this.#fail('several-stops', '', key);
            if (key.text === 'stop') stop = value;
            else suffix = value;
            break;
          }
          case 'stop_capture':
            this.#simpleString();
            if (stopCapture) this.#fail('several-stops', '', key);
            stopCapture = true;
            break;
          case 'max_tokens':
            maxTokens = this.#natural();
            break;
          case 'temperature':
            this.#expect('number');
            temperature = true;
            break;
          default:
            this.#fail('attribute', key.text, key);
        }
      }
      if (!this.#accept(',')) break;
    }
    this.#expect(']');
    return { span: { start: open.start, end: this.#last }, stop, suffix, stopCapture, maxTokens, temperature };
  }

  #statement(): EngineItem {
    const first = this.#token!;
    const span = { start: first.start, end: first.end };
    switch (first.kind) {
      case '%ignore':
        this.#at++;
        return { kind: 'ignore', span, body: this.#expansions() };
      case '%import':
        this.#at++;
        return this.#import(span);
      case '%override':
        this.#at++;
        return { kind: 'override', span, names: [this.#rule().name] };
      case '%declare':
        this.#at++;
        if (!this.#is('rule') && !this.#is('token')) this.#fail('declare-empty', '');
        return { kind: 'declare', span, names: this.#declared() };
      case '%llguidance':
        this.#at++;
        return {
          kind: 'header',
          span: { start: first.start, end: first.start + '%llguidance'.length },
          json: first.json!,
        };
      default:
        return this.#fail('item', '');
    }
  }

  #declared(): EngineName[] {
    const names: EngineName[] = [];
    while (this.#is('rule') || this.#is('token')) names.push(this.#nameToken());
    return names;
  }

  #import(directive: Span): EngineItem {
    const start = this.#token?.start ?? directive.end;
    let path = this.#accept('.') ? '.' : '';
    let last = this.#nameToken();
    path += last.text;
    while (this.#accept('.')) {
      last = this.#nameToken();
      path += `.${last.text}`;
    }
    const pathSpan = { start, end: this.#last };
    let alias: EngineName | undefined;
    let names: EngineName[] | undefined;
    if (this.#accept('->')) alias = this.#nameToken();
    else if (this.#accept('(')) {
      names = [];
      do names.push(this.#nameToken());
      while (this.#accept(','));
      this.#expect(')');
    }
    return { kind: 'import', span: { start: directive.start, end: this.#last }, path, pathSpan, last, alias, names };
  }

  #nameToken(): EngineName {
    const token = this.#accept('rule') ?? this.#accept('token') ?? this.#fail('name', '');
    return { text: token.text, span: { start: token.start, end: token.end } };
  }

  #expansions(): EngineExpansions {
    if (this.nesting + 1 >= MOST_NESTING) {
      // The engine stops behind the bracket that is one too many.
      const bracket = this.tokens[this.#at - 1];
      this.#fail('nesting', '', bracket);
    }
    this.nesting++;
    const start = this.#token?.start ?? this.#last;
    const items: EngineAlternative[] = [];
    do items.push(this.#alternative());
    while (this.#bar());
    this.nesting--;
    return { span: { start, end: Math.max(start, this.#last) }, items };
  }

  #bar(): boolean {
    if (this.#accept('|')) return true;
    if (!this.#is('newline') || this.tokens[this.#at + 1]?.kind !== '|') return false;
    this.#at += 2;
    return true;
  }

  #alternative(): EngineAlternative {
    const start = this.#token?.start ?? this.#last;
    const conjuncts: EngineExpression[][] = [];
    let and: Span | undefined;
    for (;;) {
      const items: EngineExpression[] = [];
      while (this.#token === undefined || !LIST_ENDS.has(this.#token.kind)) items.push(this.#expression());
      conjuncts.push(items);
      const sign = this.#accept('&');
      if (sign === undefined) break;
      and ??= { start: sign.start, end: sign.end };
    }
    if (this.#accept('->')) this.#expect('rule');
    let condition: Span | undefined;
    const word = this.#accept('%if');
    if (word !== undefined && !this.#condition()) condition = { start: word.start, end: this.#last };
    return { span: { start, end: Math.max(start, this.#last) }, conjuncts, and, condition };
  }

  #expression(): EngineExpression {
    const start = this.#token?.start ?? this.#last;
    const atom = this.#atom();
    const operator = this.#accept('operator');
    let range: EngineExpression['range'];
    if (operator === undefined) {
      const sign = this.#token;
      if (sign?.kind === '~' && this.tokens[this.#at + 1]?.kind === 'number') {
        this.#at++;
        const least = this.#whole();
        const most = this.#accept('..') ? this.#whole() : least;
        range = { least, most, span: { start: sign.start, end: this.#last } };
      } else if (sign?.kind === '{') {
        this.#at++;
        const least = this.#is(',') ? 0 : this.#whole();
        let most = least;
        if (this.#accept(',')) most = this.#is('}') ? 2147483647 : this.#whole();
        this.#expect('}');
        const span = { start: sign.start, end: this.#last };
        if (most === 0) this.#fail('count-zero', '', span);
        range = { least, most, span };
      }
    }
    const sign = operator?.text as '?' | '*' | '+' | undefined;
    return { span: { start, end: this.#last }, atom, operator: sign, range };
  }

  #atom(): EngineAtom {
    const start = this.#token?.start ?? this.#last;
    const negation = this.#accept('~');
    let atom: EngineAtom;
    if (this.#accept('(')) {
      const body = this.#expansions();
      this.#expect(')');
      atom = { kind: 'group', span: { start, end: this.#last }, body };
    } else if (this.#accept('[')) {
      const body = this.#expansions();
      this.#expect(']');
      atom = { kind: 'optional', span: { start, end: this.#last }, body };
    } else atom = this.#value();
    return negation === undefined ? atom : { kind: 'not', span: { start, end: this.#last }, atom };
  }

  /** The text of a string and whether it has the flag `i`. */
  #decode(token: EngineToken): { value: string; ignoreCase: boolean } {
    const ignoreCase = token.text.endsWith('i');
    const literal = ignoreCase ? token.text.slice(0, -1) : token.text;
    const value = JSON.parse(
      literal.replace(/\\(x([0-9a-fA-F]{2})|.)/g, (all, _rest, hex: string | undefined) =>
        hex === undefined ? all : `\\u00${hex}`,
      ),
    ) as string;
    const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
    if (lone.test(value)) this.#fail('string', '', token);
    return { value, ignoreCase };
  }

  #simpleString(): string {
    const token = this.#expect('string');
    const { value, ignoreCase } = this.#decode(token);
    if (ignoreCase) this.#fail('flags', '', { start: token.end - 1, end: token.end });
    return value;
  }

  #value(): EngineValue {
    const token = this.#token;
    if (token === undefined) return this.#fail('value', '');
    const span = { start: token.start, end: token.end };
    switch (token.kind) {
      case 'string': {
        if (this.tokens[this.#at + 1]?.kind !== '..') {
          this.#at++;
          return { kind: 'string', span, ...this.#decode(token) };
        }
        this.#at += 2;
        if (!this.#is('string')) this.#expect('string');
        this.#at -= 2;
        const from = this.#simpleString();
        this.#at++;
        const to = this.#simpleString();
        return { kind: 'range', span: { start: span.start, end: this.#last }, from, to };
      }
      case 'regexp': {
        this.#at++;
        const slash = token.text.lastIndexOf('/');
        return { kind: 'regexp', span, source: token.text.slice(1, slash), flags: token.text.slice(slash + 1) };
      }
      case 'special':
      case 'grammarName':
        this.#at++;
        return { kind: token.kind, span, text: token.text };
      case '%json':
      case '%regex':
        this.#at++;
        return { kind: token.kind === '%json' ? 'json' : 'structuredRegex', span, json: token.json! };
      case '%lark':
        this.#at++;
        return this.#nested(token);
      case 'rule':
      case 'token':
        this.#at++;
        return this.#named(token);
      default:
        return this.#fail('value', '');
    }
  }

  #nested(word: EngineToken): EngineValue {
    const open = this.#accept('{') ?? this.#fail('nested-open', '');
    let depth = 1;
    let end = this.#at;
    for (; end < this.tokens.length; end++) {
      const { kind } = this.tokens[end]!;
      if (kind === '{') depth++;
      else if (kind === '}' && --depth === 0) break;
    }
    if (depth > 0) this.#fail('nested-open', '', open);
    const inner = this.tokens.slice(this.#at, end);
    const items = this.#guard(() => new EngineParser(inner, this.nesting + 1, this.#recursion).start());
    this.#at = end + 1;
    return { kind: 'nested', span: { start: word.start, end: this.#last }, items };
  }

  #named(token: EngineToken): EngineValue {
    const span = { start: token.start, end: token.end };
    const after = this.tokens[this.#at + 1]?.kind;
    if (this.#is('{') && after !== ',' && after !== 'number') {
      this.#at++;
      this.#guard(() => {
        do this.#value();
        while (this.#accept(','));
      });
      this.#expect('}');
      return { kind: 'template', span: { start: token.start, end: this.#last } };
    }
    if (!this.#accept('::')) return { kind: 'name', span, name: token.text };
    const needs = this.#parameter();
    return { kind: 'parameter', span: { start: token.start, end: this.#last }, name: token.text, needs };
  }

  /** Whether the value of a parameter depends on that of the rule. */
  #parameter(): boolean {
    if (this.#is('number') || this.#is('hex')) {
      this.#parameterValue();
      return false;
    }
    if (this.#accept('_')) return true;
    const token = this.#expect('rule');
    if (!['incr', 'decr', 'bit_and', 'bit_or', 'set_bit', 'clear_bit'].includes(token.text))
      this.#fail('parameter', token.text, token);
    this.#expect('(');
    if (token.text === 'incr' || token.text === 'decr') this.#parameterPart();
    else if (token.text.startsWith('bit_')) this.#parameterValue();
    else this.#natural(63);
    this.#expect(')');
    return true;
  }

  #parameterValue(): void {
    const hex = this.#accept('hex');
    if (hex === undefined) this.#natural();
    else if (BigInt(hex.text.toLowerCase()) >= 1n << 64n) this.#fail('number', hex.text, hex);
  }

  #parameterPart(): void {
    if (this.#accept('[')) {
      const from = this.#natural(63);
      this.#expect(':');
      const to = this.#natural(64);
      this.#expect(']');
      if (to <= from) this.#fail('parameter', '');
    } else if (!this.#accept('_')) this.#fail('parameter', '');
  }

  /** Reads a condition; tells whether it is `true`. */
  #condition(): boolean {
    const token = this.#expect('rule');
    const { text } = token;
    if (text === 'true') return true;
    if (/^(?:ne|eq|lt|le|gt|ge|bit_count_(?:ne|eq|lt|le|gt|ge))$/.test(text)) {
      this.#expect('(');
      this.#parameterPart();
      this.#expect(',');
      if (text.startsWith('bit')) this.#natural(63);
      else this.#parameterValue();
    } else if (text === 'and' || text === 'or') {
      this.#expect('(');
      this.#guard(() => this.#condition());
      this.#expect(',');
      this.#guard(() => this.#condition());
    } else if (text === 'not') {
      this.#expect('(');
      this.#guard(() => this.#condition());
    } else if (text === 'bit_clear' || text === 'bit_set') {
      this.#expect('(');
      this.#natural(63);
    } else if (text === 'is_zeros' || text === 'is_ones') {
      this.#expect('(');
      this.#parameterPart();
    } else this.#fail('parameter', text, token);
    this.#expect(')');
    return false;
  }
}
