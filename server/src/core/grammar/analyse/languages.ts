import { ENGINE_COMMON } from '../../profiles/llguidance';
import type { Alternatives, Expression, GrammarDocument, IgnoreItem, StringLiteral } from '../ast';
import { libraryText } from '../libraries';
import { decodeEscapes } from '../load/literals';
import type { GrammarMemory, SharedLanguages } from '../memory';
import { parseGrammar } from '../parse';
import { type Language, type Languages, UNKNOWN } from '../regex/automaton';
import type { Lexeme } from './bnf';
import { type GrammarNames, grammarNames } from './names';

/** Terminals inside one another. */
const MOST_DEPTH = 200;

const libraries = new Map<string, GrammarNames>();

function libraryNames(module: string): GrammarNames | undefined {
  let names = libraries.get(module);
  if (names === undefined) {
    const text = libraryText(`${module}.lark`);
    if (text === undefined) return undefined;
    names = grammarNames(parseGrammar(text));
    libraries.set(module, names);
  }
  return names;
}

/**
 * What terminals match, as one of the dialects reads them: Rust's expressions for llguidance, Python's for Lark. What
 * cannot be told (look-around is told, back-references are not) is `undefined`, and so is what contains it.
 */
export class TerminalLanguages {
  readonly of: Languages;
  readonly #shared: SharedLanguages;
  readonly #named = new Map<string, Language | undefined>();
  readonly #lexemes = new Map<number, Language | undefined>();
  readonly #open = new Set<string>();

  constructor(
    readonly document: GrammarDocument,
    readonly names: GrammarNames,
    readonly dialect: 'rust' | 'python',
    /** Languages of several can be compared only if they share this. */
    readonly memory: GrammarMemory,
  ) {
    this.#shared = memory.languages(dialect);
    this.of = this.#shared.of;
  }

  lexeme(lexeme: Lexeme): Language | undefined {
    if (lexeme.special) return undefined;
    let known = this.#lexemes.get(lexeme.id);
    if (known === undefined && !this.#lexemes.has(lexeme.id)) {
      known = lexeme.name === undefined ? this.expression(lexeme.expression!) : this.named(lexeme.name);
      this.#lexemes.set(lexeme.id, known);
    }
    return known;
  }

  /** Whether a lexeme matches the empty text. Nothing is built for one that is fixed texts alone. */
  isNullable(lexeme: Lexeme): boolean {
    const fixed = this.#strings(lexeme);
    if (fixed !== undefined) return fixed.some(({ raw }) => this.stringText(raw) === '');
    const language = this.lexeme(lexeme);
    return language !== undefined && this.of.isNullable(language) === true;
  }

  /** The texts of a lexeme that is a choice of strings and nothing else, all of which can be read. */
  fixedTexts(lexeme: Lexeme): readonly string[] | undefined {
    const texts = this.#strings(lexeme)?.map(({ raw }) => this.stringText(raw));
    return texts?.includes(undefined) === true ? undefined : (texts as readonly string[] | undefined);
  }

  /** Whether a lexeme matches no text at all. */
  isEmpty(lexeme: Lexeme): boolean {
    if (this.#strings(lexeme) !== undefined) return false;
    const language = this.lexeme(lexeme);
    return language !== undefined && this.of.isEmpty(language) === true;
  }

  /** The strings that a lexeme is a choice of, where it is nothing else. */
  #strings({ name, expression, special }: Lexeme): readonly StringLiteral[] | undefined {
    if (special) return undefined;
    if (expression !== undefined) return expression.kind === 'string' ? [expression] : undefined;
    const definition = name === undefined ? undefined : this.names.symbols.get(name)?.definition;
    if (definition?.name.terminal !== true) return undefined;
    const strings: StringLiteral[] = [];
    for (const { items } of definition.body.items) {
      const [only] = items;
      if (items.length !== 1 || only?.kind !== 'string') return undefined;
      strings.push(only);
    }
    return strings.length === 0 ? undefined : strings;
  }

