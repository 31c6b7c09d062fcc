import type { CodexProfile } from '../profiles/codex';
import { compileSchema } from '../schema/compile';
import { wideInteger } from '../schema/decode';
import type { JsonNode } from '../text/json';
import { NAMESPACE_LEVELS } from './compileOptions';
import { type DecodeError, type DynamicFunction, type DynamicNamespace, decodeDynamicTools } from './dynamicDecode';
import type { CompiledSchema, CompileForWire } from './options';
import { charCount, escapeDefault, rustTrim } from './rustText';

/** Which demand of Codex an entry of `dynamicTools` misses. */
export type DynamicRefusalCode =
  | 'request'
  | 'name-empty'
  | 'name-space'
  | 'name-pattern'
  | 'name-length'
  | 'name-reserved'
  | 'name-duplicate'
  | 'deferred-without-namespace'
  | 'schema'
  | 'namespace-empty'
  | 'namespace-space'
  | 'namespace-pattern'
  | 'namespace-length'
  | 'namespace-description'
  | 'namespace-reserved'
  | 'namespace-collision'
  | 'namespace-duplicate'
  | 'namespace-without-tools';

/** Why Codex refuses a `thread/start` with these tools. */
export interface DynamicRefusal {
  readonly code: DynamicRefusalCode;
  /** Codex's own words. */
  readonly message: string;
  /** The value at fault. */
  readonly node: JsonNode;
  /** Name of the tool or namespace that the refusal is about, as written; `undefined` for the request as a whole. */
  readonly subject: string | undefined;
}

/** A function that Codex took, with its compiled schema. */
export interface DynamicTool {
  readonly source: DynamicFunction;
  readonly compiled: CompiledSchema;
}

/** A namespace that Codex took. */
export interface DynamicToolGroup {
  readonly source: DynamicNamespace;
  readonly tools: readonly DynamicTool[];
}

/** What Codex makes of a list of dynamic tools. */
export interface DynamicTools {
  /** Entries in file order that have no fault. Codex takes them only when `refusals` is empty. */
  readonly entries: readonly (DynamicTool | DynamicToolGroup)[];
  /**
   * The first is the one that Codex reports. The others, one a tool or namespace at most, would be reported in its
   * place once it is gone.
   */
  readonly refusals: readonly DynamicRefusal[];
}

/** Options of `readDynamicTools`. */
export interface DynamicOptions {
  readonly profile: CodexProfile;
  /** Default: `compileSchema`. Give one that remembers, so that a schema is not compiled again. */
  readonly compile?: CompileForWire | undefined;
}

/**
 * Reads and validates the entries of a `dynamicTools` list in Codex's order (0.171.0, observed; order of the checks
 * from its public source): the request is decoded as a whole, then each entry is checked; the first fault refuses
 * all tools.
 */
export function readDynamicTools(items: readonly JsonNode[], options: DynamicOptions): DynamicTools {
  const refusals: DynamicRefusal[] = [];
  const request = (error: DecodeError): void => {
    refusals.push({
      code: 'request',
      message: `Invalid request: ${error.message}`,
      node: error.node,
      subject: undefined,
    });
  };
  for (const item of items) {
    const wide = item.hasLongNumber ? wideInteger(item) : undefined;
    if (wide !== undefined) request(wide);
  }
  const decoded = decodeDynamicTools(items);
  for (const error of decoded.errors) request(error);
  const reader = new Validator(options, refusals);
  const entries: (DynamicTool | DynamicToolGroup)[] = [];
  for (const entry of decoded.entries) {
    const taken = entry.kind === 'function' ? reader.plain(entry) : reader.namespace(entry);
    if (taken !== undefined) entries.push(taken);
  }
  return { entries, refusals };
}

/** Whether an entry of `DynamicTools` is a namespace. */
export function isDynamicGroup(entry: DynamicTool | DynamicToolGroup): entry is DynamicToolGroup {
  return 'tools' in entry;
}

class Validator {
  readonly #plainNames = new Set<string>();
  readonly #namespaces = new Set<string>();
  readonly #profile: CodexProfile;

  constructor(
    readonly options: DynamicOptions,
    readonly refusals: DynamicRefusal[],
  ) {
    this.#profile = options.profile;
  }

  plain(tool: DynamicFunction): DynamicTool | undefined {
    return this.#tool(tool, undefined, this.#plainNames);
  }

  namespace(group: DynamicNamespace): DynamicToolGroup | undefined {
    if (!this.#takesNamespace(group)) return undefined;
    const names = new Set<string>();
    const tools: DynamicTool[] = [];
    for (const tool of group.tools) {
      const taken = this.#tool(tool, group.name, names);
      if (taken !== undefined) tools.push(taken);
    }
    return { source: group, tools };
  }

