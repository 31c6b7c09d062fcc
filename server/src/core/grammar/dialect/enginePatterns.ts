import { ENGINE_SCHEMA_FORMATS } from '../../profiles/llguidance';
import { type Language, Languages, UNKNOWN } from '../regex/automaton';
import { parseRustRegex } from '../regex/parseRust';
import { Refused, type TextRule } from './engineRefused';

/** Steps of one question about a pattern; the engine too gives up on larger ones. */
const LIMITS = { steps: 60_000, states: 2_000 };

/** The expressions of a schema, read as llguidance 1.9.1 does: `\d` and `\w` are ASCII, and they match anywhere. */
export class SchemaPatterns {
  readonly #known = new Map<string, Language | undefined>();
  #languages: Languages | undefined;

  get #of(): Languages {
    this.#languages ??= new Languages(LIMITS);
    return this.#languages;
  }

  /** Throws for an expression that the engine refuses. */
  check(pattern: string): void {
    this.#language(pattern);
  }

  #language(pattern: string): Language | undefined {
    if (this.#known.has(pattern)) return this.#known.get(pattern);
    const { tree, problem } = parseRustRegex(forSchema(pattern), '', { anchors: true });
    if (tree === undefined) throw new Refused(`The pattern ${JSON.stringify(pattern)} is refused: ${problem.code}`);
    const inner = this.#of.ofTree(tree);
    const anything = this.#length(0, undefined);
    let language: Language | undefined;
    if (inner !== UNKNOWN && anything !== undefined) {
      const whole = this.#of.sequence([anything, inner, anything]);
      if (whole !== UNKNOWN) language = whole;
    }
    this.#known.set(pattern, language);
    return language;
  }

  #length(least: number, most: number | undefined): Language | undefined {
    const any = this.#of.ofSet([0, 0xd7ff, 0xe000, 0x10ffff]);
    if (any === UNKNOWN) return undefined;
    const all = this.#of.repeat(any, least, most ?? Number.POSITIVE_INFINITY);
    return all === UNKNOWN ? undefined : all;
  }

  /** Whether a name matches; no, where it cannot be told. */
  matches(pattern: string, name: string): boolean {
    const language = this.#language(pattern);
    return language !== undefined && this.#of.matches(language, name) === true;
  }

  /** Throws unless no text matches two of the patterns. */
  apart(patterns: readonly string[]): void {
    const languages = patterns.map((pattern) => this.#language(pattern));
    for (const [i, a] of languages.entries()) {
      for (const [j, b] of languages.entries()) {
        if (j <= i || a === undefined || b === undefined || typeof this.#of.common(a, b) !== 'string') continue;
        throw new Refused(`patternProperty regexes /${patterns[i]}/ and /${patterns[j]}/ are not disjoint`);
      }
    }
  }

  /** Whether no text fits what is asked of a string; no, where it cannot be told. */
  isEmpty(rules: readonly TextRule[], least: number, most: number | undefined): boolean {
    const parts: (Language | undefined)[] = rules.map((rule) => {
      if (rule.kind !== 'literal')
        return rule.kind === 'pattern' ? this.#language(rule.source) : this.#format(rule.source);
      const text = this.#of.ofText(rule.text);
      return text === UNKNOWN ? undefined : text;
    });
    if (least > 0 || most !== undefined) parts.push(this.#length(least, most));
    // What cannot be told may match anything; if the others match nothing without it, so do all.
    const told = parts.filter((part) => part !== undefined);
    if (told.length === 0) return false;
    const all = this.#of.intersection(told);
    return all !== UNKNOWN && this.#of.isEmpty(all) === true;
  }

  #format(name: string): Language | undefined {
    const source = ENGINE_SCHEMA_FORMATS.get(name);
    if (source === undefined) return undefined;
    const { tree } = parseRustRegex(source);
    const language = tree === undefined ? UNKNOWN : this.#of.ofTree(tree);
    return language === UNKNOWN ? undefined : language;
  }
}

const ASCII_CLASSES = new Map([
  ['d', '[0-9]'],
  ['D', '[^0-9]'],
  ['w', '[0-9a-zA-Z_]'],
  ['W', '[^0-9a-zA-Z_]'],
]);

/** The expression as the engine rewrites it first. A backslash at the very end goes. */
function forSchema(pattern: string): string {
  return pattern.replace(/\\([\s\S])|\\$/g, (_all, c: string | undefined) =>
    c === undefined ? '' : (ASCII_CLASSES.get(c) ?? `\\${c === '\n' ? 'n' : c === '\r' ? 'r' : c === '\t' ? 't' : c}`),
  );
}
