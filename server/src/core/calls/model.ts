import type { JsonDocument, JsonNode } from '../text/json';
import type { Span } from '../text/span';

/**
 * What takes the calls of a tool.
 *
 * - `builtin`: a parser of ToolSpec itself: `json-schema`, `grammar`, `apply_patch`, `update_plan`
 * - `module`: a function of a JavaScript module
 * - `command`: a program that reads and writes a JSON line per call
 * - `mcp`: an MCP server, asked by `tools/call`
 */
export type HandlerSpec = BuiltinHandler | ModuleHandler | CommandHandler | McpHandler;

/** What every handler may say of its process. */
export interface HandlerLimits {
  /** Milliseconds for one call; `undefined` for the default. */
  readonly timeoutMs: number | undefined;
  /** Folder to start in, relative to the file that names the handler; `undefined` for that file's folder. */
  readonly cwd: string | undefined;
  /** Variables beside the clean environment. */
  readonly env: ReadonlyMap<string, string>;
}

export interface BuiltinHandler extends HandlerLimits {
  readonly kind: 'builtin';
  readonly name: string;
}

export interface ModuleHandler extends HandlerLimits {
  readonly kind: 'module';
  /** Path relative to the file that names the handler. */
  readonly module: string;
  /** `undefined`: the default export, a lone exported function, or the parser that Lark.js made (`get_parser`). */
  readonly export: string | undefined;
}

export interface CommandHandler extends HandlerLimits {
  readonly kind: 'command';
  /** Program and arguments; never goes through a shell. */
  readonly command: readonly string[];
}

export interface McpHandler extends HandlerLimits {
  readonly kind: 'mcp';
  readonly command: readonly string[];
}

/** A handler, and where it is named. */
export interface HandlerEntry {
  /** Name of a tool, or `*` for every other tool of the file. */
  readonly tool: string;
  /** `undefined` when what stands there is no handler. */
  readonly spec: HandlerSpec | undefined;
  readonly node: JsonNode;
  /** URI of the file that names it: its paths start in that file's folder. */
  readonly from: string;
}

/** What a sample call sends. */
export type SamplePayload =
  /** Arguments of a function: the exact text that the model sent, or the compact text of the value that stands there. */
  | { readonly kind: 'arguments'; readonly text: string; readonly node: JsonNode; readonly raw: boolean }
  /** Input of a custom tool. */
  | { readonly kind: 'input'; readonly text: string; readonly node: JsonNode }
  /** Input of a custom tool that stands in a file of its own, relative to the samples file. */
  | { readonly kind: 'input-file'; readonly path: string; readonly node: JsonNode };

/** How a call is expected to end. */
export type CallOutcome = 'accepted' | 'rejected' | 'crashed' | 'timed-out' | 'aborted';

export interface SampleExpectation {
  readonly node: JsonNode;
  readonly outcome: CallOutcome | undefined;
  /** A part of the feedback text. */
  readonly feedback: string | undefined;
  /** A part of the accepted value: objects may have further keys; everything else is equal. */
  readonly value: JsonNode | undefined;
}

/** One stored call. */
export interface SampleCall {
  readonly node: JsonNode;
  /** Its place in `calls`. */
  readonly index: number;
  readonly name: string | undefined;
  readonly nameNode: JsonNode | undefined;
  readonly tool: string | undefined;
  readonly toolNode: JsonNode | undefined;
  readonly namespace: string | undefined;
  readonly namespaceNode: JsonNode | undefined;
  /** `undefined` when there is none, or more than one. */
  readonly payload: SamplePayload | undefined;
  readonly expect: SampleExpectation | undefined;
  /** A stored answer of the tool. */
  readonly result: JsonNode | undefined;
}

/** A reference to a tool definition file. */
export interface DefinitionReference {
  /** Relative to the samples file. */
  readonly path: string;
  readonly node: JsonNode;
}

/** A file `*.samples.json`, read. */
export interface SampleFile {
  readonly document: JsonDocument;
  readonly definitions: readonly DefinitionReference[];
  /** Handlers in file order. */
  readonly handlers: readonly HandlerEntry[];
  readonly calls: readonly SampleCall[];
  readonly problems: readonly SampleProblem[];
}

/** A fault of the samples file itself that needs no other file to be seen. `details` are parts of the sentence. */
export interface SampleProblem {
  readonly kind: 'shape' | 'ambiguous-input';
  readonly span: Span;
  readonly node: JsonNode;
  readonly details: readonly string[];
}
