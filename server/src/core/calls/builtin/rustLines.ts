/** Unicode's White_Space, which is what Rust trims: with U+0085, without U+FEFF. */
const SPACE = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);

/** `str::trim_start` of Rust. */
export function trimStart(text: string): string {
  return text.replace(LEADING, '');
}

const TRAILING_CHARACTER = new RegExp(`[${SPACE}]`);

/** `str::trim_end` of Rust; linear, which a pattern for the end of a text is not. */
export function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING_CHARACTER.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** `str::trim` of Rust. */
export function trim(text: string): string {
  return trimEnd(trimStart(text));
}

/** A line with the offset where it starts. */
export interface PlacedLine {
  readonly text: string;
  readonly offset: number;
}

/** The lines of a trimmed text as Rust's `lines` gives them: a carriage return before a line feed is no part of them. */
export function trimmedLines(text: string): PlacedLine[] {
  const start = text.length - trimStart(text).length;
  const whole = trimEnd(text.slice(start));
  const lines: PlacedLine[] = [];
  if (whole === '') return lines;
  let from = 0;
  for (;;) {
    const end = whole.indexOf('\n', from);
    const stop = end < 0 ? whole.length : whole[end - 1] === '\r' && end > from ? end - 1 : end;
    lines.push({ text: whole.slice(from, stop), offset: start + from });
    if (end < 0) return lines;
    from = end + 1;
  }
}
