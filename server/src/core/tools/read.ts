import type { JsonDocument, JsonNode } from '../text/json';
import { headSpan, keySpan, nodeSpan } from '../text/jsonTree';
import { type Message, t } from '../text/message';
import { list } from '../text/words';
import { type Container, detectContainer, isGeminiHosted } from './detect';
import { detectItem, type Expectation, type ItemGuess, settle, type WrongKey } from './detectItem';
import { readLocalFacts } from './local';
import type { ReadProblem, ToolDefinition, ToolEntry, ToolNamespace, ToolSet, ToolShape } from './model';
import { readAnthropic } from './read/anthropic';
import { readBfcl } from './read/bfcl';
import { readChat, readChatLegacy } from './read/chat';
import { readCodexDynamic, readCodexDynamicLegacy } from './read/codexDynamic';
import type { ReadContext } from './read/common';
import { readGemini } from './read/gemini';
import { readMcp } from './read/mcp';
import { readResponses } from './read/responses';
import { readVscode } from './read/vscode';
import { SCHEMA_REQUIRED, SHAPE_NAMES } from './shapes';

type Reader = (node: JsonNode, context: ReadContext) => ToolDefinition;

const READERS: Readonly<Record<ToolShape, Reader>> = {
  responses: readResponses,
  chat: readChat,
  'chat-legacy': readChatLegacy,
  mcp: readMcp,
  'codex-dynamic': readCodexDynamic,
  'codex-dynamic-legacy': readCodexDynamicLegacy,
  anthropic: readAnthropic,
  gemini: readGemini,
  vscode: readVscode,
  bfcl: readBfcl,
};

/** How a file is read. */
export interface ReadOptions {
  /** Name of the MCP server where nothing else names one: see `baseNameOf`. */
  readonly baseName: string;
  /** Reads every item in this shape instead of looking for one. */
  readonly shape?: ToolShape | undefined;
}

/**
 * Reads every tool of a document, whatever its shape and whatever is wrapped around the tools.
 *
 * Never throws: half-typed text is read as far as it goes, and what cannot be read is a problem of the result.
 */
export function readTools(document: JsonDocument, options: ReadOptions): ToolSet {
  return new SetReader(document, options).read();
}

/** An item with its shape. */
interface Judged {
  readonly node: JsonNode;
  readonly shape: ToolShape | undefined;
  readonly wrongKey: WrongKey | undefined;
}

class SetReader {
  readonly #entries: ToolEntry[] = [];
  readonly #tools: ToolDefinition[] = [];
  readonly #namespaces: ToolNamespace[] = [];
  readonly #problems: ReadProblem[] = [];
  readonly #container: Container;

  constructor(
    readonly document: JsonDocument,
    readonly options: ReadOptions,
  ) {
    this.#container = detectContainer(document.root);
  }

  read(): ToolSet {
    const { kind, items, listNode, expected, reasons, owners } = this.#container;
    const candidates = kind === 'none' ? this.#forced() : items;
    const { judged, majority } = this.#judge(candidates, expected);
    const found = judged.some((item) => item.shape !== undefined);
    const more: Message[] = [];
    if (found) {
      this.#reportMixed(judged, majority);
      for (const item of judged) this.#item(item, owners);
      more.push(shapeReason(majority!, this.options.shape !== undefined));
    } else if (items.length > 0 && kind !== 'none') more.push(t('No item of the list has the form of a tool.'));
    if (!found && this.document.root !== undefined && (items.length > 0 || kind === 'none')) {
      this.#problem('unknown-shape', this.document.root, undefined, []);
    }
    return {
      document: this.document,
      container: found || items.length === 0 ? (found && kind === 'none' ? 'single' : kind) : 'none',
      shape: found ? majority : undefined,
      reasons: [...reasons, ...more],
      entries: this.#entries,
      tools: this.#tools,
      namespaces: this.#namespaces,
      problems: this.#problems.sort((a, b) => a.span.start - b.span.start),
      listNode: found || items.length === 0 ? (listNode ?? (found ? this.document.root : undefined)) : undefined,
    };
  }

