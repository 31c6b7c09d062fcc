import { parseApplyPatch } from './applyPatch';
import type { BuiltinResult } from './builtinResult';
import { parseUpdatePlan } from './updatePlan';

/** Parsers of ToolSpec itself by the name that `builtin` gives them. */
const PARSERS: ReadonlyMap<string, (text: string) => BuiltinResult> = new Map([
  ['apply_patch', (text: string) => parseApplyPatch(text)],
  ['update_plan', parseUpdatePlan],
]);

/** The parser of this name; `undefined` when there is none. Never throws. */
export function builtinParser(name: string): ((text: string) => BuiltinResult) | undefined {
  return PARSERS.get(name);
}
