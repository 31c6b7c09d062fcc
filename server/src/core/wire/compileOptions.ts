import type { CodexProfile } from '../profiles/codex';
import type { CompileOptions } from '../schema/compile';
import { codexRoute, type ToolDefinition } from '../tools/model';

/** Levels of containers that a namespace puts around the schema of a dynamic tool. */
export const NAMESPACE_LEVELS = 2;

/**
 * How Codex compiles a tool's input schema, by the route of its shape: tools of MCP servers get `properties` at the root
 * first, all others go the way of dynamic tools, and a trusted one keeps its size.
 */
export function compileOptions(tool: ToolDefinition, profile: CodexProfile): CompileOptions {
  const route = codexRoute(tool.shape);
  return {
    profile,
    via: route === 'mcp' ? 'mcp' : 'dynamic',
    trusted: tool.local.trusted,
    extraNesting: route !== 'mcp' && tool.namespace !== undefined ? NAMESPACE_LEVELS : 0,
  };
}