  /** With a shape given by hand, an object that looks like nothing is read all the same. */
  #forced(): readonly JsonNode[] {
    const root = this.document.root;
    return this.options.shape !== undefined && root?.kind === 'object' ? [root] : [];
  }

  /** The shape of each item, and the one that most of them have. */
  #judge(
    nodes: readonly JsonNode[],
    expected: Expectation | undefined,
  ): { judged: Judged[]; majority: ToolShape | undefined } {
    const forced = this.options.shape;
    if (forced !== undefined) {
      const judged = nodes.map((node) => ({
        node,
        shape: node.kind === 'object' ? forced : undefined,
        wrongKey: undefined,
      }));
      return { judged, majority: forced };
    }
    const guesses = nodes.map((node) => guessOf(node, expected));
    const sure = most(guesses.map((guess) => (guess?.fits.length === 1 ? guess.fits[0] : undefined)));
    const likely = sure ?? expected?.shape ?? most(guesses.map((guess) => guess?.fallback));
    const judged = nodes.map((node, i) => {
      const guess = guesses[i];
      return { node, shape: guess && settle(guess, likely), wrongKey: guess?.wrongKey };
    });
    return { judged, majority: most(judged.map((item) => item.shape)) };
  }

  #item(item: Judged, owners: readonly JsonNode[]): void {
    if (item.shape === undefined) {
      this.#problem('not-a-tool', item.node, undefined, []);
      return;
    }
    if (isNamespace(item.node)) this.#namespace(item.node, item.shape, owners);
    else this.#entries.push({ tool: this.#tool(item, undefined, owners) });
  }

  #namespace(node: JsonNode, shape: ToolShape, owners: readonly JsonNode[]): void {
    const nameNode = node.value('name');
    const descriptionNode = node.value('description');
    const namespace: ToolNamespace = {
      shape,
      node,
      name: nameNode?.string,
      nameNode,
      description: descriptionNode?.string,
      descriptionNode,
      tools: [],
    };
    this.#namespaces.push(namespace);
    this.#entries.push({ namespace });
    this.#checkName(node, nameNode, undefined);
    // Namespaces do not nest in any shape.
    const children = node.value('tools')?.items ?? [];
    for (const child of children.filter(isNamespace)) this.#problem('not-a-tool', child, undefined, ['namespace']);
    const { judged, majority } = this.#judge(
      children.filter((child) => !isNamespace(child)),
      inNamespace(shape, this.#container.expected),
    );
    this.#reportMixed(judged, majority);
    for (const child of judged) {
      if (child.shape === undefined) this.#problem('not-a-tool', child.node, undefined, []);
      else namespace.tools.push(this.#tool(child, namespace, [...owners, node]));
    }
  }

  #tool(item: Judged, namespace: ToolNamespace | undefined, owners: readonly JsonNode[]): ToolDefinition {
    const { node, wrongKey } = item;
    const own = [node, node.value('function'), node.value('custom')].filter((each) => each?.kind === 'object');
    const defaults = owners.filter((owner) => owner !== node).reverse();
    const local = readLocalFacts(own as JsonNode[], defaults, this.options.baseName);
    const tool = READERS[item.shape!](node, { namespace, local, wrongKey });
    this.#tools.push(tool);
    if (wrongKey !== undefined) {
      const property = tool.body.get(wrongKey.key);
      if (property?.value !== undefined) {
        this.#problems.push({
          kind: 'wrong-schema-key',
          span: keySpan(property),
          node: property.value,
          tool,
          details: [wrongKey.key, tool.schemaKey, tool.shape, wrongKey.evidence],
        });
      }
    }
    if (tool.kind === 'function' || tool.kind === 'custom') this.#checkName(tool.body, tool.nameNode, tool);
    if (tool.kind === 'function' && SCHEMA_REQUIRED.has(tool.shape) && wrongKey === undefined) this.#checkSchema(tool);
    return tool;
  }

  /** A key whose value is not typed yet is a fault of the text, which says so itself. */
  #checkName(owner: JsonNode, nameNode: JsonNode | undefined, tool: ToolDefinition | undefined): void {
    if (nameNode?.kind === 'string' || (nameNode === undefined && owner.has('name'))) return;
    this.#problem('missing-name', nameNode ?? owner, tool, ['name']);
  }

  #checkSchema(tool: ToolDefinition): void {
    if (tool.schemaNode !== undefined || tool.body.has(tool.schemaKey)) return;
    this.#problem('missing-schema', tool.body, tool, [tool.schemaKey]);
  }

  /** One problem a list, at the first item of another shape than most. */
  #reportMixed(judged: readonly Judged[], majority: ToolShape | undefined): void {
    const counts = new Map<ToolShape, number>();
    for (const { shape } of judged) if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
    if (counts.size < 2) return;
    const other = judged.find((item) => item.shape !== undefined && item.shape !== majority);
    if (other === undefined) return;
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    const details = [other.shape!, majority!, ...sorted.flatMap(([shape, count]) => [shape, String(count)])];
    this.#problem('mixed-shapes', other.node, undefined, details);
  }

  #problem(kind: ReadProblem['kind'], node: JsonNode, tool: ToolDefinition | undefined, details: string[]): void {
    const span = node.kind === 'object' || node.kind === 'array' ? headSpan(node) : nodeSpan(node);
    this.#problems.push({ kind, span, node, tool, details });
  }
}

