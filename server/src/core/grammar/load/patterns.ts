import { type Message, t } from '../../text/message';
import type { Span } from '../../text/span';

import type { GrammarProblemCode } from '../problems';
import { type Entry, type Loading, report } from './entries';
import { codePoints, decodeEscapes, escapeText, literalFlags } from './literals';
import type { RegexModel } from './regexModel';
import { ownTrees, type Pattern, type Place, Sym, TooComplex, Tree } from './tree';

/** Characters that all expressions together may have; shared terminals can double them again and again. */
const MOST_CHARACTERS = 4_000_000;

/** The expression for Python's `re`, flags as scoped groups around it (Lark 1.3.1, `Pattern.to_regexp`). */
export function patternRegexp(pattern: Pattern): string {
  let text = pattern.kind === 'string' ? escapeText(pattern.value) : pattern.value;
  for (const flag of pattern.flags) text = `(?${flag}:${text})`;
  return text;
}

/** Equal for patterns that Lark takes for the same terminal. */
export function patternKey(pattern: Pattern): string {
  return `${pattern.kind}/${pattern.flags.join('')}/${pattern.value}`;
}

interface Width {
  readonly min: number;
  readonly max: number;
}

/** Makes patterns out of literals, ranges and the trees of terminals. */
export class Patterns {
  readonly #widths = new Map<string, Width>();
  readonly #made = new Map<Tree, Pattern>();
  readonly #refused = new Set<string>();
  #characters = 0;

  constructor(
    readonly loading: Loading,
    readonly regex: RegexModel,
  ) {}

  /** The pattern of a literal or a range; reports what is wrong with it and gives `undefined` then. */
  literal(tree: Tree): Pattern | undefined {
    const known = this.#made.get(tree);
    if (known !== undefined) return known;
    const pattern = tree.kind === 'range' ? this.#range(tree) : this.#literal(tree);
    if (pattern !== undefined) this.#made.set(tree, pattern);
    return pattern;
  }