  #refuse(code: DynamicRefusalCode, message: string, node: JsonNode, subject: string): undefined {
    this.refusals.push({ code, message, node, subject });
    return undefined;
  }

  #tool(tool: DynamicFunction, namespace: string | undefined, seen: Set<string>): DynamicTool | undefined {
    const { name, nameNode } = tool;
    const profile = this.#profile;
    if (!this.#identifier(name, nameNode, 'dynamic tool name', 'name', profile.dynamicNameLength)) return undefined;
    if (isReserved(name)) {
      return this.#refuse('name-reserved', `dynamic tool name is reserved: ${name}`, nameNode, name);
    }
    if (seen.has(name)) {
      const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
      return this.#refuse('name-duplicate', `duplicate dynamic tool name${where}: ${name}`, nameNode, name);
    }
    seen.add(name);
    if (tool.deferred && namespace === undefined) {
      const message = `deferred dynamic tool must include a namespace: ${name}`;
      return this.#refuse('deferred-without-namespace', message, tool.deferNode ?? tool.node, name);
    }
    const compile = this.options.compile ?? compileSchema;
    const extraNesting = namespace === undefined ? 0 : NAMESPACE_LEVELS;
    const compiled = compile(tool.schema, { profile, via: 'dynamic', extraNesting });
    const { refusal } = compiled;
    if (refusal === undefined) return { source: tool, compiled };
    // The request is looked at as a whole before any schema is; that fault has been told already.
    if (refusal.kind === 'request') return undefined;
    const message =
      refusal.kind === 'nesting'
        ? refusal.message
        : `dynamic tool input schema is not supported for ${name}: ${refusal.message}`;
    return this.#refuse('schema', message, refusal.node, name);
  }

  #takesNamespace(group: DynamicNamespace): boolean {
    const { name, nameNode } = group;
    const profile = this.#profile;
    const label = 'dynamic tool namespace';
    if (!this.#identifier(name, nameNode, label, 'namespace', profile.dynamicNamespaceLength)) return false;
    const longest = profile.dynamicNamespaceDescriptionLength;
    if (charCount(group.description) > longest) {
      const message = `${label} description must be at most ${longest} characters`;
      this.#refuse('namespace-description', message, group.descriptionNode ?? group.node, name);
    } else if (isReserved(name)) {
      this.#refuse('namespace-reserved', `${label} is reserved: ${name}`, nameNode, name);
    } else if (profile.reservedNamespaces.includes(name)) {
      const message = `${label} collides with a reserved Responses API namespace: ${name}`;
      this.#refuse('namespace-collision', message, nameNode, name);
    } else if (this.#namespaces.has(name)) {
      this.#refuse('namespace-duplicate', `duplicate ${label}: ${name}`, nameNode, name);
    } else {
      this.#namespaces.add(name);
      if (group.tools.length > 0) return true;
      this.#refuse('namespace-without-tools', `${label} must contain at least one tool: ${name}`, group.node, name);
    }
    return false;
  }

  /** The checks that names of tools and of namespaces share. */
  #identifier(name: string, node: JsonNode, label: string, code: 'name' | 'namespace', longest: number): boolean {
    const trimmed = rustTrim(name);
    const because = `to match Responses API: ${escapeDefault(name)}`;
    if (trimmed === '') this.#refuse(`${code}-empty`, `${label} must not be empty`, node, name);
    else if (trimmed !== name) {
      this.#refuse(`${code}-space`, `${label} has leading/trailing whitespace: ${escapeDefault(name)}`, node, name);
    } else if (!/^[a-zA-Z0-9_-]+$/.test(name)) {
      this.#refuse(`${code}-pattern`, `${label} must match ^[a-zA-Z0-9_-]+$ ${because}`, node, name);
    } else if (charCount(name) > longest) {
      this.#refuse(`${code}-length`, `${label} must be at most ${longest} characters ${because}`, node, name);
    } else return true;
    return false;
  }
}

function isReserved(name: string): boolean {
  return name === 'mcp' || name.startsWith('mcp__');
}

/** The words that Codex logs when it leaves out a plain dynamic tool whose name is taken; `undefined` for a free name. */
export function builtinNameLog(name: string, profile: CodexProfile): string | undefined {
  const reason = profile.builtinNames.get(name);
  if (reason === undefined) return undefined;
  const words =
    reason === 'reserved'
      ? 'skipping external tool with reserved name'
      : 'skipping duplicate external tool that is already registered';
  return `WARN codex_core::tools::registry: ${words} tool_name=${name}`;
}
