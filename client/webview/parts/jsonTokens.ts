/** A piece of a line of JSON, with the class that colors it; empty for what has the color of text. */
export interface Token {
  readonly kind: '' | 'key' | 'string' | 'number' | 'word';
  readonly text: string;
}

const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;

/** Cuts one line of JSON, as the pretty printer lays it out, into colored pieces. All of the line is in them. */
export function jsonTokens(line: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], text: string): void => {
    if (text !== '') tokens.push({ kind, text });
  };
  for (const match of line.matchAll(TOKENS)) {
    push('', line.slice(at, match.index));
    const [text, colon] = match;
    at = match.index + text.length;
    if (colon !== undefined) {
      push('key', text.slice(0, text.length - colon.length));
      push('', colon);
    } else push(text.startsWith('"') ? 'string' : /^[-\d]/.test(text) ? 'number' : 'word', text);
  }
  push('', line.slice(at));
  return tokens;
}

/** The last line of the block that starts in a line, by indentation; the line itself where none starts. */
export function blockEnd(lines: readonly string[], start: number): number {
  const indent = indentOf(lines[start]!);
  if (!/[[{]$/.test(lines[start]!)) return start;
  for (let line = start + 1; line < lines.length; line++) {
    if (indentOf(lines[line]!) <= indent) return line;
  }
  return start;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
