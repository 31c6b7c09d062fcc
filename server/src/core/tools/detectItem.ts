import { HOSTED_TYPES, isAnthropicServerType, WEB_SEARCH_TYPES } from '../profiles/toolTypes';
import type { JsonNode } from '../text/json';
import type { ToolShape } from './model';
import { ALL_SCHEMA_KEYS, ANTHROPIC_KEYS, MCP_KEYS, RESPONSES_KEYS, SCHEMA_KEYS, VSCODE_KEYS } from './shapes';

/** A schema that stands under the key of another shape than the one meant. */
export interface WrongKey {
  /** The key that is there. */
  readonly key: string;
  /** What shows the shape that was meant: a key of the tool or of what holds it. */
  readonly evidence: string;
}

/** What one item of a list looks like. */
export interface ItemGuess {
  /** The shapes that the item fits. With more than one, the other items of its list decide. */
  readonly fits: readonly ToolShape[];
  /** The shape where nothing decides; `undefined` if the item is then no tool. */
  readonly fallback: ToolShape | undefined;
  readonly wrongKey: WrongKey | undefined;
}

/** What the place of an item says about its shape. */
export interface Expectation {
  readonly shape: ToolShape;
  /** The key of the container that says so, for messages; `undefined` if it is only likely. */
  readonly evidence: string | undefined;
}

/**
 * The shape of one item, from its keys alone and from what its container says.
 * `undefined` if it is no tool of any shape.
 */
export function detectItem(node: JsonNode, expected?: Expectation): ItemGuess | undefined {
  if (node.kind !== 'object') return undefined;
  const type = node.value('type')?.string;
  if (expected?.evidence !== undefined) {
    const guess = byContainer(node, type, expected.shape, expected.evidence);
    if (guess !== undefined) return guess;
  }
  if (type === 'function') return typedFunction(node, expected);
  if (type === 'namespace') return namespace(node);
  if (type === 'custom') return typedCustom(node);
  if (type !== undefined) {
    if (type === 'tool_search' || WEB_SEARCH_TYPES.has(type) || HOSTED_TYPES.has(type)) return sure('responses');
    if (isAnthropicServerType(type)) return sure('anthropic');
  }
  return untyped(node, type);
}

/**
 * The shape of an item among others: its own if it fits one alone, else the one that most items of the list have
 * if it fits, else the likeliest by itself. `undefined` if it is no tool.
 */
export function settle(guess: ItemGuess, majority: ToolShape | undefined): ToolShape | undefined {
  if (guess.fits.length === 1) return guess.fits[0];
  if (majority === undefined) return guess.fallback;
  if (guess.fits.includes(majority)) return majority;
  // Codex reads an entry without a type in the older flat form, also among canonical ones.
  if (majority === 'codex-dynamic' && guess.fits.includes('codex-dynamic-legacy')) return 'codex-dynamic-legacy';
  return guess.fallback;
}

const NAMED_ONLY: ItemGuess = {
  fits: ['mcp', 'codex-dynamic-legacy', 'anthropic', 'gemini', 'vscode', 'chat-legacy', 'bfcl'],
  fallback: undefined,
  wrongKey: undefined,
};
const INPUT_SCHEMA_ONLY: ItemGuess = {
  fits: ['mcp', 'codex-dynamic-legacy', 'vscode'],
  fallback: 'mcp',
  wrongKey: undefined,
};
const FUNCTION_ONLY: ItemGuess = { fits: ['responses', 'codex-dynamic'], fallback: 'responses', wrongKey: undefined };
const CUSTOM_ONLY: ItemGuess = { fits: ['responses', 'anthropic'], fallback: 'responses', wrongKey: undefined };

function sure(shape: ToolShape, wrongKey?: WrongKey): ItemGuess {
  return { fits: [shape], fallback: shape, wrongKey };
}

/** Containers that hold one shape only: the key of the container outweighs what the item looks like. */
function byContainer(
  node: JsonNode,
  type: string | undefined,
  shape: ToolShape,
  evidence: string,
): ItemGuess | undefined {
  const key = schemaKeyOf(node, SCHEMA_KEYS[shape]);
  if (type === 'namespace') return shape === 'responses' || shape === 'codex-dynamic' ? sure(shape) : undefined;
  switch (shape) {
    case 'gemini':
    case 'vscode':
      if (type !== undefined || node.value('function')?.kind === 'object') return undefined;
      if (key === undefined && !node.has('name')) return undefined;
      return sure(shape, misplaced(key, shape, evidence));
    case 'codex-dynamic':
      if (type !== undefined && type !== 'function') return undefined;
      if (node.value('function')?.kind === 'object') return undefined;
      if (type === undefined || isLegacyDynamic(node)) {
        if (key === undefined && !node.has('name')) return undefined;
        return sure('codex-dynamic-legacy', misplaced(key, 'codex-dynamic-legacy', evidence));
      }
      return sure(shape, misplaced(key, shape, evidence));
    case 'mcp':
      if (type !== undefined || key === undefined) return undefined;
      return sure(shape, misplaced(key, shape, evidence));
    default:
      return undefined;
  }
}

function misplaced(key: string | undefined, shape: ToolShape, evidence: string): WrongKey | undefined {
  return key === undefined || key === SCHEMA_KEYS[shape] ? undefined : { key, evidence };
}

