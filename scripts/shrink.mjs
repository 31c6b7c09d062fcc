// Makes texts smaller that show something.

/**
 * Takes away lines, then words, then characters, as long as the text still shows it.
 * @param {string} text
 * @param {(smaller: string) => Promise<boolean>} shows
 */
export async function shrink(text, shows) {
  let small = text;
  for (const cut of [/(?<=\n)/, /(?<=\s)|(?=\s)|(?<=[()|[\]"/])/, /(?:)/u]) {
    for (let changed = true, rounds = 0; changed && rounds < 20; rounds++) {
      changed = false;
      const parts = small.split(cut);
      if (parts.length > 200) break;
      for (let size = Math.ceil(parts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
        for (let at = 0; at < parts.length; ) {
          const without = [...parts.slice(0, at), ...parts.slice(at + size)];
          if (without.length < parts.length && (await shows(without.join('')))) {
            parts.splice(at, size);
            changed = true;
          } else at += size;
        }
      }
      small = parts.join('');
    }
  }
  return small;
}
