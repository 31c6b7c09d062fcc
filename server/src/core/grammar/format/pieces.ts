import type { GrammarDocument, GrammarItem } from '../ast';
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
  readonly pieces: readonly Piece[];
}

interface Stretch {
  readonly start: number;
  end: number;
  item: GrammarItem | undefined;
  raw: boolean;
}

/**
 * Splits a grammar into chunks in text order. White space belongs to none. Items with a problem, items that go on
 * behind a backslash or hold a grammar of their own, and what is no item stay whole lines of text.
 */
export function chunksOf(document: GrammarDocument): Chunk[] {
  const { text, tokens } = document;
  const stretches = join(text, [...itemStretches(document), ...strayStretches(document)]);
  const chunks: Chunk[] = [];
  let at = 0;
  const until = (end: number, take: (piece: Piece) => void): void => {
    for (let token = tokens[at]; token !== undefined && token.start < end; token = tokens[++at]) {
      if (!isBlank(token)) take(pieceOf(text, token));
    }
  };
  for (const stretch of stretches) {
    until(stretch.start, (piece) => chunks.push({ item: undefined, pieces: [piece] }));
    const pieces: Piece[] = [];
    until(stretch.end, (piece) => pieces.push(piece));
    // A token may reach over the end of the line, as an open literal does.
    const end = Math.max(stretch.end, pieces.at(-1)?.end ?? 0);
    chunks.push(
      stretch.raw || stretch.item === undefined
        ? { item: undefined, pieces: [{ kind: 'raw', start: stretch.start, end }] }
        : { item: stretch.item, pieces },
    );
  }
  until(text.length, (piece) => chunks.push({ item: undefined, pieces: [piece] }));
  return chunks;
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
  bad.push(...tokens.filter(({ kind }) => kind === 'continuation' || kind === 'nested').map(({ start }) => start));
  bad.sort((a, b) => a - b);
  let next = 0;
  return items.map((item) => {
    const start = lineStart(text, item.span.start);
    // An item that is not closed may reach to the next line.
    let last = item.span.end;
    while (last > item.span.start && /\s/.test(text[last - 1]!)) last--;
    const end = lineEnd(text, last);
    while (bad[next] !== undefined && bad[next]! < start) next++;
    const raw = item.kind === 'header' || item.broken || (bad[next] !== undefined && bad[next]! <= end);
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
    const stretch = { start: lineStart(text, token.start), end: lineEnd(text, token.end), item: undefined, raw: true };
    const last = result.at(-1);
    if (last !== undefined && stretch.start <= last.end) last.end = Math.max(last.end, stretch.end);
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
