import type { ParseResult } from '../../core/grammar/engine';
import type { ParseChild } from '../../core/grammar/tree';
import type { Style } from '../style';

/** Levels of a tree that are indented; a level below says how deep it is instead. */
const MOST_INDENT = 40;
/** Characters that a piece of the output has before it is handed over. */
const PIECE = 65_536;

/**
 * A parse tree, one node or token per line, children indented: nodes by name, tokens as `NAME "text" line:column`, and
 * `(nothing)` for an optional part that is not there. Comes in pieces, so that a large tree is not held twice.
 */
export function* treeLines(result: Extract<ParseResult, { accepted: true }>, style: Style): Generator<string> {
  let text = '';
  const stack: { readonly node: ParseChild; readonly depth: number }[] = [{ node: result.tree, depth: 0 }];
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const { node, depth } = step;
    text += `${indent(depth, style)}${label(node, result, style)}\n`;
    if (text.length >= PIECE) {
      yield text;
      text = '';
    }
    if (node?.kind !== 'tree') continue;
    for (let i = node.children.length - 1; i >= 0; i--) stack.push({ node: node.children[i]!, depth: depth + 1 });
  }
  yield text;
}

function indent(depth: number, style: Style): string {
  if (depth <= MOST_INDENT) return '  '.repeat(depth);
  return `${'  '.repeat(MOST_INDENT)}${style(`(level ${depth.toLocaleString('en-US')})`, 'gray')} `;
}

function label(node: ParseChild, { place }: Extract<ParseResult, { accepted: true }>, style: Style): string {
  if (node === null) return style('(nothing)', 'gray');
  if (node.kind === 'tree') return style(node.name, 'bold');
  const { line, lineStart } = place(node.start);
  const at = style(`${line}:${node.start - lineStart + 1}`, 'gray');
  return `${style(node.type, 'cyan')} ${JSON.stringify(node.value)} ${at}`;
}