function isNamespace(node: JsonNode): boolean {
  return node.value('type')?.string === 'namespace';
}

/** A container that holds one shape only says so of the tools in its namespaces too. */
function inNamespace(shape: ToolShape, outer: Expectation | undefined): Expectation {
  return { shape, evidence: outer?.shape === shape ? outer.evidence : undefined };
}

function guessOf(node: JsonNode, expected: Expectation | undefined): ItemGuess | undefined {
  if (expected?.shape === 'gemini' && !node.has('name') && isGeminiHosted(node)) {
    return { fits: ['gemini'], fallback: 'gemini', wrongKey: undefined };
  }
  return detectItem(node, expected);
}

/** The value that stands in the list most often; of several the one that comes first. */
function most(shapes: readonly (ToolShape | undefined)[]): ToolShape | undefined {
  const counts = new Map<ToolShape, number>();
  for (const shape of shapes) if (shape !== undefined) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  let best: ToolShape | undefined;
  for (const [shape, count] of counts) if (best === undefined || count > counts.get(best)!) best = shape;
  return best;
}

const SHAPE_KEYS: Readonly<Record<ToolShape, readonly string[]>> = {
  responses: ['type', 'name'],
  chat: ['function', 'custom'],
  'chat-legacy': ['name', 'parameters'],
  mcp: ['name', 'inputSchema'],
  'codex-dynamic': ['type', 'inputSchema'],
  'codex-dynamic-legacy': ['namespace', 'exposeToContext', 'inputSchema'],
  anthropic: ['input_schema'],
  gemini: ['name', 'parameters'],
  vscode: ['modelDescription', 'inputSchema'],
  bfcl: ['parameters'],
};

function shapeReason(shape: ToolShape, forced: boolean): Message {
  if (forced) return t('The shape {0} was chosen by hand.', SHAPE_NAMES[shape]);
  if (shape === 'bfcl') {
    return t('The schemas say "dict" where JSON Schema says "object", as in the BFCL benchmark.');
  }
  const keys = list(SHAPE_KEYS[shape].map((key) => `"${key}"`));
  return t('The tools have the form of {0}, known by {1}.', SHAPE_NAMES[shape], keys);
}