  named(name: string): Language | undefined {
    if (this.#named.has(name)) return this.#named.get(name);
    if (this.#open.has(name) || this.#open.size > MOST_DEPTH) return undefined;
    this.#open.add(name);
    const language = this.#define(name);
    this.#open.delete(name);
    this.#named.set(name, language);
    return language;
  }

  /**
   * What all `%ignore` skip at once; `undefined` without one, or where it cannot be told. Gaps are filled by several of
   * these in a row, so a longer terminal still wins over each of them (llguidance 1.9.1, observed).
   */
  skip(): Language | undefined {
    const items = this.document.items.filter((item): item is IgnoreItem => item.kind === 'ignore');
    const each = items.map((item) => this.body(item.body));
    if (each.length === 0 || each.includes(undefined)) return undefined;
    return known(this.of.union(each as Language[]));
  }

  body(body: Alternatives): Language | undefined {
    const parts: Language[] = [];
    for (const { items } of body.items) {
      const sequence = this.#sequence(items);
      if (sequence === undefined) return undefined;
      parts.push(sequence);
    }
    return parts.length === 1 ? parts[0] : known(this.of.union(parts));
  }

  #define(name: string): Language | undefined {
    const symbol = this.names.symbols.get(name);
    if (symbol === undefined) return undefined;
    if (symbol.kind === 'import') return this.#imported(symbol.path!);
    const { definition } = symbol;
    return definition === undefined || !symbol.terminal ? undefined : this.body(definition.body);
  }

  #imported(path: string): Language | undefined {
    if (this.dialect === 'rust') {
      const source = ENGINE_COMMON.get(path);
      return source === undefined ? undefined : this.#regexp(source, '');
    }
    const dot = path.lastIndexOf('.');
    const names = libraryNames(path.slice(0, dot));
    const definition = names?.symbols.get(path.slice(dot + 1))?.definition;
    if (names === undefined || definition === undefined || !definition.name.terminal) return undefined;
    const key = `${path} library`;
    if (this.#named.has(key)) return this.#named.get(key);
    const library = new TerminalLanguages(this.document, names, 'python', this.memory);
    const language = library.named(path.slice(dot + 1));
    this.#named.set(key, language);
    return language;
  }

  #sequence(items: readonly Expression[]): Language | undefined {
    const parts: Language[] = [];
    for (const item of items) {
      const part = this.expression(item);
      if (part === undefined) return undefined;
      parts.push(part);
    }
    return parts.length === 1 ? parts[0] : known(this.of.sequence(parts));
  }

  expression(expression: Expression): Language | undefined {
    switch (expression.kind) {
      case 'reference':
        return this.named(expression.name.text);
      case 'string':
        return this.#literal(expression.raw, () => {
          const text = this.stringText(expression.raw);
          const ignoreCase = expression.raw.endsWith('i') ? this.dialect : false;
          return text === undefined ? undefined : known(this.of.ofText(text, ignoreCase));
        });
      case 'regexp': {
        const slash = expression.raw.lastIndexOf('/');
        return this.#regexp(expression.raw.slice(1, slash), expression.flags);
      }
      case 'range': {
        const from = this.stringText(expression.from.raw)?.codePointAt(0);
        const to = this.stringText(expression.to.raw)?.codePointAt(0);
        return from === undefined || to === undefined || from > to ? undefined : known(this.of.ofSet([from, to]));
      }
      case 'group':
        return this.body(expression.body);
      case 'optional': {
        const inner = this.body(expression.body);
        return inner === undefined ? undefined : known(this.of.repeat(inner, 0, 1));
      }
      case 'repeat': {
        const inner = this.expression(expression.item);
        if (inner === undefined) return undefined;
        const { least, operator, range } = expression;
        const most = operator === '~' && !range ? least : (expression.most ?? Number.POSITIVE_INFINITY);
        return least < 0 || most < least ? undefined : known(this.of.repeat(inner, least, most));
      }
      case 'negation': {
        const inner = this.expression(expression.item);
        return inner === undefined ? undefined : known(this.of.complement(inner));
      }
      case 'intersection': {
        const sides = expression.operands.map((operand) => this.#sequence(operand.items));
        return sides.includes(undefined) ? undefined : known(this.of.intersection(sides as Language[]));
      }
      default:
        return undefined;
    }
  }

  /** The text that a string literal stands for in the dialect. */
  stringText(raw: string): string | undefined {
    const inner = raw.slice(1, raw.lastIndexOf('"'));
    if (this.dialect === 'rust') {
      try {
        const json = inner.replace(/\\(x([0-9a-fA-F]{2})|.)/g, (all, _rest, hex: string | undefined) =>
          hex === undefined ? all : `\\u00${hex}`,
        );
        return JSON.parse(`"${json}"`) as string;
      } catch {
        return undefined;
      }
    }
    const decoded = decodeEscapes(inner);
    return decoded.error === undefined ? decoded.text.replaceAll('\\\\', '\\') : undefined;
  }

  #regexp(source: string, flags: string): Language | undefined {
    return this.#literal(`${flags}/${source}`, () => this.#readRegexp(source, new Set(flags.replaceAll('l', ''))));
  }

  #literal(key: string, make: () => Language | undefined): Language | undefined {
    const { literals } = this.#shared;
    if (literals.has(key)) return literals.get(key);
    const language = make();
    literals.set(key, language);
    return language;
  }

  #readRegexp(source: string, flags: ReadonlySet<string>): Language | undefined {
    const decoded =
      this.dialect === 'rust' ? { text: source, error: undefined } : decodeEscapes(source.replaceAll('\\/', '/'));
    if (decoded.error !== undefined) return undefined;
    const { tree } = this.memory.regex(this.dialect, decoded.text, flags);
    return tree === undefined ? undefined : known(this.of.ofTree(tree));
  }
}

function known<T>(value: T | typeof UNKNOWN): T | undefined {
  return value === UNKNOWN ? undefined : (value as T);
}
