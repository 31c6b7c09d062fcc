import type { CodexProfile } from '../profiles/codex';
import { type CompileResult, compileSchema } from '../schema/compile';
import type { ToolDefinition } from '../tools/model';
import { compileOptions } from './compileOptions';

const known = new WeakMap<ToolDefinition, Map<string, CompileResult>>();

/** What Codex makes of a tool's input schema, made once; `undefined` without one. */
export function compileTool(tool: ToolDefinition, profile: CodexProfile): CompileResult | undefined {
  const { schemaNode } = tool;
  if (schemaNode === undefined) return undefined;
  const key = `${profile.id} ${profile.budgetBytes}`;
  const byProfile = known.get(tool) ?? new Map<string, CompileResult>();
  known.set(tool, byProfile);
  let result = byProfile.get(key);
  if (result === undefined) {
    result = compileSchema(schemaNode, compileOptions(tool, profile));
    byProfile.set(key, result);
  }
  return result;
}
