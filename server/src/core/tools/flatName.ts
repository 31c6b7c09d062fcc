import type { ToolDefinition } from './model';

/** Name of the namespace in which a tool stands, in a namespace of the file or by its own word; `undefined` without one. */
export function namespaceOf(tool: ToolDefinition): string | undefined {
  const flat = tool.shape === 'codex-dynamic-legacy' ? tool.node.value('namespace')?.string : undefined;
  const name = tool.namespace?.name ?? flat;
  return name === '' ? undefined : name;
}

/** The name of a tool where there are no namespaces: that of its namespace before it, as `mcp__shop__find` has it. */
export function flatNameOf(tool: ToolDefinition, name: string): string {
  const namespace = namespaceOf(tool);
  return namespace === undefined ? name : `${namespace}__${name}`;
}
