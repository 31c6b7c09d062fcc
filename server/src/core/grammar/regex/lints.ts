import type { Span } from '../../text/span';
import { type Language, Languages, UNKNOWN } from './automaton';
import {
  type AlternationNode,
  children,
  type ReferenceNode,
  type RegexNode,
  type RegexTree,
  type RepeatNode,
  unwrap,
} from './tree';
import { Widths } from './width';

/** All nodes of a tree in text order, each before its parts. */
export function* nodes(tree: RegexTree): Generator<RegexNode> {
  const stack: RegexNode[] = [tree.root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    const parts = children(node);
    for (let i = parts.length - 1; i >= 0; i--) stack.push(parts[i]!);
  }
}

/** A repeat right behind a repeat, such as `{0,10}*`. */
export interface StackedRepeat {
  readonly inner: RepeatNode;
  readonly outer: RepeatNode;
  /** The inner one has an upper bound that the outer one takes away. */
  readonly losesBound: boolean;
}

/** Repeats of repeats without brackets between; only Rust's dialect has them. */
export function stackedRepeats(tree: RegexTree): StackedRepeat[] {
  const out: StackedRepeat[] = [];
  for (const node of nodes(tree)) {
    if (node.kind !== 'repeat' || node.body.kind !== 'repeat') continue;
    const losesBound = node.max === Infinity && node.body.max !== Infinity && node.body.max > 1;
    out.push({ inner: node.body, outer: node, losesBound });
  }
  return out;
}

/** Ranges of a class that start among capitals and end among small letters: they also hold six other characters. */
export function caseGaps(tree: RegexTree): Span[] {
  const out: Span[] = [];
  for (const node of nodes(tree)) {
    if (node.kind !== 'set') continue;
    for (const item of node.items) {
      if (item.kind === 'range' && isUpper(item.first) && isLower(item.last)) out.push(item.span);
    }
  }
  return out;
}

/** Negated classes whose letters spell a word: at least four, not in the order of the alphabet. */
export function negatedWords(tree: RegexTree): { span: Span; word: string }[] {
  const out: { span: Span; word: string }[] = [];
  for (const node of nodes(tree)) {
    if (node.kind !== 'set' || !node.negated || node.items.length < 4) continue;
    const codes: number[] = [];
    for (const item of node.items) if (item.kind === 'range' && item.first === item.last) codes.push(item.first);
    if (codes.length < node.items.length || !codes.every((code) => isUpper(code) || isLower(code))) continue;
    const word = String.fromCodePoint(...codes);
    const lower = [...word.toLowerCase()];
    const ordered = lower.every((char, i) => i === 0 || lower[i - 1]! <= char);
    // Pairs of one letter in both cases are a list, not a word.
    const pairs = lower.length === new Set(lower).size * 2 && new Set(word).size === word.length;
    if (!ordered && !pairs) out.push({ span: node.span, word });
  }
  return out;
}

/** References by number: they break where a lexer joins expressions. */
export function numberedReferences(tree: RegexTree): ReferenceNode[] {
  if (tree.groups.length < 2) return [];
  return [...nodes(tree)].filter((node): node is ReferenceNode => node.kind === 'reference' && !node.named);
}

/** The alternatives that are not in brackets: put behind or before other text they share it out unevenly. */
export function topAlternation(tree: RegexTree): AlternationNode | undefined {
  return tree.root.kind === 'alternation' ? tree.root : undefined;
}

/** A loop that can read one text in a number of ways that grows exponentially with its length. */
export interface Explosion {
  readonly repeat: RepeatNode;
  /** A text that one round reads in more than one way. */
  readonly text: string;
}

/**
 * Loops that make a backtracking matcher (Python's, JavaScript's) try exponentially many ways on a text that does not
 * match: a round can be read as several rounds (`(a+)+b`), or two alternatives of a round read the same (`(a|a)*b`).
 * Something that can fail must come behind. Loops that cannot be decided are not reported.
 */
export function explosions(tree: RegexTree, limits: { steps?: number } = {}): Explosion[] {
  const languages = new Languages({ steps: limits.steps ?? 50_000, states: 2_000 });
  const widths = new Widths(tree.groups);
  const out: Explosion[] = [];
  const visit = (node: RegexNode, mayFail: boolean): void => {
    switch (node.kind) {
      case 'sequence': {
        let fails = mayFail;
        for (let i = node.items.length - 1; i >= 0; i--) {
          const item = node.items[i]!;
          visit(item, fails);
          if (canFail(item, widths)) fails = true;
        }
        return;
      }
      case 'repeat': {
        if (mayFail && node.max === Infinity && node.mode !== 'possessive') {
          const text = secondReading(tree, node, languages);
          if (text !== undefined) {
            out.push({ repeat: node, text });
            return;
          }
        }
        visit(node.body, mayFail || node.min > 1);
        return;
      }
      case 'group':
        // Nothing behind an atomic group makes it try again.
        visit(node.body, node.atomic ? false : mayFail);
        return;
      case 'look':
        visit(node.body, false);
        return;
      default:
        for (const child of children(node)) visit(child, mayFail);
    }
  };
  visit(tree.root, false);
  return out.sort((a, b) => a.repeat.span.start - b.repeat.span.start);
}

function canFail(node: RegexNode, widths: Widths): boolean {
  return widths.of(node).min > 0 || node.kind === 'anchor' || node.kind === 'look' || node.kind === 'reference';
}

function secondReading(tree: RegexTree, node: RepeatNode, languages: Languages): string | undefined {
  const body = languages.ofTree(tree, node.body);
  if (body === UNKNOWN) return undefined;
  const round = withoutEmpty(body, languages);
  if (round === undefined) return undefined;
  const several = languages.repeat(round, 2, Infinity);
  if (several !== UNKNOWN) {
    const text = languages.common(round, several);
    if (text !== UNKNOWN && text !== undefined) return text;
  }
  const inner = unwrap(node.body);
  if (inner.kind !== 'alternation' || inner.items.length > MAX_COMPARED) return undefined;
  const ways = inner.items.map((item) => languages.ofTree(tree, item));
  for (let i = 0; i < ways.length; i++) {
    for (let j = i + 1; j < ways.length; j++) {
      const a = ways[i]!;
      const b = ways[j]!;
      if (a === UNKNOWN || b === UNKNOWN || (isPlainSet(inner.items[i]!) && isPlainSet(inner.items[j]!))) continue;
      const text = languages.common(a, b);
      if (text !== UNKNOWN && text !== undefined && text !== '') return text;
    }
  }
  return undefined;
}

/** Python makes one class of alternatives that are all characters or classes. */
function isPlainSet(node: RegexNode): boolean {
  const inner = unwrap(node);
  return inner.kind === 'set' && !inner.negated;
}

/** Alternatives that are compared with each other. */
const MAX_COMPARED = 30;

function withoutEmpty(language: Language, languages: Languages): Language | undefined {
  const something = languages.ofSet([0, 0x10ffff]);
  if (something === UNKNOWN) return undefined;
  const some = languages.repeat(something, 1, Infinity);
  if (some === UNKNOWN) return undefined;
  const both = languages.intersection([language, some]);
  return both === UNKNOWN ? undefined : both;
}

function isUpper(code: number): boolean {
  return code >= 0x41 && code <= 0x5a;
}

function isLower(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
