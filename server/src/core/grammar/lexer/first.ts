import type { CharSet } from '../regex/charSet';
import type { RegexNode } from '../regex/tree';

/** First characters are told apart below this code; all others count as one. */
export const OTHER_CHARACTER = 128;

/**
 * Which characters a match can start with: one byte per ASCII code and one for all others. Every character is possible
 * where that cannot be told (an expression that can be empty, look-around, references).
 */
export function firstCharacters(node: RegexNode): Uint8Array {
  const out = new Uint8Array(OTHER_CHARACTER + 1);
  if (collect(node, out)) out.fill(1);
  return out;
}

/** Adds a node's first characters; true when it can match without one. Nesting is bounded by the regex parser. */
function collect(node: RegexNode, out: Uint8Array): boolean {
  switch (node.kind) {
    case 'set':
      addSet(node.set, out);
      return false;
    case 'empty':
    case 'anchor':
    case 'look':
      return true;
    case 'reference':
      out.fill(1);
      return true;
    case 'sequence':
      for (const item of node.items) if (!collect(item, out)) return false;
      return true;
    case 'alternation': {
      let empty = false;
      for (const item of node.items) if (collect(item, out)) empty = true;
      return empty;
    }
    case 'group':
      return collect(node.body, out);
    case 'repeat': {
      if (node.max === 0) return true;
      return collect(node.body, out) || node.min === 0;
    }
    case 'conditional': {
      const yes = collect(node.yes, out);
      const no = node.no === undefined || collect(node.no, out);
      return yes || no;
    }
  }
}

function addSet(set: CharSet, out: Uint8Array): void {
  for (let i = 0; i < set.length; i += 2) {
    const last = set[i + 1]!;
    for (let code = set[i]!; code <= last && code < OTHER_CHARACTER; code++) out[code] = 1;
    if (last >= OTHER_CHARACTER) out[OTHER_CHARACTER] = 1;
  }
}

/** The class of the character at an offset; the end of the text counts as another character. */
export function characterClass(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  if (code < OTHER_CHARACTER) return code;
  return OTHER_CHARACTER;
}
