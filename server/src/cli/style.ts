import type { Level } from '../core/text/finding';

const CODES = { red: 31, green: 32, yellow: 33, blue: 34, cyan: 36, gray: 90, bold: 1, dim: 2, underline: 4 } as const;

/** A color or weight that terminals know. */
export type Paint = keyof typeof CODES;

/** Paints text for a terminal, or leaves it alone. */
export type Style = (text: string, ...paints: Paint[]) => string;

/** The style for an output: escape codes only where `color` says that a terminal reads them. */
export function styleFor(color: boolean): Style {
  if (!color) return (text) => text;
  return (text, ...paints) =>
    text === '' ? text : `${paints.map((paint) => `\u001b[${CODES[paint]}m`).join('')}${text}\u001b[0m`;
}

/** The color of a level, as editors have it. */
export const LEVEL_PAINT: Readonly<Record<Level, Paint>> = {
  error: 'red',
  warning: 'yellow',
  info: 'blue',
  hint: 'gray',
};

/** `1 tool`, `2 tools`, `6,120 tools`. */
export function count(value: number, singular: string, plural = `${singular}s`): string {
  return `${value.toLocaleString('en-US')} ${value === 1 ? singular : plural}`;
}

/** Control characters, and those that turn the direction of the text behind them. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text out of a file, made safe for a line of a terminal: line breaks become spaces, and characters that could move the
 * cursor, recolor what follows or show it in another order are spelled out.
 */
export function plain(text: string): string {
  return text
    .replace(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
    .replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Where something was looked for: `in tools, more`, or `here` for the working directory. */
export function inPaths(paths: readonly string[]): string {
  return paths.every((path) => path === '.') ? 'here' : `in ${paths.map(plain).join(', ')}`;
}
