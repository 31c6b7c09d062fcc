import type { PatternFlag } from '../compiled';
import type { GrammarProblemCode } from '../problems';

/** A literal as Lark 1.3.1 reads it, or the code of what is wrong with it and the part of the text that is. */
export type Decoded =
  | { readonly text: string; readonly error?: undefined }
  | { readonly error: GrammarProblemCode; readonly start: number; readonly end: number };

/**
 * Decodes the escapes of a literal as Lark 1.3.1 does for strings and regular expressions alike: `\n`, `\r`, `\t`, `\f`,
 * `\xHH`, `\uHHHH`, `\UHHHHHHHH` and `\"` are decoded, `\\` stays two backslashes, every other backslash stays. A carriage
 * return becomes a line feed, because Lark has Python read the text as a string literal.
 * Offsets of an error count from the start of `text`.
 */
export function decodeEscapes(text: string): Decoded {
  let result = '';
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (c === '\r') {
      if (text[i + 1] === '\n') i++;
      result += '\n';
      continue;
    }
    if (c !== '\\') {
      result += c;
      continue;
    }
    const next = text[++i];
    switch (next) {
      case undefined:
        return { error: 'literal.bad-escape', start: i - 1, end: i };
      case '\\':
        // Lark takes the second of two backslashes for the one that escapes a quote behind it.
        if (text[i + 1] === '"') {
          result += '\\"';
          i++;
        } else result += '\\\\';
        break;
      case 'n':
        result += '\n';
        break;
      case 'r':
        result += '\r';
        break;
      case 't':
        result += '\t';
        break;
      case 'f':
        result += '\f';
        break;
      case '"':
        result += '"';
        break;
      case 'x':
      case 'u':
      case 'U': {
        const length = next === 'x' ? 2 : next === 'u' ? 4 : 8;
        const digits = text.slice(i + 1, i + 1 + length);
        const code = new RegExp(`^[0-9a-fA-F]{${length}}$`).test(digits) ? Number.parseInt(digits, 16) : -1;
        if (code < 0 || code > 0x10ffff) {
          const bad = /^[0-9a-fA-F]*/.exec(digits)![0].length;
          return { error: 'literal.bad-escape', start: i - 1, end: i + 1 + (code > 0 ? length : bad) };
        }
        result += String.fromCodePoint(code);
        i += length;
        break;
      }
      case '\r':
        if (text[i + 1] === '\n') i++;
        result += '\\\n';
        break;
      default: {
        const character = String.fromCodePoint(text.codePointAt(i)!);
        result += `\\${character}`;
        i += character.length - 1;
      }
    }
  }
  return { text: result };
}

/** What Python 3.11's `re.escape` makes of a text. */
export function escapeText(text: string): string {
  return text.replace(/[()[\]{}?*+\-|^$\\.&~# \t\n\r\v\f]/g, '\\$&');
}

/** Number of code points, as Python counts the length of a text. */
export function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      const low = text.charCodeAt(i + 1);
      if (low >= 0xdc00 && low < 0xe000) i++;
    }
    count++;
  }
  return count;
}

/** The flags behind a literal, each once, in alphabetical order. */
export function literalFlags(text: string): PatternFlag[] {
  return [...new Set(text)].sort() as PatternFlag[];
}

/** Names that Lark 1.3.1 gives to texts of one character (and to CR LF). */
export const CHARACTER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    DOT: '.',
    COMMA: ',',
    COLON: ':',
    SEMICOLON: ';',
    PLUS: '+',
    MINUS: '-',
    STAR: '*',
    SLASH: '/',
    BACKSLASH: '\\',
    VBAR: '|',
    QMARK: '?',
    BANG: '!',
    AT: '@',
    HASH: '#',
    DOLLAR: '$',
    PERCENT: '%',
    CIRCUMFLEX: '^',
    AMPERSAND: '&',
    UNDERSCORE: '_',
    LESSTHAN: '<',
    MORETHAN: '>',
    EQUAL: '=',
    DBLQUOTE: '"',
    QUOTE: "'",
    BACKQUOTE: '`',
    TILDE: '~',
    LPAR: '(',
    RPAR: ')',
    LBRACE: '{',
    RBRACE: '}',
    LSQB: '[',
    RSQB: ']',
    NEWLINE: '\n',
    CRLF: '\r\n',
    TAB: '\t',
    SPACE: ' ',
  }).map(([name, text]) => [text, name]),
);

const IDENTIFIER =
  /^[\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{Mn}\p{Mc}\p{Pc}][\p{Lu}\p{Ll}\p{Lt}\p{Lm}\p{Lo}\p{Mn}\p{Mc}\p{Pc}\p{Nd}\p{Nl}]*$/u;

/** The text in upper case where it is an identifier in Lark's eyes; `undefined` else. */
export function nameOfText(text: string): string | undefined {
  return IDENTIFIER.test(text) ? text.toUpperCase() : undefined;
}
