import { type CodexProfile, DEFAULT_CODEX_PROFILE } from '../profiles/codex';
import type { ToolDefinition, ToolSet } from '../tools/model';
import { type McpName, mcpNames } from '../wire/mcpNames';
import { sessionOf } from '../wire/plan';

/** What a tool takes: arguments of a function, input of a custom tool, or a query for tools. */
export type PayloadKind = 'function' | 'custom' | 'tool-search';

/** A tool as calls find it. */
export interface CallTool {
  readonly tool: ToolDefinition;
  /** URI of the file that defines it. */
  readonly uri: string;
  /** The name that the model calls. */
  readonly name: string;
  /** The namespace that the model calls; `undefined` for the default one. */
  readonly namespace: string | undefined;
  /** The name as the definition has it: servers know MCP tools by it. */
  readonly given: string;
  readonly payload: PayloadKind;
}

/** What a name leads to: one tool, none, or several in different namespaces. */
export type FoundTools =
  | { readonly kind: 'one'; readonly tool: CallTool }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly tools: readonly CallTool[] };

/** The name of the tool that finds tools. */
export const TOOL_SEARCH = 'tool_search';

/** The default namespace has three names: none, the empty one, and `functions` (Codex 0.171.0, as read in its source). */
export function namespaceKey(namespace: string | undefined): string {
  return namespace === undefined || namespace === 'functions' ? '' : namespace;
}

/** A tool's name in messages for people, as `handlers` have it: `calendar.list`; the name alone in the default namespace. */
export function dottedName(namespace: string | undefined, name: string): string {
  const space = namespaceKey(namespace);
  return space === '' ? name : `${space}.${name}`;
}

/** A tool's name in messages of Codex: namespace and name with nothing between (Codex 0.171.0, observed). */
export function displayName(namespace: string | undefined, name: string): string {
  return namespaceKey(namespace) + name;
}

/** The tools of the definition files of a samples file, by the names that calls use. */
export class ToolTable {
  readonly tools: readonly CallTool[];
  /** Names of tools that the provider runs itself. */
  readonly hosted: ReadonlySet<string>;
  readonly #byKey = new Map<string, CallTool>();
  readonly #byName = new Map<string, CallTool[]>();

  /** Of two tools with the same namespace and name the first counts, as in Codex's registry. */
  constructor(
    files: readonly { readonly uri: string; readonly set: ToolSet }[],
    profile: CodexProfile = DEFAULT_CODEX_PROFILE,
  ) {
    const all = files.flatMap(({ uri, set }) => set.tools.map((tool) => ({ uri, tool })));
    const session = sessionOf(files, profile);
    const tools: CallTool[] = [];
    const hosted = new Set<string>();
    for (const { uri, tool } of all) {
      const payload = payloadOf(tool);
      if (payload === undefined) hosted.add(tool.name ?? tool.body.value('type')?.string ?? '');
      const given = tool.kind === 'tool-search' ? TOOL_SEARCH : tool.name;
      if (payload === undefined || given === undefined) continue;
      if (session.repeated.has(tool.node)) continue;
      const made = session.names.get(tool.node) ?? (tool.shape === 'mcp' ? aloneName(tool, given, profile) : undefined);
      const namespace = made?.namespace ?? (namespaceKey(tool.namespace?.name) || undefined);
      const entry: CallTool = { tool, uri, name: made?.name ?? given, namespace, given, payload };
      const key = keyOf(entry.namespace, entry.name);
      if (this.#byKey.has(key)) continue;
      this.#byKey.set(key, entry);
      tools.push(entry);
      for (const name of new Set([entry.name, given])) {
        const same = this.#byName.get(name);
        if (same === undefined) this.#byName.set(name, [entry]);
        else same.push(entry);
      }
    }
    this.tools = tools;
    this.hosted = hosted;
  }

  /**
   * The tool that a call means. A namespace that is written counts as it is, with the name that the model sees or the
   * one of the definition. Without one it is the tool in the default namespace, else the only tool with that name.
   */
  find(namespace: string | undefined, name: string): FoundTools {
    const exact = this.#byKey.get(keyOf(namespace, name));
    if (exact !== undefined) return { kind: 'one', tool: exact };
    const same = this.#byName.get(name) ?? [];
    const candidates =
      namespace === undefined ? same : same.filter((tool) => (tool.namespace ?? '') === namespaceKey(namespace));
    if (candidates.length === 0) return { kind: 'none' };
    return candidates.length === 1 ? { kind: 'one', tool: candidates[0]! } : { kind: 'several', tools: candidates };
  }

  /** Every name that a call may have, for guesses. */
  get names(): Iterable<string> {
    return this.#byName.keys();
  }
}

/** The name of an MCP tool of a server that Codex shows nothing of: what it would be if nothing else were wrong. */
function aloneName({ local }: ToolDefinition, given: string, profile: CodexProfile): McpName | undefined {
  return mcpNames([{ server: local.server, tool: given }], profile).names[0];
}

function keyOf(namespace: string | undefined, name: string): string {
  return `${namespaceKey(namespace)}\0${name}`;
}

function payloadOf({ kind }: ToolDefinition): PayloadKind | undefined {
  return kind === 'function' || kind === 'custom' || kind === 'tool-search' ? kind : undefined;
}
