/** A part of a change: what stands in the file, and what shall stand there. */
export interface PatchChunk {
  /** The text behind `@@`: a line above the change. */
  readonly context: string | undefined;
  readonly old: string[];
  readonly new: string[];
  /** The change is at the end of the file. */
  endOfFile: boolean;
}

/** What a patch does to one file. */
export type PatchHunk =
  | { readonly kind: 'add'; readonly path: string; readonly lines: string[] }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'update'; readonly path: string; moveTo: string | undefined; readonly chunks: PatchChunk[] };

export interface Patch {
  /** Offset (UTF-16 units) of the line that names it. */
  readonly environment: { readonly name: string; readonly offset: number } | undefined;
  readonly hunks: readonly PatchHunk[];
  /** Offsets of the header lines, hunk by hunk. */
  readonly headers: readonly number[];
  /** Offset of the last line. */
  readonly end: number;
}

/** A refusal with the offset (UTF-16 units) of the line that it is about. */
export class PatchFault {
  constructor(
    readonly message: string,
    readonly offset: number,
  ) {}
}

/** The compact JSON text of a patch, as a handler's value. */
export function patchText({ environment, hunks }: Patch): string {
  return JSON.stringify({
    ...(environment !== undefined && { environment: environment.name }),
    hunks: hunks.map((hunk) => {
      if (hunk.kind === 'delete') return hunk;
      const { kind, path } = hunk;
      if (hunk.kind === 'add') return { kind, path, content: hunk.lines.map((line) => `${line}\n`).join('') };
      const chunks = hunk.chunks.map(({ context, endOfFile, ...lines }) => ({
        ...(context !== undefined && { context }),
        old: lines.old,
        new: lines.new,
        ...(endOfFile && { endOfFile }),
      }));
      return { kind, path, ...(hunk.moveTo !== undefined && { moveTo: hunk.moveTo }), chunks };
    }),
  });
}
