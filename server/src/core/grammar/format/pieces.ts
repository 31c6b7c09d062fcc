import type { Expression, GrammarDocument, GrammarItem, NestedGrammar } from '../ast';
import type { Token, TokenKind } from '../lex';

/** A part of the text that a formatter moves but never changes: a token, a comment, or lines left as they are. */
export interface Piece {
  readonly kind: TokenKind | 'raw';
  readonly start: number;
  readonly end: number;
}

/** What stands on lines of its own: an item, a comment, or lines that are left as they are. */
export interface Chunk {
  readonly item: GrammarItem | undefined;
  /** Without those of grammars inside it. */
  readonly pieces: readonly Piece[];
  /** llguidance: what stands between the braces of `%lark { … }`, and the brace behind it. */
  readonly nested: readonly { readonly chunks: readonly Chunk[]; readonly close: Piece }[];
}

interface Stretch {
  readonly start: number;
  end: number;
  item: GrammarItem | undefined;
  raw: boolean;
}

/**
 * Splits a grammar into chunks in text order. White space belongs to none. Items with a problem, items that go on
 * behind a backslash, and what is no item stay whole lines of text.
 */
export function chunksOf(document: GrammarDocument): Chunk[] {
  const { text, tokens } = document;
  const stretches = join(text, [...itemStretches(document), ...strayStretches(document)]);
  const chunks: Chunk[] = [];
  let at = 0;
  const until = (end: number): Token[] => {
    const taken: Token[] = [];
    for (let token = tokens[at]; token !== undefined && token.start < end; token = tokens[++at]) taken.push(token);
    return taken;
  };
  const loose = (end: number): void => {
    for (const token of until(end)) if (!isBlank(token)) chunks.push(chunkOf(undefined, [pieceOf(text, token)]));
  };
  for (const { start, end, item, raw } of stretches) {
    loose(start);
    const inside = until(end);
    if (!raw && item !== undefined) chunks.push(itemChunk(document, item, inside));
    else {
      // A token may reach over the end of the line, as an open literal does.
      const last = inside.findLast((token) => !isBlank(token));
      const reach = last === undefined ? end : pieceOf(text, last).end;
      chunks.push(chunkOf(undefined, [{ kind: 'raw', start, end: Math.max(end, reach) }]));
    }
  }
  loose(text.length);
  return chunks;
}

function chunkOf(item: GrammarItem | undefined, pieces: readonly Piece[], nested: Chunk['nested'] = []): Chunk {
  return { item, pieces, nested };
}

/** An item with its tokens. Grammars inside it are split in the same way. */
function itemChunk(document: GrammarDocument, item: GrammarItem, tokens: readonly Token[]): Chunk {
  const { text } = document;
  const pieces: Piece[] = [];
  const nested: { chunks: readonly Chunk[]; close: Piece }[] = [];
  const grammars = nestedGrammars(item);
  let at = 0;
  for (const { span, items } of grammars) {
    for (; tokens[at]!.kind !== 'leftBrace' || tokens[at]!.start < span.start; at++) {
      if (!isBlank(tokens[at]!)) pieces.push(pieceOf(text, tokens[at]!));
    }
    pieces.push(pieceOf(text, tokens[at++]!));
    const inside: Token[] = [];
    while (tokens[at]!.end < span.end) inside.push(tokens[at++]!);
    const close = pieceOf(text, tokens[at++]!);
    pieces.push(close);
    nested.push({ chunks: chunksOf({ text, tokens: inside, items, problems: [], marks: [] }), close });
  }
  for (; at < tokens.length; at++) if (!isBlank(tokens[at]!)) pieces.push(pieceOf(text, tokens[at]!));
  return chunkOf(item, pieces, nested);
}

