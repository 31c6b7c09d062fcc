import { expressions, owners } from '../../grammar/analyse/walk';
import { children, type RegexNode } from '../../grammar/regex/tree';
import type { TextEdit } from '../../text/finding';
import type { GrammarContext } from './grammarRule';
import type { RegexFact } from './literalFacts';

/** Another way to write an expression. */
export interface Rewrite {
  /** As it is written then. */
  readonly shown: string;
  readonly edits: readonly TextEdit[];
}

/** The common ways in which look-behind and laziness read a quoted string up to its end. */
const QUOTED: readonly (readonly [string, string])[] = [
  ['".*?(?<!\\\\)"', '"([^"\\\\]|\\\\.)*"'],
  ['".*?(?<!\\\\)(\\\\\\\\)*?"', '"([^"\\\\]|\\\\.)*"'],
  ["'.*?(?<!\\\\)'", "'([^'\\\\]|\\\\.)*'"],
  ['"(?:[^"]|(?<=\\\\)")*"', '"([^"\\\\]|\\\\.)*"'],
];

/**
 * An expression without look-around that does the same: for strings in quotes, for negative look-ahead in front of one
 * character, and for look-ahead at the end that the literal behind it repeats.
 */
export function lookaroundRewrite(context: GrammarContext, { node, python }: RegexFact): Rewrite | undefined {
  const body = context.slice(node.bodySpan);
  for (const [from, to] of QUOTED) {
    if (body === from) return { shown: `/${to}/`, edits: [{ span: node.bodySpan, newText: to }] };
  }
  if (python.tree === undefined) return undefined;
  const { root } = python.tree;
  const items = root.kind === 'sequence' ? root.items : [root];
  const last = items.at(-1);
  if (last?.kind !== 'look' || !last.ahead || last.negative || python.tree.source !== body) return undefined;
  if (items.slice(0, -1).some(hasLook)) return undefined;
  const what = literalText(last.body);
  if (what === undefined) return undefined;
  // `/x(?=;)/ ";"` says the same text twice: once is enough.
  for (const owner of owners(context.document.items)) {
    const all = expressions(owner.body);
    const index = all.indexOf(node);
    const next = index < 0 ? undefined : all[index + 1];
    if (next?.kind !== 'string' || next.raw !== JSON.stringify(what) || next.span.start < node.span.end) continue;
    const newText = `/${body.slice(0, last.span.start)}${body.slice(last.body.span.start, last.body.span.end)}/${node.flags}`;
    return { shown: newText, edits: [{ span: { start: node.span.start, end: next.span.end }, newText }] };
  }
  return undefined;
}

function hasLook(start: RegexNode): boolean {
  const open = [start];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.kind === 'look') return true;
    open.push(...children(node));
  }
  return false;
}

function literalText(node: RegexNode): string | undefined {
  const items = node.kind === 'sequence' ? node.items : [node];
  let text = '';
  for (const item of items) {
    if (item.kind !== 'set' || item.set.length !== 2 || item.set[0] !== item.set[1]) return undefined;
    text += String.fromCodePoint(item.set[0]!);
  }
  return text === '' ? undefined : text;
}

/** An expression whose lazy `.*?` stops at one character that it may then not contain. */
export function lazyRewrite(body: string, operator: number): string | undefined {
  const before = body.slice(0, operator - 1);
  const repeat = body[operator - 1];
  if (repeat !== '*' && repeat !== '+') return undefined;
  const after = body.slice(operator + 1);
  const dot = /^((?:[^\\]|\\.)*?)(\.|\[\\s\\S\]|\[\^\\n\])$/s.exec(before);
  const stop = /^(?:\\([^\w\s])|([^\\()[\]{}.*+?^$|]))/.exec(after);
  if (dot === null || stop === null) return undefined;
  // A quantifier behind the stop makes it something else.
  if (/^[*+?{]/.test(after.slice(stop[0].length))) return undefined;
  const character = stop[1] ?? stop[2]!;
  const inClass = /[\]\\^-]/.test(character) ? `\\${character}` : stop[0] === '\\/' ? '\\/' : character;
  return `${dot[1]}[^${inClass}]${repeat}${after}`;
}
