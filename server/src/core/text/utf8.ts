const BEYOND_ASCII = /[\u0080-\uffff]/;

/** Length of a string in UTF-8 bytes. Half a surrogate pair counts as the three bytes of U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  // The engine looks through plain ASCII much faster than a loop does.
  if (!BEYOND_ASCII.test(text)) return bytes;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      const low = text.charCodeAt(i + 1);
      if (low >= 0xdc00 && low < 0xe000) i++; // Four bytes for two units.
      bytes += 2;
    } else bytes += 2;
  }
  return bytes;
}

/**
 * Compares two strings as their UTF-8 bytes compare, which is the order of their code points.
 * JavaScript's own order differs for characters beyond U+FFFF against U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const xPair = x >= 0xd800 && x < 0xe000;
      const yPair = y >= 0xd800 && y < 0xe000;
      if (xPair !== yPair) return xPair ? 1 : -1;
      return x - y;
    }
  }
  return a.length - b.length;
}

/** The longest start of a string that has at most `bytes` UTF-8 bytes and cuts no character. */
export function cutUtf8(text: string, bytes: number): string {
  let used = 0;
  let i = 0;
  while (i < text.length) {
    const code = text.codePointAt(i)!;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (used + size > bytes) break;
    used += size;
    i += code < 0x10000 ? 1 : 2;
  }
  return text.slice(0, i);
}