/** The outermost grammars inside an item, in text order. */
function nestedGrammars(item: GrammarItem): NestedGrammar[] {
  const found: NestedGrammar[] = [];
  if (item.kind !== 'definition' && item.kind !== 'ignore') return found;
  const pending: Expression[] = item.body.items.flatMap(({ items }) => items);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'nested') found.push(next);
    else if (next.kind === 'group' || next.kind === 'optional')
      pending.push(...next.body.items.flatMap(({ items }) => items));
    else if (next.kind === 'repeat' || next.kind === 'negation') pending.push(next.item);
    else if (next.kind === 'intersection') pending.push(...next.operands.flatMap(({ items }) => items));
    else if (next.kind === 'template') pending.push(...next.arguments);
  }
  return found.sort((a, b) => a.span.start - b.span.start);
}

/** Whether a grammar inside another has whole lines between its braces. */
function hasOwnLines(text: string, { span, closed }: NestedGrammar): boolean {
  const open = text.indexOf('{', span.start);
  return (
    closed && /^[ \t]*\r?\n/.test(text.slice(open + 1, span.end)) && /\n[ \t]*\}$/.test(text.slice(open, span.end))
  );
}

/** Whether a token is white space, and what stands around it is free to move. */
function isBlank({ kind }: Token): boolean {
  return kind === 'space' || kind === 'newline' || kind === 'lineBreak' || kind === 'end';
}

/** A comment, or a keyword whose value is missing, reaches to the last character that is seen. */
function pieceOf(text: string, { kind, start, end }: Token): Piece {
  return { kind, start, end: start + text.slice(start, end).trimEnd().length };
}

/** Items and the lines that they are on. */
function itemStretches({ text, items, tokens, problems }: GrammarDocument): Stretch[] {
  const bad = problems.flatMap(({ span }) => [span.start, span.end]);
  bad.push(...tokens.filter(({ kind }) => kind === 'continuation').map(({ start }) => start));
  bad.sort((a, b) => a - b);
  const grammars = tokens.some(({ kind }) => kind === 'nested');
  let next = 0;
  return items.map((item) => {
    const start = lineStart(text, item.span.start);
    // An item that is not closed may reach to the next line.
    let last = item.span.end;
    while (last > item.span.start && /\s/.test(text[last - 1]!)) last--;
    const end = lineEnd(text, last);
    while (bad[next] !== undefined && bad[next]! < start) next++;
    const whole = !grammars || nestedGrammars(item).every((each) => hasOwnLines(text, each));
    const raw = item.kind === 'header' || item.broken || !whole || (bad[next] !== undefined && bad[next]! <= end);
    return { start, end, item, raw };
  });
}

/** Tokens outside of all items. */
function strayStretches({ text, items, tokens }: GrammarDocument): Stretch[] {
  const result: Stretch[] = [];
  let index = 0;
  for (const token of tokens) {
    if (isBlank(token) || token.kind === 'comment') continue;
    while (items[index] !== undefined && items[index]!.span.end <= token.start) index++;
    if (items[index] !== undefined && items[index]!.span.start <= token.start) continue;
    // Most tokens of a line are on what is there already; looking for its start for each would take a long time.
    const known = result.at(-1);
    if (known !== undefined && token.end <= known.end) continue;
    const stretch = { start: lineStart(text, token.start), end: lineEnd(text, token.end), item: undefined, raw: true };
    if (known !== undefined && stretch.start <= known.end) known.end = Math.max(known.end, stretch.end);
    else result.push(stretch);
  }
  return result;
}

/** What shares a line becomes one, left as it is. */
function join(text: string, stretches: Stretch[]): Stretch[] {
  stretches.sort((a, b) => a.start - b.start || a.end - b.end);
  const result: Stretch[] = [];
  for (const stretch of stretches) {
    const last = result.at(-1);
    if (last === undefined || stretch.start > last.end) result.push(stretch);
    else {
      last.end = lineEnd(text, Math.max(last.end, stretch.end));
      last.raw = true;
    }
  }
  return result;
}

/** The offset of the first character of a line. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** The offset behind the last character of a line, a carriage return left out. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}
