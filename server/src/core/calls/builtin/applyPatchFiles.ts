import type { PatchChunk, PatchHunk } from './applyPatchModel';
import { trim, trimEnd } from './rustLines';

/** Punctuation that models write in place of what stands on keyboards. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' '],
];

/** Ways to compare lines, the strictest first: each is tried on the whole file before the next. */
const COMPARISONS: readonly ((line: string) => string)[] = [
  (line) => line,
  trimEnd,
  trim,
  (line) => LOOKALIKES.reduce((text, [pattern, plain]) => text.replace(pattern, plain), trim(line)),
];

/** Why a hunk does not fit the files, or `undefined`. `files` has the content by path as the patch writes it. */
export function misfit(hunk: PatchHunk, files: ReadonlyMap<string, string>): string | undefined {
  if (hunk.kind === 'add') return undefined;
  const { path } = hunk;
  const content = files.get(path);
  const missing = 'No such file or directory (os error 2)';
  if (hunk.kind === 'delete') return content === undefined ? `Failed to read ${path}: ${missing}` : undefined;
  if (content === undefined) return `Failed to read file to update ${path}: ${missing}`;
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let from = 0;
  for (const chunk of hunk.chunks) {
    const place = chunkEnd(chunk, lines, from, path);
    if (typeof place === 'string') return place;
    from = place;
  }
  return undefined;
}

/** The line behind a chunk, or the words of the refusal. */
function chunkEnd(chunk: PatchChunk, lines: readonly string[], start: number, path: string): number | string {
  let from = start;
  if (chunk.context !== undefined) {
    const at = find(lines, [chunk.context], from, false);
    if (at === undefined) return `Failed to find context '${chunk.context}' in ${path}`;
    from = at + 1;
  }
  const { old } = chunk;
  // Nothing to find: the new lines go to the end of the file.
  if (old.length === 0) return from;
  const at = find(lines, old, from, chunk.endOfFile);
  if (at !== undefined) return at + old.length;
  // An empty last line may stand for the end of the file.
  const shorter = old.at(-1) === '' ? old.slice(0, -1) : old;
  const again = shorter === old ? undefined : find(lines, shorter, from, chunk.endOfFile);
  if (again !== undefined) return again + shorter.length;
  return `Failed to find expected lines in ${path}:\n${old.join('\n')}`;
}

function find(lines: readonly string[], wanted: readonly string[], from: number, atEnd: boolean): number | undefined {
  if (wanted.length === 0) return from;
  if (wanted.length > lines.length) return undefined;
  const last = lines.length - wanted.length;
  for (const comparison of COMPARISONS) {
    const needle = wanted.map(comparison);
    for (let at = atEnd ? last : from; at <= last; at++) {
      if (needle.every((line, i) => comparison(lines[at + i]!) === line)) return at;
    }
  }
  return undefined;
}
