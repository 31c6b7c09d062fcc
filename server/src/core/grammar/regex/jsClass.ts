import { ANY_CHAR, type CharSet, complement, MAX_CODE_POINT } from './charSet';

const known = new WeakMap<CharSet, string>();

/** A set of characters as source for a JavaScript `RegExp` with flag `u`; one piece that can be repeated. */
export function jsClass(set: CharSet): string {
  let source = known.get(set);
  if (source === undefined) {
    source = write(set);
    known.set(set, source);
  }
  return source;
}

function write(set: CharSet): string {
  if (set.length === 0) return '[]';
  if (set.length === 2 && set[0] === set[1]) return jsCharacter(set[0]!);
  if (set.length === ANY_CHAR.length && set[0] === 0 && set[1] === MAX_CODE_POINT) return '[^]';
  return set.at(-1) === MAX_CODE_POINT ? `[^${ranges(complement(set))}]` : `[${ranges(set)}]`;
}

function ranges(set: CharSet): string {
  let out = '';
  for (let i = 0; i < set.length; i += 2) {
    const first = set[i]!;
    const last = set[i + 1]!;
    out += classCharacter(first);
    if (last > first + 1) out += '-';
    if (last > first) out += classCharacter(last);
  }
  return out;
}

/** One character as source, outside of a class. */
export function jsCharacter(code: number): string {
  const char = String.fromCodePoint(code);
  return /[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : visible(code, char);
}

function classCharacter(code: number): string {
  const char = String.fromCodePoint(code);
  return /[\^\\\]\-[]/.test(char) ? `\\${char}` : visible(code, char);
}

function visible(code: number, char: string): string {
  if (code === 0x0a) return '\\n';
  return code >= 0x20 && code < 0x7f ? char : `\\u{${code.toString(16)}}`;
}
