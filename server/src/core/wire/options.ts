import type { CodexProfile } from '../profiles/codex';
import type { CompileOptions, CompileResult } from '../schema/compile';
import type { JsonNode } from '../text/json';
import type { Message } from '../text/message';
import type { ToolDefinition } from '../tools/model';
import type { SessionNames } from './mcpNames';

/**
 * The form in which tools are shown.
 *
 * - `responses`: the tool list of an ordinary request of Codex
 * - `lite`: that of a Responses Lite request
 * - `deferred`: what a tool search gives back
 * - `chat`, `mcp`, `anthropic`: the definitions in the form of Chat Completions, MCP and Anthropic Messages, with their
 *   source schemas, because Codex takes no part there
 */
export type WireMode = 'responses' | 'lite' | 'deferred' | 'chat' | 'mcp' | 'anthropic';

export const WIRE_MODES: readonly WireMode[] = ['responses', 'lite', 'deferred', 'chat', 'mcp', 'anthropic'];

/** How Codex is told to search the web. `disabled` leaves web search out. */
export type WebSearchMode = 'disabled' | 'cached' | 'indexed' | 'live';

/** What a provider supports; both default to true. */
export interface WireProvider {
  readonly namespaces?: boolean | undefined;
  readonly webSearch?: boolean | undefined;
}

/** Options of every wire view. */
export interface WireOptions {
  readonly mode: WireMode;
  /** Default: the newest observed version of Codex. */
  readonly profile?: CodexProfile | undefined;
  readonly provider?: WireProvider | undefined;
  /** MCP shapes: the server's name in place of what the file says. */
  readonly server?: string | undefined;
  /** MCP shapes: names that are unique over the servers of more files; without them over those of this file. */
  readonly session?: SessionNames | undefined;
  /** Sets the flags of web search; without it they stay as written. */
  readonly webSearch?: WebSearchMode | undefined;
  /** The text of a grammar file, by the path that the definition names; `undefined` when it cannot be read. */
  readonly grammar?: ((path: string, tool: ToolDefinition) => string | undefined) | undefined;
  /** Default: `compileSchema`. Give one that remembers, so that a schema is not compiled again. */
  readonly compile?: CompileForWire | undefined;
}

/** What a wire view needs of a compiled schema. */
export type CompiledSchema = Pick<CompileResult, 'text' | 'refusal'>;

export type CompileForWire = (node: JsonNode, options: CompileOptions) => CompiledSchema;

/**
 * Something to know about a wire view.
 *
 * - `refused`: the receiver refuses the tool, or the whole set where `tool` is missing
 * - `left-out`: the tool is fine and not part of this view
 * - `changed`: it is part of it, with a loss
 */
export interface WireNote {
  readonly kind: 'refused' | 'left-out' | 'changed';
  readonly message: Message;
  /** Codex's own words, where it has some. */
  readonly reason: string | undefined;
  readonly node: JsonNode | undefined;
  readonly tool: ToolDefinition | undefined;
}
