import { LINE_WIDTH, type Line, type Word, widthOf } from './layout';
import { lineStart } from './pieces';

/** Lines longer than this have their comments to themselves. */
const COMMENT_WIDTH = 80;

/**
 * Columns that the author keeps stay columns, put in order: bodies or colons of definitions below one another,
 * aliases of one definition, comments at line ends. Where there are none, none are made.
 */
export function align(text: string, lines: readonly Line[]): void {
  for (const run of runs(lines, isOneLine)) alignDefinitions(text, run);
  for (const run of runs(lines, (line, before) => line.chunk === before?.chunk || before === undefined)) {
    alignAliases(text, run);
  }
  const commented = (line: Line): boolean => line.comment !== undefined && widthOf(text, line) <= COMMENT_WIDTH;
  for (const run of runs(lines, (line) => commented(line) && !line.blank, commented)) alignComments(text, run);
  for (const line of lines) {
    if (line.comment !== undefined && !commented(line)) line.comment.gap = ownGap(line.comment);
  }
}

/** Longest runs of lines of which each goes with the one before it. `first` tells what can start a run. */
function runs(
  lines: readonly Line[],
  goesOn: (line: Line, before: Line | undefined) => boolean,
  first: (line: Line) => boolean = (line) => goesOn(line, undefined),
): Line[][] {
  const result: Line[][] = [];
  let run: Line[] = [];
  for (const line of lines) {
    if (run.length > 0 && goesOn(line, run.at(-1))) run.push(line);
    else {
      if (run.length > 0) result.push(run);
      run = first(line) ? [line] : [];
    }
  }
  if (run.length > 0) result.push(run);
  return result;
}

/** Whether a line is a whole definition, on the line below the one before it. */
function isOneLine(line: Line, before: Line | undefined): boolean {
  const { chunk } = line;
  if (chunk.item?.kind !== 'definition' || (before !== undefined && line.blank)) return false;
  const { length } = chunk.pieces;
  return line.words.length + (line.comment === undefined ? 0 : 1) === length && !line.words.some(isLong);
}

function isLong({ piece }: Word): boolean {
  return piece.kind === 'json' || piece.kind === 'structuredRegex';
}

function alignDefinitions(text: string, run: readonly Line[]): void {
  if (run.length < 2) return;
  const colons = run.map((line) => line.words.findIndex(({ piece }) => piece.kind === 'colon'));
  const alignBefore = (offsets: readonly number[]): boolean => {
    const words = run.map((line, i) => line.words[offsets[i]!]);
    if (words.some((word) => word === undefined)) return false;
    const places = words.map((word) => word!.piece.start - lineStart(text, word!.piece.start));
    if (!words.some((word, i) => blanksBefore(text, word!, run[i]!.words[offsets[i]! - 1]!) > 1)) return false;
    if (2 * mostCommon(places) <= run.length) return false;
    return pad(text, run, words as Word[], 1);
  };
  if (alignBefore(colons)) return;
  alignBefore(colons.map((colon) => colon + 1));
}

function alignAliases(text: string, run: readonly Line[]): void {
  const lines: Line[] = [];
  const arrows: Word[] = [];
  let padded = false;
  for (const line of run) {
    const found = line.words.filter(({ piece, depth }) => piece.kind === 'arrow' && depth === 0);
    const index = line.words.indexOf(found[0]!);
    if (found.length !== 1 || index === 0 || run[0]!.chunk.item?.kind === 'import') continue;
    padded ||= blanksBefore(text, found[0]!, line.words[index - 1]!) > 1;
    lines.push(line);
    arrows.push(found[0]!);
  }
  if (padded && lines.length > 1) pad(text, lines, arrows, 1);
}

function alignComments(text: string, run: readonly Line[]): void {
  const comments = run.map(({ comment }) => comment!);
  const columns = comments.some(({ gap }) => gap.includes('\t') || gap.length > 2);
  if (!columns || run.length < 2) {
    for (const comment of comments) comment.gap = ownGap(comment);
    return;
  }
  const widths = run.map((line) => widthOf(text, line));
  const widest = Math.max(...widths);
  comments.forEach((comment, i) => {
    comment.gap = ' '.repeat(widest - widths[i]! + 2);
  });
}

/** One blank in front of a comment at the end of a line, or two where the author has more. */
function ownGap({ gap }: Word): string {
  return gap.length > 1 || gap === '\t' ? '  ' : ' ';
}

/** Blanks between two words on one line of the text. */
function blanksBefore(text: string, word: Word, before: Word): number {
  const gap = text.slice(before.piece.end, word.piece.start);
  return /^[ \t]*$/.test(gap) ? (gap.includes('\t') ? 2 : gap.length) : 0;
}

function mostCommon(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Math.max(...counts.values());
}

/** Puts a word of each line into one column, `least` blanks behind the longest start of a line. */
function pad(text: string, lines: readonly Line[], words: readonly Word[], least: number): boolean {
  const widths = lines.map((line, i) => startWidth(line, words[i]!));
  const widest = Math.max(...widths);
  // Columns of equal lines are no columns that anyone has made.
  if (widths.every((width) => width === widest)) return false;
  const fits = lines.every((line, i) => {
    return widthOf(text, line) - words[i]!.gap.length + widest - widths[i]! + least <= LINE_WIDTH;
  });
  if (!fits) return false;
  words.forEach((word, i) => {
    word.gap = ' '.repeat(widest - widths[i]! + least);
  });
  return true;
}

/** Columns in front of a word and the white space before it. */
function startWidth(line: Line, word: Word): number {
  let width = line.indent.length;
  for (const each of line.words) {
    if (each === word) break;
    width += each.gap.length + each.piece.end - each.piece.start;
  }
  return width;
}