function typedFunction(node: JsonNode, expected: Expectation | undefined): ItemGuess {
  const inner = node.value('function');
  if (inner?.kind === 'object') {
    return sure('chat', misplaced(schemaKeyOf(inner, 'parameters'), 'chat', 'function'));
  }
  if (isLegacyDynamic(node) && node.has('inputSchema')) return sure('codex-dynamic-legacy');
  if (node.has('parameters')) return sure('responses');
  if (node.has('inputSchema')) {
    const evidence =
      firstKey(node, RESPONSES_KEYS) ?? (expected?.shape === 'responses' ? expected.evidence : undefined);
    if (evidence !== undefined) return sure('responses', { key: 'inputSchema', evidence });
    return sure('codex-dynamic');
  }
  if (node.has('input_schema')) {
    if (firstKey(node, ANTHROPIC_KEYS) !== undefined || expected?.shape === 'anthropic') return sure('anthropic');
    return sure('responses', { key: 'input_schema', evidence: 'type' });
  }
  if (node.has('deferLoading')) return sure('codex-dynamic');
  if (firstKey(node, RESPONSES_KEYS) !== undefined) return sure('responses');
  return FUNCTION_ONLY;
}

function typedCustom(node: JsonNode): ItemGuess {
  if (node.value('custom')?.kind === 'object') return sure('chat');
  if (node.has('input_schema')) return sure('anthropic');
  if (node.has('format')) return sure('responses');
  const evidence = firstKey(node, ANTHROPIC_KEYS);
  const key = schemaKeyOf(node);
  if (key !== undefined && (evidence !== undefined || key === 'inputSchema')) {
    return sure('anthropic', { key, evidence: evidence ?? 'type' });
  }
  if (evidence !== undefined) return sure('anthropic');
  return CUSTOM_ONLY;
}

function namespace(node: JsonNode): ItemGuess {
  let dynamic = 0;
  let responses = 0;
  for (const child of node.value('tools')?.items ?? []) {
    // Namespaces do not nest.
    if (child.value('type')?.string === 'namespace') continue;
    const guess = detectItem(child);
    if (guess === undefined || guess === FUNCTION_ONLY || guess === CUSTOM_ONLY || guess === NAMED_ONLY) continue;
    if (guess.fits.includes('codex-dynamic') || guess.fits.includes('codex-dynamic-legacy')) dynamic++;
    else responses++;
  }
  if (dynamic === responses) return FUNCTION_ONLY;
  return sure(dynamic > responses ? 'codex-dynamic' : 'responses');
}

function untyped(node: JsonNode, type: string | undefined): ItemGuess | undefined {
  const inner = node.value('function');
  if (inner?.kind === 'object' && (inner.has('name') || inner.has('parameters'))) {
    return sure('chat', misplaced(schemaKeyOf(inner, 'parameters'), 'chat', 'function'));
  }
  if (firstKey(node, VSCODE_KEYS) !== undefined && node.has('name')) {
    return sure('vscode', misplaced(schemaKeyOf(node, 'inputSchema'), 'vscode', firstKey(node, VSCODE_KEYS)!));
  }
  const mcp = firstKey(node, MCP_KEYS);
  const anthropic = firstKey(node, ANTHROPIC_KEYS);
  if (node.has('inputSchema')) {
    if (isLegacyDynamic(node) || node.has('deferLoading')) return sure('codex-dynamic-legacy');
    if (anthropic !== undefined && mcp === undefined) {
      return sure('anthropic', { key: 'inputSchema', evidence: anthropic });
    }
    if (mcp !== undefined) return sure('mcp');
    return node.has('displayName') ? sure('vscode') : INPUT_SCHEMA_ONLY;
  }
  if (node.has('input_schema')) {
    if (mcp !== undefined && anthropic === undefined) return sure('mcp', { key: 'input_schema', evidence: mcp });
    return sure('anthropic');
  }
  if (node.has('parametersJsonSchema') || node.has('parameters_json_schema')) return sure('gemini');
  if (node.has('parameters') && node.has('name')) {
    return withParameters(node, type, mcp, anthropic);
  }
  if (mcp !== undefined && node.has('name')) return sure('mcp');
  return type === undefined && node.value('name')?.kind === 'string' ? NAMED_ONLY : undefined;
}

function withParameters(
  node: JsonNode,
  type: string | undefined,
  mcp: string | undefined,
  anthropic: string | undefined,
): ItemGuess | undefined {
  const parameters = node.value('parameters');
  // Lists of parameters are not JSON Schema; some other program's format.
  if (parameters?.kind === 'array') return undefined;
  if (type !== undefined) return sure('responses');
  if (mcp !== undefined && anthropic === undefined) return sure('mcp', { key: 'parameters', evidence: mcp });
  if (anthropic !== undefined && mcp === undefined)
    return sure('anthropic', { key: 'parameters', evidence: anthropic });
  const root = parameters?.value('type')?.string;
  if (root === 'dict') return sure('bfcl');
  return root !== undefined && /^[A-Z]+$/.test(root) ? sure('gemini') : sure('chat-legacy');
}

/**
 * Whether Codex reads a dynamic tool in the older flat form because of a key: `namespace` or `exposeToContext`
 * count even when they are null (Codex 0.171.0).
 */
function isLegacyDynamic(node: JsonNode): boolean {
  return node.has('namespace') || node.has('exposeToContext');
}

/** The schema key that the object has: `right` if it has that, else the first of any shape. */
function schemaKeyOf(node: JsonNode, right?: string): string | undefined {
  return right !== undefined && node.has(right) ? right : firstKey(node, ALL_SCHEMA_KEYS);
}

function firstKey(node: JsonNode, keys: readonly string[]): string | undefined {
  return keys.find((key) => node.has(key));
}
