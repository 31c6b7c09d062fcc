import { emitString } from '../text/emit';
import type { JsonNode } from '../text/json';
import { compareUtf8 } from '../text/utf8';
import { rustTrim } from './rustText';

/** A function as it goes to the model. */
export interface FunctionSpec {
  readonly kind: 'function';
  readonly name: string;
  readonly description: string;
  readonly strict: boolean;
  readonly deferred: boolean;
  /** Exact JSON text. */
  readonly parameters: string;
  /** The tool in the source. */
  readonly node: JsonNode;
}

/** A custom tool as it goes to the model. */
export interface CustomSpec {
  readonly kind: 'custom';
  readonly name: string;
  readonly description: string;
  readonly deferred: boolean;
  /** Exact JSON text; `undefined` where the definition has none. */
  readonly format: string | undefined;
  readonly node: JsonNode;
}

/** What a namespace can hold. */
export type ChildSpec = FunctionSpec | CustomSpec;

/** A namespace with its tools. */
export interface NamespaceSpec {
  readonly kind: 'namespace';
  readonly name: string;
  readonly description: string;
  readonly tools: readonly ChildSpec[];
  /** The namespace in the source, or what made one necessary; `undefined` when it is only a wrapper. */
  readonly node: JsonNode | undefined;
}

/** A tool that goes out as one text: tool search, and what the provider runs. */
export interface OtherSpec {
  readonly kind: 'tool_search' | 'web_search' | 'hosted';
  readonly text: string;
  readonly node: JsonNode;
}

/** One element of a request's tool list. */
export type ToolSpec = ChildSpec | NamespaceSpec | OtherSpec;

/** The namespace of tools that have none, by the name that Codex gives it. */
export const DEFAULT_NAMESPACE = 'functions';

/** The exact compact JSON of a tool, its keys in the order in which Codex 0.171.0 writes them (observed). */
export function emitSpec(spec: ToolSpec): string {
  switch (spec.kind) {
    case 'function':
      return `{"type":"function",${functionFields(spec)}}`;
    case 'custom': {
      const defer = spec.deferred ? ',"defer_loading":true' : '';
      const format = spec.format === undefined ? '' : `,"format":${spec.format}`;
      const head = `"name":${emitString(spec.name)},"description":${emitString(spec.description)}`;
      return `{"type":"custom",${head}${defer}${format}}`;
    }
    case 'namespace': {
      const head = `"name":${emitString(spec.name)},"description":${emitString(spec.description)}`;
      return `{"type":"namespace",${head},"tools":${emitSpecs(spec.tools)}}`;
    }
    default:
      return spec.text;
  }
}

/** The members of a function behind its `type`. */
export function functionFields(spec: FunctionSpec): string {
  const head = `"name":${emitString(spec.name)},"description":${emitString(spec.description)}`;
  const defer = spec.deferred ? ',"defer_loading":true' : '';
  return `${head},"strict":${spec.strict}${defer},"parameters":${spec.parameters}`;
}

/** The exact compact JSON of a tool list. */
export function emitSpecs(specs: readonly ToolSpec[]): string {
  return `[${specs.map(emitSpec).join(',')}]`;
}

/** The description that Codex gives to a namespace without one. */
export function defaultDescription(namespace: string): string {
  return namespace === DEFAULT_NAMESPACE ? '' : `Tools in the ${namespace} namespace.`;
}

/** A namespace's description, or the default for a blank one. */
export function descriptionOrDefault(namespace: string, description: string): string {
  return rustTrim(description) === '' ? defaultDescription(namespace) : description;
}

/**
 * Joins namespaces of one name at the place of the first: its tools, then those of the others, sorted by the bytes of
 * their names; the first description that is not blank, else the default (Codex 0.171.0, observed). Other tools keep
 * their places. The default namespace, which only specs of Codex itself name, keeps its order.
 */
export function mergeNamespaces(specs: readonly ToolSpec[]): ToolSpec[] {
  const merged = joinNamespaces(specs);
  return merged.map((spec) => {
    if (spec.kind !== 'namespace' || spec.name === DEFAULT_NAMESPACE) return spec;
    return { ...spec, tools: [...spec.tools].sort((a, b) => compareUtf8(a.name, b.name)) };
  });
}

/** As `mergeNamespaces`, but tools stay in the order in which they come. */
export function joinNamespaces(specs: readonly ToolSpec[]): ToolSpec[] {
  const groups = new Map<string, { first: NamespaceSpec; description: string; tools: ChildSpec[] }>();
  const result: (ToolSpec | string)[] = [];
  for (const spec of specs) {
    if (spec.kind !== 'namespace') {
      result.push(spec);
      continue;
    }
    const group = groups.get(spec.name);
    if (group === undefined) {
      groups.set(spec.name, { first: spec, description: spec.description, tools: [...spec.tools] });
      result.push(spec.name);
    } else {
      if (rustTrim(group.description) === '') group.description = spec.description;
      for (const tool of spec.tools) group.tools.push(tool);
    }
  }
  return result.map((entry) => {
    if (typeof entry !== 'string') return entry;
    const { first, description, tools } = groups.get(entry)!;
    return { ...first, description: descriptionOrDefault(entry, description), tools };
  });
}
