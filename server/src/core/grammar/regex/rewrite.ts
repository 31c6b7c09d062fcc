import type { Span } from '../../text/span';
import { Languages, UNKNOWN } from './automaton';
import { type CharSet, complement, EMPTY_SET, MAX_CODE_POINT, subtract, unionAll } from './charSet';
import { parsePythonRegex } from './parsePython';
import { type RegexNode, type RegexTree, type RepeatNode, unwrap } from './tree';

export interface Rewrite {
  /** What is replaced, in the expression's source. */
  readonly span: Span;
  readonly text: string;
}

/** Longest end mark that is rewritten: each of its characters becomes an alternative. */
const MAX_END = 4;

/**
 * The expression's lazy repeat said without laziness, for readers that know none: `".*?"` becomes `"[^"\n]*"`. Known
 * for a lazy repeat of a class or `.` before a fixed end mark of up to four characters at the end of the expression.
 * Offered only where the new expression is shown to match exactly the texts at which the old one stops first. A
 * slash is escaped, as in a grammar.
 */
export function rewriteLazy(tree: RegexTree): Rewrite | undefined {
  const root = unwrap(tree.root);
  if (tree.dialect !== 'python' || root.kind !== 'sequence') return undefined;
  const at = root.items.findIndex((item) => item.kind === 'repeat' && item.mode === 'lazy');
  const repeat = root.items[at];
  const end = root.items.slice(at + 1);
  if (repeat?.kind !== 'repeat' || repeat.max !== Infinity || end.length === 0 || end.length > MAX_END)
    return undefined;
  const body = unwrap(repeat.body);
  if (body.kind !== 'set' || !end.every((item) => item.kind === 'set')) return undefined;
  const marks = end.map((item) => (item.kind === 'set' ? item.set : EMPTY_SET));
  const span = { start: repeat.span.start, end: end.at(-1)!.span.end };
  const endText = tree.source.slice(end[0]!.span.start, span.end);
  for (const loop of loops(body.set, marks)) {
    const text = minimum(repeat, body, tree.source) + loop + endText;
    const source = tree.source.slice(0, span.start) + text + tree.source.slice(span.end);
    if (stopsAtFirst(tree, source)) return { span, text };
  }
  return undefined;
}

/** Ways to say "anything up to the end mark", the simplest first. */
function loops(body: CharSet, marks: readonly CharSet[]): string[] {
  const first = marks[0]!;
  if (marks.length === 1) return [`${classText(subtract(body, first))}*`];
  const ways = marks.map((mark, i) => marks.slice(0, i).map(classText).join('') + classText(subtract(body, mark)));
  // Where the mark starts with a run, such as `--` in `-->`, a longer run may stand before it.
  const run = classText(first).repeat(marks.length - 2);
  const free = classText(subtract(body, unionAll([first, marks.at(-1)!])));
  const inner = [...ways.slice(0, -1), `${run}${classText(first)}+${free}`];
  return [`(?:${ways.join('|')})*`, `(?:${inner.join('|')})*${classText(first)}*`];
}

function minimum(repeat: RepeatNode, body: RegexNode, source: string): string {
  const once = source.slice(body.span.start, body.span.end);
  if (repeat.min === 0) return '';
  return repeat.min === 1 ? once : `${once}{${repeat.min}}`;
}

/** Whether the new expression matches the texts of the old one that have no shorter start that it matches too. */
function stopsAtFirst(tree: RegexTree, source: string): boolean {
  const parsed = parsePythonRegex(source).tree;
  if (parsed === undefined) return false;
  const languages = new Languages({ steps: 50_000, states: 5_000 });
  const old = languages.ofTree(tree);
  const next = languages.ofTree(parsed);
  const any = languages.ofSet([0, MAX_CODE_POINT]);
  if (old === UNKNOWN || next === UNKNOWN || any === UNKNOWN) return false;
  const some = languages.repeat(any, 1, Infinity);
  if (some === UNKNOWN) return false;
  const longer = languages.sequence([old, some]);
  if (longer === UNKNOWN) return false;
  const notLonger = languages.complement(longer);
  if (notLonger === UNKNOWN) return false;
  const first = languages.intersection([old, notLonger]);
  if (first === UNKNOWN) return false;
  return languages.counterExample(first, next) === undefined && languages.counterExample(next, first) === undefined;
}

/** A set as a class that both dialects read, for use between slashes. */
function classText(set: CharSet): string {
  if (set.length === 2 && set[0] === set[1]) return escaped(set[0]!, false);
  const negative = set.at(-1) === MAX_CODE_POINT;
  const ranges = negative ? complement(set) : set;
  let out = '';
  for (let i = 0; i < ranges.length; i += 2) {
    const first = ranges[i]!;
    const last = ranges[i + 1]!;
    out += escaped(first, true);
    if (last > first + 1) out += '-';
    if (last > first) out += escaped(last, true);
  }
  if (out === '') return '[\\s\\S]';
  return `[${negative ? '^' : ''}${out}]`;
}

const NAMED = new Map([
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
]);

function escaped(code: number, inClass: boolean): string {
  const named = NAMED.get(code);
  if (named !== undefined) return named;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  const char = String.fromCodePoint(code);
  const special = inClass ? /[\]\\[^\-/&~]/ : /[\^$\\.*+?()[\]{}|/]/;
  return special.test(char) ? `\\${char}` : char;
}
