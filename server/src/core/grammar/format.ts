import type { TextEdit } from '../text/finding';
import type { Span } from '../text/span';
import type { GrammarDocument } from './ast';
import { align } from './format/align';
import { barIndent, type Indentation, indentOf, isBlankBetween, type Line, layOut } from './format/layout';
import { type Chunk, chunksOf, lineEnd, lineStart, type Piece } from './format/pieces';

export type FormatOptions = Indentation;

/** A text with more problems is hardly a grammar, and stays as it is. */
const MOST_PROBLEMS = 500;

/** As the editor's own settings have them. */
export const FORMAT_DEFAULTS: FormatOptions = { tabSize: 4, insertSpaces: true };

/**
 * Edits that lay a grammar out: only white space changes, so the tokens and the comments stay the same in both
 * dialects, in reference Lark 1.3.1 and in llguidance 1.9.1. No line breaks come where one of them would read the end
 * of a definition. Alternatives on one line stay there up to 100 columns; else each has its own, with its bar below
 * the colon. Columns that the author keeps stay. Of empty lines one stays. A definition that is not read without a
 * problem stays as it is.
 *
 * A second run changes nothing. Edits are in text order; each replaces white space alone.
 */
export function formatGrammar(document: GrammarDocument, options: FormatOptions = FORMAT_DEFAULTS): TextEdit[] {
  const { text } = document;
  if (document.problems.length > MOST_PROBLEMS) return [];
  const chunks = chunksOf(document);
  const lines = linesOf(text, chunks, options);
  align(text, lines);
  const newline = lineBreakOf(text) ?? '\n';
  const edits: TextEdit[] = [];
  let end = 0;
  const gap = (to: number, breaks: number, indent: string): void => {
    // Line ends stay as they are; new ones are as the first of the text.
    const lineBreak = lineBreakOf(text.slice(end, to)) ?? newline;
    edits.push(...change(text, { start: end, end: to }, lineBreak.repeat(breaks) + indent));
  };
  lines.forEach((line, i) => {
    const breaks = i === 0 ? firstBreaks(text, line) : line.blank ? 2 : 1;
    [...line.words, ...(line.comment === undefined ? [] : [line.comment])].forEach((word, j) => {
      gap(word.piece.start, j === 0 ? breaks : 0, j === 0 ? line.indent : word.gap);
      end = word.piece.end;
    });
  });
  // Whether the text ends with a line end is not for this to say.
  gap(text.length, lines.length > 0 && text.slice(end).includes('\n') ? 1 : 0, '');
  return edits;
}

/** What is left as it is may read otherwise without the line end in front of it. */
function firstBreaks(text: string, { words: [first] }: Line): number {
  return first?.piece.kind === 'raw' && text.slice(0, first.piece.start).includes('\n') ? 1 : 0;
}

function lineBreakOf(text: string): string | undefined {
  return /\r?\n/.exec(text)?.[0];
}

/** As `formatGrammar`, for the definitions and lines that a part of the text touches. */
export function formatGrammarRange(
  document: GrammarDocument,
  range: Span,
  options: FormatOptions = FORMAT_DEFAULTS,
): TextEdit[] {
  const { text } = document;
  let { start, end } = { start: lineStart(text, range.start), end: lineEnd(text, range.end) };
  for (const { pieces } of chunksOf(document)) {
    const from = lineStart(text, pieces[0]!.start);
    const to = lineEnd(text, pieces.at(-1)!.end);
    if (from > range.end || to < range.start) continue;
    start = Math.min(start, from);
    end = Math.max(end, to);
  }
  return formatGrammar(document, options).filter(({ span }) => start <= span.start && span.end <= end);
}

function linesOf(text: string, chunks: readonly Chunk[], options: FormatOptions): Line[] {
  const lines: Line[] = [];
  /** The definition that comments may belong to, and how far it is indented. */
  let owner: Owner | undefined;
  chunks.forEach((chunk, i) => {
    const before = chunks[i - 1];
    const first = chunk.pieces[0]!;
    const blank = before !== undefined && isBlankBetween(text, before.pieces.at(-1)!, first);
    if (chunk.item !== undefined) owner = new Owner(text, chunk, options);
    else if (first.kind !== 'comment' || blank) owner = undefined;
    const laidOut = layOut(text, chunk, before, options);
    if (chunk.item !== undefined) lines.push(...withNested(text, laidOut, chunk, options));
    else if (first.kind !== 'comment') lines.push(...laidOut);
    else lines.push({ ...laidOut[0]!, indent: commentIndent(text, first, before, owner) });
    if (chunk.item === undefined && first.kind !== 'comment') owner = undefined;
  });
  return lines;
}

/** A definition that the comments below it may belong to. What they need is found once, however many there are. */
class Owner {
  readonly indent: number;
  #bar: string | undefined;

  constructor(
    readonly text: string,
    readonly chunk: Chunk,
    readonly options: FormatOptions,
  ) {
    this.indent = indentOf(text, chunk.pieces[0]!);
  }

  /** White space in front of comments that belong to it. */
  get bar(): string {
    this.#bar ??= barIndent(this.text, this.chunk, this.options);
    return this.#bar;
  }
}

/** The lines of an item with those of the grammars inside it, which are one level further in. */
function withNested(text: string, lines: readonly Line[], { nested }: Chunk, options: FormatOptions): Line[] {
  const result: Line[] = [];
  let next = 0;
  for (const line of lines) {
    const inside = nested[next];
    const closes = inside !== undefined && line.words[0]?.piece === inside.close;
    if (closes) {
      const unit = options.insertSpaces ? ' '.repeat(options.tabSize) : '\t';
      linesOf(text, inside.chunks, options).forEach((each, i) => {
        // What is left as it is has its white space with it.
        const own = each.words[0]?.piece.kind === 'raw';
        result.push({ ...each, indent: own ? '' : unit + each.indent, blank: i > 0 && each.blank });
      });
      next++;
    }
    result.push(closes ? { ...line, blank: false } : line);
  }
  return result;
}

/** A comment below a definition and further in belongs to it; one below lines that stay as they are stays too. */
function commentIndent(text: string, comment: Piece, before: Chunk | undefined, owner: Owner | undefined): string {
  const indent = indentOf(text, comment);
  if (before?.pieces.at(-1)?.kind === 'raw')
    return text.slice(comment.start - indent, comment.start).replace(/\S/g, '');
  return owner !== undefined && indent > owner.indent ? owner.bar : '';
}

/** The edits that make one stretch of white space into another: that of the last line apart from the lines before. */
function change(text: string, span: Span, newText: string): TextEdit[] {
  const old = text.slice(span.start, span.end);
  if (old === newText) return [];
  const oldBreak = old.lastIndexOf('\n') + 1;
  const newBreak = newText.lastIndexOf('\n') + 1;
  if (oldBreak === 0 || newBreak === 0) return [{ span, newText }];
  const edits: TextEdit[] = [];
  const middle = span.start + oldBreak;
  if (old.slice(0, oldBreak) !== newText.slice(0, newBreak)) {
    edits.push({ span: { start: span.start, end: middle }, newText: newText.slice(0, newBreak) });
  }
  if (old.slice(oldBreak) !== newText.slice(newBreak)) {
    edits.push({ span: { start: middle, end: span.end }, newText: newText.slice(newBreak) });
  }
  return edits;
}