  #literal(tree: Tree): Pattern | undefined {
    const raw = tree.raw[0]!;
    const place = tree.place!;
    const string = raw[0] === '"';
    const end = raw.lastIndexOf(string ? '"' : '/');
    const flags = literalFlags(raw.slice(end + 1));
    if (!string && raw.includes('\n') && !flags.includes('x')) {
      const message = t('A regular expression goes over several lines only with the flag x.');
      report(this.loading, 'literal.newline-in-regexp', place, message);
      return undefined;
    }
    const decoded = decodeEscapes(raw.slice(1, end));
    if (decoded.error !== undefined) {
      const start = place.span.start + 1;
      const span = { start: start + decoded.start, end: start + decoded.end };
      const open = decoded.end === end - 1 && decoded.end - decoded.start === 1;
      const message = open
        ? t('The backslash escapes the end of the literal: write \\\\ for a backslash.')
        : t(
            'The escape {0} is incomplete: \\x takes two hexadecimal digits, \\u four, \\U eight.',
            raw.slice(1 + decoded.start, 1 + decoded.end),
          );
      report(this.loading, decoded.error, { span, origin: place.origin }, message);
      return undefined;
    }
    if (decoded.text === '') {
      report(
        this.loading,
        'terminal.empty-literal',
        place,
        t('An empty string is no terminal: leave the alternative empty or make the item optional.'),
      );
      return undefined;
    }
    const value = string ? decoded.text.replaceAll('\\\\', '\\') : decoded.text;
    return { kind: string ? 'string' : 'regexp', value, flags, raw, place };
  }

  #range(tree: Tree): Pattern | undefined {
    const place = tree.place!;
    // The flag of a string is not expected here: it counts as a part of the text.
    const [from, to] = tree.raw.map((raw) => raw.slice(1, -1)) as [string, string];
    for (const side of [from, to]) {
      const decoded = decodeEscapes(side);
      if (decoded.error !== undefined) {
        report(this.loading, decoded.error, place, t('An escape in the range is incomplete.'));
        return undefined;
      }
      if (codePoints(decoded.text) !== 1) {
        report(
          this.loading,
          'range.not-one-character',
          place,
          t('Each side of a range is a string of one character, without a flag.'),
        );
        return undefined;
      }
    }
    return { kind: 'regexp', value: `[${from}-${to}]`, flags: [], raw: undefined, place };
  }

  /**
   * The pattern of a terminal, with those of the terminals it uses put in their places. Reports and gives `undefined`
   * when a part of it is wrong. Terminals must not contain themselves.
   */
  terminal(entry: Entry): Pattern | undefined {
    const before = this.loading.problems.length;
    for (const tree of ownTrees(entry.tree!)) {
      if (tree.kind === 'literal' || tree.kind === 'range') this.literal(tree);
    }
    if (this.loading.problems.length > before) return undefined;
    return this.#tree(entry.tree!);
  }

  /** Children before parents, with a stack of its own: terminals may use each other to any depth. */
  #tree(root: Tree): Pattern | undefined {
    const stack: Tree[] = [root];
    const failed = new Set<Tree>();
    while (stack.length > 0) {
      const tree = stack.at(-1)!;
      if (this.#made.has(tree) || failed.has(tree)) {
        stack.pop();
        continue;
      }
      const children = tree.children.filter((child): child is Tree => child instanceof Tree);
      const open = children.filter((child) => !this.#made.has(child) && !failed.has(child));
      if (open.length > 0) {
        for (let i = open.length - 1; i >= 0; i--) stack.push(open[i]!);
        continue;
      }
      stack.pop();
      const wrong = tree.children.some((child) => child instanceof Sym || failed.has(child));
      const made = wrong
        ? undefined
        : this.#make(
            tree,
            children.map((child) => this.#made.get(child)!),
          );
      if (made === undefined) {
        failed.add(tree);
        continue;
      }
      this.#made.set(tree, made);
      this.#characters += made.value.length;
      if (this.#characters > MOST_CHARACTERS) throw new TooComplex('terminals', root.place);
    }
    return this.#made.get(root);
  }

  #make(tree: Tree, parts: readonly Pattern[]): Pattern | undefined {
    const place = tree.place;
    const joined = (value: string): Pattern => ({ kind: 'regexp', value, flags: [], raw: undefined, place });
    switch (tree.kind) {
      case 'value':
        return parts[0];
      case 'literal':
      case 'range':
        return this.literal(tree);
      case 'sequence': {
        if (parts.length === 0) return { kind: 'string', value: '', flags: [], raw: undefined, place };
        return parts.length === 1 ? parts[0] : joined(parts.map(patternRegexp).join(''));
      }
      case 'alternatives': {
        if (parts.length === 1) return parts[0];
        const sorted = this.#longestFirst(parts);
        return sorted && joined(`(?:${sorted.map(patternRegexp).join('|')})`);
      }
      case 'maybe':
        return { ...joined(`(?:${patternRegexp(parts[0]!)})?`), flags: parts[0]!.flags };
      case 'repeat': {
        const operator = this.#operator(tree);
        return operator === undefined
          ? undefined
          : { ...joined(`(?:${patternRegexp(parts[0]!)})${operator}`), flags: parts[0]!.flags };
      }
      case 'alias': {
        const message = t('Terminals have no tree, so they take no alias.');
        report(this.loading, 'terminal.alias', tree.alias?.place ?? place!, message);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  #operator(tree: Tree): string | undefined {
    const { operator, least, most, range } = tree.repetition!;
    if (operator !== '~') return operator;
    if (!range) return `{${least}}`;
    if (most >= least) return `{${least},${most}}`;
    badRange(this.loading, tree);
    return undefined;
  }

  /** Python would take the first alternative that fits, so that Lark puts those that can match more in front. */
  #longestFirst(parts: readonly Pattern[]): Pattern[] | undefined {
    const keyed: { part: Pattern; width: Width; length: number }[] = [];
    for (const part of parts) {
      const width = this.width(part);
      if (width === undefined) return undefined;
      keyed.push({ part, width, length: codePoints(part.value) });
    }
    keyed.sort((a, b) => b.width.max - a.width.max || b.width.min - a.width.min || b.length - a.length);
    return keyed.map(({ part }) => part);
  }

  /** Reports an expression that Python refuses, once. */
  refuse(pattern: Pattern, place: Place, code: GrammarProblemCode, message: Message, part?: Span): void {
    const regexp = patternRegexp(pattern);
    if (this.#refused.has(regexp)) return;
    this.#refused.add(regexp);
    report(this.loading, code, { span: partOf(pattern, part) ?? place.span, origin: place.origin }, message);
  }

  /** How many characters a pattern matches; reports an expression that Python cannot read. */
  width(pattern: Pattern, place: Place | undefined = pattern.place): Width | undefined {
    if (pattern.kind === 'string') {
      const length = codePoints(pattern.value);
      return { min: length, max: length };
    }
    const regexp = patternRegexp(pattern);
    const known = this.#widths.get(regexp);
    if (known !== undefined) return known;
    if (this.#refused.has(regexp)) return undefined;
    if (hasUnicodeCategory(regexp)) {
      this.refuse(pattern, place!, 'regex.unicode-category', t("Python's re has no \\p{…}."));
      return undefined;
    }
    const width = this.regex.width(regexp);
    if ('error' in width) {
      this.refuse(pattern, place!, 'regex.invalid', t("Python's re cannot read this: {0}", width.error), width.span);
      return undefined;
    }
    this.#widths.set(regexp, width);
    return width;
  }
}

/** Where a part of an expression is written, if it is a literal that stands there as it is. */
function partOf(pattern: Pattern, part: Span | undefined): Span | undefined {
  const { raw, value, flags, place } = pattern;
  if (part === undefined || raw === undefined || place === undefined || raw.slice(1, 1 + value.length) !== value)
    return undefined;
  // Each flag is a group of its own around the expression.
  const shift = place.span.start + 1 - 4 * flags.length;
  const limit = place.span.start + 1 + value.length;
  const start = Math.max(place.span.start + 1, Math.min(shift + part.start, limit));
  return { start, end: Math.max(start, Math.min(shift + part.end, limit)) };
}

/** What Lark 1.3.1 refuses before it looks at anything else, as long as the package `regex` is not there. */
export function hasUnicodeCategory(regexp: string): boolean {
  return /\\p\{[A-Za-z_]+\}/.test(regexp);
}

export function badRange(loading: Loading, tree: Tree): void {
  const { least, most } = tree.repetition!;
  const message = t('The range {0}..{1} is not in order.', String(least), String(most));
  report(loading, 'repeat.bad-range', tree.place!, message);
}
