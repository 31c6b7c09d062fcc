import { ENGINE_SCHEMA_FORMATS } from '../../profiles/llguidance';
import { type Language, Languages, UNKNOWN, type Unknown } from '../regex/automaton';
import { parseRustRegex } from '../regex/parseRust';
import { bareAnchor, innerAnchor, isNothing, isOnce } from '../regex/rustAnchors';
import type { RegexNode, RegexTree } from '../regex/tree';
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
    const language = this.#found(tree, tree.root, true, true) ?? this.#anywhere(tree, tree.root, true, true);
    this.#known.set(pattern, language);
    return language;
  }

  /** The part, with anything on either side. */
  #anywhere(tree: RegexTree, part: RegexNode | undefined, left: boolean, right: boolean): Language | undefined {
    const anything = this.#length(0, undefined);
    const inner: (Language | Unknown)[] = part === undefined ? [] : [this.#of.ofTree(tree, part)];
    return this.#sequence([...(left ? [anything] : []), ...inner, ...(right ? [anything] : [])]);
  }

  /**
   * The same where anchors at the outer ends keep that away, without looking around, which is far less work; `undefined`
   * where that does not do.
   */
  #found(tree: RegexTree, part: RegexNode, left: boolean, right: boolean): Language | undefined {
    if (innerAnchor(part) === undefined) return this.#anywhere(tree, part, left, right);
    switch (part.kind) {
      case 'anchor':
        if (left && part.type === 'start') return this.#anywhere(tree, undefined, false, right);
        return right && part.type === 'end' ? this.#anywhere(tree, undefined, left, false) : undefined;
      case 'group':
        return this.#found(tree, part.body, left, right);
      case 'repeat':
        return isOnce(part) ? this.#found(tree, part.body, left, right) : undefined;
      case 'alternation': {
        const ways = part.items.map((item) => this.#found(tree, item, left, right));
        return ways.includes(undefined) ? undefined : known(this.#of.union(ways as Language[]));
      }
      case 'sequence': {
        const items = part.items.filter((item) => !isNothing(item));
        const starts = left ? items.findIndex((item) => bareAnchor(item) !== 'start') : 0;
        const ends = right ? items.findLastIndex((item) => bareAnchor(item) !== 'end') + 1 : items.length;
        const inner = starts < 0 ? [] : items.slice(starts, ends);
        const [more, less] = [left && starts === 0, right && ends === items.length];
        const last = inner.length - 1;
        if (last < 0) return this.#anywhere(tree, undefined, more, less);
        return this.#sequence(inner.map((item, i) => this.#found(tree, item, more && i === 0, less && i === last)));
      }
      default:
        return undefined;
    }
  }

  #sequence(parts: readonly (Language | Unknown | undefined)[]): Language | undefined {
    const all = parts.filter((part) => part !== undefined && part !== UNKNOWN);
    return all.length < parts.length ? undefined : known(this.#of.sequence(all));
  }

  #length(least: number, most: number | undefined): Language | undefined {
    const any = this.#of.ofSet([0, 0xd7ff, 0xe000, 0x10ffff]);
    if (any === UNKNOWN) return undefined;
    return known(this.#of.repeat(any, least, most ?? Number.POSITIVE_INFINITY));
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
    return tree === undefined ? undefined : known(this.#of.ofTree(tree));
  }
}

function known(language: Language | Unknown): Language | undefined {
  return language === UNKNOWN ? undefined : language;
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
