import type { JsonDocument, JsonNode } from '../text/json';
import type { Message } from '../text/message';
import type { Span } from '../text/span';

/**
 * The form in which one tool is written.
 *
 * - `responses`: OpenAI Responses, flat (`type`, `name`, `parameters` | `format`), hosted tools included
 * - `chat`: OpenAI Chat Completions, nested under `function` or `custom`
 * - `chat-legacy`: an entry of the old `functions` list (`name`, `parameters`, no `type`)
 * - `mcp`: Model Context Protocol (`inputSchema`)
 * - `codex-dynamic`: Codex `dynamicTools`, canonical (`type`, `inputSchema`, `deferLoading`)
 * - `codex-dynamic-legacy`: the older flat form (`namespace` or `exposeToContext` beside `inputSchema`)
 * - `anthropic`: Anthropic Messages (`input_schema`), dated server tools included
 * - `gemini`: an entry of `functionDeclarations`
 * - `vscode`: an entry of `languageModelTools`
 * - `bfcl`: Berkeley Function Calling Leaderboard (`parameters.type: "dict"`), recognized and named, not judged
 */
export type ToolShape =
  | 'responses'
  | 'chat'
  | 'chat-legacy'
  | 'mcp'
  | 'codex-dynamic'
  | 'codex-dynamic-legacy'
  | 'anthropic'
  | 'gemini'
  | 'vscode'
  | 'bfcl';

/** What holds the tools of a file. */
export type ContainerKind =
  | 'single'
  | 'array'
  | 'tools-object'
  | 'responses-body'
  | 'lite-body'
  | 'chat-body'
  | 'anthropic-body'
  | 'mcp-list'
  | 'dynamic-tools'
  | 'tool-search-output'
  | 'function-declarations'
  | 'language-model-tools'
  | 'none';

/** What a tool is for the one who calls it. `hosted` tools (web search, file search, …) run at the provider. */
export type ToolKind = 'function' | 'custom' | 'tool-search' | 'web-search' | 'hosted';

/** Where a tool goes: always in the request, found by tool search, or never shown to the model. */
export type Exposure = 'direct' | 'deferred' | 'hidden';

/** How the handler of a tool is reached; facts of `x-toolspec`, never sent. */
export interface HandlerReference {
  readonly node: JsonNode;
}

/** What `x-toolspec` says of a tool, with the file's defaults filled in. None of it goes on the wire. */
export interface LocalFacts {
  readonly exposure: Exposure | undefined;
  /** Name of the MCP server; default: the file's base name. */
  readonly server: string;
  /** The server comes with an agent plugin, so its limits hold. */
  readonly plugin: boolean;
  /** Codex skips compaction, as for its own tools. */
  readonly trusted: boolean;
  readonly handler: HandlerReference | undefined;
  /** The object itself, where the tool has one. */
  readonly node: JsonNode | undefined;
}

/** A grammar or the lack of one: what a custom tool's `format` says. */
export interface CustomFormat {
  /** `text` for free text. */
  readonly type: 'grammar' | 'text';
  readonly syntax: string | undefined;
  /** The string with the grammar, or the `$file` reference's string. */
  readonly definitionNode: JsonNode | undefined;
  /** The path of `{"$file": …}`, relative to the definition file. */
  readonly file: string | undefined;
  readonly node: JsonNode;
}

/** A group of tools with a name of its own. */
export interface ToolNamespace {
  readonly shape: ToolShape;
  readonly node: JsonNode;
  readonly name: string | undefined;
  readonly nameNode: JsonNode | undefined;
  readonly description: string | undefined;
  readonly descriptionNode: JsonNode | undefined;
  readonly tools: ToolDefinition[];
}

/** One tool, read without regard to its shape. Nodes are kept so that every finding has a place. */
export interface ToolDefinition {
  readonly shape: ToolShape;
  readonly kind: ToolKind;
  /** The whole tool object. */
  readonly node: JsonNode;
  /** The object that holds name and schema: the tool itself, or its `function` or `custom` member in Chat's shape. */
  readonly body: JsonNode;
  readonly name: string | undefined;
  readonly nameNode: JsonNode | undefined;
  readonly description: string | undefined;
  readonly descriptionNode: JsonNode | undefined;
  /** The input schema, whatever its key. */
  readonly schemaNode: JsonNode | undefined;
  /** The key under which the schema stands or should stand in this shape. */
  readonly schemaKey: string;
  readonly outputSchemaNode: JsonNode | undefined;
  readonly strict: boolean | undefined;
  readonly strictNode: JsonNode | undefined;
  /** Deferred in the definition's own words (`defer_loading`, `deferLoading`, `exposeToContext: false`). */
  readonly deferred: boolean;
  readonly deferNode: JsonNode | undefined;
  readonly namespace: ToolNamespace | undefined;
  readonly format: CustomFormat | undefined;
  readonly local: LocalFacts;
}

/** An entry in file order: a tool of its own or a namespace. */
export type ToolEntry = { readonly tool: ToolDefinition } | { readonly namespace: ToolNamespace };

/**
 * Something that the shape of a file or of a tool demands and that is not so.
 *
 * `details` by kind:
 * - `wrong-schema-key`: the key that is there, the key that should be, the shape that was meant, and the key that
 *   shows it (a key of the tool, or of what holds the list); `node` is the schema
 * - `mixed-shapes`: the shape of `node`, the shape of most items, then shape and number of items by turns, the most
 *   frequent first; one problem a list, at the first item that differs
 * - `missing-name`, `missing-schema`: the key that is missing; `node` is the object that lacks it, or the name that
 *   is no string
 * - `not-a-tool` (one item): `namespace` for one inside of another, else none
 * - `unknown-shape` (the whole file; `ToolSet.reasons` says why): none
 */
export interface ReadProblem {
  readonly kind:
    | 'unknown-shape'
    | 'mixed-shapes'
    | 'wrong-schema-key'
    | 'missing-name'
    | 'missing-schema'
    | 'not-a-tool';
  readonly span: Span;
  readonly node: JsonNode;
  readonly tool: ToolDefinition | undefined;
  /** Parts of the sentence that the rule makes of it; their meaning depends on the kind. */
  readonly details: readonly string[];
}

/** All tools of a file. */
export interface ToolSet {
  readonly document: JsonDocument;
  readonly container: ContainerKind;
  /** The shape that most items have; `undefined` if there is no tool. */
  readonly shape: ToolShape | undefined;
  /** Why the file was read so: sentences for people. */
  readonly reasons: readonly Message[];
  /** Top-level entries in file order. */
  readonly entries: readonly ToolEntry[];
  /** All tools in file order, those in namespaces included. */
  readonly tools: readonly ToolDefinition[];
  readonly namespaces: readonly ToolNamespace[];
  readonly problems: readonly ReadProblem[];
  /** The node of the list (or the single tool). */
  readonly listNode: JsonNode | undefined;
}

/** Which way a tool takes through Codex: as a tool of an MCP server, as a dynamic tool, or as one of its own specs. */
export type CodexRoute = 'mcp' | 'dynamic' | 'own';

/** The route of a shape. MCP and dynamic shapes have routes of their own, every other shape counts as an own spec. */
export function codexRoute(shape: ToolShape): CodexRoute {
  if (shape === 'mcp') return 'mcp';
  return shape === 'codex-dynamic' || shape === 'codex-dynamic-legacy' ? 'dynamic' : 'own';
}
