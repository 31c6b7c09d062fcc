// White space by Unicode's property, as Rust's `str::trim` takes it: with U+0085, without U+FEFF, unlike JavaScript's.
const WHITE_SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${WHITE_SPACE}+`, 'u');
const ALL_SPACE = new RegExp(WHITE_SPACE, 'u');

/** The text without white space around it, as Rust trims it. */
export function rustTrim(text: string): string {
  const start = LEADING.exec(text)?.[0].length ?? 0;
  let end = text.length;
  // Backwards by hand: a pattern anchored at the end would try every run of spaces inside the text.
  while (end > start && ALL_SPACE.test(text[end - 1]!)) end--;
  return text.slice(start, end);
}

/** The text as Rust's `str::escape_default` writes it, in which Codex quotes bad names. */
export function escapeDefault(text: string): string {
  let result = '';
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (character === '\t') result += '\\t';
    else if (character === '\r') result += '\\r';
    else if (character === '\n') result += '\\n';
    else if (character === '"' || character === "'" || character === '\\') result += `\\${character}`;
    else if (code >= 0x20 && code < 0x7f) result += character;
    else result += `\\u{${code.toString(16)}}`;
  }
  return result;
}

/** Length in Unicode code points, Rust's `chars().count()`. */
export function charCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
