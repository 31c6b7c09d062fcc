import type { PanelPart, PanelPartAsk } from '../../panelProtocol';

/** Texts of more lines are sent in parts. */
const MOST_LINES = 3_000;

/** Texts of more characters are, too. */
const MOST_CHARACTERS = 200_000;

/** Lines of one part. */
const PART_LINES = 500;

/** Longer lines are cut. */
const MOST_IN_LINE = 2_000;

/**
 * The part of a long text that is sent; `undefined` where all of it is.
 *
 * @param total its lines
 * @param of names it
 * @param characters its length, where that may be too much for few lines
 */
export function partOf(
  total: number,
  of: string,
  ask: PanelPartAsk | undefined,
  characters = 0,
): Omit<PanelPart, 'marked'> | undefined {
  if (total <= MOST_LINES && characters <= MOST_CHARACTERS) return undefined;
  const wanted = ask?.of === of && Number.isSafeInteger(ask.first) ? ask.first : 0;
  const first = Math.max(0, Math.min(wanted, total - 1));
  return { of, first, total, size: PART_LINES };
}

/** A line, without what is beyond its first characters. */
export function clipped(line: string): { readonly text: string; readonly more: number } {
  if (line.length <= MOST_IN_LINE) return { text: line, more: 0 };
  // Both halves of a character outside of the first plane stay together.
  const end = /[\ud800-\udbff]/.test(line[MOST_IN_LINE - 1]!) ? MOST_IN_LINE - 1 : MOST_IN_LINE;
  return { text: `${line.slice(0, end)}…`, more: line.length - end };
}
