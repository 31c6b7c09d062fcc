// Categories that Rust's formatter for debugging escapes: controls, formats, unassigned, private, separators.
const UNPRINTABLE = /^[\p{C}\p{Zl}\p{Zp}\p{Zs}]$/u;
const GRAPHEME_EXTEND = /^\p{Grapheme_Extend}$/u;

/** A string as Rust's `{:?}` prints it, quotes included: the form in which the client's messages quote values. */
export function rustDebug(text: string): string {
  let result = '"';
  let first = true;
  for (const character of text) {
    if (character === '"' || character === '\\') result += `\\${character}`;
    else if (character === '\n') result += '\\n';
    else if (character === '\r') result += '\\r';
    else if (character === '\t') result += '\\t';
    else if (character === '\0') result += '\\0';
    else if (character === ' ') result += character;
    else if (UNPRINTABLE.test(character) || (first && GRAPHEME_EXTEND.test(character))) {
      result += `\\u{${character.codePointAt(0)!.toString(16)}}`;
    } else result += character;
    first = false;
  }
  return `${result}"`;
}
