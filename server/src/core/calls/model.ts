import type { NamedHandler } from '../config/handlers';
import type { JsonDocument, JsonNode } from '../text/json';
import type { Message } from '../text/message';
import type { Span } from '../text/span';

export type {
  BuiltinHandler,
  CommandHandler,
  HandlerLimits,
  HandlerSpec,
  McpHandler,
  ModuleHandler,
} from '../config/handlers';

/** A handler, and where it is named. */
export interface HandlerEntry extends NamedHandler {
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

/** A fault of the samples file itself that needs no other file to be seen. */
export interface SampleProblem {
  readonly kind: 'shape' | 'ambiguous-input';
  readonly span: Span;
  readonly node: JsonNode;
  readonly message: Message;
}
