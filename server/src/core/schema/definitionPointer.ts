import { unescapePointerToken } from '../text/jsonTree';

/** A definition that a `$ref` names, as Codex reads it. */
export interface DefinitionPointer {
  readonly table: '$defs' | 'definitions';
  readonly name: string;
}

/**
 * Reads a `$ref` as Codex 0.171.0 does (observed): `#`, then a percent-decoded JSON Pointer whose first token is
 * `$defs` or `definitions` and that has a second token. Deeper tokens are ignored. Decoding comes before splitting;
 * a bad percent sequence stays literal; a result that is not UTF-8, or a `~` without `0` or `1`, is no pointer.
 */
export function definitionPointer(reference: string): DefinitionPointer | undefined {
  if (reference.charCodeAt(0) !== 0x23) return undefined;
  const pointer = percentDecode(reference.slice(1));
  if (pointer === undefined || !pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  const tokens = pointer.split('/');
  const table = unescapePointerToken(tokens[1]!);
  if ((table !== '$defs' && table !== 'definitions') || tokens.length < 3) return undefined;
  return { table, name: unescapePointerToken(tokens[2]!) };
}

/** Percent-decoding that leaves malformed sequences alone; `undefined` when the bytes are not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text;
  // Runs of well-formed sequences are decoded together: a character may take several of them. Text between two
  // runs starts with a character of its own, so each run must be UTF-8 by itself.
  let result = '';
  let rest = 0;
  for (const run of text.matchAll(/(?:%[0-9a-fA-F]{2})+/g)) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(run[0]);
    } catch {
      return undefined;
    }
    result += text.slice(rest, run.index) + decoded;
    rest = run.index + run[0].length;
  }
  return result + text.slice(rest);
}
