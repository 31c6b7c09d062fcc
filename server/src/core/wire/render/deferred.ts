import {
  type ChildSpec,
  DEFAULT_NAMESPACE,
  descriptionOrDefault,
  joinNamespaces,
  type NamespaceSpec,
  type ToolSpec,
} from '../spec';

function deferredChild(spec: ChildSpec): ChildSpec {
  return { ...spec, deferred: true };
}

/**
 * The form in which tool search gives a tool back (Codex 0.171.0, observed): in a namespace, each tool with
 * `defer_loading`. `undefined` for tools that cannot be deferred.
 */
export function deferredSpec(spec: ToolSpec): NamespaceSpec | undefined {
  if (spec.kind === 'function' || spec.kind === 'custom') {
    return {
      kind: 'namespace',
      name: DEFAULT_NAMESPACE,
      description: '',
      tools: [deferredChild(spec)],
      node: undefined,
    };
  }
  if (spec.kind !== 'namespace') return undefined;
  const description = descriptionOrDefault(spec.name, spec.description);
  return { ...spec, description, tools: spec.tools.map(deferredChild) };
}

/** The `tools` of a `tool_search_output`, with one namespace of a name, in the order given. */
export function deferredSpecs(specs: readonly ToolSpec[]): ToolSpec[] {
  return joinNamespaces(specs.map(deferredSpec).filter((spec) => spec !== undefined));
}
