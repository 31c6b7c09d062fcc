import type { CodexProfile } from '../profiles/codex';
import type { JsonNode } from '../text/json';
import { builtinNameLog, type DynamicTool, type DynamicTools, isDynamicGroup } from './dynamic';
import { type FunctionSpec, mergeNamespaces, type ToolSpec } from './spec';

/** A dynamic tool that Codex took and does not send. */
export interface DynamicDrop {
  /** `builtin`: its name belongs to a tool of the session. `deferred`: only tool search finds it. */
  readonly reason: 'builtin' | 'deferred';
  readonly node: JsonNode;
  readonly name: string;
  /** The line that Codex logs; `undefined` when it says nothing. */
  readonly log: string | undefined;
}

/** The tool list of a request, and what it leaves out. */
export interface DynamicSpecs {
  readonly specs: readonly ToolSpec[];
  readonly drops: readonly DynamicDrop[];
}

/** Which deferred tools to take: none (a request's tool list), only those, or all whatever they say. */
export type DeferredChoice = 'without' | 'only' | 'all';

/**
 * The tools of a request from dynamic tools without a refusal (Codex 0.171.0, observed): plain ones in input order, those
 * of a namespace by name; names of built-in tools are left out, and so are deferred tools, which only tool search finds.
 */
export function dynamicSpecs(tools: DynamicTools, profile: CodexProfile, choice: DeferredChoice): DynamicSpecs {
  const specs: ToolSpec[] = [];
  const drops: DynamicDrop[] = [];
  const chosen = ({ source }: DynamicTool): boolean => {
    if (choice === 'all' || source.deferred === (choice === 'only')) return true;
    if (source.deferred) drops.push({ reason: 'deferred', node: source.node, name: source.name, log: undefined });
    return false;
  };
  for (const entry of tools.entries) {
    if (isDynamicGroup(entry)) {
      const { name, description, node } = entry.source;
      const children = entry.tools.filter(chosen).map(dynamicSpec);
      if (children.length > 0) specs.push({ kind: 'namespace', name, description, tools: children, node });
      continue;
    }
    const { name, node } = entry.source;
    const log = builtinNameLog(name, profile);
    if (log !== undefined) drops.push({ reason: 'builtin', node, name, log });
    else if (chosen(entry)) specs.push(dynamicSpec(entry));
  }
  return { specs: mergeNamespaces(specs), drops };
}

/** One dynamic tool as Codex sends it. */
export function dynamicSpec({ source, compiled }: DynamicTool): FunctionSpec {
  return {
    kind: 'function',
    name: source.name,
    description: source.description,
    strict: false,
    deferred: false,
    parameters: compiled.text,
    node: source.node,
  };
}
