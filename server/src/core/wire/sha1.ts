/** The bytes of a string in UTF-8. Half a surrogate pair becomes U+FFFD. */
function utf8Bytes(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    let code = character.codePointAt(0)!;
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/**
 * SHA-1 of a string's UTF-8 bytes, as 40 lower-case hex digits (FIPS 180-4). Codex tells MCP names apart by it; it
 * keeps no secret here. Written out because the core may not use the platform's digests, which are asynchronous in
 * browsers.
 */
export function sha1Hex(text: string): string {
  const bytes = utf8Bytes(text);
  const length = bytes.length;
  bytes.push(0x80);
  while (bytes.length % 64 !== 56) bytes.push(0);
  const bits = length * 8;
  const high = Math.floor(bits / 0x1_0000_0000);
  for (let shift = 24; shift >= 0; shift -= 8) bytes.push((high >>> shift) & 255);
  for (let shift = 24; shift >= 0; shift -= 8) bytes.push((bits >>> shift) & 255);

  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  const words = new Int32Array(80);
  for (let block = 0; block < bytes.length; block += 64) {
    for (let i = 0; i < 16; i++) {
      const at = block + i * 4;
      words[i] = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    }
    for (let i = 16; i < 80; i++) {
      words[i] = rotate(words[i - 3]! ^ words[i - 8]! ^ words[i - 14]! ^ words[i - 16]!, 1);
    }
    let [a, b, c, d, e] = state as [number, number, number, number, number];
    for (let i = 0; i < 80; i++) {
      let mix: number;
      if (i < 20) mix = ((b & c) | (~b & d)) + 0x5a827999;
      else if (i < 40) mix = (b ^ c ^ d) + 0x6ed9eba1;
      else if (i < 60) mix = ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc;
      else mix = (b ^ c ^ d) + 0xca62c1d6;
      const next = (rotate(a, 5) + mix + e + words[i]!) | 0;
      e = d;
      d = c;
      c = rotate(b, 30);
      b = a;
      a = next;
    }
    const round = [a, b, c, d, e];
    for (let i = 0; i < 5; i++) state[i] = (state[i]! + round[i]!) | 0;
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
