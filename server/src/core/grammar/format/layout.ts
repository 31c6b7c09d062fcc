import type { Chunk, Piece } from './pieces';
import { lineStart } from './pieces';
import { type Place, placesOf } from './spacing';

/** Lines longer than this are broken where they can be. */
export const LINE_WIDTH = 100;
/** Bars stand below the colon, unless it is further to the right than this. */
const MOST_INDENT = 32;

/** How a level of indentation is written. */
export interface Indentation {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

/** A line of the formatted text. */
export interface Line {
  readonly chunk: Chunk;
  readonly indent: string;
  /** An empty line goes in front. */
  readonly blank: boolean;
  /** What stands on the line, but for a comment at its end. */
  readonly words: readonly Word[];
  readonly comment: Word | undefined;
}

export interface Word {
  readonly piece: Piece;
  readonly depth: number;
  /** White space in front of it. Nothing for the first of a line. */
  gap: string;
}

/** Puts the pieces of a chunk on lines. */
export function layOut(text: string, chunk: Chunk, before: Chunk | undefined, options: Indentation): Line[] {
  const first = chunk.pieces[0]!;
  const blank = before !== undefined && isBlankBetween(text, before.pieces.at(-1)!, first);
  if (chunk.item === undefined) {
    const word = { piece: first, depth: 0, gap: '' };
    return [{ chunk, indent: '', blank, words: [word], comment: undefined }];
  }
  return broken(text, chunk, placesOf(text, chunk.pieces), blank, options).lines;
}

/** The lines of an item as the author broke it, or with a break at each bar where that is too wide. */
function broken(
  text: string,
  chunk: Chunk,
  places: readonly Place[],
  blank: boolean,
  options: Indentation,
): { readonly lines: Line[]; readonly breaks: readonly boolean[] } {
  const written = breaksOf(text, chunk.pieces);
  const lines = linesOf(text, chunk, places, written, blank, options);
  if (lines.every((line) => widthOf(text, line) <= LINE_WIDTH)) return { lines, breaks: written };
  const breaks = chunk.pieces.map(({ kind }, i) => written[i]! || (kind === 'or' && places[i]!.depth === 0));
  return { lines: linesOf(text, chunk, places, breaks, blank, options), breaks };
}

/** The indentation of the alternatives of a chunk, for comments that belong to them. */
export function barIndent(text: string, chunk: Chunk, options: Indentation): string {
  const places = placesOf(text, chunk.pieces);
  return indents(chunk, places, broken(text, chunk, places, false, options).breaks, options).bar;
}

/** Columns that a line takes, without a comment at its end. */
export function widthOf(text: string, line: Line): number {
  let width = line.indent.length;
  for (const { piece, gap } of line.words) {
    const word = text.slice(piece.start, piece.end);
    const lineBreak = word.lastIndexOf('\n');
    width = lineBreak < 0 ? width + gap.length + word.length : word.length - lineBreak - 1;
  }
  return width;
}

/** Whether there is an empty line between two pieces. */
export function isBlankBetween(text: string, before: Piece, after: Piece): boolean {
  return /\n[^\S\n]*\n/.test(text.slice(before.end, after.start));
}

/** Which pieces start a line in the text. In an item without problems these are bars and comments. */
function breaksOf(text: string, pieces: readonly Piece[]): boolean[] {
  return pieces.map((piece, i) => i > 0 && text.slice(pieces[i - 1]!.end, piece.start).includes('\n'));
}

function linesOf(
  text: string,
  chunk: Chunk,
  places: readonly Place[],
  breaks: readonly boolean[],
  blank: boolean,
  options: Indentation,
): Line[] {
  const { pieces } = chunk;
  const { bar, unit } = indents(chunk, places, breaks, options);
  const lines: Line[] = [];
  /** Columns of the brackets that are open. */
  const open: number[] = [];
  let words: Word[] = [];
  let comment: Word | undefined;
  let indent = '';
  let column = 0;
  let start = 0;
  const end = (next: number): void => {
    const before = start > 0 && isBlankBetween(text, pieces[start - 1]!, pieces[start]!);
    lines.push({ chunk, indent, blank: start === 0 ? blank : before, words, comment });
    words = [];
    comment = undefined;
    start = next;
  };
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const { depth, gap } = places[i]!;
    if (breaks[i]) {
      end(i);
      // What ends a grammar inside stands as far left as what starts it.
      if (piece.kind === 'rightBrace') indent = '';
      else indent = depth === 0 ? bar : options.insertSpaces ? ' '.repeat(open.at(-1) ?? 0) : unit.repeat(depth + 1);
      column = indent.length;
    }
    const word = { piece, depth, gap: words.length === 0 ? '' : gap };
    if (piece.kind === 'comment' && words.length > 0) {
      comment = { ...word, gap: text.slice(pieces[i - 1]!.end, piece.start) };
      continue;
    }
    words.push(word);
    column += word.gap.length;
    const inner = places[i + 1]?.depth ?? 0;
    if (inner > depth) open.push(column);
    else if (piece.kind === 'rightParen' || piece.kind === 'rightBracket') open.length = Math.min(open.length, depth);
    column += piece.end - piece.start;
  }
  end(pieces.length);
  return lines;
}

/** White space in front of bars outside of brackets, and for one level. */
function indents(
  { pieces }: Chunk,
  places: readonly Place[],
  breaks: readonly boolean[],
  { tabSize, insertSpaces }: Indentation,
): { bar: string; unit: string } {
  const unit = insertSpaces ? ' '.repeat(tabSize) : '\t';
  const colon = pieces.findIndex(({ kind }, i) => kind === 'colon' && places[i]!.depth === 0);
  // Behind `%ignore`, bars make room for what stands in front of the first alternative.
  const last = Math.max(colon, 0);
  let column = 0;
  for (let i = 0; i <= last; i++) column += places[i]!.gap.length + pieces[i]!.end - pieces[i]!.start;
  column -= 1;
  const below = pieces[last + 1]?.kind === 'or' && breaks[last + 1] === true;
  if (!insertSpaces || below || column > MOST_INDENT) return { bar: unit, unit };
  return { bar: ' '.repeat(column), unit };
}

/** Columns of white space in front of a piece, from the start of its line in the text. */
export function indentOf(text: string, piece: Piece): number {
  return piece.start - lineStart(text, piece.start);
}
