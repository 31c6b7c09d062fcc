import { misfit } from './applyPatchFiles';
import { type Patch, PatchFault, patchText } from './applyPatchModel';
import { parsePatch } from './applyPatchParse';
import type { BuiltinResult } from './builtinResult';

export interface ApplyPatchOptions {
  /** Whether the turn has more than one environment, so that a patch may name one. Default: it has. */
  readonly environments?: boolean;
  /** Contents by path, as the patch writes the paths. Without it nothing is checked against files. */
  readonly files?: ReadonlyMap<string, string>;
}

const PREFIX = 'apply_patch verification failed: ';

/**
 * Reads the input of `apply_patch` as Codex does (0.148.0, observed), in the order in which Codex refuses: its parser,
 * then what the patch is about. The value is `{"hunks":[{"kind":"add"|"delete"|"update","path",…}]}`.
 */
export function parseApplyPatch(text: string, options: ApplyPatchOptions = {}): BuiltinResult {
  let patch: Patch;
  try {
    patch = parsePatch(text);
  } catch (fault) {
    if (!(fault instanceof PatchFault)) throw fault;
    return { ok: false, feedback: PREFIX + fault.message, offset: fault.offset };
  }
  const { environments = true, files } = options;
  if (patch.environment !== undefined && !environments) {
    const feedback = 'apply_patch environment selection is unavailable for this turn';
    return { ok: false, feedback, offset: patch.environment.offset };
  }
  if (patch.hunks.length === 0) return { ok: false, feedback: 'patch rejected: empty patch', offset: patch.end };
  const seen = new Set<string>();
  for (const [i, { path }] of patch.hunks.entries()) {
    const key = samePath(path);
    if (seen.has(key)) {
      const feedback = `${PREFIX}invalid patch: multiple operations target ${path}`;
      return { ok: false, feedback, offset: patch.headers[i]! };
    }
    seen.add(key);
  }
  if (files !== undefined) {
    for (const [i, hunk] of patch.hunks.entries()) {
      const words = misfit(hunk, files);
      if (words !== undefined) return { ok: false, feedback: PREFIX + words, offset: patch.headers[i]! };
    }
  }
  return { ok: true, value: patchText(patch), notes: [] };
}

/** Paths that name the same file as parts: `a/./b` and `a//b` are `a/b`. */
function samePath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return (path.startsWith('/') ? '/' : '') + parts.join('/');
}
