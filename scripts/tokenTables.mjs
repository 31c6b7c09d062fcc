// The tables of a tokenizer by byte pairs, a third smaller: each token is made of two earlier ones, so their ranks say
// all of it. Only the 256 single bytes have no such parts.

const encoder = new TextEncoder();
const textOf = (bytes) => String.fromCharCode(...bytes);

/** The three bytes of each number, first all low ones, then all middle ones, then all high ones: alike stands by alike. */
function planes(numbers) {
  const bytes = new Uint8Array(numbers.length * 3);
  numbers.forEach((number, i) => {
    for (let plane = 0; plane < 3; plane++) bytes[plane * numbers.length + i] = (number >> (8 * plane)) & 255;
  });
  return bytes;
}

/**
 * A list of tokens by rank, as text or as bytes where they are no text, as a module that makes the same list.
 *
 * @param {readonly (string | readonly number[])[]} tokens
 */
export function tokenModule(tokens) {
  const all = tokens.map((token) => textOf(typeof token === 'string' ? encoder.encode(token) : token));
  const ranks = new Map(all.map((token, rank) => [token, rank]));
  const first = [];
  const second = [];
  for (const [rank, token] of all.entries()) {
    let best = token.length === 1 ? [rank, token.charCodeAt(0)] : undefined;
    for (let at = 1; at < token.length; at++) {
      const parts = [ranks.get(token.slice(0, at)), ranks.get(token.slice(at))];
      if (parts.some((part) => part === undefined || part >= rank)) continue;
      if (best === undefined || Math.max(...parts) < Math.max(...best)) best = parts;
    }
    if (best === undefined) throw new Error(`Token ${rank} is not made of two earlier ones.`);
    first.push(best[0]);
    second.push(best[1]);
  }
  const base64 = (numbers) => Buffer.from(planes(numbers)).toString('base64');
  return `${unpack}\nexport default unpack(${all.length}, ${JSON.stringify(base64(first))}, ${JSON.stringify(base64(second))});\n`;
}

/** Runs where the tables are used, so its text becomes a part of the module. A token that names itself is one byte. */
export function unpack(count, first, second) {
  const numbers = (base64) => {
    const bytes = atob(base64);
    const at = (i) => bytes.charCodeAt(i);
    return (i) => at(i) | (at(count + i) << 8) | (at(2 * count + i) << 16);
  };
  const [a, b] = [numbers(first), numbers(second)];
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const raw = new Array(count);
  const tokens = new Array(count);
  for (let rank = 0; rank < count; rank++) {
    raw[rank] = a(rank) === rank ? String.fromCharCode(b(rank)) : raw[a(rank)] + raw[b(rank)];
    const text = raw[rank];
    tokens[rank] = text;
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) < 128) continue;
      const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
      try {
        // The tables have tokens with a byte order mark as bytes, as decoders drop it.
        if (text.startsWith('\u00ef\u00bb\u00bf')) throw new TypeError();
        tokens[rank] = decoder.decode(bytes);
      } catch {
        tokens[rank] = [...bytes];
      }
      break;
    }
  }
  return tokens;
}
