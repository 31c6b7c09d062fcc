import { parseJson } from '../text/json';
import { readToolSearchArguments } from './builtin/toolSearchArguments';
import { type CallTool, displayName, namespaceKey, TOOL_SEARCH, type ToolTable } from './toolTable';

/** What a search for tools asks. `limit` is a decimal number. */
export interface SearchQuery {
  readonly query: string;
  readonly limit: string | undefined;
}

/** What a response item of the model says. */
export interface CallItem {
  readonly name: string;
  readonly namespace: string | undefined;
  /** `arguments` come in a `function_call` (or `tool_search_call`), `input` in a `custom_tool_call`. */
  readonly kind: 'arguments' | 'input';
  /** The exact text. */
  readonly text: string;
}

/** The forms in which a call's output goes back (OpenAI Responses). */
export type OutputForm = 'function' | 'custom' | 'tool-search';

/**
 * Where a call goes.
 *
 * - `tool`: to this tool, which takes it; `search` holds what a search for tools asks
 * - `feedback`: to no tool; the model is told why
 * - `fatal`: to a tool that takes no such payload, which ends the turn
 * - `ambiguous`: open, because the call names no namespace and several tools have the name
 * - `ignored`: to nobody: the provider answers it itself
 */
export type Route =
  | {
      readonly kind: 'tool';
      readonly target: CallTool;
      readonly form: OutputForm;
      readonly search: SearchQuery | undefined;
    }
  | {
      readonly kind: 'feedback';
      readonly reason: 'unknown-tool' | 'search-arguments';
      readonly text: string;
      readonly form: OutputForm;
    }
  | { readonly kind: 'search'; readonly search: SearchQuery }
  | { readonly kind: 'fatal'; readonly target: CallTool; readonly text: string; readonly form: OutputForm }
  | { readonly kind: 'ambiguous'; readonly tools: readonly CallTool[]; readonly form: OutputForm }
  | { readonly kind: 'ignored'; readonly target: CallTool };

/**
 * Routes a call as Codex 0.171.0 does: by namespace and name, with none, the empty one and `functions` as one namespace.
 * An unknown tool is told to the model; a payload that the tool does not take ends the turn; arguments of a search for
 * tools are decoded on the way.
 */
export function routeCall(item: CallItem, table: ToolTable): Route {
  const { name, namespace, kind, text } = item;
  const form: OutputForm = kind === 'arguments' ? 'function' : 'custom';
  const found = table.find(namespace, name);
  if (found.kind === 'several') return { kind: 'ambiguous', tools: found.tools, form };
  const isSearch = kind === 'arguments' && name === TOOL_SEARCH && namespaceKey(namespace) === '';
  if (isSearch && (found.kind === 'none' || found.tool.payload === 'tool-search')) {
    return routeSearch(text, found.kind === 'none' ? undefined : found.tool);
  }
  if (found.kind === 'none') {
    const what = kind === 'arguments' ? 'unsupported call' : 'unsupported custom tool call';
    return { kind: 'feedback', reason: 'unknown-tool', text: `${what}: ${displayName(namespace, name)}`, form };
  }
  const target = found.tool;
  const takes = target.payload === 'custom' ? 'input' : 'arguments';
  if (takes !== kind) {
    const shown = displayName(target.namespace, target.name);
    return { kind: 'fatal', target, text: `tool ${shown} invoked with incompatible payload`, form };
  }
  return { kind: 'tool', target, form, search: undefined };
}

/** Searches that the provider runs itself are no call for the client. */
function routeSearch(text: string, target: CallTool | undefined): Route {
  if (target !== undefined && target.tool.body.value('execution')?.string === 'server')
    return { kind: 'ignored', target };
  const { root } = parseJson(text);
  // The provider sends a value, not a text; what is no value cannot have been sent, and counts as null.
  const decoded = root === undefined ? undefined : readToolSearchArguments(root);
  if (decoded?.ok !== true) {
    const error = decoded?.error ?? 'invalid type: null, expected struct SearchToolCallParams';
    const feedback = `failed to parse tool_search arguments: ${error}`;
    return { kind: 'feedback', reason: 'search-arguments', text: feedback, form: 'function' };
  }
  if (target === undefined) return { kind: 'search', search: decoded };
  return { kind: 'tool', target, form: 'tool-search', search: decoded };
}
