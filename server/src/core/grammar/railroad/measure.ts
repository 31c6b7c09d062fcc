/** Size of the type, and the width of one of its cells: 0.6 of the size in almost every monospaced font. */
export const FONT_SIZE = 13;
const CELL = 7.8;

/** Longer texts are cut, with their whole in a tool tip. */
const MOST_CELLS = 64;

const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$|^\p{Emoji_Presentation}$/u;

/** Cells that a character takes: none for marks, two for those of East Asia and for pictures. */
function cells(character: string): number {
  if (NO_WIDTH.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Width of a text in pixels. */
export function textWidth(text: string): number {
  let sum = 0;
  for (const character of text) sum += cells(character);
  return Math.ceil(sum * CELL);
}

/** A text as it is shown: on one line, with control characters visible, and not too long. */
export function shownText(text: string): string {
  let shown = '';
  let sum = 0;
  for (const character of text) {
    const visible = visibleCharacter(character);
    const width = cells(visible);
    if (sum + width > MOST_CELLS) return `${shown}…`;
    shown += visible;
    sum += width;
  }
  return shown;
}

function visibleCharacter(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code > 0x7f && code < 0xa0) return '\ufffd';
  return character;
}

/** Text inside XML, as content or in an attribute. What XML cannot hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[&<>"]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&quot;'));
}
